/* SPDX-License-Identifier: MIT */
/* A request from the queue to its answer. Each runs in a child of its own, which is a whole `bridle run --json`. */
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

#include "commands.h"
#include "options.h"
#include "run/run.h"
#include "serve/server.h"

#define OPTIONS_MOST 16 /* that a child gets beside the policy's and the command */

static bool is_argv(const json_t *argv)
{
	for (size_t i = 0; i < json_array_size(argv); i++)
		if (!json_is_string(json_array_get(argv, i)))
			return false;
	return json_array_size(argv) > 0;
}

/* A key that is not known may be one that the client counts on. */
static bool check_request(const json_t *request, struct failure *failure)
{
	static const char *const known[] = {"id", "argv", "cwd", "stdin", "timeout", "shell"};
	const json_t *argv = json_object_get(request, "argv"), *cwd = json_object_get(request, "cwd"),
		     *input = json_object_get(request, "stdin"), *timeout = json_object_get(request, "timeout"),
		     *shell = json_object_get(request, "shell"), *value;
	const char *key;

	json_object_foreach((json_t *)request, key, value)
	{
		size_t i = 0;

		while (i < sizeof(known) / sizeof(known[0]) && strcmp(known[i], key))
			i++;
		if (i == sizeof(known) / sizeof(known[0]))
			return failure_set(failure, "what is '%s'? A request has id, argv, cwd, stdin, timeout, shell", key);
	}
	if (!is_argv(argv))
		return failure_set(failure, "argv must be a list of strings, the command and its arguments");
	if (shell && !json_is_boolean(shell))
		return failure_set(failure, "shell must be true or false");
	if (json_is_true(shell) && json_array_size(argv) != 1)
		return failure_set(failure, "with shell argv is one string, the whole line");
	if (cwd && !json_is_string(cwd))
		return failure_set(failure, "cwd must be a string");
	if (input && !json_is_string(input))
		return failure_set(failure, "stdin must be a string");
	if (timeout && !(json_is_number(timeout) && json_number_value(timeout) >= 0))
		return failure_set(failure, "timeout must be seconds, 0 for none");
	return true;
}

static struct job *find(const struct server *server, const struct client *client, const json_t *id)
{
	for (struct job *job = server->jobs; job; job = job->next)
		if (job->client == client && id && job->id && json_equal(job->id, id))
			return job;
	return NULL;
}

bool job_add(struct server *server, struct client *client, json_t *id, json_t *request, bool check,
	     struct failure *failure)
{
	struct job *job = NULL, **last = &server->jobs;
	bool good = check_request(request, failure);

	if (good && find(server, client, id))
		good = failure_set(failure, "a request with this id is not answered yet");
	if (good && !(job = calloc(1, sizeof(*job))))
		good = failure_set(failure, "out of memory");
	if (!good) {
		json_decref(id);
		json_decref(request);
		free(job);
		return false;
	}
	*job = (struct job){.client = client, .id = id, .request = request, .check = check, .result = -1, .errors = -1};
	while (*last)
		last = &(*last)->next;
	*last = job;
	client->open++;
	return true;
}

static void remove_job(struct server *server, struct job *job)
{
	struct job **at = &server->jobs;

	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	if (job->client)
		job->client->open--;
	if (job->result >= 0)
		close(job->result);
	if (job->errors >= 0)
		close(job->errors);
	json_decref(job->id);
	json_decref(job->request);
	free(job->answer.text);
	free(job);
}

static void answer(const struct server *server, struct job *job, json_t *result, const char *words)
{
	if (job->client)
		(server->mcp ? mcp_answer : serve_answer)(job, result, words);
	json_decref(result);
}

/* The command line of the child; its strings live as long as the job. */
static int child_argv(const struct server *server, const struct job *job, char **argv, char *result, char *timeout)
{
	const json_t *words = json_object_get(job->request, "argv"), *cwd = json_object_get(job->request, "cwd"),
		     *limit = json_object_get(job->request, "timeout");
	int count = 0;

	argv[count++] = (char *)(job->check ? "check" : "run");
	argv[count++] = (char *)"--json";
	argv[count++] = (char *)"--quiet";
	argv[count++] = (char *)"--result-fd";
	argv[count++] = result;
	if (json_object_get(job->request, "stdin"))
		argv[count++] = (char *)"--stdin";
	if (json_is_true(json_object_get(job->request, "shell")))
		argv[count++] = (char *)"--shell";
	if (cwd) {
		argv[count++] = (char *)"--chdir";
		argv[count++] = (char *)json_string_value(cwd);
	}
	for (size_t i = 0; server->options[i]; i++)
		argv[count++] = server->options[i];
	if (limit) {
		argv[count++] = (char *)"--timeout";
		sprintf(timeout, "%.3f", json_number_value(limit) < 1e9 ? json_number_value(limit) : 1e9);
		argv[count++] = timeout;
	}
	argv[count++] = (char *)"--";
	for (size_t i = 0; i < json_array_size(words); i++)
		argv[count++] = (char *)json_string_value(json_array_get(words, i));
	argv[count] = NULL;
	return count;
}

