/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_WORDS_H
#define BRIDLE_CHECK_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of text that somebody else owns; not NUL-terminated. */
struct span {
	const char *text; /* NULL: there is none */
	size_t length;
};

#define SPAN_NONE ((struct span){NULL, 0})

/*
 * The words of a command, one after the other: first those of a line that stands in one element of argv (blanks part
 * them, nothing is unquoted), where there is such a line, then the elements index .. end - 1. A plain value: a copy is
 * a place to come back to.
 */
struct words {
	char *const *argv;
	size_t index, end;
	const char *line, *line_end; /* line NULL: no line, or it is used up */
};

struct span span_of(const char *text);
/* The part behind the last slash. */
struct span span_basename(struct span path);
bool span_is(struct span span, const char *text);
bool span_starts(struct span span, const char *start);

/* The next word and the element of argv it stands in; false at the end. */
bool words_next(struct words *words, struct span *ret_word, size_t *ret_element);

/* The words of a line inside element `element`, and nothing behind it. */
struct words words_of_line(char *const *argv, struct span line, size_t element);

/* The words from `word` (which words_next just gave) on, `skip` bytes of it left out. */
struct words words_from(const struct words *after, struct span word, size_t skip, size_t element);

/* Does the text hold anything that a shell would not take as plain words parted by blanks? */
bool span_is_shell(struct span text);

/* Does "{}" stand in it: the name of each file that is found? */
bool span_has_braces(struct span word);

#endif
