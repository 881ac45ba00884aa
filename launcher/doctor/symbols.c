/* SPDX-License-Identifier: MIT */
/* `bridle doctor --symbols`: the list of interposed names, and a program's imports against it. */
#include "doctor/symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct symbol {
	const char *name, *family;
} symbols[] = {
#define SYM(name, family) {#name, #family},
#include "symbols.def"
#undef SYM
	{NULL, NULL},
};

static const struct touching {
	const char *name, *words;
} touching[] = {
#define TOUCHES(name, words) {#name, words},
#include "doctor/imports.def"
#undef TOUCHES
};

static const struct symbol *find_symbol(const char *name)
{
	for (const struct symbol *symbol = symbols; symbol->name; symbol++)
		if (!strcmp(symbol->name, name))
			return symbol;
	return NULL;
}

static const struct touching *find_touching(const char *name)
{
	for (size_t i = 0; i < sizeof(touching) / sizeof(touching[0]); i++)
		if (!strcmp(touching[i].name, name))
			return &touching[i];
	return NULL;
}

json_t *symbols_list(void)
{
	json_t *list = json_array();

	for (const struct symbol *symbol = symbols; symbol->name; symbol++)
		json_array_append_new(list, json_pack("{s:s s:s}", "name", symbol->name, "family", symbol->family));
	return list;
}

/* A file in memory; every offset into it is checked, since any file may be given. */
struct mapped {
	const unsigned char *bytes;
	size_t size;
};

static const void *part(const struct mapped *file, uint64_t offset, uint64_t size)
{
	return offset <= file->size && size <= file->size - offset ? file->bytes + offset : NULL;
}

static bool is_elf(const struct mapped *file)
{
	const ElfW(Ehdr) *header = part(file, 0, sizeof(*header));

	return header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	       header->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
	       header->e_ident[EI_DATA] == ELFDATA2LSB && header->e_shentsize == sizeof(ElfW(Shdr));
}

static void sort_in(const char *name, json_t *guarded, json_t *unguarded)
{
	const struct symbol *symbol = find_symbol(name);
	const struct touching *touches = find_touching(name);

	if (symbol)
		json_array_append_new(guarded, json_pack("{s:s s:s}", "name", name, "words", symbol->family));
	else if (touches)
		json_array_append_new(unguarded, json_pack("{s:s s:s}", "name", name, "words", touches->words));
}

/* Goes through one table of dynamic symbols and its strings. */
static void read_table(const struct mapped *file, const ElfW(Shdr) * table, const ElfW(Shdr) * strings,
		       json_t *guarded, json_t *unguarded)
{
	const ElfW(Sym) *symbol = part(file, table->sh_offset, table->sh_size);
	const char *text = part(file, strings->sh_offset, strings->sh_size);

	if (!symbol || !text)
		return;
	for (size_t i = 0; i < table->sh_size / sizeof(*symbol); i++) {
		size_t name = symbol[i].st_name;

		if (symbol[i].st_shndx == SHN_UNDEF && name < strings->sh_size &&
		    memchr(text + name, '\0', strings->sh_size - name))
			sort_in(text + name, guarded, unguarded);
	}
}

static json_t *read_imports(const struct mapped *file)
{
	const ElfW(Ehdr) *header = (const void *)file->bytes;
	const ElfW(Shdr) *sections = part(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(*sections));
	json_t *guarded = json_array(), *unguarded = json_array();

	for (size_t i = 0; sections && i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_DYNSYM && sections[i].sh_link < header->e_shnum)
			read_table(file, &sections[i], &sections[sections[i].sh_link], guarded, unguarded);
	return json_pack("{s:o s:o}", "guarded", guarded, "unguarded", unguarded);
}

json_t *symbols_imports(const char *path, struct failure *failure)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	struct mapped file = {NULL, 0};
	struct stat status;
	json_t *imports = NULL;

	if (descriptor < 0 || fstat(descriptor, &status) < 0) {
		failure_set(failure, "cannot read '%s': %s", path, strerror(errno));
		if (descriptor >= 0)
			close(descriptor);
		return NULL;
	}
	file.size = (size_t)status.st_size;
	file.bytes = mmap(NULL, file.size ? file.size : 1, PROT_READ, MAP_PRIVATE, descriptor, 0);
	close(descriptor);
	if (file.bytes == MAP_FAILED) {
		failure_set(failure, "cannot read '%s': %s", path, strerror(errno));
		return NULL;
	}
	if (is_elf(&file))
		imports = read_imports(&file);
	else
		failure_set(failure, "'%s' is not a program of this machine's kind (ELF); for a script name its interpreter",
			    path);
	munmap((void *)(uintptr_t)file.bytes, file.size);
	return imports;
}
