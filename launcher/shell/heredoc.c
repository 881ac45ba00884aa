/* SPDX-License-Identifier: MIT */
/* The bodies of here-documents, which stand after the line that names them. */
#include "shell/reader.h"

#include <string.h>

/* One line, without its newline, onto the stack of bytes. False at the end of the text. */
static bool read_line(struct reader *reader, const struct pending *pending)
{
	bool more = true, start = true;

	if (reader_raw(reader) == READER_END)
		return false;
	while (more) {
		const char *line, *newline;
		size_t length, slashes = 0;

		while (start && pending->strip_tabs && reader_raw(reader) == '\t')
			reader->at++;
		start = false;
		line = reader->text + reader->at;
		newline = memchr(line, '\n', reader->length - reader->at);
		length = newline ? (size_t)(newline - line) : reader->length - reader->at;
		while (slashes < length && line[length - 1 - slashes] == '\\')
			slashes++;
		/* Unless the delimiter was quoted, an odd backslash joins the next line. */
		more = newline && slashes % 2 == 1 && !pending->delimiter.quoted;
		word_append(reader, line, more ? length - 1 : length);
		reader->at += length + (newline != NULL);
	}
	return true;
}

static void read_body(struct reader *reader, const struct pending *pending)
{
	struct reading *reading = reader->reading;
	size_t mark = reading->bytes.length, from = reader->at, wanted = strlen(pending->delimiter.text), line;
	struct shell_word body = {.position = reader_position(reader, from), .quoted = pending->delimiter.quoted};
	struct shell_command *commands;

	for (;;) {
		line = reading->bytes.length;
		if (!read_line(reader, pending)) {
			reading_fail(reading, pending->delimiter.position, "a here-document that does not end");
			return;
		}
		if (reading->bytes.length - line == wanted &&
		    memcmp(reading->bytes.items + line, pending->delimiter.text, wanted) == 0)
			break;
		word_append(reader, "\n", 1);
	}
	reading->bytes.length = line;
	body.text = memory_text(reading, reading->bytes.items + mark, line - mark);
	reading->bytes.length = mark;
	if (!body.text)
		return;
	if (!body.quoted)
		reader_expansions_in(reader, &body);
	commands = (struct shell_command *)reading->commands.items;
	if (pending->command < reading->commands.length)
		commands[pending->command].redirects[pending->redirect].target = body;
}

void heredoc_bodies(struct reader *reader)
{
	struct reading *reading = reader->reading;

	for (size_t i = reader->pending_mark; i < reading->pending.length && !reading->line.error; i++) {
		struct pending pending = ((struct pending *)reading->pending.items)[i];

		read_body(reader, &pending);
	}
	reading->pending.length = reader->pending_mark;
}
