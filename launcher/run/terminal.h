/* SPDX-License-Identifier: MIT */
/*
 * The command on a terminal. It stays in the launcher's process group, so that the keys Ctrl-C and Ctrl-Z, window sizes,
 * pipelines and scripts reach it as without bridle; a shell that it starts makes groups of its own. What is left for the
 * launcher: to stop when the command stops, so that the shell above sees it, and to put things right afterwards.
 */
#ifndef BRIDLE_TERMINAL_H
#define BRIDLE_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

struct terminal {
	int file;        /* the controlling terminal, or -1 */
	bool foreground; /* our group owned it when the command started */
};

void terminal_open(struct terminal *terminal);

/* Does the command draw on the terminal, so that nothing else should be written there meanwhile? */
bool terminal_is_busy(const struct terminal *terminal);

/*
 * The child was stopped by a signal: stops the launcher the same way, and returns when it is continued, after it gave
 * the terminal to the child's group if that is another one, and continued it. Without a terminal, and for SIGSTOP without
 * a shell above that has job control, it does nothing: nobody is there to continue us, and the clock must go on.
 */
void terminal_stop(const struct terminal *terminal, pid_t child, int signal);

/* The command is over: takes the terminal back from a group that no longer exists, and closes it. */
void terminal_close(struct terminal *terminal);

#endif
