/* SPDX-License-Identifier: MIT */
/* bridle: finds the command that is asked for and hands the arguments over. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "say.h"
#include "suggest.h"
#include "version.h"

static const struct command_entry {
	const char *name;
	int (*call)(int argc, char **argv);
	const char *arguments;
	const char *words;
} entries[] = {
#define COMMAND(name, arguments, words) {#name, command_##name, arguments, words},
#include "commands.def"
#undef COMMAND
};

#define ENTRIES (sizeof(entries) / sizeof(entries[0]))

static int help(void)
{
	printf("usage: bridle COMMAND ...\n"
	       "Keep a command that an AI agent chose inside the rules of a policy.\n\n");
	for (size_t i = 0; i < ENTRIES; i++)
		printf("  bridle %-10s %-36s %s\n", entries[i].name, entries[i].arguments,
		       entries[i].words);
	printf("\n  bridle COMMAND --help          the options of a command\n"
	       "  bridle --version               print the version\n\n"
	       "bridle is a guardrail against mistakes, not a security boundary.\n");
	return 0;
}

static int print_version(void)
{
	printf("bridle %s\n", BRIDLE_VERSION);
	return 0;
}

static int unknown(const char *name)
{
	const char *known[ENTRIES], *near;

	for (size_t i = 0; i < ENTRIES; i++)
		known[i] = entries[i].name;
	near = suggest(name, known, ENTRIES);
	if (near)
		say("there is no command '%s'; did you mean 'bridle %s'?", name, near);
	else if (name[0] == '-')
		say("options stand behind a command: 'bridle run %s ...'; see 'bridle --help'", name);
	else
		say("there is no command '%s'; to run a program say 'bridle run -- %s ...'; "
		    "see 'bridle --help'",
		    name, name);
	return STATUS_FAILED;
}

/* What could not be written must not look like an answer, whichever command wrote it. */
static int close_output(int status)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	say("cannot write to standard output%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
	return status > 1 ? status : STATUS_FAILED;
}

/* No descriptor of ours may land on 0, 1 or 2; what the caller had closed is closed again for the command. */
static void fill_standard_descriptors(void)
{
	int file;

	do
		file = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (file >= 0 && file <= STDERR_FILENO);
	if (file >= 0)
		close(file);
}

static int call(int argc, char **argv)
{
	const char *name = argv[1];

	if (!strcmp(name, "--version") || !strcmp(name, "-V") || !strcmp(name, "version"))
		return print_version();
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || (!strcmp(name, "help") && argc == 2))
		return help();
	for (size_t i = 0; i < ENTRIES; i++)
		if (!strcmp(name, entries[i].name))
			return entries[i].call(argc - 1, argv + 1);
	if (!strcmp(name, "help"))
		for (size_t i = 0; i < ENTRIES; i++)
			if (!strcmp(argv[2], entries[i].name))
				return entries[i].call(
					2, (char *[]){argv[2], (char *)(char[]){"--help"}, NULL});
	return unknown(strcmp(name, "help") ? name : argv[2]);
}

int main(int argc, char **argv)
{
	fill_standard_descriptors();
	if (argc < 2) {
		say("no command given; try 'bridle run -- COMMAND', or 'bridle --help'");
		return STATUS_FAILED;
	}
	return close_output(call(argc, argv));
}
