/* SPDX-License-Identifier: MIT */
/* What a client may ask for. */
#include "serve/request.h"

#include <string.h>

#define TIMEOUT_MAX (366 * 86400.0)

/* A key that is not known may be one that the client counts on. */
static bool check_keys(const json_t *request, struct failure *failure)
{
	static const char *const known[] = {"id", "argv", "cwd", "stdin", "timeout", "shell", "stream", "task"};
	const json_t *value;
	const char *key;

	json_object_foreach((json_t *)request, key, value)
	{
		size_t i = 0;

		while (i < sizeof(known) / sizeof(known[0]) && strcmp(known[i], key))
			i++;
		if (i == sizeof(known) / sizeof(known[0]))
			return failure_set(failure, "what is '%s'? A request has id, argv, cwd, stdin, timeout, shell, stream, "
						    "or task",
					   key);
	}
	return true;
}

static bool is_word(const json_t *text)
{
	return json_is_string(text) && strlen(json_string_value(text)) == json_string_length(text);
}

static bool check_argv(const json_t *argv, bool shell, struct failure *failure)
{
	if (!json_array_size(argv))
		return failure_set(failure, "argv must be a list of strings, the command and its arguments");
	for (size_t i = 0; i < json_array_size(argv); i++)
		if (!is_word(json_array_get(argv, i)))
			return failure_set(failure, "argv must be a list of strings without NUL");
	return !shell || json_array_size(argv) == 1 ||
	       failure_set(failure, "with shell argv is one string, the whole line");
}

static bool check_flag(const json_t *request, const char *key, struct failure *failure)
{
	const json_t *flag = json_object_get(request, key);

	return !flag || json_is_boolean(flag) || failure_set(failure, "%s must be true or false", key);
}

/* A task goes to a worker as it is: what says how a command is started has no meaning there. */
static bool check_task(const json_t *request, bool warm, struct failure *failure)
{
	static const char *const others[] = {"argv", "cwd", "stdin", "shell", "stream"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (json_object_get(request, others[i]))
			return failure_set(failure, "a task goes to a worker: %s has no meaning there", others[i]);
	return warm || failure_set(failure, "there are no workers for a task: start the server with --warm LINE");
}

bool request_check(const json_t *request, bool warm, struct failure *failure)
{
	const json_t *cwd = json_object_get(request, "cwd"), *input = json_object_get(request, "stdin"),
		     *timeout = json_object_get(request, "timeout");
	double seconds = json_number_value(timeout);

	if (!check_keys(request, failure))
		return false;
	if (timeout && !(json_is_number(timeout) && seconds >= 0 && seconds <= TIMEOUT_MAX))
		return failure_set(failure, "timeout must be seconds, from 0 for none to a year");
	if (json_object_get(request, "task"))
		return check_task(request, warm, failure);
	if (!check_flag(request, "shell", failure) || !check_flag(request, "stream", failure) ||
	    !check_argv(json_object_get(request, "argv"), json_is_true(json_object_get(request, "shell")), failure))
		return false;
	if (cwd && !is_word(cwd))
		return failure_set(failure, "cwd must be a string without NUL");
	return !input || json_is_string(input) || failure_set(failure, "stdin must be a string");
}

double request_timeout(const json_t *request)
{
	const json_t *timeout = json_object_get(request, "timeout");

	return timeout ? json_number_value(timeout) : -1;
}
