/* SPDX-License-Identifier: MIT */
/* The JSON object that a harness gets. */
#include "run/result.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "forward/tally.h"

/* Digits that show the time stamp of a violation to the microsecond. */
#define TIME_DIGITS 16

static json_t *text_of(const struct capture *capture)
{
	size_t length = 0;
	char *text = capture ? capture_text(capture, &length) : NULL;
	json_t *string = json_stringn(text ? text : "", length);

	free(text);
	return string;
}

json_t *result_text(const char *bytes, size_t size)
{
	struct capture whole = {.file = -1, .bytes = (char *)(uintptr_t)bytes, .used = size};

	return text_of(&whole);
}

json_t *result_words(const char *words)
{
	return result_text(words, strlen(words));
}

static json_t *words_or_null(const char *words)
{
	return words && *words ? result_words(words) : json_null();
}

json_t *result_build(const struct result *result)
{
	const struct outcome *outcome = result->outcome;
	int signal = outcome_signal(outcome);
	bool cut = (result->output && result->output->truncated) || (result->error && result->error->truncated);
	json_t *object = json_object();

	json_object_set_new(object, "exit_code", json_integer(outcome_exit_code(outcome)));
	json_object_set_new(object, "stdout", text_of(result->output));
	json_object_set_new(object, "stderr", text_of(result->error));
	json_object_set_new(object, "truncated", json_boolean(cut));
	json_object_set_new(object, "timed_out", json_boolean(outcome->kind == OUTCOME_TIMED_OUT));
	json_object_set_new(object, "denied", json_boolean(outcome->kind == OUTCOME_DENIED));
	json_object_set_new(object, "reason", words_or_null(result->reason));
	json_object_set_new(object, "duration_ms", json_integer(outcome->duration_ms));
	json_object_set_new(object, "rule", words_or_null(tally_rule_id(outcome->rule)));
	json_object_set_new(object, "signal", signal ? json_integer(signal) : json_null());
	json_object_set_new(object, "violations",
			    result->violations ? json_incref(result->violations) : json_array());
	json_object_set_new(object, "violation_count", json_integer(result->violation_count));
	if (json_object_set_new(object, "session", json_string(result->session))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* What is written to may be a descriptor that somebody made non-blocking. */
static bool write_whole(int file, const char *bytes, size_t size)
{
	while (size) {
		struct pollfd ready = {.fd = file, .events = POLLOUT};
		ssize_t wrote = write(file, bytes, size);

		if (wrote < 0 && errno == EAGAIN)
			poll(&ready, 1, -1);
		else if (wrote < 0 && errno != EINTR)
			return false;
		if (wrote > 0) {
			bytes += wrote;
			size -= wrote;
		}
	}
	return true;
}

bool result_write(const json_t *object, int file)
{
	char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(TIME_DIGITS));
	size_t length;
	bool good;

	if (!text) {
		errno = ENOMEM;
		return false;
	}
	length = strlen(text);
	text[length] = '\n'; /* in place of the NUL */
	good = write_whole(file, text, length + 1);
	free(text);
	return good;
}
