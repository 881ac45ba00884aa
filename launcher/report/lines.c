/* SPDX-License-Identifier: MIT */
/* Reads report files line by line. */
#include "report/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

/* What a file begins with that holds no lines of text at all: said once, and what helps. */
static const char *other_form(const struct reader *reader, const char *line, size_t length)
{
	if (reader->result->lines != 1 || length < 2)
		return NULL;
	if (memcmp(line, "\x1f\x8b", 2) == 0)
		return "compressed; try zcat FILE | bridle report";
	if (memcmp(line, "\xff\xfe", 2) == 0 || memcmp(line, "\xfe\xff", 2) == 0)
		return "UTF-16; try iconv -f UTF-16 -t UTF-8 FILE | bridle report";
	return NULL;
}

static void take_line(struct reader *reader, const char *line, size_t length, bool ended)
{
	enum event_result result;
	const char *other;

	reader->result->lines++;
	if (reader->result->lines == 1 && length >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
		line += 3; /* the mark that some editors set before UTF-8 */
		length -= 3;
	}
	if (reader->too_long) {
		reader->too_long = false;
		complain(reader, "a line too long to be a report line");
		return;
	}
	other = other_form(reader, line, length);
	if (other != NULL) {
		complain(reader, other);
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

/* The copy, from its beginning; -1 with errno set. */
static int copy_to_memory(int from)
{
	int copy = memfd_create("report", MFD_CLOEXEC);
	char bytes[65536];
	ssize_t got = copy < 0 ? -1 : 1;

	while (got > 0) {
		got = read(from, bytes, sizeof(bytes));
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0 && write(copy, bytes, (size_t)got) != got)
			got = -1;
	}
	if (got == 0 && lseek(copy, 0, SEEK_SET) == 0)
		return copy;
	if (copy >= 0)
		close(copy);
	return -1;
}

int lines_open(const char *name, struct failure *failure)
{
	bool standard = strcmp(name, "-") == 0;
	int file = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY), copy;
	struct stat status;

	if (file < 0) {
		failure_set(failure, "cannot open %s: %s", name, strerror(errno));
		return -1;
	}
	if (fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
		return file;
	copy = copy_to_memory(file);
	if (copy < 0)
		failure_set(failure, "cannot read %s: %s", name, strerror(errno));
	if (!standard)
		close(file);
	return copy;
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
