/* SPDX-License-Identifier: MIT */
/* Judges a shell line: every simple command in it with the same checks, every redirection as a path. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/command.h"
#include "decide/decide.h"
#include "decide/resolve.h"
#include "shell/text.h"

#define DEPTH_MAX 64 /* as the reader's */
#define LINES_MAX 8  /* lines in lines: bash -c "bash -c ..." */

/* Where relative paths start, at each depth of the line: `cd` moves it, a subshell gives it back. "": not known. */
struct places {
	char *at[DEPTH_MAX + 1]; /* NULL: where the line starts */
	int depth;
};

/* One reading of a line. */
struct reading {
	const struct question *question;
	struct shell_line *line;
	struct place place;
	struct places places;
	struct verdict *verdict;
};

static bool refuse(struct reading *reading, enum rule rule)
{
	reading->verdict->decision = DECISION_DENY(rule);
	reading->verdict->decision.element = 0;
	return decide_refuse(reading->question, reading->verdict);
}

static bool refuse_unread(struct reading *reading, const char *what, size_t position)
{
	struct verdict *verdict = reading->verdict;

	snprintf(verdict->reason, sizeof(verdict->reason),
		 "the shell line cannot be read at byte %zu: %s (rule structure.malformed): write it plainly, or put it "
		 "into a script and run that",
		 position, what);
	return refuse(reading, RULE_STRUCTURE_MALFORMED);
}

static bool refuse_dynamic(struct reading *reading, const char *word, const char *what, size_t position)
{
	struct verdict *verdict = reading->verdict;

	snprintf(verdict->reason, sizeof(verdict->reason),
		 "'%.200s' at byte %zu of the line: %s (rule structure.dynamic): write out what is to be run", word, position,
		 what);
	return refuse(reading, RULE_STRUCTURE_DYNAMIC);
}

static const char *enter_depth(struct reading *reading, int depth)
{
	struct places *places = &reading->places;

	if (depth > DEPTH_MAX)
		depth = DEPTH_MAX;
	while (places->depth > depth) {
		free(places->at[places->depth]);
		places->at[places->depth--] = NULL;
	}
	while (places->depth < depth) {
		char *outer = places->at[places->depth++];

		places->at[places->depth] = outer ? strdup(outer) : NULL;
	}
	return places->at[places->depth] ? places->at[places->depth] : reading->place.base;
}

/* After `cd X` and `pushd X` the paths that follow start at X; after any other form nobody knows where. */
static void follow_cd(struct reading *reading, const char *base, char *const *words, const bool *known, size_t count)
{
	char resolved[PATH_MAX], **at = &reading->places.at[reading->places.depth];
	bool moves = !strcmp(words[0], "cd") || !strcmp(words[0], "pushd");
	bool clear = moves && count == 2 && known[1] && words[1][0] != '-';

	if (!moves && strcmp(words[0], "popd"))
		return;
	if (clear && base && !*base && words[1][0] != '/')
		clear = false;
	clear = clear && resolve_path(words[1], base, resolved) != RESOLVED_NOT;
	free(*at);
	*at = strdup(clear ? resolved : "");
}

static bool decide_redirects(struct reading *reading, const struct shell_command *command, const char *base)
{
	struct place place = {.depth = reading->place.depth, .base = base};

	for (size_t i = 0; i < command->redirect_count; i++) {
		const struct shell_redirect *redirect = &command->redirects[i];
		enum op op = redirect->kind == SHELL_READ ? OP_READ : OP_WRITE;
		bool refused;
		char *path;

		if (redirect->kind == SHELL_HERE_TEXT || redirect->kind == SHELL_DUPLICATE)
			continue;
		path = shell_text(&redirect->target, reading->question->home);
		reading->verdict->request.call = "open";
		refused = path && (!base || *base || path[0] == '/') &&
			  decide_path(reading->question, op, path, place, 0, reading->verdict);
		free(path);
		if (refused)
			return true;
	}
	return false;
}

