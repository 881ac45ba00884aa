/* SPDX-License-Identifier: MIT */
/* The live view of a trace. */
#include "report/live.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/visible.h"

#define INDENT_MAX 40
#define NAME_MAX_SHOWN 20 /* columns of a program's name */
#define NAME_LONG 12      /* a longer one gives way to the name that it was started by */
#define SUBJECT_MIN 24    /* columns that are left to what a line is about, however narrow the terminal */
#define FOLD_LEVELS 3     /* folders that a common one must lie deep to say where reads went */
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

size_t live_columns(int file)
{
	struct winsize size;

	return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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

/* A path without the root that it lies beneath. */
static const char *beneath(const struct live *live, const char *path)
{
	size_t length = strlen(live->root);

	if (length < 2 || strncmp(path, live->root, length) != 0 || path[length] != '/' || path[length + 1] == '\0')
		return path;
	return path + length + 1;
}

/* The file as it was named, or, where that is no whole path, where it lies. */
static const char *shown_file(const struct live *live, const struct event *event)
{
	return beneath(live, event->path[0] == '/' ? event->path : event_file(event));
}

/* The program; of one with a long name ("x86_64-linux-gnu-gcc-12") the name that it was started by, where that is shorter. */
static void name_of(const struct live *live, const struct event *event, uint32_t process, char *name, size_t size)
{
	const char *base = basename_of(event->exe), *command;
	size_t length;

	snprintf(name, size, "%s", base[0] ? base : "?");
	if (strlen(base) <= NAME_LONG || process == INDEX_NONE)
		return;
	command = live->summary->processes.items[process].command;
	length = strcspn(command, " '");
	if (command[length] == '\'' || strcmp(live->summary->processes.items[process].exe, event->exe) != 0)
		return;
	for (const char *slash; (slash = memchr(command, '/', length)) != NULL; command = slash + 1)
		length -= (size_t)(slash + 1 - command);
	if (length != 0 && length < strlen(base))
		snprintf(name, size, "%.*s", (int)length, command);
}

/* "  make exec " on a terminal, "4711 make exec " elsewhere. Returns the columns that are left; 0: as many as one likes. */
static size_t start_line(const struct live *live, int64_t pid, uint32_t depth, const char *program, const char *op)
{
	int indent = depth > INDENT_MAX / 2 ? INDENT_MAX : 2 * (int)depth;
	size_t width = visible_width(program), used;

	if (live->terminal)
		fprintf(live->out, "%*s", indent, "");
	else
		fprintf(live->out, "%lld ", (long long)pid);
	colour(live, DIM);
	visible_put(live->out, program, NAME_MAX_SHOWN);
	colour(live, PLAIN);
	fprintf(live->out, " %s ", op);
	used = (size_t)indent + (width < NAME_MAX_SHOWN ? width : NAME_MAX_SHOWN) + 2 + strlen(op);
	if (live->columns == 0)
		return 0;
	return used + SUBJECT_MIN < live->columns ? live->columns - used : SUBJECT_MIN;
}

/* What is left for the subject when `more` columns follow it. */
static size_t room_before(size_t room, size_t more)
{
	return room == 0 ? 0 : more + SUBJECT_MIN < room ? room - more
							 : SUBJECT_MIN;
}

void live_flush(struct live *live)
{
	char more[96] = "";
	size_t room;

	if (live->fold_count == 0)
		return;
	room = start_line(live, live->fold_pid, live->fold_depth, live->fold_program, "read");
	if (live->fold_count == 1)
		snprintf(more, sizeof(more), "%s", live->fold_missed ? "  not there" : "");
	else if (live->fold_missed == 0)
		snprintf(more, sizeof(more), "/ (%llu times)", (unsigned long long)live->fold_count);
	else
		snprintf(more, sizeof(more), "/ (%llu times, %llu not there)", (unsigned long long)live->fold_count,
			 (unsigned long long)live->fold_missed);
	visible_put_end(live->out, live->fold_count == 1 ? live->fold_first : beneath(live, live->fold_folder),
			room_before(room, strlen(more)));
	fprintf(live->out, "%s\n", more);
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
static void fold(struct live *live, const struct event *event, uint32_t process, uint32_t depth)
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
	name_of(live, event, process, live->fold_program, sizeof(live->fold_program));
	snprintf(live->fold_folder, sizeof(live->fold_folder), "%.*s", (int)length, file);
	snprintf(live->fold_first, sizeof(live->fold_first), "%s", shown_file(live, event));
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

/* What follows the subject: the function, and what became of the call. Returns its colour. */
static const char *ending_of(const struct event *event, char *call, char *what, size_t size)
{
	const char *function = event_is_operand(event) ? "on its command line" : event->call;

	call[0] = what[0] = '\0';
	if (tells_more(event))
		snprintf(call, size, " (%s)", function);
	if (event->verdict == EVENT_DENY)
		snprintf(what, size, "  %s: %s", event->enforced ? "denied" : "would be denied", event->rule);
	else if (event_failed(event))
		snprintf(what, size, "  failed: %s", event->error);
	else if (event->op == OP_COVERAGE)
		snprintf(what, size, "  not covered: %s", event->rule);
	return event->verdict == EVENT_DENY && event->enforced ? RED : YELLOW;
}

static void show(struct live *live, const struct event *event, uint32_t process, uint32_t depth)
{
	char subject[INTERN_TEXT_MAX], name[64], call[64], what[64];
	const char *ending = ending_of(event, call, what, sizeof(call));
	bool file = event->op == OP_READ || event->op == OP_WRITE || event->op == OP_LOAD;
	size_t room;

	name_of(live, event, process, name, sizeof(name));
	room = room_before(start_line(live, event->pid, depth, name, word_of(event)),
			   visible_width(call) + visible_width(what));
	summary_subject(event, subject, sizeof(subject));
	colour(live, event->op == OP_EXEC ? BOLD : "");
	if (file && event_file(event)[0] != '\0')
		visible_put_end(live->out, shown_file(live, event), room);
	else
		visible_put(live->out, subject, room);
	colour(live, PLAIN);
	visible_put(live->out, call, 0);
	if (what[0] != '\0') {
		colour(live, ending);
		visible_put(live->out, what, 0);
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

	if (event->op == OP_SESSION && event->root[0] == '/')
		snprintf(live->root, sizeof(live->root), "%s", event->root);
	if (event->op == OP_SESSION || (event->outcome && !event_failed(event)) || !live_shows(live, event))
		return;
	depth = depth_of(live, process);
	if (is_folded(event)) {
		fold(live, event, process, depth);
		return;
	}
	live_flush(live);
	show(live, event, process, depth);
}
