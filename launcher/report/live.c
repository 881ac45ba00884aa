/* SPDX-License-Identifier: MIT */
/* The live view of a trace. */
#include "report/live.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/visible.h"

#define INDENT_MAX 40
#define FOLD_LEVELS 3 /* folders that a common one must lie deep to say where reads went */
#define RED "\x1b[31m"
#define YELLOW "\x1b[33m"
#define DIM "\x1b[2m"
#define BOLD "\x1b[1m"
#define PLAIN "\x1b[0m"

static const struct {
	const char *word;
	unsigned bit;
} only_words[] = {
	{"exec", LIVE_EXEC},
	{"read", LIVE_READ},
	{"write", LIVE_WRITE},
	{"connect", LIVE_CONNECT},
	{"denied", LIVE_DENIED},
};

#define ONLY_WORDS (sizeof(only_words) / sizeof(only_words[0]))

bool live_filter_only(const char *words, unsigned *ret_only, struct failure *failure)
{
	unsigned only = 0;

	while (*words != '\0') {
		size_t length = strcspn(words, ","), i = 0;

		while (i < ONLY_WORDS &&
		       (strlen(only_words[i].word) != length || strncmp(only_words[i].word, words, length) != 0))
			i++;
		if (i == ONLY_WORDS)
			return failure_set(failure, "--only: \"%.*s\" is none of exec, read, write, connect, denied",
					   (int)length, words);
		only |= only_words[i].bit;
		words += length + (words[length] == ',');
	}
	if (only == 0)
		return failure_set(failure, "--only needs a list of exec, read, write, connect, denied");
	*ret_only = only;
	return true;
}

bool live_wants_colour(int descriptor)
{
	const char *never = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(descriptor) && (never == NULL || *never == '\0') && terminal != NULL &&
	       strcmp(terminal, "dumb") != 0;
}

void live_open(struct live *live, FILE *out, const struct summary *summary, const struct live_filter *filter,
	       bool terminal, bool colour)
{
	*live = (struct live){.out = out, .summary = summary, .filter = *filter, .terminal = terminal, .colour = colour};
}

static unsigned bit_of(enum op op)
{
	switch (op) {
	case OP_EXEC:
		return LIVE_EXEC;
	case OP_READ:
	case OP_LOAD:
		return LIVE_READ;
	case OP_WRITE:
		return LIVE_WRITE;
	case OP_CONNECT:
	case OP_BIND:
	case OP_RESOLVE:
		return LIVE_CONNECT;
	default:
		return 0;
	}
}

static const char *basename_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool fits(const struct live_filter *filter, const struct event *event)
{
	bool denied = event->verdict == EVENT_DENY;

	if (filter->only != 0 && !(filter->only & bit_of(event->op)) && !(denied && (filter->only & LIVE_DENIED)))
		return false;
	if (filter->program != NULL &&
	    fnmatch(filter->program, strchr(filter->program, '/') ? event->exe : basename_of(event->exe), 0) != 0)
		return false;
	return filter->path == NULL || fnmatch(filter->path, event->path, 0) == 0 ||
	       fnmatch(filter->path, event_file(event), 0) == 0;
}

bool live_shows(const struct live *live, const struct event *event)
{
	return !summary_is_guard(event) && !(event_is_operand(event) && event->verdict == EVENT_ALLOW) &&
	       fits(&live->filter, event);
}

static uint32_t depth_of(const struct live *live, uint32_t process)
{
	const struct process *items = live->summary->processes.items;
	uint32_t depth = 0;

	for (; process != INDEX_NONE && items[process].parent != INDEX_NONE; process = items[process].parent)
		depth++;
	return depth;
}

static void colour(const struct live *live, const char *sequence)
{
	if (live->colour)
		fputs(sequence, live->out);
}

/* "  make  " on a terminal, "4711 make " elsewhere. */
static void start_line(const struct live *live, int64_t pid, uint32_t depth, const char *program, const char *op)
{
	int indent = depth > INDENT_MAX / 2 ? INDENT_MAX : 2 * (int)depth;

	if (live->terminal)
		fprintf(live->out, "%*s", indent, "");
	else
		fprintf(live->out, "%lld ", (long long)pid);
	colour(live, DIM);
	visible_put(live->out, program[0] ? program : "?", 20);
	colour(live, PLAIN);
	fprintf(live->out, " %s ", op);
}

