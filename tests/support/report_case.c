/* SPDX-License-Identifier: MIT */
/* What the tests of launcher/report/ share. */
#include "report_case.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/lines.h"

struct summary *test_summary(const char *const *lines)
{
	struct summary *summary = summary_new();
	struct event *event = malloc(sizeof(*event));
	char line[EVENT_LINE_MAX];

	cr_assert(summary != NULL && event != NULL);
	for (; *lines != NULL; lines++) {
		snprintf(line, sizeof(line), "{\"v\":1,\"session\":\"s\",%s", *lines + 1);
		cr_assert_eq(event_parse(event, line, strlen(line)), EVENT_GOOD, "%s", line);
		summary_take(summary, event);
	}
	summary_finish(summary);
	free(event);
	return summary;
}

static void take(void *context, const struct event *event)
{
	summary_take(context, event);
}

static void warn(void *context, const char *name, uint64_t line, const char *words)
{
	(void)context;
	(void)name;
	(void)line;
	cr_assert(words[0] != '\0');
}

struct summary *test_summary_file(const char *name)
{
	struct summary *summary = summary_new();
	struct lines_result result;
	struct failure failure;
	char path[256];
	int file;

	snprintf(path, sizeof(path), REPORT_CASES "%s", name);
	file = open(path, O_RDONLY | O_CLOEXEC);
	cr_assert(summary != NULL && file >= 0, "%s", path);
	cr_assert(lines_read(file, path, take, warn, summary, &result, &failure), "%s", failure.text);
	close(file);
	summary_finish(summary);
	return summary;
}

char *test_written(test_writer *writer, const void *data)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert_not_null(out);
	writer(out, data);
	cr_assert_eq(fclose(out), 0);
	return text;
}
