/* SPDX-License-Identifier: MIT */
/* Writes an argv as a person would type it. */
#include "report/command_line.h"

#include <stdbool.h>
#include <string.h>

#include "report/visible.h"

#define ELLIPSIS "..."

struct line {
	char *buffer;
	size_t length, room;
	bool full;
};

static void put(struct line *line, const char *bytes, size_t length)
{
	if (line->full || line->length + length > line->room) {
		line->full = true;
		return;
	}
	memcpy(line->buffer + line->length, bytes, length);
	line->length += length;
}

static bool needs_quotes(const char *text)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "%+,-./:=@_^";

	return text[strspn(text, safe)] != '\0' || *text == '\0';
}

static void put_element(struct line *line, const char *text)
{
	bool quotes = needs_quotes(text);

	if (quotes)
		put(line, "'", 1);
	while (*text != '\0') {
		size_t length = visible_sequence(text, strnlen(text, 4));

		length = length ? length : 1;
		if (*text == '\'')
			put(line, "'\\''", 4);
		else
			put(line, text, length);
		text += length;
	}
	if (quotes)
		put(line, "'", 1);
}

size_t command_line(const char *const *argv, size_t argc, char *buffer, size_t size)
{
	struct line line = {.buffer = buffer, .room = size - sizeof(ELLIPSIS)};

	for (size_t i = 0; i < argc && !line.full; i++) {
		if (i > 0)
			put(&line, " ", 1);
		put_element(&line, argv[i]);
	}
	if (line.full) {
		memcpy(buffer + line.length, ELLIPSIS, sizeof(ELLIPSIS) - 1);
		line.length += sizeof(ELLIPSIS) - 1;
	}
	buffer[line.length] = '\0';
	return line.length;
}
