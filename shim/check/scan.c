/* SPDX-License-Identifier: MIT */
/* From words to options and operands, by what the tables know of the tool. Judges nothing. */
#include "check/scan.h"

#include <stdint.h>
#include <string.h>

void scan_start(struct scan *scan, const struct image *image, const struct tools *tools,
		const struct words *words)
{
	memset(scan, 0, sizeof(*scan));
	scan->image = image;
	scan->tools = tools;
	scan->words = *words;
}

/* A value that stands in a word of its own, where the option needs one. */
static void take_next_word(struct scan *scan)
{
	if (scan->option && scan->option->arity >= IMAGE_VALUE_NEEDED &&
	    words_next(&scan->words, &scan->word, &scan->value_element))
		scan->value = scan->word;
}

/* The second value of an option that has two. */
static void take_second(struct scan *scan)
{
	if (scan->option && scan->option->arity == IMAGE_VALUE_TWO)
		words_next(&scan->words, &scan->second, &scan->second_element);
}

static struct span behind(struct span span, size_t skip)
{
	return (struct span){span.text + skip, span.length - skip};
}

/* The next letter of a cluster; a letter whose option has a value takes the rest of the word as it. */
static enum scan_event next_letter(struct scan *scan)
{
	char text[2] = {'-', scan->rest.text[0]};
	const struct image_option *option =
		tools_option(scan->image, scan->tools, (struct span){text, 2});

	if (scan->plus && option && option->role > IMAGE_ROLE_INFO)
		option = NULL; /* "+c" turns a setting off, whatever "-c" does */
	scan->option = option;
	scan->name = (struct span){scan->rest.text, 1};
	scan->rest = behind(scan->rest, 1);
	if (!option || option->arity == IMAGE_VALUE_NONE || scan->dashless) {
		take_next_word(scan);
		return SCAN_OPTION;
	}
	if (scan->rest.length && scan->rest.text[0] == '=' && option->role == IMAGE_ROLE_DOOR)
		scan->rest = behind(scan->rest, 1);
	if (scan->rest.length)
		scan->value = scan->rest;
	else
		take_next_word(scan);
	scan->rest = SPAN_NONE;
	return SCAN_OPTION;
}

/* "--name", "--name=value", "-name", "-name=value". */
static enum scan_event whole_option(struct scan *scan, struct span word, size_t name_length)
{
	scan->name = (struct span){word.text, name_length};
	if (name_length < word.length)
		scan->value = behind(word, name_length + 1);
	else
		take_next_word(scan);
	return SCAN_OPTION;
}

static enum scan_event cluster(struct scan *scan, struct span word, size_t skip)
{
	scan->plus = word.text[0] == '+';
	scan->dashless = skip == 0;
	scan->rest = behind(word, skip);
	return next_letter(scan);
}

static enum scan_event operand(struct scan *scan, struct span word)
{
	scan->option = tools_prefix(scan->image, scan->tools, word);
	scan->value = word;
	if (!scan->option)
		return SCAN_OPERAND;
	scan->name = (struct span){word.text, scan->option->length};
	scan->value = behind(word, scan->option->length);
	return SCAN_OPTION;
}

/* "-oVALUE" of a tool without clusters: only where the option's value is always glued. */
static bool is_glued(const struct scan *scan, struct span word)
{
	const struct image_option *option =
		tools_option(scan->image, scan->tools, (struct span){word.text, 2});

	return option && option->arity == IMAGE_VALUE_GLUED;
}

static enum scan_event dashed(struct scan *scan, struct span word)
{
	const char *equals = memchr(word.text, '=', word.length);
	struct span name = {word.text, equals ? (size_t)(equals - word.text) : word.length};
	bool is_long = word.length > 2 && word.text[1] == '-';

	if (memchr(word.text, ':', word.length) && tools_prefix(scan->image, scan->tools, word))
		return operand(scan, word);

	if (is_long || word.length > 2) {
		scan->option = tools_option(scan->image, scan->tools, name);
		if (scan->option && !(scan->option->length == 2 && equals))
			return whole_option(scan, word, name.length);
		scan->option = NULL;
	}
	if (is_long || (word.length > 2 && tools_have(scan->image, scan->tools, IMAGE_TOOL_WHOLE) &&
			!is_glued(scan, word)))
		return whole_option(scan, word, name.length);
	return cluster(scan, word, 1);
}

static enum scan_event next_event(struct scan *scan)
{
	bool first = !scan->begun;
	struct span word;

	scan->option = NULL;
	scan->value = SPAN_NONE;
	scan->value_element = scan->element;
	if (scan->rest.length)
		return next_letter(scan);
	scan->begun = true;
	if (!words_next(&scan->words, &word, &scan->element))
		return SCAN_END;
	scan->word = word;
	scan->value_element = scan->element;
	if (scan->dashes || !word.length)
		return operand(scan, word);
	if (word.text[0] == '-' && word.length == 1) {
		scan->option = tools_option(scan->image, scan->tools, word);
		scan->name = scan->value = word;
		return scan->option ? SCAN_OPTION : SCAN_OPERAND;
	}
	if (span_is(word, "--")) {
		scan->dashes = true;
		scan->option = tools_option(scan->image, scan->tools, word);
		return SCAN_DASHES;
	}
	if (word.text[0] == '-')
		return dashed(scan, word);
	if (word.text[0] == '+' && word.length > 1 &&
	    tools_have(scan->image, scan->tools, IMAGE_TOOL_PLUS))
		return cluster(scan, word, 1);
	if (first && tools_have(scan->image, scan->tools, IMAGE_TOOL_DASHLESS))
		return cluster(scan, word, 0);
	return operand(scan, word);
}

enum scan_event scan_next(struct scan *scan)
{
	enum scan_event event;

	scan->second = SPAN_NONE;
	event = next_event(scan);
	if (event == SCAN_OPTION)
		take_second(scan);
	return event;
}

size_t scan_command(struct scan *scan, struct words *ret_words)
{
	struct span word, last = SPAN_NONE;
	size_t element;

	*ret_words = scan->words;
	while (words_next(&scan->words, &word, &element)) {
		bool ends = span_is(word, ";") || (span_is(word, "+") && last.length && span_is(last, "{}"));

		last = word;
		if (!ends)
			continue;
		ret_words->end = scan->words.line ? ret_words->index : element;
		if (scan->words.line)
			ret_words->line_end = word.text;
		return element;
	}
	return SIZE_MAX;
}
