/* SPDX-License-Identifier: MIT */
/* The way of one report line through the launcher. */
#include "forward/forward.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "forward/readable.h"
#include "say.h"

bool forward_open(struct forward *forward, const char *path, int descriptor, struct failure *failure)
{
	memset(forward, 0, sizeof(*forward));
	forward->file.file = forward->descriptor.file = -1;
	forward->file_name = path;
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
	json_decref(forward->kept);
	free(forward->held);
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

static const char *string_or_empty(const json_t *line, const char *key)
{
	const char *value = json_string_value(json_object_get(line, key));

	return value ? value : "";
}

static void take_violation(struct forward *forward, json_t *line)
{
	tally_add(&forward->tally, tally_rule(json_string_value(json_object_get(line, "rule"))));
	if (forward->keep && !forward->kept)
		forward->kept = json_array();
	if (forward->keep && json_array_size(forward->kept) < FORWARD_KEPT_MAX)
		json_array_append(forward->kept, line);
	/* The launcher's own refusal is the command's end, and said there. */
	if (forward->show && strcmp(string_or_empty(line, "via"), VIA_LAUNCHER))
		show(forward, line);
}

void forward_line(void *data, const char *line, size_t length)
{
	struct forward *forward = data;
	json_t *object = json_loadb(line, length, JSON_ALLOW_NUL, NULL);
	const char *verdict = json_string_value(json_object_get(object, "verdict"));

	/* Whoever can write to the FIFO may write anything: only report lines get through. */
	if (!json_is_object(object) || !verdict || !json_object_get(object, "session")) {
		forward->broken++;
		json_decref(object);
		return;
	}
	target_write(&forward->file, line, length);
	target_write(&forward->descriptor, line, length);
	if (!strcmp(verdict, "deny"))
		take_violation(forward, object);
	if (forward->see)
		forward->see(forward->see_data, object);
	json_decref(object);
}

bool forward_pump(struct forward *forward, int fifo)
{
	return reader_pump(&forward->reader, fifo, forward_line, forward);
}

bool forward_is_read(const struct forward *forward)
{
	return forward->file.file >= 0 || forward->descriptor.file >= 0 || forward->see;
}

uint64_t forward_lost(const struct forward *forward)
{
	return forward->file.lost + forward->descriptor.lost + forward->broken + forward->reader.broken;
}
