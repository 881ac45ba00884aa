/* SPDX-License-Identifier: MIT */
/* Keeps workers, and gives them tasks. */
#include "serve/warm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "forward/forward.h"
#include "run/outcome.h"
#include "run/supervise.h"
#include "serve/cpu_time.h"
#include "serve/request.h"

bool warm_check(const struct server *server, struct failure *failure)
{
	char *line = strdup(server->warm.line), *argv[] = {line, NULL};
	struct options options = {.argc = 1, .argv = argv, .shell = true, .ready = &server->ready, .quiet = true};
	struct preparation preparation = {NULL};
	struct verdict verdict = {.subject = NULL};
	bool good = line && prepare(&options, NULL, false, &preparation, failure);

	if (good)
		decide_command(&preparation.question, &verdict);
	if (good && verdict.decision.denied && !(preparation.image->flags & IMAGE_AUDIT))
		good = failure_set(failure, "--warm: %s", verdict.reason);
	verdict_free(&verdict);
	preparation_free(&preparation);
	free(line);
	return good;
}

static struct worker *start(struct server *server)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	json_t *argv = json_pack("[s]", server->warm.line);
	struct child_plan plan = {
		.ready = &server->ready,
		.report = server->report,
		.argv = argv,
		.shell = true,
		.stream = true,
		.tell = true,
		.pipe = true,
	};

	if (!worker || !argv || !child_start(&worker->child, &plan)) {
		free(worker);
		worker = NULL;
	} else {
		worker->next = server->warm.workers;
		server->warm.workers = worker;
		server->warm.count++;
	}
	json_decref(argv);
	return worker;
}

void warm_fill(struct server *server)
{
	while (server->warm.line && server->warm.count < server->limit && start(server))
		;
}

static void forget_task(struct worker *worker)
{
	worker->job = NULL;
	worker->deadline = 0;
	worker->violation_count = 0;
	bytes_drop(&worker->task, worker->task.used);
	bytes_drop(&worker->answer, worker->answer.used);
	bytes_drop(&worker->errors, worker->errors.used);
	json_decref(worker->violations);
	worker->violations = NULL;
}

static void remove_worker(struct server *server, struct worker *worker)
{
	struct worker **at = &server->warm.workers;

	while (*at != worker)
		at = &(*at)->next;
	*at = worker->next;
	server->warm.count -= !worker->ending;
	forget_task(worker);
	child_forget(&worker->child);
	json_decref(worker->session);
	free(worker);
}

/* It takes no more tasks; somebody else may have its place. */
static void end(struct server *server, struct worker *worker)
{
	server->warm.count -= !worker->ending;
	worker->ending = true;
	child_end(&worker->child);
	if (!server->stopping)
		warm_fill(server);
}

void warm_end(struct server *server, struct worker *worker)
{
	end(server, worker);
}

bool warm_take(struct server *server, struct job *job)
{
	const struct policy_limits *limits = policy_limits(server->ready.policy);
	double asked = request_timeout(job->request), seconds = asked >= 0 ? asked : limits->wall_seconds;
	char *text = json_dumps(json_object_get(job->request, "task"), JSON_COMPACT | JSON_ENCODE_ANY);
	struct worker *worker = server->warm.workers;

	while (worker && (worker->job || worker->ending))
		worker = worker->next;
	if (!worker)
		worker = start(server);
	if (!worker || !text || !bytes_add(&worker->task, text, strlen(text)) || !bytes_add(&worker->task, "\n", 1)) {
		free(text);
		return false;
	}
	free(text);
	worker->job = job;
	worker->started = supervise_clock();
	worker->deadline = seconds > 0 ? worker->started + (int64_t)(seconds * 1000) + 1 : 0;
	worker->violations = json_array();
	job->worker = worker;
	warm_write(worker);
	return true;
}

void warm_write(struct worker *worker)
{
	ssize_t wrote = worker->task.used ? write(worker->child.input, bytes_text(&worker->task), worker->task.used) : 0;

	if (wrote > 0)
		bytes_drop(&worker->task, (size_t)wrote);
	else if (wrote < 0 && errno != EAGAIN && errno != EINTR)
		bytes_drop(&worker->task, worker->task.used); /* it reads no more; how it ends will be told */
}

static json_t *text_of(const struct bytes *bytes)
{
	return json_stringn(bytes->used ? bytes_text(bytes) : "", bytes->used);
}

/* What a result has that comes from the worker and not from how it ended. */
static void put_task(const struct worker *worker, json_t *result)
{
	json_object_set_new(result, "stdout", text_of(&worker->answer));
	json_object_set_new(result, "stderr", text_of(&worker->errors));
	json_object_set_new(result, "duration_ms", json_integer(supervise_clock() - worker->started));
	json_object_set(result, "violations", worker->violations);
	json_object_set_new(result, "violation_count", json_integer((json_int_t)worker->violation_count));
}

static void finish(struct server *server, struct worker *worker, json_t *result, const char *words)
{
	struct job *job = worker->job;

	forget_task(worker);
	job_finish(server, job, result, words);
}

