/* SPDX-License-Identifier: MIT */
/* Makes the folder of a case, and runs the probe in it below bridle. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "call_case.h"

#define PROGRAM "/bin/true"
#define LIBRARY "/lib/x86_64-linux-gnu/libm.so.6"
#define LIBRARY_ARM "/lib/aarch64-linux-gnu/libm.so.6"

static void write_file(const char *folder, const char *name, const char *text, mode_t mode)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	cr_assert(file, "%s", path);
	fputs(text, file);
	fclose(file);
	chmod(path, mode);
}

static void copy_file(const char *from, const char *folder, const char *name)
{
	char command[PATH_MAX * 2];

	snprintf(command, sizeof(command), "cp -L %s %s/%s", from, folder, name);
	cr_assert_eq(system(command), 0, "%s", command);
}

static void make_folder(const char *top, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	cr_assert_eq(mkdir(path, 0755), 0, "%s", path);
}

void call_world_make(struct call_world *world)
{
	const char *library = access(LIBRARY, R_OK) == 0 ? LIBRARY : LIBRARY_ARM;
	char in[128], out[128], path[160];

	snprintf(world->top, sizeof(world->top), "/var/tmp/bridle-call-XXXXXX");
	cr_assert(mkdtemp(world->top));
	snprintf(in, sizeof(in), "%s/in", world->top);
	snprintf(out, sizeof(out), "%s/out", world->top);
	make_folder(world->top, "in");
	make_folder(world->top, "out");
	make_folder(in, "dir");
	make_folder(in, "dir2");
	make_folder(out, "dir");
	write_file(in, "f", "text\n", 0644);
	write_file(in, "g", "text\n", 0644);
	write_file(out, "f", "secret\n", 0644);
	write_file(in, "dir/inner", "text\n", 0644);
	write_file(in, "aliases", "short long.example\n", 0644);
	write_file(out, "aliases", "short long.example\n", 0644);
	write_file(out, ".netrc", "machine there login me password mine\n", 0600);
	copy_file(PROGRAM, in, "fine");
	copy_file(PROGRAM, in, "forbidden");
	copy_file(library, in, "lib.so");
	copy_file(library, out, "lib.so");
	snprintf(path, sizeof(path), "%s/link", in);
	cr_assert_eq(symlink("../out/f", path), 0);
}

void call_world_remove(const struct call_world *world)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", world->top);
	cr_expect_eq(system(command), 0);
}

static const char *build(void)
{
	static char path[PATH_MAX];
	const char *folder = getenv("BUILD");

	cr_assert(realpath(folder ? folder : "build", path));
	return path;
}

/* more: ", PATH..." that may be written; "deny = [ ... ];" of paths; or settings of their own, coverage's first. */
static void write_policy(const struct call_world *world, const char *more)
{
	bool writes = more && *more == ',', denies = more && strncmp(more, "deny", 4) == 0;
	char text[4096];

	snprintf(text, sizeof(text),
		 "extends = \"none\";\n"
		 "names: { deny = [ \"forbidden\" ]; };\n"
		 "paths: {\n"
		 "  read = [ \"/usr\", \"/lib\", \"/lib64\", \"/bin\", \"/etc\", \"/proc\", \"%s\" ];\n"
		 "  write = [ \".\", \"/dev/null\", \"/dev/tty\", \"/dev/shm/bridle-fine\", \"/dev/shm/sem.bridle-fine\",\n"
		 "            \"/dev/mqueue/bridle-fine\"%s ];\n"
		 "  %s\n"
		 "};\n"
		 "network: { connect = \"deny\"; bind = \"loopback\"; resolve = \"deny\";\n"
		 "           allow = [ \"127.0.0.1:9\", \"localhost:53\" ]; };\n"
		 "environment: { inherit = [ \"*\" ]; };\n"
		 "%s\n"
		 "%s\n",
		 build(), writes ? more : "", denies ? more : "",
		 more && strncmp(more, "coverage", 8) == 0 ? "" : "coverage: { uncovered = \"allow\"; backstop = \"off\"; };",
		 more && !writes && !denies ? more : "");
	write_file(world->top, "policy.cfg", text, 0644);
}

/* The words stand in a script: bridle itself judges what its own command line names. */
static void write_script(const struct call_world *world, const struct call_case *call)
{
	char text[4096];
	int length = snprintf(text, sizeof(text), "#!/bin/sh\nexec '%s/probe' '%s'", build(), call->name);

	for (size_t i = 0; i < CALL_WORDS && call->words[i]; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " '%s'", call->words[i]);
	snprintf(text + length, sizeof(text) - (size_t)length, "\n");
	write_file(world->top, "in/run.sh", text, 0755);
}

static void start(const struct call_world *world)
{
	char bridle[PATH_MAX + 16], folder[128];
	int null = open("/dev/null", O_RDONLY), errors;

	snprintf(bridle, sizeof(bridle), "%s/bridle", build());
	snprintf(folder, sizeof(folder), "%s/in", world->top);
	if (chdir(folder) < 0)
		_exit(99);
	errors = open("../stderr", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	dup2(null, 0);
	dup2(errors, 1);
	dup2(errors, 2);
	execl(bridle, bridle, "run", "-p", "../policy.cfg", "-r", ".", "--report", "../report", "--", "./run.sh", NULL);
	_exit(98);
}

static void read_text(const struct call_world *world, const char *name, char *text, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", world->top, name);
	FILE *file = fopen(path, "r");
	size_t got = file ? fread(text, 1, size - 1, file) : 0;

	text[got] = '\0';
	if (file)
		fclose(file);
}

static void count_lines(const struct call_world *world, const char *name, struct call_result *result)
{
	char path[128], wanted[128], *line = NULL;
	size_t room = 0;

	snprintf(path, sizeof(path), "%s/report", world->top);
	snprintf(wanted, sizeof(wanted), "\"call\":\"%s\"", name);
	FILE *file = fopen(path, "r");
	while (file && getline(&line, &room, file) > 0) {
		if (!strstr(line, "\"verdict\":\"deny\""))
			continue;
		result->denials++;
		result->named += strstr(line, wanted) != NULL;
	}
	free(line);
	if (file)
		fclose(file);
}

static struct call_result run(const struct call_world *world, const char *name)
{
	struct call_result result = {.status = -1};
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		start(world);
	waitpid(pid, &status, 0);
	result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	count_lines(world, name, &result);
	read_text(world, "stderr", result.output, sizeof(result.output));
	return result;
}

struct call_result call_run(const struct call_world *world, const struct call_case *call)
{
	write_policy(world, call->policy);
	write_script(world, call);
	return run(world, call->name);
}

struct call_result call_run_script(const struct call_world *world, const char *script, const char *policy)
{
	char text[4096];

	snprintf(text, sizeof(text), "#!/bin/sh\nBUILD='%s'\n%s\n", build(), script);
	write_policy(world, policy);
	write_file(world->top, "in/run.sh", text, 0755);
	return run(world, "");
}

struct call_result call_run_program(const struct call_world *world, const char *program, const char *argument,
				    const char *policy)
{
	char text[PATH_MAX + 64];

	snprintf(text, sizeof(text), "#!/bin/sh\nexec '%s/life/%s' %s\n", build(), program, argument ? argument : "");
	write_policy(world, policy);
	write_file(world->top, "in/run.sh", text, 0755);
	return run(world, "");
}
