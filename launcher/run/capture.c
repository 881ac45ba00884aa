/* SPDX-License-Identifier: MIT */
/* Keeps the beginning of a stream and makes UTF-8 of it. */
#include "run/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/frames.h"

#define REPLACEMENT "\xef\xbf\xbd"
#define NOTE_MAX 64

bool capture_open(struct capture *capture, size_t limit, int *ret_writer)
{
	int ends[2];

	*capture = (struct capture){.file = -1, .limit = limit};
	if (pipe2(ends, O_CLOEXEC))
		return false;
	capture->file = ends[0];
	*ret_writer = ends[1];
	return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

static bool make_room(struct capture *capture, size_t size)
{
	size_t room = capture->room ? capture->room : 4096;
	char *bytes;

	while (room < capture->used + size)
		room *= 2;
	if (room == capture->room)
		return true;
	bytes = realloc(capture->bytes, room);
	if (!bytes)
		return false;
	capture->bytes = bytes;
	capture->room = room;
	return true;
}

void capture_add(struct capture *capture, const char *bytes, size_t size)
{
	size_t fits = size;

	if (capture->truncated)
		return;
	if (capture->limit && fits > capture->limit - capture->used)
		fits = capture->limit - capture->used;
	if (fits && !make_room(capture, fits))
		fits = 0;
	if (fits)
		memcpy(capture->bytes + capture->used, bytes, fits);
	capture->used += fits;
	capture->truncated = fits < size;
}

bool capture_read(struct capture *capture)
{
	char buffer[16384];
	ssize_t got;

	if (capture->file < 0)
		return false;
	/* A few at a time, so that one loud stream does not keep the report waiting. */
	for (int i = 0; i < 8; i++) {
		if (capture->frames && frames_full(capture->frames))
			return false;
		got = read(capture->file, buffer, sizeof(buffer));
		if (capture->frames && got >= 0)
			frames_output(capture->frames, capture->stream, buffer, got);
		if (got > 0) {
			capture_add(capture, buffer, got);
		} else if (got < 0 && errno != EINTR) {
			return false;
		} else if (!got) {
			close(capture->file);
			capture->file = -1;
			return false;
		}
	}
	return true;
}

void capture_close(struct capture *capture)
{
	if (capture->file >= 0)
		close(capture->file);
	free(capture->bytes);
	*capture = (struct capture){.file = -1};
}

/* Bytes that a sequence with this first byte has, and what its second byte may be; 0: no sequence starts so. */
static size_t sequence_size(unsigned char first, unsigned char *low, unsigned char *high)
{
	*low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90
						    : 0x80;
	*high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f
						     : 0xbf;
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3
					       : 4;
}

/*
 * How many bytes at the start belong together: a whole character (*good), or the longest beginning of one, which is
 * replaced as one. *open: it is well-formed as far as it goes and ends where the bytes end.
 */
static size_t measure(const unsigned char *bytes, size_t left, bool *good, bool *open)
{
	unsigned char low, high;
	size_t size = sequence_size(bytes[0], &low, &high), length = 1;

	while (length < size && length < left && bytes[length] >= low && bytes[length] <= high) {
		length++;
		low = 0x80;
		high = 0xbf;
	}
	*good = size && length == size;
	*open = size && length < size && length == left;
	return length;
}

size_t capture_whole(const char *bytes, size_t size)
{
	bool good, open = false;
	size_t at = 0, length = 0;

	for (; at < size; at += length)
		length = measure((const unsigned char *)bytes + at, size - at, &good, &open);
	return open ? at - length : at;
}

char *capture_text(const struct capture *capture, size_t *ret_length)
{
	const unsigned char *bytes = (const unsigned char *)capture->bytes;
	char *text = malloc(3 * capture->used + NOTE_MAX + 2);
	size_t used = 0, length;
	bool good, open;

	if (!text)
		return NULL;
	for (size_t i = 0; i < capture->used; i += length) {
		length = measure(bytes + i, capture->used - i, &good, &open);
		if (open && capture->truncated)
			continue;
		memcpy(text + used, good ? (const char *)bytes + i : REPLACEMENT, good ? length : 3);
		used += good ? length : 3;
	}
	if (capture->truncated) {
		if (used && text[used - 1] != '\n')
			text[used++] = '\n';
		used += snprintf(text + used, NOTE_MAX, "[bridle: output truncated at %zu bytes]",
				 capture->limit);
	}
	*ret_length = used;
	return text;
}
