/* SPDX-License-Identifier: MIT */
/* Tells a server what happens, line by line. */
#include "run/frames.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/capture.h"
#include "run/result.h"

#define WAITING_MAX (1 << 20) /* bytes of violations that nobody takes */

void frames_start(struct frames *frames, int file)
{
	*frames = (struct frames){.file = file};
	fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
}

void frames_free(struct frames *frames)
{
	for (int i = 0; i < FRAMES_STREAMS; i++)
		free(frames->held[i].bytes);
	free(frames->text);
	*frames = (struct frames){.file = -1};
}

/* Without memory what does not fit is lost. */
static void add(char **bytes, size_t *used, size_t *room, const char *more, size_t size)
{
	size_t wanted = *room ? *room : 4096;
	char *larger;

	while (wanted < *used + size)
		wanted *= 2;
	larger = wanted == *room ? *bytes : realloc(*bytes, wanted);
	if (!larger)
		return;
	*bytes = larger;
	*room = wanted;
	memcpy(larger + *used, more, size);
	*used += size;
}

/* A whole line. */
static void add_line(struct frames *frames, const char *text, size_t length)
{
	add(&frames->text, &frames->used, &frames->room, text, length);
}

static void add_object(struct frames *frames, json_t *object)
{
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	if (text) {
		size_t length = strlen(text);

		text[length] = '\n'; /* in place of the NUL */
		add_line(frames, text, length + 1);
	}
	free(text);
	json_decref(object);
}

void frames_output(struct frames *frames, enum frames_stream stream, const char *bytes, size_t size)
{
	struct frames_held *held = &frames->held[stream];

	held->ended = !size;
	if (frames->file >= 0 && size)
		add(&held->bytes, &held->used, &held->room, bytes, size);
}

/* The last character may be incomplete until more comes, or the end. */
static void tell_held(struct frames *frames, enum frames_stream stream)
{
	struct frames_held *held = &frames->held[stream];
	size_t whole = held->ended ? held->used : capture_whole(held->bytes, held->used);

	if (!whole)
		return;
	add_object(frames, json_pack("{s:s, s:o}", "stream", stream == FRAMES_OUTPUT ? "stdout" : "stderr", "data",
				     result_text(held->bytes, whole)));
	held->used -= whole;
	memmove(held->bytes, held->bytes + whole, held->used);
}

void frames_violation(struct frames *frames, const char *line, size_t length)
{
	static const char start[] = "{\"violation\":";
	char *text;

	if (frames->file < 0 || frames->used - frames->sent > WAITING_MAX)
		return;
	length -= length && line[length - 1] == '\n';
	text = malloc(sizeof(start) + length + 2);
	if (!text)
		return;
	memcpy(text, start, sizeof(start) - 1);
	memcpy(text + sizeof(start) - 1, line, length);
	memcpy(text + sizeof(start) - 1 + length, "}\n", 2);
	add_line(frames, text, sizeof(start) - 1 + length + 2);
	free(text);
}

void frames_session(struct frames *frames, const char *id)
{
	add_object(frames, json_pack("{s:s}", "session", id));
	frames_send(frames);
}

bool frames_full(const struct frames *frames)
{
	return frames->used > frames->sent;
}

bool frames_send(struct frames *frames)
{
	for (int i = 0; i < FRAMES_STREAMS; i++)
		tell_held(frames, i);
	while (frames->file >= 0 && frames->sent < frames->used) {
		ssize_t wrote = write(frames->file, frames->text + frames->sent, frames->used - frames->sent);

		if (wrote > 0)
			frames->sent += (size_t)wrote;
		else if (wrote < 0 && errno == EAGAIN)
			return true;
		else if (wrote < 0 && errno != EINTR)
			frames->file = -1;
	}
	frames->used = frames->sent = 0;
	return false;
}

bool frames_wait(struct frames *frames)
{
	struct pollfd ready = {.fd = frames->file, .events = POLLOUT};

	if (!frames_send(frames))
		return false;
	do
		poll(&ready, 1, -1);
	while (frames_send(frames));
	return true;
}
