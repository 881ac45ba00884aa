/* SPDX-License-Identifier: MIT */
/* The report FIFO as a sequence of whole lines. */
#include "forward/reader.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS_MAX 16

static void hand_over(struct reader *reader, reader_take *take, void *data)
{
	char *from = reader->bytes, *end = reader->bytes + reader->used, *newline;

	while ((newline = memchr(from, '\n', end - from))) {
		size_t length = newline + 1 - from;

		if (reader->skipping || length > REPORT_LINE_MAX)
			reader->broken++;
		else if (length > 1)
			take(data, from, length);
		reader->skipping = false;
		from = newline + 1;
	}
	reader->used = end - from;
	memmove(reader->bytes, from, reader->used);
	if (reader->used > REPORT_LINE_MAX) {
		reader->skipping = true;
		reader->used = 0;
	}
}

bool reader_pump(struct reader *reader, int file, reader_take *take, void *data)
{
	for (int i = 0; i < ROUNDS_MAX; i++) {
		ssize_t got = read(file, reader->bytes + reader->used, sizeof(reader->bytes) - reader->used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		reader->used += got;
		hand_over(reader, take, data);
	}
	return true;
}

void reader_finish(struct reader *reader)
{
	if (reader->used || reader->skipping)
		reader->broken++;
	reader->used = 0;
	reader->skipping = false;
}
