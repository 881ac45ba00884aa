/* SPDX-License-Identifier: MIT */
/* The way of one report line through the launcher. */
#include "forward/forward.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "forward/readable.h"
#include "report.h"
#include "say.h"

bool forward_open(struct forward *forward, const char *path, int descriptor, struct failure *failure)
{
	memset(forward, 0, sizeof(*forward));
	forward->file.file = forward->descriptor.file = -1;
	forward->file_name = path;
	forward->event = malloc(sizeof(*forward->event));
	if (!forward->event)
		return failure_set(failure, "out of memory");
	if (path && !target_open_file(&forward->file, path, failure))
		return false;
	if (descriptor >= 0 && !target_open_descriptor(&forward->descriptor, descriptor, failure))
		return false;
	return true;
}

void forward_close(struct forward *forward)
{
	target_close(&forward->file);
	target_close(&forward->descriptor);
	redact_free(forward->redact);
	free(forward->event);
	json_decref(forward->kept);
	free(forward->held);
	forward->redact = NULL;
	forward->event = NULL;
	forward->kept = NULL;
	forward->held = NULL;
}

static void hold_back(struct forward *forward, const char *text)
{
	size_t size = strlen(text) + 1;
	char *held = realloc(forward->held, forward->held_used + size);

	if (!held)
		return;
	memcpy(held + forward->held_used, text, size);
	forward->held = held;
	forward->held_used += size;
}

static void show(struct forward *forward, const json_t *line)
{
	char text[1024];

	if (forward->shown > FORWARD_SHOWN_MAX)
		return;
	if (forward->shown++ < FORWARD_SHOWN_MAX)
		readable_violation(line, text, sizeof(text));
	else
		snprintf(text, sizeof(text), "more violations are only counted; --report FILE keeps them all");
	if (forward->hold)
		hold_back(forward, text);
	else
		say("%s", text);
}

void forward_release(struct forward *forward)
{
	for (size_t i = 0; i < forward->held_used; i += strlen(forward->held + i) + 1)
		say("%s", forward->held + i);
	forward->held_used = 0;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Has the program this file at its descriptor? One that is gone had. */
static bool has_at(const struct event *event, int fd, const struct stat *file)
{
	struct stat theirs;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%lld/fd/%d", (long long)event->pid, fd);
	return stat(path, &theirs) || is_same(file, &theirs);
}

/*
 * Did the program itself say so on our own stderr (report.explain)? It does where its descriptor 2 is a pipe, a socket or a
 * terminal; a program that is gone has said it. Into a file it does where that is on 1 as well and opened to append.
 */
static bool was_explained(const struct forward *forward, const struct event *event)
{
	struct stat ours, output;

	if (!forward->explained || strcmp(event->via, VIA_SHIM) || fstat(STDERR_FILENO, &ours))
		return false;
	if (S_ISREG(ours.st_mode) && (!(fcntl(STDERR_FILENO, F_GETFL) & O_APPEND) || fstat(STDOUT_FILENO, &output) ||
				      !is_same(&ours, &output) || !has_at(event, STDOUT_FILENO, &ours)))
		return false;
	return has_at(event, STDERR_FILENO, &ours);
}

static void take_violation(struct forward *forward, const struct event *event, const char *line, size_t length)
{
	json_t *object;

	tally_add(&forward->tally, tally_rule(event->rule));
	if (!forward->keep && !forward->show)
		return;
	object = json_loadb(line, length, JSON_ALLOW_NUL, NULL);
	if (forward->keep && !forward->kept)
		forward->kept = json_array();
	if (forward->keep && json_array_size(forward->kept) < FORWARD_KEPT_MAX)
		json_array_append(forward->kept, object);
	/* The launcher's own refusal is the command's end, and said there. */
	if (forward->show && strcmp(event->via, VIA_LAUNCHER) && !was_explained(forward, event))
		show(forward, object);
	json_decref(object);
}

void forward_line(void *data, const char *line, size_t length)
{
	char masked[REDACT_SIZE(REPORT_LINE_MAX)];
	struct forward *forward = data;
	struct event *event = forward->event;

	forward->lines++;
	if (forward->redact) {
		length = redact_line(forward->redact, line, length, masked);
		line = masked;
	}
	/* Whoever can write to the FIFO may write anything: only report lines get through. */
	if (event_parse(event, line, length) != EVENT_GOOD || !event->session[0] || event->verdict == EVENT_NOTICE) {
		forward->broken++;
		return;
	}
	target_write(&forward->file, line, length);
	target_write(&forward->descriptor, line, length);
	if (event->verdict == EVENT_DENY)
		take_violation(forward, event, line, length);
	if (forward->see)
		forward->see(forward->see_data, event, line, length);
}

bool forward_pump(struct forward *forward, int fifo)
{
	bool more = reader_pump(&forward->reader, fifo, forward_line, forward);

	if (!more)
		forward_flush(forward);
	return more;
}

void forward_flush(struct forward *forward)
{
	target_flush(&forward->file);
}

bool forward_is_read(const struct forward *forward)
{
	return forward->file.file >= 0 || forward->descriptor.file >= 0 || forward->see;
}

uint64_t forward_lost(const struct forward *forward)
{
	return forward->file.lost + forward->descriptor.lost + forward->broken + forward->reader.broken;
}
