/* SPDX-License-Identifier: MIT */
/*
 * A symbol lookup over the loader's public list of objects (link.h). It stands in for dlsym(), which takes the
 * loader's lock, allocates an error text for each name that is not there, and lives in libdl in older systems.
 * The list only grows behind libc while the program runs, and what we look for stands in libc or before it.
 */
#include "real/lookup.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "forbid.h"

/* Exported by glibc's loader; musl's keeps a pointer under another name. Either is enough. */
extern struct r_debug _r_debug __attribute__((weak));
extern struct r_debug *_dl_debug_addr __attribute__((weak));
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

/* The tables of one object that a lookup needs. */
struct tables {
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *gnu_hash, *sysv_hash;
	const uint16_t *versions;
	uintptr_t base;
};

#define VERSION_HIDDEN 0x8000u

static const struct link_map *first_object(void)
{
	if (&_r_debug && _r_debug.r_map)
		return _r_debug.r_map;
	if (&_dl_debug_addr && _dl_debug_addr)
		return _dl_debug_addr->r_map;
	return NULL;
}

/* glibc turns the pointers of a dynamic section into addresses, musl and the vDSO leave them relative. */
static const void *located(const struct link_map *map, ElfW(Addr) pointer)
{
	return (const void *)(pointer < map->l_addr ? pointer + map->l_addr : pointer);
}

static struct tables read_tables(const struct link_map *map)
{
	struct tables tables = {.base = map->l_addr};

	for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
		switch (entry->d_tag) {
		case DT_SYMTAB:
			tables.symbols = located(map, entry->d_un.d_ptr);
			break;
		case DT_STRTAB:
			tables.strings = located(map, entry->d_un.d_ptr);
			break;
		case DT_GNU_HASH:
			tables.gnu_hash = located(map, entry->d_un.d_ptr);
			break;
		case DT_HASH:
			tables.sysv_hash = located(map, entry->d_un.d_ptr);
			break;
		case DT_VERSYM:
			tables.versions = located(map, entry->d_un.d_ptr);
			break;
		}
	}
	return tables;
}

static const ElfW(Sym) * fitting(const struct tables *tables, uint32_t index, const char *name)
{
	const ElfW(Sym) *symbol = &tables->symbols[index];
	unsigned type = symbol->st_info & 0xf;

	if (symbol->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_OBJECT))
		return NULL;
	if (tables->versions && (tables->versions[index] & VERSION_HIDDEN))
		return NULL;
	return strcmp(tables->strings + symbol->st_name, name) == 0 ? symbol : NULL;
}

static const ElfW(Sym) * find_by_gnu_hash(const struct tables *tables, const char *name)
{
	const uint32_t *head = tables->gnu_hash;
	uint32_t buckets = head[0], first = head[1], words = head[2], shift = head[3];
	const ElfW(Addr) *bloom = (const void *)(head + 4);
	const uint32_t *bucket = (const void *)(bloom + words), *chain = bucket + buckets;
	const unsigned bits = 8 * sizeof(*bloom);
	uint32_t hash = 5381;

	for (const unsigned char *at = (const unsigned char *)name; *at; at++)
		hash = hash * 33 + *at;
	ElfW(Addr) word = bloom[hash / bits % words];
	if (!buckets || !(word >> hash % bits & word >> (hash >> shift) % bits & 1))
		return NULL;
	for (uint32_t index = bucket[hash % buckets]; index >= first; index++) {
		uint32_t value = chain[index - first];
		const ElfW(Sym) *symbol = (value | 1) == (hash | 1) ? fitting(tables, index, name) : NULL;

		if (symbol || (value & 1))
			return symbol;
	}
	return NULL;
}

static const ElfW(Sym) * find_by_sysv_hash(const struct tables *tables, const char *name)
{
	const uint32_t *head = tables->sysv_hash;
	uint32_t buckets = head[0], hash = 0;

	for (const unsigned char *at = (const unsigned char *)name; *at; at++) {
		hash = (hash << 4) + *at;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	if (!buckets)
		return NULL;
	for (uint32_t index = head[2 + hash % buckets]; index; index = head[2 + buckets + index]) {
		const ElfW(Sym) *symbol = fitting(tables, index, name);

		if (symbol)
			return symbol;
	}
	return NULL;
}

static const ElfW(Sym) * find(const struct tables *tables, const char *name)
{
	if (!tables->symbols || !tables->strings)
		return NULL;
	if (tables->gnu_hash)
		return find_by_gnu_hash(tables, name);
	return tables->sysv_hash ? find_by_sysv_hash(tables, name) : NULL;
}

bool lookup_next(const char *name, struct lookup *ret)
{
	const struct link_map *map = first_object();

	while (map && map->l_ld != _DYNAMIC)
		map = map->l_next;
	for (map = map ? map->l_next : NULL; map; map = map->l_next) {
		struct tables tables = read_tables(map);
		const ElfW(Sym) *symbol = find(&tables, name);

		if (!symbol)
			continue;
		ret->address = (void *)(tables.base + symbol->st_value);
		if ((symbol->st_info & 0xf) == STT_GNU_IFUNC)
			ret->address = ((void *(*)(void))ret->address)();
		ret->in_libc = find(&tables, "__libc_start_main") != NULL;
		return true;
	}
	return false;
}

void *lookup_own(const char *name)
{
	const struct link_map *map = first_object();

	while (map && map->l_ld != _DYNAMIC)
		map = map->l_next;
	struct tables tables = map ? read_tables(map) : (struct tables){0};
	const ElfW(Sym) *symbol = find(&tables, name);

	return symbol ? (void *)(tables.base + symbol->st_value) : NULL;
}