static bool decide_variable(struct reading *reading, const struct shell_word *word)
{
	char *assignment = shell_assignment(word);

	if (!assignment)
		return false;
	reading->verdict->decision = check_variable(reading->question->image, assignment);
	free(assignment);
	return reading->verdict->decision.denied && decide_refuse(reading->question, reading->verdict);
}

/* NAME=value in front of a command, and behind export and its kin. */
static bool decide_assignments(struct reading *reading, const struct shell_command *command)
{
	for (size_t i = 0; i < command->assignment_count; i++)
		if (decide_variable(reading, &command->assignments[i]))
			return true;
	for (size_t i = command->skip + 1; command->assigns && i < command->word_count; i++)
		if (decide_variable(reading, &command->words[i]))
			return true;
	return false;
}

/* Code that an interpreter takes from a pipe or a here-document is as inline as that of -c. */
static bool decide_input(struct reading *reading, const struct shell_command *command, char *const *words,
			 size_t count)
{
	bool code = command->code_input;

	if (command->piped_input)
		code |= check_reads_code(reading->question->image, words, count);
	return code && refuse(reading, RULE_ARGV_INLINE);
}

/* Judges argv, and leaves it in the verdict where it (and no line inside it) was refused. */
static bool decide_argv(struct reading *reading, const struct shell_command *command, struct place place, size_t count)
{
	struct verdict *verdict = reading->verdict;
	bool *known = NULL, refused;
	char **words = shell_argv(command, reading->question->home, &known);

	if (!words)
		return refuse_unread(reading, "there is no memory for it", 0);
	refused = decide_words(reading->question, words, count, known, place, verdict) ||
		  decide_input(reading, command, words, count);
	if (!refused)
		follow_cd(reading, place.base, words, known, count);
	if (refused && !verdict->words) {
		verdict->words = words;
		words = NULL;
	}
	shell_argv_free(words, known);
	return refused;
}

static bool decide_simple(struct reading *reading, const struct shell_command *command)
{
	const struct shell_word *words = command->words + command->skip;
	struct place place = {.depth = reading->place.depth, .base = enter_depth(reading, command->depth)};
	size_t count = command->word_count > command->skip ? command->word_count - command->skip : 0;

	if (decide_redirects(reading, command, place.base) || decide_assignments(reading, command))
		return true;
	if (command->unknown)
		return refuse_dynamic(reading, count ? words[0].text : "", command->unknown,
				      command->unknown_position);
	if (!count)
		return false;
	if (words[0].dynamic || words[0].glob)
		return refuse_dynamic(reading, words[0].text, "which program it starts is known only when it runs",
				      words[0].position);
	return decide_argv(reading, command, place, count);
}

static bool decide_reading(const struct question *question, const char *line, size_t length, struct place place,
			   enum shell_dialect dialect, bool *ambiguous, struct verdict *verdict)
{
	struct reading reading = {.question = question, .place = place, .verdict = verdict};
	bool refused = false;

	reading.line = shell_read(line, length, dialect);
	if (!reading.line)
		return refuse_unread(&reading, "there is no memory for it", 0);
	if (reading.line->error)
		refused = refuse_unread(&reading, reading.line->error, reading.line->error_position);
	for (size_t i = 0; i < reading.line->count && !refused; i++)
		refused = decide_simple(&reading, &reading.line->commands[i]);
	*ambiguous = reading.line->ambiguous;
	for (int i = 0; i <= DEPTH_MAX; i++)
		free(reading.places.at[i]);
	shell_free(reading.line);
	return refused;
}

bool decide_line(const struct question *question, const char *line, size_t length, struct place place,
		 struct verdict *verdict)
{
	struct reading nothing = {.question = question, .verdict = verdict};
	bool ambiguous;

	if (place.depth > LINES_MAX)
		return refuse_unread(&nothing, "too many lines in lines", 0);
	if (decide_reading(question, line, length, place, SHELL_POSIX, &ambiguous, verdict))
		return true;
	/* Which shell /bin/sh is nobody knows here: where they differ, both must find it harmless. */
	return ambiguous && decide_reading(question, line, length, place, SHELL_BASH, &ambiguous, verdict);
}
