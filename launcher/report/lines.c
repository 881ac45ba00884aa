/* SPDX-License-Identifier: MIT */
/* Reads report files line by line. */
#include "report/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct reader {
	const char *name;
	lines_sink *sink;
	lines_warning *warn;
	void *context;
	struct lines_result *result;
	struct event *event;
	bool too_long; /* inside a line that does not fit; its rest is thrown away */
	size_t held;   /* bytes in buffer */
	char buffer[EVENT_LINE_MAX];
};

static void complain(struct reader *reader, const char *words)
{
	reader->result->skipped++;
	reader->warn(reader->context, reader->name, reader->result->lines, words);
}

static void take_line(struct reader *reader, const char *line, size_t length, bool ended)
{
	enum event_result result;

	reader->result->lines++;
	if (reader->too_long) {
		reader->too_long = false;
		complain(reader, "a line too long to be a report line");
		return;
	}
	result = event_parse(reader->event, line, length);
	if (result == EVENT_GOOD) {
		reader->result->good++;
		reader->sink(reader->context, reader->event);
	} else if (result != EVENT_BLANK) {
		complain(reader, result == EVENT_BROKEN && !ended ? "cut short at the end of the file"
								  : event_result_words(result));
	}
}

/* Hands on every whole line in the buffer and keeps what follows the last one. */
static void take_lines(struct reader *reader)
{
	char *start = reader->buffer, *end = reader->buffer + reader->held, *newline;

	while ((newline = memchr(start, '\n', (size_t)(end - start))) != NULL) {
		take_line(reader, start, (size_t)(newline - start), true);
		start = newline + 1;
	}
	reader->held = (size_t)(end - start);
	memmove(reader->buffer, start, reader->held);
	if (reader->held == sizeof(reader->buffer)) {
		reader->too_long = true;
		reader->held = 0;
	}
}

bool lines_read(int descriptor, const char *name, lines_sink *sink, lines_warning *warn,
		void *context, struct lines_result *result, struct failure *failure)
{
	struct reader *reader = malloc(sizeof(*reader));
	bool good = true;
	ssize_t got;

	*result = (struct lines_result){0};
	if (reader == NULL || (reader->event = malloc(sizeof(*reader->event))) == NULL) {
		free(reader);
		return failure_set(failure, "out of memory");
	}
	reader->name = name;
	reader->sink = sink;
	reader->warn = warn;
	reader->context = context;
	reader->result = result;
	reader->too_long = false;
	reader->held = 0;
	while ((got = read(descriptor, reader->buffer + reader->held,
			   sizeof(reader->buffer) - reader->held)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			good = failure_set(failure, "cannot read %s: %s", name, strerror(errno));
			break;
		}
		reader->held += (size_t)got;
		take_lines(reader);
	}
	if (reader->held != 0 || reader->too_long)
		take_line(reader, reader->buffer, reader->held, false);
	free(reader->event);
	free(reader);
	return good;
}
