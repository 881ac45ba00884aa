/* SPDX-License-Identifier: MIT */
/* Tells from a program's file whether ld.so will load the shim into it. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "decide/program.h"

#define SCRIPTS_MAX 5 /* interpreters that are scripts themselves: as many as the kernel follows */

#if __SIZEOF_POINTER__ == 8
#define OWN_CLASS ELFCLASS64
#else
#define OWN_CLASS ELFCLASS32
#endif

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#error "name this machine's e_machine here"
#endif

/* Set-id programs and those with file capabilities run with AT_SECURE, where ld.so takes no preload from a path. */
static bool gains_privileges(int file, const struct stat *status)
{
	struct statvfs system;
	bool capable = getuid() && fgetxattr(file, "security.capability", NULL, 0) > 0;
	bool user = (status->st_mode & S_ISUID) && status->st_uid != getuid();
	bool group = (status->st_mode & S_ISGID) && (status->st_mode & S_IXGRP) && status->st_gid != getgid();

	if (!user && !group && !capable)
		return false;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return false;
	return fstatvfs(file, &system) || !(system.f_flag & ST_NOSUID);
}

/* Has it an interpreter? ld.so itself has none and is a dynamic program all the same. */
static enum rule judge_elf(int file, const char *path, const ElfW(Ehdr) * header)
{
	const char *name = strrchr(path, '/');
	ElfW(Phdr) segment;

	if (header->e_ident[EI_CLASS] != OWN_CLASS || header->e_machine != OWN_MACHINE)
		return RULE_COVERAGE_FOREIGN;
	for (unsigned i = 0; i < header->e_phnum; i++) {
		off_t at = header->e_phoff + (off_t)i * header->e_phentsize;

		if (pread(file, &segment, sizeof(segment), at) != sizeof(segment))
			return RULE_COVERAGE_FOREIGN;
		if (segment.p_type == PT_INTERP)
			return RULE_NONE;
	}
	name = name ? name + 1 : path;
	if (header->e_type == ET_DYN && (!strncmp(name, "ld-", 3) || !strncmp(name, "ld.so", 5)))
		return RULE_NONE;
	return RULE_COVERAGE_STATIC;
}

/* The interpreter of a "#!" line, into path; false when the file has none. */
static bool script_interpreter(const char *head, size_t size, char path[PATH_MAX])
{
	const char *from = head + 2, *end = memchr(head, '\n', size);
	size_t length;

	if (size < 3 || memcmp(head, "#!", 2))
		return false;
	end = end ? end : head + size;
	while (from < end && (*from == ' ' || *from == '\t'))
		from++;
	for (length = 0; from + length < end && !strchr(" \t\r", from[length]) && from[length]; length++)
		;
	if (!length || length >= PATH_MAX)
		return false;
	memcpy(path, from, length);
	path[length] = '\0';
	return true;
}

enum rule program_coverage(const char *path)
{
	char head[256], interpreter[PATH_MAX];
	enum rule found = RULE_NONE;

	for (int depth = 0; depth <= SCRIPTS_MAX; depth++) {
		int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		struct stat status;
		ElfW(Ehdr) header;
		ssize_t got;

		if (file < 0 || fstat(file, &status) || (got = pread(file, head, sizeof(head), 0)) < 0) {
			/* A program that may be run but not read keeps its secret: only the hello can tell. */
			if (file >= 0)
				close(file);
			return RULE_NONE;
		}
		memset(&header, 0, sizeof(header));
		memcpy(&header, head, got < (ssize_t)sizeof(header) ? (size_t)got : sizeof(header));
		if (!memcmp(header.e_ident, ELFMAG, SELFMAG)) {
			found = gains_privileges(file, &status) ? RULE_COVERAGE_SETID
								: judge_elf(file, path, &header);
			close(file);
			return found;
		}
		close(file);
		/* Without a "#!" line the shell runs it, and the shell is covered. */
		if (!script_interpreter(head, got, interpreter))
			return RULE_NONE;
		path = interpreter;
	}
	return RULE_NONE;
}