static bool is_used_up(const struct server *server, const struct worker *worker)
{
	const struct warm *warm = &server->warm;

	return (warm->requests && worker->served >= warm->requests) ||
	       (warm->cpu_seconds > 0 && cpu_time_below(worker->child.pid) > warm->cpu_seconds);
}

/* The line is whole. */
static void answer(struct server *server, struct worker *worker)
{
	json_t *result = json_pack("{s:i, s:s, s:s, s:b, s:b, s:b, s:n, s:i, s:n, s:n, s:[], s:i, s:O}", "exit_code", 0,
				   "stdout", "", "stderr", "", "truncated", 0, "timed_out", 0, "denied", 0, "reason",
				   "duration_ms", 0, "rule", "signal", "violations", "violation_count", 0, "session",
				   worker->session);

	if (result)
		put_task(worker, result);
	worker->served++;
	finish(server, worker, result, "out of memory");
	if (is_used_up(server, worker))
		end(server, worker);
}

static void take_output(struct server *server, struct worker *worker, const char *text, size_t length)
{
	const char *end_of_line = memchr(text, '\n', length);
	bool too_much = !worker->job || worker->answer.used + length > SERVE_LINE_MAX ||
			(end_of_line && end_of_line + 1 != text + length);

	if (worker->ending)
		return;
	if (worker->job && !too_much && bytes_add(&worker->answer, text, length)) {
		if (end_of_line)
			answer(server, worker);
		return;
	}
	/* What it says unasked could be taken for the answer to the next task. */
	end(server, worker);
	if (worker->job)
		finish(server, worker, NULL, "the worker wrote more than one line and was ended");
}

struct hearing {
	struct server *server;
	struct worker *worker;
};

static void hear(void *data, const json_t *frame)
{
	struct server *server = ((struct hearing *)data)->server;
	struct worker *worker = ((struct hearing *)data)->worker;
	const json_t *text = json_object_get(frame, "data"), *session = json_object_get(frame, "session");
	const char *stream = json_string_value(json_object_get(frame, "stream"));
	json_t *violation = json_object_get(frame, "violation");

	if (session) {
		worker->session = json_incref((json_t *)(uintptr_t)session);
	} else if (stream && !strcmp(stream, "stdout")) {
		take_output(server, worker, json_string_value(text), json_string_length(text));
	} else if (!worker->job) {
		return; /* said between two tasks, it belongs to none */
	} else if (stream) {
		size_t most = (size_t)policy_limits(server->ready.policy)->output_bytes;

		if (!most || worker->errors.used + json_string_length(text) <= most)
			bytes_add(&worker->errors, json_string_value(text), json_string_length(text));
	} else if (violation) {
		worker->violation_count++;
		if (json_array_size(worker->violations) < FORWARD_KEPT_MAX)
			json_array_append(worker->violations, violation);
	}
}

/* It ended in the middle of a task: how it ended is the answer. */
static void answer_end(struct server *server, struct worker *worker)
{
	json_t *result = json_incref(worker->child.result);
	char words[1200] = "";

	if (!result)
		child_words(&worker->child, words, sizeof(words));
	else
		put_task(worker, result);
	if (result && worker->timed_out) {
		json_object_set_new(result, "exit_code", json_integer(EXIT_CODE_TIMED_OUT));
		json_object_set_new(result, "timed_out", json_true());
		json_object_set_new(result, "rule", json_string("limit.time"));
		snprintf(words, sizeof(words),
			 "the task took more than %g s, and its worker was ended with all that it had started "
			 "(rule limit.time)",
			 (double)(worker->deadline - worker->started - 1) / 1000);
		json_object_set_new(result, "reason", json_string(words));
	} else if (result && json_is_null(json_object_get(result, "reason"))) {
		json_object_set_new(result, "reason", json_string("the worker ended without an answer"));
	}
	finish(server, worker, result, words);
}

void warm_read(struct server *server, struct worker *worker)
{
	struct hearing hearing = {server, worker};
	bool replace = worker->served > 0 && !worker->ending && !server->stopping;

	if (!child_read(&worker->child, hear, &hearing))
		return;
	if (worker->job)
		answer_end(server, worker);
	remove_worker(server, worker);
	/* One that ends before it has done anything would be started again for ever. */
	if (replace)
		warm_fill(server);
}

int warm_look(struct server *server)
{
	int64_t now = supervise_clock(), next = -1;

	for (struct worker *worker = server->warm.workers; worker; worker = worker->next) {
		if (!worker->deadline || worker->ending)
			continue;
		if (now >= worker->deadline) {
			worker->timed_out = true;
			end(server, worker);
		} else if (next < 0 || worker->deadline - now < next) {
			next = worker->deadline - now;
		}
	}
	return next > 3600000 ? 3600000 : (int)next;
}

void warm_stop(struct server *server)
{
	for (struct worker *worker = server->warm.workers; worker; worker = worker->next)
		child_end(&worker->child);
	while (server->warm.workers)
		remove_worker(server, server->warm.workers);
}
