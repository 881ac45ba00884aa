/* SPDX-License-Identifier: MIT */
/* Words of a command as spans: elements of argv, or blank-parted pieces of one element. Knows no tool. */
#include "check/words.h"

#include <string.h>

struct span span_of(const char *text)
{
	return (struct span){text, strlen(text)};
}

struct span span_basename(struct span path)
{
	size_t start = path.length;

	while (start > 0 && path.text[start - 1] != '/')
		start--;
	return (struct span){path.text + start, path.length - start};
}

bool span_is(struct span span, const char *text)
{
	size_t length = strlen(text);

	return span.length == length && !memcmp(span.text, text, length);
}

bool span_starts(struct span span, const char *start)
{
	size_t length = strlen(start);

	return span.length >= length && !memcmp(span.text, start, length);
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\v' || byte == '\f';
}

bool words_next(struct words *words, struct span *ret_word, size_t *ret_element)
{
	while (words->line && words->line < words->line_end && is_blank(*words->line))
		words->line++;
	if (words->line && words->line < words->line_end) {
		ret_word->text = words->line;
		while (words->line < words->line_end && !is_blank(*words->line))
			words->line++;
		ret_word->length = (size_t)(words->line - ret_word->text);
		*ret_element = words->index - 1;
		return true;
	}
	words->line = NULL;
	if (words->index >= words->end)
		return false;
	*ret_word = span_of(words->argv[words->index]);
	*ret_element = words->index++;
	return true;
}

struct words words_of_line(char *const *argv, struct span line, size_t element)
{
	return (struct words){
		.argv = argv,
		.index = element + 1,
		.end = element + 1,
		.line = line.text,
		.line_end = line.text + line.length,
	};
}

struct words words_from(const struct words *after, struct span word, size_t skip, size_t element)
{
	struct words from = *after;

	if (!from.line && !skip) {
		from.index = element;
		return from;
	}
	if (!from.line)
		from.line_end = word.text + word.length;
	from.line = word.text + skip;
	return from;
}

bool span_is_shell(struct span text)
{
	for (size_t i = 0; i < text.length; i++)
		if (strchr("'\"\\$`;&|<>()~#\n", text.text[i]))
			return true;
	return false;
}

bool span_has_braces(struct span word)
{
	for (size_t i = 0; i + 1 < word.length; i++)
		if (word.text[i] == '{' && word.text[i + 1] == '}')
			return true;
	return false;
}