/* The child: nothing of the server's stays open in it, and it ends all it started when the server is gone. */
static int live(const struct server *server, const struct job *job, int input, int result, int errors, int argc,
		char **argv)
{
	struct options options;
	struct failure failure;
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), status = STATUS_FAILED;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGPIPE, SIG_DFL);
	dup2(input >= 0 ? input : nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(errors, STDERR_FILENO);
	for (const struct client *client = server->clients; client; client = client->next)
		if (client->in > STDERR_FILENO)
			close(client->in);
	if (server->listener >= 0)
		close(server->listener);
	for (const struct job *other = server->jobs; other; other = other->next)
		if (other->result >= 0 && other->result != result)
			close(other->result);
	if (job->check)
		return command_check(argc, argv);
	if (options_parse(argc, argv, &options, &failure)) {
		options.served = true;
		status = run_session(&options, NULL);
	} else {
		dprintf(STDERR_FILENO, "bridle: %s\n", failure.text);
	}
	return status;
}

/* What the command reads, as a file; -1: nothing. False with errno set. */
static bool open_input(const struct job *job, int *ret_input)
{
	const json_t *text = json_object_get(job->request, "stdin");
	size_t length = json_string_length(text), at = 0;

	*ret_input = -1;
	if (!text)
		return true;
	*ret_input = memfd_create("stdin", MFD_CLOEXEC);
	while (*ret_input >= 0 && at < length) {
		ssize_t wrote = write(*ret_input, json_string_value(text) + at, length - at);

		if (wrote < 0 && errno != EINTR)
			return false;
		at += wrote > 0 ? (size_t)wrote : 0;
	}
	return *ret_input >= 0 && !lseek(*ret_input, 0, SEEK_SET);
}

static bool start(struct server *server, struct job *job)
{
	size_t words = json_array_size(json_object_get(job->request, "argv")), options = 0;
	char result[16], timeout[32], **argv;
	int ends[2] = {-1, -1}, input = -1, argc;

	while (server->options[options])
		options++;
	argv = calloc(words + options + OPTIONS_MOST, sizeof(*argv));
	job->errors = memfd_create("errors", MFD_CLOEXEC);
	if (argv && job->errors >= 0 && open_input(job, &input) && !pipe2(ends, O_CLOEXEC)) {
		sprintf(result, "%d", ends[1]);
		argc = child_argv(server, job, argv, result, timeout);
		job->result = ends[0];
		job->child = fork();
		if (!job->child)
			_exit(live(server, job, input, ends[1], job->errors, argc, argv));
	}
	free(argv);
	if (ends[1] >= 0)
		close(ends[1]);
	if (input >= 0)
		close(input);
	if (job->child > 0) {
		fcntl(job->result, F_SETFL, O_NONBLOCK);
		server->running++;
		return true;
	}
	job->child = 0;
	return false;
}

void job_start_waiting(struct server *server)
{
	struct job *next;

	for (struct job *job = server->jobs; job && server->running < server->limit; job = next) {
		next = job->next;
		if (job->child || start(server, job))
			continue;
		answer(server, job, NULL, strerror(errno));
		remove_job(server, job);
	}
}

static void cancel(struct server *server, struct job *job)
{
	job->cancelled = true;
	if (job->child) {
		kill(job->child, SIGTERM);
		return;
	}
	answer(server, job, NULL, "cancelled before it was started");
	remove_job(server, job);
}

bool job_cancel(struct server *server, const struct client *client, const json_t *id)
{
	struct job *job = find(server, client, id);

	if (job)
		cancel(server, job);
	return job != NULL;
}

void job_cancel_all(struct server *server, struct client *client)
{
	struct job *next;

	for (struct job *job = server->jobs; job; job = next) {
		next = job->next;
		if (job->client != client)
			continue;
		client->open--;
		job->client = NULL;
		cancel(server, job);
	}
}

/* A child without a result has said why. */
static void finish(struct server *server, struct job *job)
{
	json_t *result = job->answer.used ? json_loadb(job->answer.text, job->answer.used, 0, NULL) : NULL;
	char words[1024] = "";
	ssize_t got = result ? 0 : pread(job->errors, words, sizeof(words) - 1, 0);

	while (waitpid(job->child, NULL, 0) < 0 && errno == EINTR)
		;
	server->running--;
	while (got > 0 && words[got - 1] == '\n')
		words[--got] = '\0';
	answer(server, job, result, *words ? words : "it ended without a result");
	remove_job(server, job);
}

bool job_read(struct server *server, struct job *job)
{
	char text[16384];
	ssize_t got = read(job->result, text, sizeof(text));

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (got > 0 && job->answer.used < SERVE_RESULT_MAX && bytes_add(&job->answer, text, (size_t)got))
		return false;
	finish(server, job);
	return true;
}
