/* SPDX-License-Identifier: MIT */
/* Judges a shell line: every simple command in it with the same checks, every redirection as a path. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "check/command.h"
#include "check/network.h"
#include "compile/home.h"
#include "decide/decide.h"
#include "decide/matches.h"
#include "decide/resolve.h"
#include "shell/text.h"

#define LINES_MAX 8 /* lines in lines: bash -c "bash -c ..." */

/* Where relative paths start in one process of the shell: `cd` moves it. */
struct station {
	bool entered;
	char *base; /* NULL: the working directory; "": not known */
};

/* One reading of a line. */
struct reading {
	const struct question *question;
	struct shell_line *line;
	struct place place;
	struct station *stations; /* one a scope of the line */
	struct verdict *verdict;
	struct shell_homes homes;
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

	/* Where inline code may run, the rules at run time see what it does. */
	if (!(reading->question->image->flags & IMAGE_INLINE_DENY))
		return false;
	snprintf(verdict->reason, sizeof(verdict->reason),
		 "'%.200s' at byte %zu of the line: %s (rule structure.dynamic): write out what is to be run", word, position,
		 what);
	return refuse(reading, RULE_STRUCTURE_DYNAMIC);
}

/* A policy without dangerous calls leaves it to limits.processes. */
static bool refuse_multiplying(struct reading *reading, const struct shell_command *command)
{
	const struct shell_word *word = &command->words[command->skip];
	struct verdict *verdict = reading->verdict;

	if (!reading->question->image->tool_shapes.count)
		return false;
	snprintf(verdict->reason, sizeof(verdict->reason),
		 "the function '%.200s' at byte %zu of the line starts itself twice over in further processes, without end "
		 "(rule argv.shape): call it once, and say when it stops",
		 word->text, word->position);
	return refuse(reading, RULE_ARGV_SHAPE);
}

/* Where relative paths start in a process of the shell: where its parent was when it began, until it moves. */
static const char *enter_scope(struct reading *reading, size_t scope)
{
	struct station *station = &reading->stations[scope];

	if (!station->entered) {
		const char *outer = scope ? enter_scope(reading, reading->line->scopes[scope]) : reading->place.base;

		station->entered = true;
		station->base = outer ? strdup(outer) : NULL;
	}
	return station->base;
}

/* After `cd X` and `pushd X` the paths that follow start at X; after any other form nobody knows where. */
static void follow_cd(struct reading *reading, size_t scope, char *const *words, const bool *known, size_t count)
{
	char resolved[PATH_MAX], **base = &reading->stations[scope].base;
	bool moves = !strcmp(words[0], "cd") || !strcmp(words[0], "pushd");
	bool clear = moves && count == 2 && known[1] && words[1][0] != '-';

	if (!moves && strcmp(words[0], "popd"))
		return;
	if (clear && *base && !**base && words[1][0] != '/')
		clear = false;
	clear = clear && resolve_path(words[1], *base, resolved) != RESOLVED_NOT;
	free(*base);
	*base = strdup(clear ? resolved : "");
}

/* bash connects to /dev/tcp/HOST/PORT instead of opening it. A name's addresses are judged when it is connected to. */
static bool decide_peer(struct reading *reading, const char *path)
{
	const struct image *image = reading->question->image;
	struct address address = {0};
	char host[SHELL_HOST_MAX];
	unsigned port;

	if (!shell_peer(path, host, &port))
		return false;
	address.port = (uint16_t)port;
	if (inet_pton(AF_INET, host, address.bytes) == 1)
		address.family = AF_INET;
	else if (inet_pton(AF_INET6, host, address.bytes) == 1)
		address.family = AF_INET6;
	reading->verdict->decision = address.family ? check_network(image, OP_CONNECT, &address)
						    : check_resolve(image, host);
	reading->verdict->decision.element = 0;
	return reading->verdict->decision.denied && decide_refuse(reading->question, reading->verdict);
}

/* The files that a redirection names; a pattern is also the one that it finds, to bash. */
static bool decide_target(struct reading *reading, enum op op, const struct shell_word *target, const char *path,
			  struct place place)
{
	struct matches matches = {0};
	bool refused = decide_path(reading->question, op, path, place, 0, reading->verdict);

