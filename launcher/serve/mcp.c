/* SPDX-License-Identifier: MIT */
/* The Model Context Protocol over stdio: JSON-RPC, one message a line, with the tools `run` and `check`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/result.h"
#include "serve/server.h"
#include "version.h"

/* The newest revision that we speak; an older one that a client asks for is the same to us. */
static const char *const revisions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

enum {
	NO_JSON = -32700,
	NO_REQUEST = -32600,
	NO_METHOD = -32601,
	BAD_PARAMETERS = -32602
};

static const char properties[] =
	"{\"argv\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1,"
	"\"description\":\"The program and its arguments; no shell reads them\"},"
	"\"line\":{\"type\":\"string\",\"description\":\"Instead of argv: a line for /bin/sh\"},"
	"\"cwd\":{\"type\":\"string\",\"description\":\"Where to start, relative to the project\"},"
	"\"stdin\":{\"type\":\"string\"},\"timeout\":{\"type\":\"number\",\"minimum\":0,\"description\":\"Seconds\"}}";

/* What the structured answers hold, as far as a client may count on it. */
static const char result_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"exit_code\":{\"type\":\"integer\",\"description\":\"-100: refused, -101: out of time\"},"
	"\"stdout\":{\"type\":\"string\"},\"stderr\":{\"type\":\"string\"},\"truncated\":{\"type\":\"boolean\"},"
	"\"timed_out\":{\"type\":\"boolean\"},\"denied\":{\"type\":\"boolean\"},"
	"\"reason\":{\"type\":[\"string\",\"null\"],\"description\":\"Why it was refused or stopped, and what to do\"},"
	"\"duration_ms\":{\"type\":\"integer\"},\"rule\":{\"type\":[\"string\",\"null\"]},"
	"\"signal\":{\"type\":[\"integer\",\"null\"]},"
	"\"violations\":{\"type\":\"array\",\"items\":{\"type\":\"object\"},\"description\":\"Refused while it ran\"},"
	"\"violation_count\":{\"type\":\"integer\"},\"session\":{\"type\":\"string\"}},"
	"\"required\":[\"exit_code\",\"stdout\",\"stderr\",\"truncated\",\"timed_out\",\"denied\",\"reason\",\"duration_ms\"]}";
static const char verdict_schema[] =
	"{\"type\":\"object\",\"properties\":{\"verdict\":{\"enum\":[\"allow\",\"deny\"]},"
	"\"rule\":{\"type\":[\"string\",\"null\"]},\"reason\":{\"type\":[\"string\",\"null\"]}},\"required\":[\"verdict\"]}";

static void send_message(struct client *client, const json_t *id, const char *key, json_t *value)
{
	json_t *object = json_object();

	json_object_set_new(object, "jsonrpc", json_string("2.0"));
	json_object_set_new(object, "id", id ? json_deep_copy(id) : json_null());
	json_object_set_new(object, key, value);
	client_send(client, object);
}

static void send_error(struct client *client, const json_t *id, int code, const char *words)
{
	send_message(client, id, "error", json_pack("{s:i, s:o}", "code", code, "message", result_words(words)));
}

/* What a model should know before it uses the tools. */
static json_t *instructions(const struct server *server)
{
	const struct policy *policy = server->ready.policy;
	const char *untrusted = policy_untrusted(policy);
	json_t *object;
	char *words;

	if (asprintf(&words,
		     "Commands run under bridle's policy (%s) in the project %s. What is refused says which rule refused "
		     "it and what to do instead: do that, or ask the user, and do not look for a way around it.%s%s%s",
		     policy_name(policy), policy_root(policy), untrusted ? " The policy in " : "",
		     untrusted ? untrusted : "",
		     untrusted ? " is not trusted and not used before the user says 'bridle policy trust'." : "") < 0)
		return json_string("");
	object = result_words(words);
	free(words);
	return object;
}

static json_t *initialize(const struct server *server, const json_t *parameters)
{
	const char *asked = json_string_value(json_object_get(parameters, "protocolVersion")), *spoken = revisions[0];

	for (size_t i = 0; asked && i < sizeof(revisions) / sizeof(revisions[0]); i++)
		if (!strcmp(asked, revisions[i]))
			spoken = revisions[i];
	return json_pack("{s:s, s:{s:{}}, s:{s:s, s:s}, s:o}", "protocolVersion", spoken, "capabilities", "tools",
			 "serverInfo", "name", "bridle", "version", BRIDLE_VERSION, "instructions", instructions(server));
}

static json_t *tool(const char *name, const char *title, const char *words, bool changes, const char *schema)
{
	return json_pack("{s:s, s:s, s:s, s:{s:s, s:o, s:b}, s:o, s:{s:b, s:b, s:b}}", "name", name, "title", title,
			 "description", words, "inputSchema", "type", "object", "properties", json_loads(properties, 0, NULL),
			 "additionalProperties", 0, "outputSchema", json_loads(schema, 0, NULL), "annotations",
			 "readOnlyHint", !changes, "destructiveHint", changes, "openWorldHint", changes);
}

