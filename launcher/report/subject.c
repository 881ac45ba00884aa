/* SPDX-License-Identifier: MIT */
/* What a report line is about, in one string. */
#include <stdio.h>
#include <string.h>

#include "handoff.h"
#include "report/command_line.h"
#include "report/summary.h"

static const char *const op_words[OP_COUNT + 1] = {
#define OP(name, words) [OP_##name] = (words),
#include "ops.def"
#undef OP
	[OP_COUNT] = "other",
};

const char *summary_op(enum op op)
{
	return op_words[op];
}

static void address_subject(const struct event *event, char *buffer, size_t size)
{
	bool both = event->host[0] != '\0' && event->addr[0] != '\0' && strcmp(event->host, event->addr) != 0;
	char port[32] = "";

	if (event->port != 0)
		snprintf(port, sizeof(port), " port %lld", (long long)event->port);
	snprintf(buffer, size, "%s%s%s%s%s", event->host, both ? " (" : "", both || !event->host[0] ? event->addr : "",
		 both ? ")" : "", port);
}

void summary_subject(const struct event *event, char *buffer, size_t size)
{
	if (event->op == OP_EXEC && event->argc != 0)
		command_line(event->argv, event->argc, buffer, size);
	else if (event->path[0] != '\0' || event->target[0] != '\0')
		snprintf(buffer, size, "%s", event->path[0] ? event->path : event->target);
	else if (event->host[0] != '\0' || event->addr[0] != '\0')
		address_subject(event, buffer, size);
	else if (event->argc != 0)
		command_line(event->argv, event->argc, buffer, size);
	else
		snprintf(buffer, size, "%s", event->exe);
}

/* Does the name of a function hold one of these words? */
static bool names_one_of(const char *call, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strstr(call, *words) != NULL)
			return true;
	return false;
}

uint32_t summary_marks(const struct event *event)
{
	static const char *const removing[] = {"unlink", "rmdir", "remove", NULL};
	static const char *const making[] = {"mkdir", "mkfifo", "mknod", "link", "mkstemp", "mkostemp", "mkdtemp", NULL};

	if (event->op == OP_READ || event->op == OP_LOAD)
		return PATH_READ;
	if (event->op == OP_EXEC)
		return PATH_RUN;
	if (event->op != OP_WRITE)
		return 0;
	if (event->change[0] != '\0')
		return strcmp(event->change, "remove") == 0   ? PATH_REMOVED
		       : strcmp(event->change, "create") == 0 ? PATH_CREATED
							      : 0;
	if (names_one_of(event->call, removing))
		return PATH_REMOVED;
	return names_one_of(event->call, making) ? PATH_CREATED : PATH_WRITTEN;
}

bool summary_is_guard(const struct event *event)
{
	static const char library[] = "/" SESSION_LIBRARY;
	size_t length = strlen(event->path), end = sizeof(library) - 1;

	if (event->op != OP_READ || event->verdict != EVENT_ALLOW || length < end)
		return false;
	return strcmp(event->path + length - end, library) == 0 && strstr(event->path, "/" SESSION_FOLDER_PREFIX) != NULL;
}
