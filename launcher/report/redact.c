/* SPDX-License-Identifier: MIT */
/* Masks secrets in report lines. */
#include "report/redact.h"

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/scan.h"

#define MASK "[redacted]"
#define CLEAN_SLOTS 4096 /* strings that were found clean and come again: a power of two */
#define GROUPS_MAX 3
#define STARTS 4096 /* a power of two */

struct shape {
	const char *trigger; /* NULL: always searched */
	int group;
	const char *pattern; /* not compiled yet: of a built-in one, until a string holds its trigger */
	int flags;
	regex_t compiled;
};

struct redact {
	struct shape *shapes;
	size_t count;
	uint64_t clean[CLEAN_SLOTS]; /* hashes */
	bool starts[STARTS];         /* by three letters: does a trigger start with them? */
	bool letters[256];           /* is this a whole trigger? */
	bool always;                 /* there is a shape without a trigger */
	uint64_t seed;               /* nobody can choose a string that looks clean */
	char *text, *masked;         /* room for one decoded string, and for it masked */
	size_t room;
};

static const struct {
	const char *trigger;
	int group;
	const char *pattern;
} built_in[] = {
#define SHAPE(trigger, group, pattern) {(trigger), (group), (pattern)},
#include "report/redact_shapes.def"
#undef SHAPE
};

/* Where three letters, without regard to case, have their place in redact->starts. */
static unsigned start_of(const char *at)
{
	return (((at[0] | 0x20u) * 67 + (at[1] | 0x20u)) * 67 + (at[2] | 0x20u)) & (STARTS - 1);
}

/* A trigger of two letters starts whatever goes on with it; one of a single letter is looked for by itself. */
static void mark_starts(struct redact *redact, const char *trigger, size_t length)
{
	if (length < 2)
		redact->letters[(unsigned char)trigger[0]] = true;
	else if (length > 2)
		redact->starts[start_of(trigger)] = true;
	else
		for (int third = 0; third < 256; third++)
			redact->starts[start_of((const char[]){trigger[0], trigger[1], (char)third})] = true;
}

static int compile(struct shape *shape)
{
	int error = regcomp(&shape->compiled, shape->pattern, REG_EXTENDED | shape->flags);

	if (error == 0)
		shape->pattern = NULL;
	return error;
}

/* The user's patterns are compiled at once, so that what is wrong with one is said before anything runs. */
static bool add_pattern(struct redact *redact, const char *pattern, struct failure *failure)
{
	struct shape *shape = &redact->shapes[redact->count];
	char words[256];
	int error;

	*shape = (struct shape){.pattern = pattern};
	error = compile(shape);
	if (error != 0) {
		regerror(error, &shape->compiled, words, sizeof(words));
		return failure_set(failure, "report.redact: \"%s\" is no regular expression: %s",
				   pattern, words);
	}
	redact->count++;
	if (regexec(&shape->compiled, "", 0, NULL, 0) == 0)
		return failure_set(failure,
				   "report.redact: \"%s\" matches the empty string, so everywhere; "
				   "make it say what a secret looks like",
				   pattern);
	return true;
}

static bool add_shapes(struct redact *redact, const char *const *patterns, struct failure *failure)
{
	for (size_t i = 0; i < sizeof(built_in) / sizeof(built_in[0]); i++)
		redact->shapes[redact->count++] = (struct shape){.trigger = built_in[i].trigger,
								 .group = built_in[i].group,
								 .pattern = built_in[i].pattern,
								 .flags = built_in[i].group == 2 ? REG_ICASE : 0};
	for (; patterns != NULL && *patterns != NULL; patterns++)
		if (!add_pattern(redact, *patterns, failure))
			return false;
	return true;
}

struct redact *redact_new(const char *const *patterns, struct failure *failure)
{
	struct redact *redact = calloc(1, sizeof(*redact));
	size_t count = sizeof(built_in) / sizeof(built_in[0]);

	for (const char *const *pattern = patterns; pattern != NULL && *pattern != NULL; pattern++)
		count++;
	if (redact == NULL || (redact->shapes = calloc(count, sizeof(*redact->shapes))) == NULL) {
		failure_set(failure, "out of memory");
		free(redact);
		return NULL;
	}
	for (size_t i = 0; i < sizeof(built_in) / sizeof(built_in[0]); i++)
		mark_starts(redact, built_in[i].trigger, strlen(built_in[i].trigger));
	redact->always = patterns != NULL && *patterns != NULL;
	redact->seed = (uint64_t)(uintptr_t)redact * 0x9e3779b97f4a7c15u;
	if (!add_shapes(redact, patterns, failure)) {
		redact_free(redact);
		return NULL;
	}
	return redact;
}

void redact_free(struct redact *redact)
{
	if (redact == NULL)
		return;
	for (size_t i = 0; i < redact->count; i++)
		if (!redact->shapes[i].pattern)
			regfree(&redact->shapes[i].compiled);
	free(redact->shapes);
	free(redact->text);
	free(redact->masked);
	free(redact);
}

