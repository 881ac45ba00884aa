/* SPDX-License-Identifier: MIT */
/* A request from the queue to its answer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "serve/request.h"
#include "serve/server.h"
#include "serve/warm.h"

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
	bool good = request_check(request, server->warm.line != NULL, failure);

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
	*job = (struct job){.client = client, .id = id, .request = request, .check = check, .child = CHILD_NONE};
	while (*last)
		last = &(*last)->next;
	*last = job;
	client->open++;
	return true;
}

static bool is_started(const struct job *job)
{
	return job->child.pid || job->worker;
}

void job_finish(struct server *server, struct job *job, json_t *result, const char *words)
{
	struct job **at = &server->jobs;

	if (job->client)
		(server->mcp ? mcp_answer : serve_answer)(job, result, words);
	json_decref(result);
	if (is_started(job))
		server->running--;
	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	if (job->client)
		job->client->open--;
	child_forget(&job->child);
	json_decref(job->id);
	json_decref(job->request);
	free(job);
}

static bool start_child(struct server *server, struct job *job)
{
	struct child_plan plan = {
		.ready = &server->ready,
		.report = server->report,
		.argv = json_object_get(job->request, "argv"),
		.cwd = json_string_value(json_object_get(job->request, "cwd")),
		.input = json_object_get(job->request, "stdin"),
		.timeout = request_timeout(job->request),
		.shell = json_is_true(json_object_get(job->request, "shell")),
		.check = job->check,
		.stream = json_is_true(json_object_get(job->request, "stream")),
	};

	return child_start(&job->child, &plan);
}

void job_start_waiting(struct server *server)
{
	struct job *next;

	for (struct job *job = server->jobs; job && server->running < server->limit; job = next) {
		bool is_task = json_object_get(job->request, "task") != NULL;

		next = job->next;
		if (is_started(job))
			continue;
		if (is_task ? warm_take(server, job) : start_child(server, job))
			server->running++;
		else
			job_finish(server, job, NULL, strerror(errno));
	}
}

static void cancel(struct server *server, struct job *job)
{
	job->cancelled = true;
	if (job->worker)
		warm_end(server, job->worker);
	else if (job->child.pid)
		child_end(&job->child);
	else
		job_finish(server, job, NULL, "cancelled before it was started");
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
		if (client && job->client != client)
			continue;
		if (job->client)
			job->client->open--;
		job->client = NULL;
		cancel(server, job);
	}
}

static void say_frame(void *data, const json_t *frame)
{
	const struct job *job = data;

	if (job->client)
		serve_frame(job, frame);
}

void job_read(struct server *server, struct job *job)
{
	char words[1024] = "";

	if (!child_read(&job->child, say_frame, job))
		return;
	if (!job->child.result)
		child_words(&job->child, words, sizeof(words));
	job_finish(server, job, json_incref(job->child.result), words);
}
