/* SPDX-License-Identifier: MIT */
/* `bridle policy learn`: from what was seen to a policy that allows it. */
#include "policy_learn.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report/learn.h"
#include "report/lines.h"
#include "report/visible.h"

#define FAILED 125
#define WARNINGS_MAX 20      /* shown; the rest is counted */
#define POLICY_MAX (1 << 20) /* bytes of a policy that is updated */
#define DEFAULT_BASE "tool"

static const char usage[] =
	"usage: bridle policy learn [OPTION]... FILE...\n"
	"Print a policy that would have allowed what the reports tell (bridle trace --report FILE); - is standard\n"
	"input.\n"
	"\n"
	"  -b, --base PROFILE   the profile that it extends: tool (default), agent, code, or none\n"
	"  -u, --update POLICY  add what this policy file lacks to it instead\n"
	"  -r, --root DIR       the root of the session, where the reports do not say it\n"
	"  -h, --help           this text\n"
	"\n"
	"Known secrets, and programs and arguments that the base refuses, are not learnt but listed as questions.\n";

struct options {
	const char *base, *update, *root;
	char **files;
	int *opened; /* a descriptor of each; -1: not yet */
	int count;
	bool help;
};

/* What the session lines say. */
struct origin {
	char root[4096], profile[64];
};

struct reading {
	struct learn *learn;
	struct origin *origin;
	uint64_t warned; /* lines that were skipped */
};

static bool complain(const struct failure *failure)
{
	fputs("bridle policy learn: ", stderr);
	visible_put(stderr, failure->text, 0);
	fputc('\n', stderr);
	return false;
}

