/* SPDX-License-Identifier: MIT */
/* Where paths lead, programs are found, and what covers a program. */
#include "decide/resolve.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decide/program.h"
#include "session/session.h"

static char top[64];

static const char *in_top(const char *name)
{
	static char path[2][PATH_MAX];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s%s%s", top, *name ? "/" : "", name);
	return path[turn];
}

static void put(const char *name, const void *bytes, size_t size, mode_t mode)
{
	int file = open(in_top(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	cr_assert_eq(write(file, bytes, size), (ssize_t)size);
	fchmod(file, mode);
	close(file);
}

static void make_top(void)
{
	strcpy(top, "/tmp/resolve-test-XXXXXX");
	cr_assert(mkdtemp(top));
	mkdir(in_top("a"), 0700);
	mkdir(in_top("a/b"), 0700);
	put("a/file", "", 0, 0600);
	symlink("a", in_top("to-a"));
	symlink("../file", in_top("a/b/up"));
	symlink(in_top("a/b"), in_top("absolute"));
	symlink("nowhere/x", in_top("dangling"));
	symlink("loop", in_top("loop"));
}

static void remove_top(void)
{
	session_remove_tree(AT_FDCWD, top);
}

TestSuite(resolve, .init = make_top, .fini = remove_top);

Test(resolve, follows_paths)
{
	static const struct {
		const char *path, *leads;
		enum resolved found;
	} rows[] = {
		{"a/file", "a/file", RESOLVED_EXISTS},
		{"./a//b/../file", "a/file", RESOLVED_EXISTS},
		{"to-a/file", "a/file", RESOLVED_EXISTS},
		{"to-a/b/up", "a/file", RESOLVED_EXISTS},
		{"absolute/up", "a/file", RESOLVED_EXISTS},
		{"absolute/..", "a", RESOLVED_EXISTS},
		{"to-a/..", "", RESOLVED_EXISTS},
		{"new", "new", RESOLVED_MISSING},
		{"to-a/new/deep", "a/new/deep", RESOLVED_MISSING},
		{"to-a/new/../x", "a/x", RESOLVED_MISSING},
		{"dangling", "nowhere/x", RESOLVED_MISSING},
		{"a/file/x", "a/file/x", RESOLVED_MISSING},
		{"", "", RESOLVED_EXISTS},
	};
	char result[PATH_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum resolved found = resolve_path(rows[i].path, top, result);

		cr_expect_eq(found, rows[i].found, "%s: %d", rows[i].path, found);
		cr_expect_str_eq(result, in_top(rows[i].leads), "%s leads to %s", rows[i].path, result);
	}
}

Test(resolve, knows_the_ends)
{
	char result[PATH_MAX], longer[2 * PATH_MAX];

	cr_expect_eq(resolve_path("loop", top, result), RESOLVED_NOT);
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	cr_expect_eq(resolve_path(longer, top, result), RESOLVED_NOT);
	cr_expect_eq(resolve_path("/..", top, result), RESOLVED_EXISTS);
	cr_expect_str_eq(result, "/");
	cr_expect_eq(resolve_path("/dev/stdin", NULL, result), RESOLVED_OPEN);
	cr_expect_eq(resolve_path("/proc/self/fd/0", NULL, result), RESOLVED_OPEN);
	cr_expect_eq(resolve_path("/proc/self/root/etc", NULL, result), RESOLVED_EXISTS);
	cr_expect_str_eq(result, "/etc");
}

Test(resolve, finds_programs_as_a_shell_does)
{
	struct program program;
	char search[256];

	put("a/tool", "#!/bin/sh\n", 10, 0755);
	put("a/b/tool", "#!/bin/sh\n", 10, 0755);
	put("plain", "x", 1, 0644);
	snprintf(search, sizeof(search), "/not/there:%s/a/b:%s/a", top, top);
	program_find("tool", search, NULL, &program);
	cr_expect_eq(program.error, 0);
	cr_expect_str_eq(program.target, in_top("a/b/tool"));
	chmod(in_top("a/b/tool"), 0644);
	program_find("tool", search, NULL, &program);
	cr_expect_eq(program.error, 0, "what cannot be executed is passed over");
	cr_expect_str_eq(program.target, in_top("a/tool"));
	chmod(in_top("a/tool"), 0644);
	program_find("tool", search, NULL, &program);
	cr_expect_eq(program.error, EACCES, "and remembered");
	program_find("to-a/tool", search, top, &program);
	cr_expect_eq(program.error, EACCES);
	cr_expect_str_eq(program.target, in_top("a/tool"));
	program_find("none", search, NULL, &program);
	cr_expect_eq(program.error, ENOENT);
	cr_expect_str_empty(program.path);
	program_find(in_top("a"), search, NULL, &program);
	cr_expect_eq(program.error, EACCES, "a folder");
	program_find("", search, NULL, &program);
	cr_expect_eq(program.error, ENOENT);
}

/* The head of an ELF file with no segments. */
static void put_elf(const char *name, unsigned char class, unsigned machine, mode_t mode)
{
	Elf64_Ehdr header = {.e_type = ET_EXEC, .e_machine = machine, .e_phentsize = sizeof(Elf64_Phdr)};

	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = class;
	put(name, &header, sizeof(header), mode);
}

Test(resolve, knows_what_the_shim_cannot_enter)
{
	Elf64_Ehdr own;
	char script[PATH_MAX];
	int file = open("/proc/self/exe", O_RDONLY);

	cr_assert_eq(read(file, &own, sizeof(own)), (ssize_t)sizeof(own));
	close(file);
	cr_expect_eq(program_coverage("/proc/self/exe"), RULE_NONE);
	put_elf("static", own.e_ident[EI_CLASS], own.e_machine, 0755);
	cr_expect_eq(program_coverage(in_top("static")), RULE_COVERAGE_STATIC);
	put_elf("foreign", ELFCLASS32, EM_386, 0755);
	cr_expect_eq(program_coverage(in_top("foreign")), RULE_COVERAGE_FOREIGN);
	put_elf("other", own.e_ident[EI_CLASS], EM_RISCV, 0755);
	cr_expect_eq(program_coverage(in_top("other")), RULE_COVERAGE_FOREIGN);
	snprintf(script, sizeof(script), "#! %s -x\n", in_top("static"));
	put("script", script, strlen(script), 0755);
	cr_expect_eq(program_coverage(in_top("script")), RULE_COVERAGE_STATIC, "by way of its interpreter");
	put("shell", "#!/bin/sh\n", 10, 0755);
	cr_expect_eq(program_coverage(in_top("shell")), RULE_NONE);
	put("bare", "echo\n", 5, 0755);
	cr_expect_eq(program_coverage(in_top("bare")), RULE_NONE);
}