/* The old content is not needed: both are filled anew for each string. */
static bool make_room(struct redact *redact, size_t length)
{
	size_t room = SCAN_TEXT_SIZE(length) + 1;

	if (room <= redact->room)
		return true;
	free(redact->text);
	free(redact->masked);
	redact->text = malloc(room);
	redact->masked = malloc(room);
	redact->room = redact->text != NULL && redact->masked != NULL ? room : 0;
	return redact->room != 0;
}

/* Most strings hold no trigger, so most shapes are never compiled. */
static bool has_trigger(const struct shape *shape, const char *text)
{
	return shape->trigger == NULL || strcasestr(text, shape->trigger) != NULL;
}

/* A shape that there is no memory for hides the whole string: a secret told is worse. */
static void hide(char *text)
{
	memset(text, '*', strlen(text));
}

/* Masks every match of one shape in redact->text; the result is there again. */
static bool mask_shape(struct redact *redact, struct shape *shape)
{
	const char *at = redact->text;
	char *out = redact->masked;
	regmatch_t groups[GROUPS_MAX];
	int flags = 0;

	if (shape->pattern && compile(shape) != 0) {
		hide(redact->text);
		return true;
	}
	while (regexec(&shape->compiled, at, GROUPS_MAX, groups, flags) == 0 &&
	       groups[0].rm_eo > 0) {
		const regmatch_t *match = &groups[shape->group];
		size_t length = (size_t)(match->rm_eo - match->rm_so);

		out = mempcpy(out, at, (size_t)match->rm_so);
		if (length >= sizeof(MASK) - 1)
			out = mempcpy(out, MASK, sizeof(MASK) - 1);
		else
			out = (char *)memset(out, '*', length) + length;
		at += match->rm_eo;
		flags = REG_NOTBOL;
	}
	if (at == redact->text)
		return false;
	strcpy(out, at);
	strcpy(redact->text, redact->masked);
	return true;
}

/* One pass that most strings do not outlive, instead of one for each trigger. */
static bool may_have_trigger(const struct redact *redact, const char *text)
{
	if (redact->always)
		return true;
	for (; text[0] != '\0'; text++)
		if (redact->letters[(unsigned char)text[0]] ||
		    (text[1] != '\0' && text[2] != '\0' && redact->starts[start_of(text)]))
			return true;
	return false;
}

static uint64_t hash(const struct redact *redact, const char *text)
{
	uint64_t value = redact->seed | 1;

	for (; *text != '\0'; text++)
		value = (value ^ (unsigned char)*text) * 0x100000001b3u;
	return value ^ value >> 31;
}

/* Masks redact->text in place; false when nothing in it was a secret. */
static bool mask(struct redact *redact)
{
	bool found = false;
	uint64_t value, *slot;

	if (!may_have_trigger(redact, redact->text))
		return false;
	value = hash(redact, redact->text);
	slot = &redact->clean[value & (CLEAN_SLOTS - 1)];
	if (*slot == value)
		return false;
	for (size_t i = 0; i < redact->count; i++)
		if (has_trigger(&redact->shapes[i], redact->text) &&
		    mask_shape(redact, &redact->shapes[i]))
			found = true;
	if (!found)
		*slot = value;
	return found;
}

static char *encode(char *out, const char *text)
{
	static const char letters[] = "btn\0fr"; /* \b is 8; 11 has none */
	static const char digits[] = "0123456789abcdef";

	*out++ = '"';
	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte >= 0x20 && byte != '"' && byte != '\\') {
			*out++ = (char)byte;
			continue;
		}
		*out++ = '\\';
		if (byte >= 0x20) {
			*out++ = (char)byte;
		} else if (byte >= 8 && byte <= 13 && letters[byte - 8] != '\0') {
			*out++ = letters[byte - 8];
		} else {
			out = mempcpy(out, "u00", 3);
			*out++ = digits[byte >> 4];
			*out++ = digits[byte & 15];
		}
	}
	*out++ = '"';
	return out;
}

/* Is the string that ends before `at` an object's key? */
static bool is_key(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at < end && *at == ':';
}

size_t redact_line(struct redact *redact, const char *line, size_t length, char *buffer)
{
	const char *end = line + length, *quote, *string;
	struct scan scan = {line, end, NULL, NULL};
	char *out = buffer;

	if (!make_room(redact, length))
		return 0; /* a line lost is better than a secret told */
	while ((quote = memchr(scan.at, '"', (size_t)(end - scan.at))) != NULL) {
		out = mempcpy(out, scan.at, (size_t)(quote - scan.at));
		scan.at = quote;
		scan.text = redact->text;
		scan.text_end = redact->text + redact->room;
		if (!scan_string(&scan, &string)) {
			scan.at = quote;
			break;
		}
		if (!is_key(scan.at, end) && mask(redact))
			out = encode(out, redact->text);
		else
			out = mempcpy(out, quote, (size_t)(scan.at - quote));
	}
	out = mempcpy(out, scan.at, (size_t)(end - scan.at));
	return (size_t)(out - buffer);
}
