/* SPDX-License-Identifier: MIT */
/* Report lines as text for a terminal. */
#include "forward/readable.h"

#include <stdio.h>
#include <string.h>

static const char *string_of(const json_t *line, const char *key, const char *otherwise)
{
	const char *value = json_string_value(json_object_get(line, key));

	return value ? value : otherwise;
}

/* A file name must not be able to steer the reader's terminal. */
static void make_plain(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = '?';
}

const char *readable_program(const json_t *line)
{
	const char *exe = string_of(line, "exe", string_of(line, "via", "?"));
	const char *slash = strrchr(exe, '/');

	return slash ? slash + 1 : exe;
}

static void join_argv(const json_t *argv, char *text, size_t size)
{
	size_t used = 0, index;
	json_t *element;

	json_array_foreach(argv, index, element)
	{
		const char *word = json_string_value(element);

		if (word && used < size)
			used += snprintf(text + used, size - used, "%s%s", used ? " " : "", word);
	}
}

void readable_subject(const json_t *line, char *text, size_t size)
{
	const json_t *argv = json_object_get(line, "argv");
	const char *op = string_of(line, "op", ""), *host = string_of(line, "host", NULL);

	text[0] = '\0';
	if (!strcmp(op, "exec") && json_array_size(argv))
		join_argv(argv, text, size);
	else if (string_of(line, "addr", NULL))
		snprintf(text, size, "%s port %d%s%s%s", string_of(line, "addr", ""),
			 (int)json_integer_value(json_object_get(line, "port")), host ? " (" : "",
			 host ? host : "", host ? ")" : "");
	else
		snprintf(text, size, "%s", string_of(line, "target", string_of(line, "path", host ? host : "")));
	make_plain(text);
}

void readable_violation(const json_t *line, char *text, size_t size)
{
	const char *verb = json_is_false(json_object_get(line, "enforced")) ? "would be denied" : "denied";
	const char *reason = string_of(line, "reason", NULL), *rule = string_of(line, "rule", "?");
	char subject[512];

	readable_subject(line, subject, sizeof(subject));
	if (reason)
		snprintf(text, size, "%s: %s %s: %s", readable_program(line), string_of(line, "op", "call"), verb,
			 reason);
	else
		snprintf(text, size, "%s: %s %s: %s (rule %s)", readable_program(line), string_of(line, "op", "call"),
			 verb, subject, rule);
	make_plain(text);
}
