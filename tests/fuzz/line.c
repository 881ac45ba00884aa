/* SPDX-License-Identifier: MIT */
/* Any strings in a request: the report line is one line, fits, and is JSON with the keys that a line must have. */
#include "target.h"

#include <jansson.h>
#include <sys/socket.h>

#include "report.h"
#include "report/line.h"

enum {
	ARGUMENTS_MAX = 40
};

static struct image *image;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	size_t size;

	(void)argc;
	(void)argv;
	image = fuzz_profile("tool", &size);
	return 0;
}

static void require_line(const char *text, size_t length, bool denied)
{
	static const char *const keys[] = {"v", "ts", "session", "pid", "ppid",
					   "tid", "via", "op", "verdict"};
	json_error_t error;
	json_t *line;

	require(length > 1 && text[length - 1] == '\n' && memchr(text, '\n', length) == text + length - 1);
	line = json_loadb(text, length - 1, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
	if (line == NULL)
		fprintf(stderr, "%s at %d in %.*s", error.text, error.position, (int)length, text);
	require(line != NULL && json_is_object(line));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		require(json_object_get(line, keys[i]) != NULL);
	require(strcmp(json_string_value(json_object_get(line, "verdict")), denied ? "deny" : "allow") == 0);
	json_decref(line);
}

static void print(const struct request *request, const struct decision *decision,
		  const struct report_context *context, size_t size)
{
	char *buffer = malloc(size);
	size_t length;

	require(buffer != NULL);
	length = report_line(buffer, size, image, request, decision, context);
	require(length <= size);
	require_line(buffer, length, decision->denied);
	length = report_reason(buffer, size, image, request, decision);
	require(length < size && buffer[length] == '\0' && strlen(buffer) == length);
	free(buffer);
}

static const char *or_none(const char *text)
{
	return text != NULL && text[0] != '\0' ? text : NULL;
}

/* The input: six bytes of choices, then strings, each ended by a NUL: exe, subject, path, host, then the arguments. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *choice = data;
	struct address address = {.family = AF_INET, .port = 443, .bytes = {127, 0, 0, 1}};
	struct report_context context = {.via = VIA_SHIM,
					 .session = "0123456789abcdef",
					 .pid = 42,
					 .ppid = 1,
					 .tid = 42,
					 .seconds = 1700000000};
	struct decision decision = {.element = -1};
	struct request request = {.call = "open64"};
	char *text[4 + ARGUMENTS_MAX + 1] = {NULL};
	size_t count = 0;

	if (size < 6)
		return 0;
	data += 6;
	size -= 6;
	while (count < 4 + ARGUMENTS_MAX && (text[count] = fuzz_piece(&data, &size)) != NULL)
		count++;
	request.op = choice[0] % OP_COUNT;
	decision.denied = choice[1] & 1;
	decision.rule = decision.denied ? 1 + choice[2] % (RULE_COUNT - 1) : RULE_NONE;
	decision.origin = image->origins.count > 0 ? choice[3] % (image->origins.count + 1) : 0;
	context.enforced = choice[1] & 2;
	context.errno_name = choice[1] & 4 ? "EACCES" : NULL;
	context.microseconds = choice[4] * 3921;
	context.exe = or_none(text[0]);
	request.subject = or_none(text[1]);
	request.path = or_none(text[2]);
	request.path_length = request.path != NULL ? strlen(request.path) : 0;
	if (request.op == OP_EXEC && count > 4) {
		request.argv = text + 4;
		request.argc = count - 4;
		decision.element = (int32_t)(choice[5] % request.argc);
	}
	if (request.op == OP_CONNECT || request.op == OP_BIND) {
		address.family = choice[1] & 8 ? AF_INET : choice[1] & 16 ? AF_UNIX
									  : AF_INET6;
		address.host = or_none(text[3]);
		request.address = &address;
	}
	print(&request, &decision, &context, REPORT_LINE_MAX);
	print(&request, &decision, &context, 1024);
	for (size_t i = 0; i < count; i++)
		free(text[i]);
	return 0;
}
