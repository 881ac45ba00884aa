/* SPDX-License-Identifier: MIT */
/* execl and its kin with no argument, a few and hundreds: the program that starts is given exactly these. */
#include "life.h"

extern char **environ;

static char *self;

/* Headers promise that these are never NULL. */
static char *volatile none;

#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define HUNDRED(x) TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x)

/* What this program does when it is started again: argv[1] is how many words it must have. */
static int check(int argc, char **argv)
{
	const char *value = getenv("VALUE");

	if (argc == 0)
		return 0;
	must(argc == atoi(argv[1]) && !argv[argc]);
	for (int i = 2; i < argc; i++)
		must(strcmp(argv[i], "x") == 0);
	must(!value || strcmp(value, "own") == 0);
	return 0;
}

static pid_t child(void)
{
	pid_t pid = fork();

	must(pid >= 0);
	return pid;
}

int main(int argc, char **argv)
{
	char *own[] = {(char *)(size_t) "VALUE=own", NULL};
	pid_t pid;

	self = argv[0];
	if (argc > 1)
		return check(argc, argv);
	if ((pid = child()) == 0)
		execl(self, self, "2", NULL);
	must(ended_well(pid));
	if ((pid = child()) == 0)
		execl(self, self, "4", "x", "x", NULL);
	must(ended_well(pid));
	if ((pid = child()) == 0)
		execl(self, self, "302", HUNDRED("x"), HUNDRED("x"), HUNDRED("x"), NULL);
	must(ended_well(pid));
	if ((pid = child()) == 0)
		execle(self, self, "302", HUNDRED("x"), HUNDRED("x"), HUNDRED("x"), NULL, own);
	must(ended_well(pid));
	if ((pid = child()) == 0)
		execlp(self, self, "12", TEN("x"), NULL);
	must(ended_well(pid));
	if ((pid = child()) == 0) {
		execl("./fine", none, NULL);
		_exit(1);
	}
	must(ended_well(pid));
	if ((pid = child()) == 0)
		_exit(!(execl("./forbidden", "x", NULL) == -1 && errno == EACCES));
	must(ended_well(pid));
	return 0;
}
