/* SPDX-License-Identifier: MIT */
/* The plain protocol: a request a line, a result a line. */
#include "run/result.h"
#include "serve/server.h"

/* id and line are those of the request that it is about. */
static void send_error(struct client *client, const json_t *id, const char *words)
{
	json_t *object = json_object();

	json_object_set_new(object, "id", id ? json_deep_copy(id) : json_null());
	json_object_set_new(object, "error", result_words(words));
	json_object_set_new(object, "line", json_integer((json_int_t)client->line));
	client_send(client, object);
}

static void take_request(struct server *server, struct client *client, const json_t *request)
{
	json_t *id = json_object_get(request, "id"), *cancel = json_object_get(request, "cancel");
	struct failure failure;

	if (cancel && !job_cancel(server, client, cancel))
		send_error(client, cancel, "there is no such request to cancel");
	if (!cancel && !job_add(server, client, id ? json_deep_copy(id) : NULL, json_deep_copy(request), false, &failure))
		send_error(client, id, failure.text);
}

void serve_line(struct server *server, struct client *client, const char *text, size_t length)
{
	json_error_t error;
	json_t *request = json_loadb(text, length, JSON_ALLOW_NUL, &error);
	struct failure failure;

	if (json_is_object(request)) {
		take_request(server, client, request);
	} else {
		failure_set(&failure, "a request is one JSON object%s%s", request ? "" : ": ", request ? "" : error.text);
		send_error(client, NULL, failure.text);
	}
	json_decref(request);
}

void serve_frame(const struct job *job, const json_t *frame)
{
	json_t *object = json_pack("{s:o}", "id", job->id ? json_deep_copy(job->id) : json_null());

	json_object_update(object, (json_t *)(uintptr_t)frame);
	client_send(job->client, object);
}

void serve_answer(const struct job *job, json_t *result, const char *words)
{
	json_t *object = json_object();

	json_object_set_new(object, "id", job->id ? json_deep_copy(job->id) : json_null());
	if (result)
		json_object_update(object, result);
	else
		json_object_set_new(object, "error", result_words(words));
	if (job->cancelled)
		json_object_set_new(object, "cancelled", json_true());
	client_send(job->client, object);
}