void live_flush(struct live *live)
{
	if (live->fold_count == 0)
		return;
	start_line(live, live->fold_pid, live->fold_depth, live->fold_program, "read");
	if (live->fold_count == 1) {
		visible_put(live->out, live->fold_first, 0);
		fputs(live->fold_missed ? "  not there" : "", live->out);
	} else {
		visible_put(live->out, live->fold_folder, 0);
		fprintf(live->out, "/ (%llu times", (unsigned long long)live->fold_count);
		if (live->fold_missed != 0)
			fprintf(live->out, ", %llu not there", (unsigned long long)live->fold_missed);
		fputc(')', live->out);
	}
	fputc('\n', live->out);
	live->fold_count = live->fold_missed = 0;
}

/* How much of the folder that is held back the file lies in as well; 0 when that says too little. */
static size_t common_folder(const struct live *live, const char *file, size_t length)
{
	const char *folder = live->fold_folder;
	size_t same = 0, levels = 0;

	if (strlen(folder) == length && strncmp(folder, file, length) == 0)
		return length;
	for (size_t i = 0;; i++) {
		bool ends = folder[i] == '\0' || folder[i] == '/';

		if (ends && (i >= length ? i == length : file[i] == '/')) {
			same = i;
			levels += i != 0;
		}
		if (folder[i] == '\0' || i >= length || folder[i] != file[i])
			break;
	}
	return levels >= FOLD_LEVELS ? same : 0;
}

/* An allowed read joins the ones held back, or takes their place. */
static void fold(struct live *live, const struct event *event, uint32_t depth)
{
	const char *file = event_file(event), *slash = strrchr(file, '/');
	size_t length = slash ? (size_t)(slash - file) : 0, common = 0;

	if (live->fold_count != 0 && live->fold_pid == event->pid)
		common = common_folder(live, file, length);
	if (common != 0 || (live->fold_count != 0 && live->fold_pid == event->pid && length == 0 && !*live->fold_folder)) {
		live->fold_folder[common] = '\0';
		live->fold_count++;
		live->fold_missed += event_missed(event);
		return;
	}
	live_flush(live);
	live->fold_pid = event->pid;
	live->fold_depth = depth;
	live->fold_count = 1;
	live->fold_missed = event_missed(event);
	snprintf(live->fold_program, sizeof(live->fold_program), "%s", basename_of(event->exe));
	snprintf(live->fold_folder, sizeof(live->fold_folder), "%.*s", (int)length, file);
	snprintf(live->fold_first, sizeof(live->fold_first), "%s", event->path[0] ? event->path : file);
}

/* A write that is no open says what it is: "unlink", "rename", "chmod". */
static bool tells_more(const struct event *event)
{
	return event->op == OP_WRITE && event->call[0] != '\0' && strstr(event->call, "open") == NULL &&
	       strncmp(event->call, "creat", 5) != 0;
}

/* What it did, where that is known. */
static const char *word_of(const struct event *event)
{
	bool known = strcmp(event->change, "create") == 0 || strcmp(event->change, "remove") == 0;

	return known ? event->change : event->op_name;
}

static void show(struct live *live, const struct event *event, uint32_t depth)
{
	char subject[INTERN_TEXT_MAX];

	summary_subject(event, subject, sizeof(subject));
	start_line(live, event->pid, depth, basename_of(event->exe), word_of(event));
	colour(live, event->op == OP_EXEC ? BOLD : "");
	visible_put(live->out, subject, 0);
	colour(live, PLAIN);
	if (tells_more(event)) {
		fputs(" (", live->out);
		visible_put(live->out, event->call, 24);
		fputc(')', live->out);
	}
	if (event->verdict == EVENT_DENY) {
		colour(live, event->enforced ? RED : YELLOW);
		fputs(event->enforced ? "  denied: " : "  would be denied: ", live->out);
		visible_put(live->out, event->rule, 40);
		colour(live, PLAIN);
	} else if (event_failed(event)) {
		colour(live, YELLOW);
		fputs("  failed: ", live->out);
		visible_put(live->out, event->error, 24);
		colour(live, PLAIN);
	} else if (event->op == OP_COVERAGE) {
		colour(live, YELLOW);
		fputs("  not covered: ", live->out);
		visible_put(live->out, event->rule, 40);
		colour(live, PLAIN);
	}
	fputc('\n', live->out);
}

/* Most of what programs do, and the least interesting: reads that went well, or found nothing. */
static bool is_folded(const struct event *event)
{
	return (event->op == OP_READ || event->op == OP_LOAD) && event->verdict == EVENT_ALLOW &&
	       (!event_failed(event) || event_missed(event));
}

void live_take(struct live *live, const struct event *event, uint32_t process)
{
	uint32_t depth;

	if (event->op == OP_SESSION || (event->outcome && !event_failed(event)) || !live_shows(live, event))
		return;
	depth = depth_of(live, process);
	if (is_folded(event)) {
		fold(live, event, depth);
		return;
	}
	live_flush(live);
	show(live, event, depth);
}