static const char run_words[] =
	"Run a command under bridle's policy. The result says exit_code, stdout, stderr, and where something was refused, "
	"which rule refused it and what to do instead.";
static const char check_words[] = "Say whether the policy would let a command run, and why not. Starts nothing.";

static json_t *list_tools(void)
{
	return json_pack("{s:[o, o]}", "tools", tool("run", "Run a command", run_words, true, result_schema),
			 tool("check", "Judge a command", check_words, false, verdict_schema));
}

/* A tool's arguments as a request: "line" is argv with shell. NULL where both or neither are given. */
static json_t *request_of(const json_t *arguments)
{
	json_t *request = json_is_object(arguments) ? json_copy((json_t *)arguments) : json_object();
	json_t *line = json_object_get(request, "line");

	if (!line == !json_object_get(request, "argv") || json_object_get(request, "shell") ||
	    json_object_get(request, "id") || json_object_get(request, "stream") || json_object_get(request, "task")) {
		json_decref(request);
		return NULL;
	}
	if (line) {
		json_object_set_new(request, "argv", json_pack("[O]", line));
		json_object_set_new(request, "shell", json_true());
		json_object_del(request, "line");
	}
	return request;
}

static void call_tool(struct server *server, struct client *client, const json_t *id, const json_t *parameters)
{
	const char *name = json_string_value(json_object_get(parameters, "name"));
	json_t *request = request_of(json_object_get(parameters, "arguments"));
	struct failure failure;

	if (!name || (strcmp(name, "run") && strcmp(name, "check"))) {
		send_error(client, id, BAD_PARAMETERS, "the tools are run and check");
		json_decref(request);
	} else if (!request) {
		send_error(client, id, BAD_PARAMETERS, "give argv (a list of strings) or line (a string), and with it cwd, "
						       "stdin, timeout");
	} else if (!job_add(server, client, json_deep_copy(id), request, !strcmp(name, "check"), &failure)) {
		send_error(client, id, BAD_PARAMETERS, failure.text);
	}
}

static void take_message(struct server *server, struct client *client, const json_t *message)
{
	const json_t *id = json_object_get(message, "id"), *parameters = json_object_get(message, "params");
	const char *method = json_string_value(json_object_get(message, "method"));

	if (!method) { /* an answer to nothing that we asked */
		if (!json_object_get(message, "result") && !json_object_get(message, "error"))
			send_error(client, id, NO_REQUEST, "no method");
	} else if (!strcmp(method, "notifications/cancelled")) {
		job_cancel(server, client, json_object_get(parameters, "requestId"));
	} else if (!id) {
		return;
	} else if (!strcmp(method, "initialize")) {
		send_message(client, id, "result", initialize(server, parameters));
	} else if (!strcmp(method, "ping")) {
		send_message(client, id, "result", json_object());
	} else if (!strcmp(method, "tools/list")) {
		send_message(client, id, "result", list_tools());
	} else if (!strcmp(method, "tools/call")) {
		call_tool(server, client, id, parameters);
	} else {
		send_error(client, id, NO_METHOD, "bridle has tools only");
	}
}

void mcp_line(struct server *server, struct client *client, const char *text, size_t length)
{
	json_error_t error;
	json_t *message = json_loadb(text, length, JSON_ALLOW_NUL, &error);
	struct failure failure;

	/* Some revisions send several at once; each is answered for itself. */
	for (size_t i = 0; i < json_array_size(message); i++)
		if (json_is_object(json_array_get(message, i)))
			take_message(server, client, json_array_get(message, i));
		else
			send_error(client, NULL, NO_REQUEST, "no JSON object");
	if (json_is_object(message)) {
		take_message(server, client, message);
	} else if (!json_array_size(message)) {
		failure_set(&failure, "line %zu: %s", client->line, message ? "no JSON object" : error.text);
		send_error(client, NULL, message ? NO_REQUEST : NO_JSON, failure.text);
	}
	json_decref(message);
}

/* An error of the tool, which the model shall see; one of the protocol it would not. */
void mcp_answer(const struct job *job, json_t *result, const char *words)
{
	char *text = result ? json_dumps(result, JSON_COMPACT) : NULL;
	bool bad = !result || json_is_true(json_object_get(result, "denied")) ||
		   json_integer_value(json_object_get(result, "exit_code")) != 0;
	json_t *answer = json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text",
				   result_words(text ? text : words), "isError", bad);

	/* Nobody waits for the answer to what was cancelled. */
	if (!job->cancelled) {
		if (result)
			json_object_set(answer, "structuredContent", result);
		send_message(job->client, job->id, "result", answer);
	} else {
		json_decref(answer);
	}
	free(text);
}