static bool parse(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
		{"base", required_argument, NULL, 'b'},
		{"update", required_argument, NULL, 'u'},
		{"root", required_argument, NULL, 'r'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int letter;

	*options = (struct options){0};
	optind = 0;
	while ((letter = getopt_long(argc, argv, "b:u:r:h", longs, NULL)) != -1) {
		if (letter == 'b')
			options->base = optarg;
		else if (letter == 'u')
			options->update = optarg;
		else if (letter == 'r')
			options->root = optarg;
		else if (letter == 'h')
			options->help = true;
		else
			return false;
	}
	options->files = argv + optind;
	options->count = argc - optind;
	options->opened = calloc((size_t)options->count + 1, sizeof(*options->opened));
	for (int i = 0; options->opened != NULL && i < options->count; i++)
		options->opened[i] = -1;
	return options->opened != NULL;
}

static void take_origin(void *context, const struct event *event)
{
	struct origin *origin = ((struct reading *)context)->origin;

	if (event->op != OP_SESSION)
		return;
	if (event->root[0] == '/')
		snprintf(origin->root, sizeof(origin->root), "%s", event->root);
	if (event->profile[0] != '\0')
		snprintf(origin->profile, sizeof(origin->profile), "%s", event->profile);
}

static void take_line(void *context, const struct event *event)
{
	learn_take(((struct reading *)context)->learn, event);
}

static void say_nothing(void *context, const char *name, uint64_t line, const char *words)
{
	(void)context;
	(void)name;
	(void)line;
	(void)words;
}

static void warn(void *context, const char *name, uint64_t line, const char *words)
{
	if (((struct reading *)context)->warned++ >= WARNINGS_MAX)
		return;
	fputs("bridle: ", stderr);
	visible_put(stderr, name, 0);
	fprintf(stderr, ":%llu: skipped: %s\n", (unsigned long long)line, words);
}

/* The files are read twice: the session's root must be known before anything can be judged. */
static bool read_files(const struct options *options, lines_sink *sink, lines_warning *warning, struct reading *reading,
		       struct failure *failure)
{
	struct lines_result result;

	for (int i = 0; i < options->count; i++) {
		int *file = &options->opened[i];

		if (*file < 0)
			*file = lines_open(options->files[i], failure);
		if (*file < 0)
			return false;
		lseek(*file, 0, SEEK_SET);
		if (!lines_read(*file, options->files[i], sink, warning, reading, &result, failure))
			return false;
	}
	if (reading->warned > WARNINGS_MAX)
		fprintf(stderr, "bridle: ... and %llu more lines skipped\n",
			(unsigned long long)(reading->warned - WARNINGS_MAX));
	return true;
}

/* Reads the policy file itself: its text, not what it means. */
static char *read_text(const char *name, struct failure *failure)
{
	int file = open(name, O_RDONLY | O_CLOEXEC);
	char *text = malloc(POLICY_MAX + 1);
	ssize_t got = 0;
	size_t length = 0;

	while (file >= 0 && text != NULL && length < POLICY_MAX &&
	       (got = read(file, text + length, POLICY_MAX - length)) > 0)
		length += (size_t)got;
	if (file < 0 || text == NULL || got < 0 || length == POLICY_MAX) {
		failure_set(failure, "cannot read %s: %s", name, length == POLICY_MAX ? "too long" : strerror(errno));
		free(text);
		text = NULL;
	} else {
		text[length] = '\0';
	}
	if (file >= 0)
		close(file);
	return text;
}

/* Puts text in the place of the file at once, and only when it is a good policy. */
static bool replace(const char *name, const char *text, struct failure *failure)
{
	char fresh[4096];
	struct policy_choice choice = {.file = fresh};
	struct policy *policy;
	struct stat status;
	FILE *out;
	int file;

	if (stat(name, &status) != 0 || (size_t)snprintf(fresh, sizeof(fresh), "%s.XXXXXX", name) >= sizeof(fresh))
		return failure_set(failure, "cannot change %s", name);
	file = mkostemp(fresh, O_CLOEXEC);
	out = file < 0 ? NULL : fdopen(file, "w");
	if (out == NULL)
		return failure_set(failure, "cannot write beside %s: %s", name, strerror(errno));
	if (fputs(text, out) == EOF || fchmod(file, status.st_mode & 07777) != 0 || fflush(out) != 0 ||
	    fsync(file) != 0) {
		failure_set(failure, "cannot write %s: %s", fresh, strerror(errno));
		fclose(out);
		unlink(fresh);
		return false;
	}
	fclose(out);
	policy = policy_load(&choice, failure);
	policy_free(policy);
	if (policy == NULL || rename(fresh, name) != 0) {
		if (policy != NULL)
			failure_set(failure, "cannot replace %s: %s", name, strerror(errno));
		unlink(fresh);
		return false;
	}
	return true;
}

static bool update(const struct options *options, const struct learn *learn, const struct learn_additions *additions,
		   struct failure *failure)
{
	char mark[64], *text = read_text(options->update, failure), *updated = NULL;
	time_t now = time(NULL);
	struct tm today;
	size_t count = 0;
	bool good = false;

	for (size_t i = 0; i < LEARN_LISTS; i++)
		count += additions->lists[i].count;
	count += additions->scalar_count;
	if (localtime_r(&now, &today) == NULL || strftime(mark, sizeof(mark), "learnt %Y-%m-%d", &today) == 0)
		snprintf(mark, sizeof(mark), "learnt");
	if (text != NULL)
		updated = learn_update(text, additions, mark, failure);
	if (updated != NULL)
		good = count == 0 || replace(options->update, updated, failure);
	if (good)
		printf("%s: %zu %s added\n", options->update, count, count == 1 ? "entry" : "entries");
	if (good && table_count(&learn->questions) != 0) {
		puts("not learnt, decide yourself:");
		learn_write_questions(stdout, learn, "  ");
	}
	free(text);
	free(updated);
	return good;
}

static bool learn_from(const struct options *options, const struct policy *base, struct origin *origin,
		       struct failure *failure)
{
	const char *name = options->base ? options->base : DEFAULT_BASE;
	struct learn_additions additions = {0};
	struct learn learn;
	struct reading reading = {&learn, origin, 0};
	bool good = learn_open(&learn, base, getenv("HOME"), failure) &&
		    read_files(options, take_line, warn, &reading, failure);

	learn.foreign = learn.judges_programs && origin->profile[0] != '\0' &&
			strcmp(origin->profile, policy_profile(base)) != 0;
	if (good && !learn_add_up(&learn, &additions))
		good = failure_set(failure, "out of memory");
	if (good && options->update != NULL)
		good = update(options, &learn, &additions, failure);
	else if (good)
		learn_write(stdout, &learn, &additions, name, options->files[0]);
	learn_additions_free(&additions);
	learn_close(&learn);
	return good;
}

/* A policy that allows nothing, in a file of its own: no profile is called "none". */
static struct policy *load_nothing(struct policy_choice choice, struct failure *failure)
{
	static const char nothing[] = "extends = \"none\";\n";
	const char *folder = getenv("TMPDIR");
	struct policy *policy = NULL;
	char path[4096];
	int file;

	if ((size_t)snprintf(path, sizeof(path), "%s/bridle-learn.XXXXXX", folder && *folder ? folder : "/tmp") >= sizeof(path))
		path[0] = '\0';
	file = mkostemp(path, O_CLOEXEC);
	choice.file = path;
	if (file < 0 || write(file, nothing, sizeof(nothing) - 1) < 0)
		failure_set(failure, "cannot write a temporary file in %s: %s", folder && *folder ? folder : "/tmp",
			    strerror(errno));
	else
		policy = policy_load(&choice, failure);
	if (file >= 0) {
		close(file);
		unlink(path);
	}
	return policy;
}

/* The policy that is asked: the file to update, or a profile. */
static struct policy *load_base(const struct options *options, const struct origin *origin, struct failure *failure)
{
	const char *name = options->base ? options->base : DEFAULT_BASE;
	struct policy_choice choice = {
		.file = options->update,
		.root = options->root ? options->root : origin->root[0] ? origin->root
									: NULL,
	};

	if (options->update == NULL && strcmp(name, "none") == 0)
		return load_nothing(choice, failure);
	choice.profile = options->update ? NULL : name;
	return policy_load(&choice, failure);
}

int policy_learn(int argc, char **argv)
{
	struct origin origin = {"", ""};
	struct reading reading = {NULL, &origin, 0};
	struct failure failure = {""};
	struct policy *base = NULL;
	struct options options;
	bool good = false;

	if (!parse(argc, argv, &options))
		return FAILED;
	if (options.help) {
		fputs(usage, stdout);
		free(options.opened);
		return fflush(stdout) == 0 ? 0 : FAILED;
	}
	if (options.count == 0)
		failure_set(&failure, "no report given; make one with bridle trace --report FILE -- COMMAND");
	else if (options.base != NULL && options.update != NULL)
		failure_set(&failure, "--base is for a new policy; the one to update says itself what it extends");
	else if (read_files(&options, take_origin, say_nothing, &reading, &failure)) {
		base = load_base(&options, &origin, &failure);
		good = base != NULL && learn_from(&options, base, &origin, &failure);
	}
	policy_free(base);
	for (int i = 0; i < options.count; i++)
		if (options.opened[i] > STDERR_FILENO)
			close(options.opened[i]);
	free(options.opened);
	if (!good)
		complain(&failure);
	return good ? 0 : FAILED;
}
