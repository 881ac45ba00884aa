/* SPDX-License-Identifier: MIT */
/* The first and the last line of a report. */
#include "forward/session_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "policy/write.h"
#include "report/sha256.h"
#include "version.h"

struct report_context session_line_context(const struct session *session, bool enforced)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (struct report_context){.via = VIA_LAUNCHER,
				       .session = session->id,
				       .exe = session->launcher[0] ? session->launcher : NULL,
				       .pid = getpid(),
				       .ppid = getppid(),
				       .tid = getpid(),
				       .seconds = now.tv_sec,
				       .microseconds = now.tv_nsec / 1000,
				       .enforced = enforced};
}

static json_t *start(const struct session *session, const char *event)
{
	struct report_context context = session_line_context(session, true);
	json_t *line = json_object();

	json_object_set_new(line, "v", json_integer(REPORT_VERSION));
	json_object_set_new(line, "ts", json_real(context.seconds + context.microseconds / 1e6));
	json_object_set_new(line, "session", json_string(session->id));
	json_object_set_new(line, "pid", json_integer(context.pid));
	json_object_set_new(line, "ppid", json_integer(context.ppid));
	json_object_set_new(line, "tid", json_integer(context.tid));
	if (context.exe)
		json_object_set_new(line, "exe", json_string(context.exe));
	json_object_set_new(line, "via", json_string(VIA_LAUNCHER));
	json_object_set_new(line, "op", json_string("session"));
	json_object_set_new(line, "verdict", json_string("allow"));
	json_object_set_new(line, "event", json_string(event));
	return line;
}

static void finish(struct forward *forward, json_t *line)
{
	/* 16 digits show a time stamp to the microsecond. */
	char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(16));
	size_t length = text ? strlen(text) : 0;

	if (text) {
		text[length] = '\n';
		forward_line(forward, text, length + 1);
	}
	free(text);
	json_decref(line);
}

/* The same settings give the same digest, wherever and whenever they are read. */
static bool digest_policy(const struct policy *policy, char digest[SHA256_TEXT])
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return false;
	write_settings(stream, policy_settings(policy));
	if (!fclose(stream))
		sha256_text(digest, text, size);
	free(text);
	return text != NULL;
}

void session_line_open(struct forward *forward, const struct session *session, const struct policy *policy,
		       const struct image *image,
		       const char *backstop, const char *landlock)
{
	char digest[SHA256_TEXT] = "";
	json_t *line;

	if (!forward_is_read(forward))
		return;
	digest_policy(policy, digest);
	line = start(session, "open");
	json_object_set_new(line, "policy", json_string(policy_name(policy)));
	json_object_set_new(line, "digest", json_string(digest));
	json_object_set_new(line, "root", json_string(policy_root(policy)));
	json_object_set_new(line, "mode", json_string(image->flags & IMAGE_AUDIT ? "audit" : "enforce"));
	json_object_set_new(line, "profile", json_string(policy_profile(policy)));
	json_object_set_new(line, "version", json_string(BRIDLE_VERSION));
	json_object_set_new(line, "backstop", json_string(backstop));
	json_object_set_new(line, "landlock", json_string(landlock));
	finish(forward, line);
}

void session_line_close(struct forward *forward, const struct session *session, const char *backstop, int status)
{
	const struct session_page *page = session->page;
	json_t *line;

	if (!forward_is_read(forward))
		return;
	forward_flush(forward); /* what is lost now is known */
	line = start(session, "close");

	json_object_set_new(line, "checked", json_integer(page ? page->checked : 0));
	json_object_set_new(line, "denied", json_integer(forward->tally.denied));
	if (page && page->word)
		json_object_set_new(line, "stopped", json_integer(page->stopped));
	json_object_set_new(line, "lost", json_integer(forward_lost(forward) + (page ? page->lost : 0)));
	json_object_set_new(line, "backstop", json_string(backstop));
	json_object_set_new(line, "status", json_integer(status));
	finish(forward, line);
}
