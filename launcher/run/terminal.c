/* SPDX-License-Identifier: MIT */
/* Job control: what a shell expects from the process that it started. */
#include "run/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void terminal_open(struct terminal *terminal)
{
	terminal->file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	terminal->foreground = terminal->file >= 0 && tcgetpgrp(terminal->file) == getpgrp();
}

bool terminal_is_busy(const struct terminal *terminal)
{
	return terminal->foreground && isatty(STDERR_FILENO) && (isatty(STDIN_FILENO) || isatty(STDOUT_FILENO));
}

/* Hands the terminal to a group; from the background that is a SIGTTOU, which must not stop us here. */
static void give(int file, pid_t group)
{
	sigset_t wait, before;

	sigemptyset(&wait);
	sigaddset(&wait, SIGTTOU);
	sigprocmask(SIG_BLOCK, &wait, &before);
	tcsetpgrp(file, group);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void stop_self(int signal)
{
	struct sigaction standard = {.sa_handler = SIG_DFL}, before;
	sigset_t one, mask;

	if (signal == SIGSTOP) {
		raise(SIGSTOP);
		return;
	}
	sigemptyset(&one);
	sigaddset(&one, signal);
	sigaction(signal, &standard, &before);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &one, &mask); /* here it stops, and goes on after SIGCONT */
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(signal, &before, NULL);
}

static pid_t parent_of(pid_t process)
{
	char name[32], line[512], *end;
	int parent = 0;
	ssize_t got;
	int file;

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)process);
	file = open(name, O_RDONLY | O_CLOEXEC);
	got = file < 0 ? -1 : read(file, line, sizeof(line) - 1);
	if (file >= 0)
		close(file);
	line[got < 0 ? 0 : got] = '\0';
	end = strrchr(line, ')'); /* what stands before it may hold anything */
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

/*
 * Is there a shell with job control above: someone of our session, in a group of its own? A harness that starts us on a
 * terminal of our own has nobody who would continue us. The kernel asks the same before it stops a group by a key.
 */
static bool has_shell(void)
{
	pid_t session = getsid(0), group = getpgrp(), above = getppid();

	for (; above > 0 && getsid(above) == session; above = parent_of(above))
		if (getpgid(above) != group)
			return true;
	return false;
}

void terminal_stop(const struct terminal *terminal, pid_t child, int signal)
{
	pid_t group;

	if (terminal->file < 0 || !(isatty(STDIN_FILENO) || isatty(STDOUT_FILENO) || isatty(STDERR_FILENO)))
		return;
	if (signal == SIGSTOP && !has_shell())
		return;
	stop_self(signal);
	group = getpgid(child);
	if (group < 0)
		return;
	if (group != getpgrp() && tcgetpgrp(terminal->file) == getpgrp())
		give(terminal->file, group);
	kill(group == getpgrp() ? child : -group, SIGCONT);
}

void terminal_close(struct terminal *terminal)
{
	pid_t group;

	if (terminal->file < 0)
		return;
	/* A living group in front is the shell's, after Ctrl-Z and bg: the terminal is not ours to take then. */
	group = tcgetpgrp(terminal->file);
	if (terminal->foreground && group > 0 && kill(-group, 0) && errno == ESRCH)
		give(terminal->file, getpgrp());
	close(terminal->file);
	terminal->file = -1;
}
