/* SPDX-License-Identifier: MIT */
/* Reads report files into one summary. */
#include "report/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/visible.h"

#define WARNINGS_MAX 20 /* shown; the rest is counted */

bool load_open(struct load *load)
{
	*load = (struct load){.summary = summary_new()};
	load->input.summary = load->summary;
	return load->summary != NULL;
}

void load_close(struct load *load)
{
	summary_free(load->summary);
	free(load->sources);
	*load = (struct load){0};
}

static void take(void *context, const struct event *event)
{
	summary_take(((struct load *)context)->summary, event);
}

static void warn(void *context, const char *name, uint64_t line, const char *words)
{
	struct load *load = context;

	if (load->warned++ >= WARNINGS_MAX)
		return;
	fputs("bridle: ", stderr);
	visible_put(stderr, name, 0);
	fprintf(stderr, ":%llu: skipped: %s\n", (unsigned long long)line, words);
}

static bool load_file(struct load *load, const char *name, struct format_source *source)
{
	bool standard = strcmp(name, "-") == 0;
	int descriptor = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct lines_result result = {0};
	struct failure failure;
	bool good;

	source->name = standard ? "standard input" : name;
	if (descriptor < 0) {
		good = failure_set(&failure, "cannot open %s: %s", name, strerror(errno));
	} else {
		good = lines_read(descriptor, source->name, take, warn, load, &result, &failure);
		if (!standard)
			close(descriptor);
	}
	if (!good) {
		fputs("bridle: ", stderr);
		visible_put(stderr, failure.text, 0);
		fputc('\n', stderr);
	}
	source->lines = result.lines;
	source->good = result.good;
	source->skipped = result.skipped;
	return good;
}

bool load_files(struct load *load, char *const *names, size_t count)
{
	static char *const standard_input[] = {(char *)(uintptr_t) "-"};
	bool good = true;

	if (count == 0) {
		names = standard_input;
		count = 1;
	}
	load->sources = calloc(count, sizeof(*load->sources));
	if (load->sources == NULL)
		return false;
	load->input.sources = load->sources;
	load->input.source_count = count;
	for (size_t i = 0; i < count; i++)
		good = load_file(load, names[i], &load->sources[i]) && good;
	if (load->warned > WARNINGS_MAX)
		fprintf(stderr, "bridle: ... and %llu more lines skipped\n",
			(unsigned long long)(load->warned - WARNINGS_MAX));
	summary_finish(load->summary);
	return good;
}