	if (target->glob && !refused)
		matches_find(&matches, path, place.base);
	for (size_t i = 0; i < matches.count && !refused; i++)
		refused = decide_path(reading->question, op, matches.names[i], place, 0, reading->verdict);
	matches_free(&matches);
	return refused;
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
		path = shell_text(&redirect->target, &reading->homes);
		reading->verdict->request.call = "open";
		refused = path && (!base || *base || path[0] == '/') &&
			  (decide_peer(reading, path) || decide_target(reading, op, &redirect->target, path, place));
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

/* The text that a here-document or here-string gives a shell to run; where there is none it is not known. */
static bool decide_text(struct reading *reading, const struct shell_command *command, struct place place)
{
	const struct shell_word *word = &command->words[command->skip], *text = NULL;

	for (size_t i = 0; i < command->redirect_count; i++)
		if (command->redirects[i].kind == SHELL_HERE_TEXT)
			text = &command->redirects[i].target;
	if (!text)
		return refuse_dynamic(reading, word->text, "the text that it runs is not known", word->position);
	place.depth++;
	place.partial |= text->dynamic;
	return decide_line(reading->question, text->text, strlen(text->text), place, reading->verdict);
}

/* Code that an interpreter takes from a pipe or a here-document is as inline as that of -c. */
static bool decide_input(struct reading *reading, const struct shell_command *command, char *const *words,
			 size_t count, struct place place)
{
	const struct image *image = reading->question->image;

	if (!command->piped_input || !check_reads_code(image, words, count))
		return false;
	if (image->flags & IMAGE_INLINE_DENY)
		return refuse(reading, RULE_ARGV_INLINE);
	return check_reads_line(image, words, count) && decide_text(reading, command, place);
}

static bool decide_patterns(struct reading *reading, const struct shell_command *command, char **words, const bool *known,
			    size_t count, struct place place)
{
	struct matches *found = calloc(count + 1, sizeof(*found));
	bool any = false, refused;

	for (size_t i = 1; found && i < count; i++)
		if (known[i] && command->words[command->skip + i].glob) {
			matches_find(&found[i], words[i], place.base);
			any |= found[i].count;
		}
	refused = any && decide_spread(reading->question, found, words, count, place, reading->verdict);
	for (size_t i = 0; found && i < count; i++)
		matches_free(&found[i]);
	free(found);
	return refused;
}

/* Judges argv, and leaves it in the verdict where it (and no line inside it) was refused. */
static bool decide_argv(struct reading *reading, const struct shell_command *command, struct place place, size_t count)
{
	struct verdict *verdict = reading->verdict;
	struct request outer = verdict->request;
	bool *known = NULL, refused;
	char **words = shell_argv(command, &reading->homes, &known);

	if (!words)
		return refuse_unread(reading, "there is no memory for it", 0);
	refused = decide_words(reading->question, words, count, known, place, verdict) ||
		  decide_patterns(reading, command, words, known, count, place) ||
		  decide_input(reading, command, words, count, place);
	if (!refused) {
		follow_cd(reading, command->scope, words, known, count);
		/* What is refused later in the line must not show words that are gone. */
		verdict->request = outer;
		verdict->request.path = NULL;
	}
	if (refused && !verdict->words) {
		verdict->words = words;
		words = NULL;
	}
	shell_argv_free(words, known);
	return refused;
}

/* Is it known before run time which program this word starts? */
static bool names_program(struct reading *reading, const struct shell_word *word)
{
	char *text = shell_text(word, &reading->homes);
	bool known = text && !word->glob;

	free(text);
	return known;
}

/* The command that a simple command runs, and what its builtins read as code. */
static bool decide_run(struct reading *reading, const struct shell_command *command, struct place place)
{
	const struct shell_word *word = &command->words[command->skip];

	if (!names_program(reading, word))
		return refuse_dynamic(reading, word->text, "which program it starts is known only when it runs",
				      word->position);
	return decide_argv(reading, command, place, command->word_count - command->skip) ||
	       (command->code_input && decide_text(reading, command, place));
}

static bool decide_simple(struct reading *reading, const struct shell_command *command)
{
	struct place place = reading->place;
	bool runs = command->word_count > command->skip;

	place.base = enter_scope(reading, command->scope);
	if (decide_redirects(reading, command, place.base) || decide_assignments(reading, command))
		return true;
	if (command->multiplies && refuse_multiplying(reading, command))
		return true;
	if (runs && decide_run(reading, command, place))
		return true;
	return command->unknown && refuse_dynamic(reading, runs ? command->words[command->skip].text : "",
						  command->unknown, command->unknown_position);
}

static void close_reading(struct reading *reading)
{
	for (size_t i = 0; reading->stations && i < reading->line->scope_count; i++)
		free(reading->stations[i].base);
	free(reading->stations);
	shell_free(reading->line);
}

/* A line that bash cannot read is refused; one that only bash can read stops the other shells. */
static bool decide_reading(const struct question *question, const char *line, size_t length, struct place place,
			   enum shell_dialect dialect, bool *ret_ambiguous, struct verdict *verdict)
{
	struct reading reading = {
		.question = question,
		.place = place,
		.verdict = verdict,
		.homes = {question->home, home_of_user},
	};
	bool refused = false;

	reading.line = shell_read(line, length, dialect);
	reading.stations = reading.line ? calloc(reading.line->scope_count + 1, sizeof(*reading.stations)) : NULL;
	if (!reading.stations)
		refused = refuse_unread(&reading, "there is no memory for it", 0);
	*ret_ambiguous = !refused && reading.line->ambiguous;
	reading.place.bash |= dialect == SHELL_BASH && *ret_ambiguous;
	for (size_t i = 0; !refused && i < reading.line->count; i++)
		refused = decide_simple(&reading, &reading.line->commands[i]);
	if (!refused && reading.line->error && dialect == SHELL_BASH && !place.partial)
		refused = refuse_unread(&reading, reading.line->error, reading.line->error_position);
	close_reading(&reading);
	return refused;
}

bool decide_line(const struct question *question, const char *line, size_t length, struct place place,
		 struct verdict *verdict)
{
	struct reading nothing = {.question = question, .verdict = verdict};
	bool ambiguous;

	if (place.depth > LINES_MAX)
		return refuse_unread(&nothing, "too many lines in lines", 0);
	if (decide_reading(question, line, length, place, SHELL_BASH, &ambiguous, verdict))
		return true;
	/* Which shell /bin/sh is nobody knows here: where they differ, both must find it harmless. */
	return ambiguous && !place.bash &&
	       decide_reading(question, line, length, place, SHELL_POSIX, &ambiguous, verdict);
}
