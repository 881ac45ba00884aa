/* SPDX-License-Identifier: MIT */
/* Forks sessions, and hears of them. */
#include "serve/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "commands.h"
#include "run/run.h"

#define RESULT_FILE 3 /* of the child, the only descriptor of the server's beside the standard ones */

/* What the child's command reads, as a file. False with errno set. */
static bool open_text(const json_t *text, int *ret_file)
{
	size_t length = json_string_length(text), at = 0;

	*ret_file = memfd_create("stdin", MFD_CLOEXEC);
	while (*ret_file >= 0 && at < length) {
		ssize_t wrote = write(*ret_file, json_string_value(text) + at, length - at);

		if (wrote < 0 && errno != EINTR)
			return false;
		at += wrote > 0 ? (size_t)wrote : 0;
	}
	return *ret_file >= 0 && !lseek(*ret_file, 0, SEEK_SET);
}

/* Nothing of the server's stays open: what a client or a worker closes has to be closed. */
static void take_descriptors(const struct child *child, int input, int result)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(input >= 0 ? input : nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(child->errors, STDERR_FILENO);
	dup2(result, RESULT_FILE);
	if (close_range(RESULT_FILE + 1, ~0u, 0))
		for (int file = RESULT_FILE + 1; file < 1024; file++)
			close(file);
}

static int live(const struct child *child, const struct child_plan *plan, int input, int result)
{
	struct options options = {
		.chdir = plan->cwd,
		.timeout = plan->timeout,
		.shell = plan->shell,
		.json = true,
		.quiet = true,
		.keep_stdin = input >= 0,
		.result_fd = RESULT_FILE,
		.report_fd = -1,
		.report = plan->report,
		.served = true,
		.ready = plan->ready,
		.stream = plan->stream,
		.tell = plan->tell,
		.argc = (int)json_array_size(plan->argv),
	};
	static const int handled[] = {SIGPIPE, SIGTERM, SIGINT, SIGHUP};
	sigset_t none;
	int status;

	options.argv = calloc((size_t)options.argc + 1, sizeof(*options.argv));
	if (!options.argv)
		return STATUS_FAILED;
	for (int i = 0; i < options.argc; i++)
		options.argv[i] = (char *)(uintptr_t)json_string_value(json_array_get(plan->argv, (size_t)i));
	/* It ends all it started when the server is gone. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (size_t i = 0; i < sizeof(handled) / sizeof(handled[0]); i++)
		signal(handled[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	take_descriptors(child, input, result);
	status = plan->check ? check_answer(&options) : run_session(&options, NULL);
	free(options.argv);
	return status;
}

static bool open_all(struct child *child, const struct child_plan *plan, int says[2], int input[2])
{
	child->errors = memfd_create("errors", MFD_CLOEXEC);
	if (child->errors < 0 || pipe2(says, O_CLOEXEC) || fcntl(says[0], F_SETFL, O_NONBLOCK))
		return false;
	if (plan->pipe)
		return !pipe2(input, O_CLOEXEC) && !fcntl(input[1], F_SETFL, O_NONBLOCK);
	return !plan->input || open_text(plan->input, &input[0]);
}

static void close_one(int *file)
{
	if (*file >= 0)
		close(*file);
	*file = -1;
}

bool child_start(struct child *child, const struct child_plan *plan)
{
	int says[2] = {-1, -1}, input[2] = {-1, -1}, error;

	*child = CHILD_NONE;
	if (open_all(child, plan, says, input)) {
		child->pid = fork();
		if (!child->pid)
			_exit(live(child, plan, input[0], says[1]));
	}
	error = errno;
	child->says = says[0];
	child->input = input[1];
	close_one(&says[1]);
	close_one(&input[0]);
	if (child->pid > 0)
		return true;
	child->pid = 0;
	child_forget(child);
	errno = error;
	return false;
}

static void take_line(struct child *child, size_t length, child_says *says, void *data)
{
	json_t *line = json_loadb(bytes_text(&child->heard), length, JSON_ALLOW_NUL, NULL);

	bytes_drop(&child->heard, length + 1);
	/* A result tells how it ended; nothing else does. */
	if (line && !json_object_get(line, "exit_code") && !json_object_get(line, "verdict")) {
		if (says)
			says(data, line);
		json_decref(line);
	} else if (line) {
		json_decref(child->result);
		child->result = line;
	}
}

bool child_read(struct child *child, child_says *says, void *data)
{
	size_t searched = child->heard.used;
	char text[16384];
	ssize_t got = read(child->says, text, sizeof(text));

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (got <= 0)
		return true;
	/* It is over when it has ended, and then there is no result. */
	if (child->heard.used > CHILD_LINE_MAX || !bytes_add(&child->heard, text, (size_t)got)) {
		bytes_drop(&child->heard, child->heard.used);
		child_end(child);
		return false;
	}
	while (child->heard.used > searched) {
		char *start = bytes_text(&child->heard), *end = memchr(start + searched, '\n', child->heard.used - searched);

		if (!end)
			break;
		take_line(child, (size_t)(end - start), says, data);
		searched = 0;
	}
	return false;
}

void child_words(const struct child *child, char *words, size_t size)
{
	ssize_t got = child->errors >= 0 ? pread(child->errors, words, size - 1, 0) : 0;

	while (got > 0 && words[got - 1] == '\n')
		got--;
	words[got > 0 ? got : 0] = '\0';
	if (!*words)
		snprintf(words, size, "it ended without a result");
}

void child_end(const struct child *child)
{
	if (child->pid)
		kill(child->pid, SIGTERM);
}

void child_forget(struct child *child)
{
	/* One that cannot say anything any more has nothing left to do but to end. */
	close_one(&child->says);
	close_one(&child->input);
	close_one(&child->errors);
	while (child->pid && waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
		;
	bytes_drop(&child->heard, child->heard.used);
	json_decref(child->result);
	*child = CHILD_NONE;
}
