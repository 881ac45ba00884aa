/* SPDX-License-Identifier: MIT */
/* Brace expansion: "a{b,c}" becomes "ab" and "ac", as bash makes them. */
#include "shell/reader.h"

#include <string.h>

#define BRACE_LENGTH_MAX 4096 /* longer words, and lists of more results, stay as they are */
#define BRACE_RESULTS_MAX 256

/* Part of a word: marks[i] says that text[i] is an unquoted brace or comma. */
struct piece {
	const char *text;
	const bool *marks;
	size_t length;
};

/* A list that expands: its braces, and the number of its commas. */
struct braces {
	size_t open, close, commas;
};

/* One expansion of a word. What it reads and makes is paid for; when that is spent the word stays as it is. */
struct expansion {
	struct reading *reading;
	struct piece pieces[BRACE_RESULTS_MAX];
	size_t count;
	bool spent;
};

static bool pay(struct expansion *expansion, size_t work)
{
	struct reading *reading = expansion->reading;

	if (reading->work + work > reading->work_limit)
		expansion->spent = true;
	else
		reading->work += work;
	return !expansion->spent;
}

static bool find_close(struct expansion *expansion, const struct piece *piece, struct braces *braces)
{
	size_t depth = 0;

	braces->commas = 0;
	for (size_t i = braces->open; i < piece->length && pay(expansion, 1); i++) {
		if (!piece->marks[i])
			continue;
		depth += piece->text[i] == '{';
		braces->commas += piece->text[i] == ',' && depth == 1;
		if (piece->text[i] == '}' && --depth == 0) {
			braces->close = i;
			return true;
		}
	}
	return false;
}

static bool find_braces(struct expansion *expansion, const struct piece *piece, struct braces *ret_braces)
{
	for (size_t i = 0; i < piece->length; i++) {
		ret_braces->open = i;
		if (piece->marks[i] && piece->text[i] == '{' && find_close(expansion, piece, ret_braces) &&
		    ret_braces->commas)
			return true;
	}
	return false;
}

/* The word with one alternative in place of the list. */
static struct piece join(struct expansion *expansion, const struct piece *piece, const struct braces *braces, size_t from,
			 size_t to)
{
	size_t after = braces->close + 1, tail = piece->length - after, middle = braces->open + to - from;
	struct piece joined = {.length = middle + tail};
	char *text = pay(expansion, 2 * joined.length) ? memory_take(expansion->reading, joined.length + 1) : NULL;
	bool *marks = text ? memory_take(expansion->reading, joined.length + 1) : NULL;

	if (!marks) {
		expansion->spent = true;
		return *piece;
	}
	memcpy(text, piece->text, braces->open);
	memcpy(text + braces->open, piece->text + from, to - from);
	memcpy(text + middle, piece->text + after, tail);
	text[joined.length] = '\0';
	memcpy(marks, piece->marks, braces->open);
	memcpy(marks + braces->open, piece->marks + from, to - from);
	memcpy(marks + middle, piece->marks + after, tail);
	joined.text = text;
	joined.marks = marks;
	return joined;
}

/* Puts the alternatives of pieces[at]'s first list in its place; false: it holds none, or there is no room. */
static bool expand(struct expansion *expansion, size_t at)
{
	struct piece piece = expansion->pieces[at], *pieces = expansion->pieces + at;
	struct braces braces;
	size_t from, depth = 0;

	if (!find_braces(expansion, &piece, &braces))
		return false;
	if (expansion->count + braces.commas > BRACE_RESULTS_MAX) {
		expansion->spent = true;
		return false;
	}
	memmove(pieces + braces.commas + 1, pieces + 1, (expansion->count - at - 1) * sizeof(*pieces));
	expansion->count += braces.commas;
	from = braces.open + 1;
	for (size_t i = from; i <= braces.close; i++) {
		if (!piece.marks[i])
			continue;
		if (depth == 0 && piece.text[i] != '{') {
			*pieces++ = join(expansion, &piece, &braces, from, i);
			from = i + 1;
		}
		depth += piece.text[i] == '{';
		depth -= i < braces.close && piece.text[i] == '}';
	}
	return true;
}

char **brace_expand(struct reader *reader, const struct word_read *read, size_t *ret_count)
{
	struct reading *reading = reader->reading;
	struct expansion *expansion;
	size_t at = 0;
	char **results;

	if (!read->marks || strlen(read->word.text) > BRACE_LENGTH_MAX)
		return NULL;
	expansion = memory_take(reading, sizeof(*expansion));
	if (!expansion)
		return NULL;
	expansion->reading = reading;
	expansion->pieces[0] = (struct piece){read->word.text, read->marks, strlen(read->word.text)};
	expansion->count = 1;
	expansion->spent = false;
	pay(expansion, sizeof(*expansion) / 8);
	while (!expansion->spent && at < expansion->count)
		at += !expand(expansion, at);
	results = expansion->spent ? NULL : memory_take(reading, expansion->count * sizeof(*results));
	for (size_t i = 0; results && i < expansion->count; i++)
		results[i] = (char *)expansion->pieces[i].text;
	*ret_count = expansion->count;
	return results;
}
