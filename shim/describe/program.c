/* SPDX-License-Identifier: MIT */
/* Looks at a program before it is started: its file, its "#!" line, its ELF header. */
#include "describe/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "real/syscall.h"

#include "forbid.h"

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#else
#define MACHINE EM_AARCH64
#endif
#define MOST_SEGMENTS 64

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

bool program_script(struct program *program, char **ret_interpreter, char **ret_argument)
{
	char *at = program->head + 2, *end;

	if (program->head_size < 3 || program->head[0] != '#' || program->head[1] != '!')
		return false;
	/* The kernel cuts at the end of its own buffer too. */
	program->head[program->head_size < PROGRAM_HEAD ? program->head_size : PROGRAM_HEAD - 1] = '\0';
	end = strchr(at, '\n');
	end = end ? end : at + strlen(at);
	while (end > at && is_blank(end[-1]))
		end--;
	*end = '\0';
	while (is_blank(*at))
		at++;
	if (!*at)
		return false;
	*ret_interpreter = at;
	while (*at && !is_blank(*at))
		at++;
	if (*at)
		*at++ = '\0';
	while (is_blank(*at))
		at++;
	*ret_argument = *at ? at : NULL;
	return true;
}

static bool is_own_loader(const char *path)
{
	static const char *const loaders[] = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-musl-x86_64.so.1",
					      "ld-musl-aarch64.so.1"};
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	for (size_t i = 0; i < sizeof(loaders) / sizeof(*loaders); i++)
		if (strcmp(name, loaders[i]) == 0)
			return true;
	return false;
}

/* A part of the file: of its head, where that holds it. */
static bool read_part(const struct program *program, long fd, void *part, size_t size, uint64_t at)
{
	if (at <= program->head_size && size <= program->head_size - at) {
		memcpy(part, program->head + at, size);
		return true;
	}
	return raw(SYS_pread64, fd, part, size, (long)at) == (long)size;
}

static bool names_own_loader(const struct program *program, long fd, const ElfW(Phdr) * segment)
{
	char loader[64];
	size_t size = segment->p_filesz < sizeof(loader) ? segment->p_filesz : sizeof(loader) - 1;

	if (!read_part(program, fd, loader, size, segment->p_offset))
		return false;
	loader[size] = '\0';
	return is_own_loader(loader);
}

/* Judges the program headers: is there a loader, and one that can load a shim like ours? */
static enum program_cover read_segments(const struct program *program, long fd, const ElfW(Ehdr) * header,
					const char *path)
{
	ElfW(Phdr) segment;
	bool dynamic = false;

	for (unsigned i = 0; i < header->e_phnum && i < MOST_SEGMENTS; i++) {
		uint64_t at = header->e_phoff + (uint64_t)i * header->e_phentsize;

		if (!read_part(program, fd, &segment, sizeof(segment), at))
			return PROGRAM_COVERED; /* damaged: the kernel refuses it */
		dynamic = dynamic || segment.p_type == PT_DYNAMIC;
		if (segment.p_type == PT_INTERP)
			return names_own_loader(program, fd, &segment) ? PROGRAM_COVERED : PROGRAM_FOREIGN;
	}
	/* The loader run as a program has no loader of its own and honours LD_PRELOAD all the same. */
	return dynamic && is_own_loader(path) ? PROGRAM_COVERED : PROGRAM_STATIC;
}

static enum program_cover cover_of_file(const struct program *program, long fd, const char *path)
{
	ElfW(Ehdr) header;

	if (program->head_size < sizeof(header))
		return PROGRAM_COVERED;
	memcpy(&header, program->head, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return PROGRAM_COVERED;
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != MACHINE)
		return PROGRAM_FOREIGN;
	return read_segments(program, fd, &header, path);
}

long program_stat(struct program *ret, int dirfd, const char *path)
{
	struct stat status;
	long result = raw(SYS_newfstatat, dirfd, path, &status, AT_EMPTY_PATH);

	if (result < 0)
		return result;
	if (!S_ISREG(status.st_mode) || !(status.st_mode & 0111))
		return -EACCES;
	ret->device = status.st_dev;
	ret->inode = status.st_ino;
	ret->seconds = status.st_ctim.tv_sec;
	ret->nanoseconds = status.st_ctim.tv_nsec;
	ret->mode = status.st_mode;
	ret->owner = status.st_uid;
	ret->group = status.st_gid;
	ret->head_size = 0;
	return 0;
}

void program_read(struct program *ret, long fd, const char *where)
{
	static const char attribute[] = "security.capability";
	long got = raw(SYS_pread64, fd, ret->head, sizeof(ret->head), 0), attributes = 0;

	if (!__atomic_load_n((uint64_t *)&raw_word, __ATOMIC_RELAXED)) /* below a backstop no program gains anything */
		attributes = got < 0 ? raw(SYS_getxattr, where, attribute, NULL, 0)
				     : raw(SYS_fgetxattr, fd, attribute, NULL, 0);
	ret->head_size = got > 0 ? (size_t)got : 0;
	ret->facts = (struct program_facts){.cover = (uint8_t)cover_of_file(ret, fd, where), .capable = attributes > 0};
	ret->facts.has_build = check_build_id(ret->head, ret->head_size, ret->facts.build);
}

long program_look(struct program *ret, int dirfd, const char *path, const char *where)
{
	long result = program_stat(ret, dirfd, path), fd = dirfd;

	if (result < 0)
		return result;
	if (*path)
		fd = raw_guarded(SYS_openat, dirfd, path, O_RDONLY | O_CLOEXEC, 0, 0);
	program_read(ret, fd, where);
	if (*path && fd >= 0)
		raw(SYS_close, fd);
	return 0;
}

/* Then the loader takes no preload from a path (AT_SECURE in getauxval(3)). */
static bool gains_privileges(const struct program *program)
{
	bool other_user = (program->mode & S_ISUID) && program->owner != raw(SYS_geteuid);
	bool other_group = (program->mode & S_ISGID) && (program->mode & S_IXGRP) && program->group != raw(SYS_getegid);
	bool capable = program->facts.capable && raw(SYS_geteuid) != 0;

	return (other_user || other_group || capable) && raw(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

enum program_cover program_cover(const struct program *program)
{
	return gains_privileges(program) ? PROGRAM_SETID : (enum program_cover)program->facts.cover;
}
