/* SPDX-License-Identifier: MIT */
/* One redirection: its operator and its target. A here-document's text follows later, see heredoc.c. */
#include "shell/reader.h"

#include <ctype.h>
#include <string.h>

#define DESCRIPTOR_NAMED 10 /* what {name}> opens is 10 or more */
#define DESCRIPTOR_MAX 99999

/* "2>" and, in bash, "{name}>" name the descriptor: their length, 0 when no descriptor is named. */
static size_t name_length(struct reader *reader, int *ret_descriptor)
{
	const char *text = reader->text + reader->at;
	size_t left = reader->length - reader->at, length = 0;

	*ret_descriptor = 0;
	for (; length < left && isdigit((unsigned char)text[length]); length++)
		if (*ret_descriptor < DESCRIPTOR_MAX)
			*ret_descriptor = 10 * *ret_descriptor + text[length] - '0';
	if (length > 0 || left == 0 || text[0] != '{')
		return length;
	while (length < left && text[length] != '}' && !word_is_metachar((unsigned char)text[length]))
		length++;
	if (length == left || text[length] != '}' || !word_is_name(text + 1, length - 1))
		return 0;
	*ret_descriptor = DESCRIPTOR_NAMED;
	return length + 1;
}

/* Does a redirection stand here? Then it consumes the descriptor's name; -1: none is given. */
static bool accept_descriptor(struct reader *reader, int *ret_descriptor)
{
	size_t from = reader->at, length;
	int byte = reader_peek(reader);

	*ret_descriptor = -1;
	if (byte == '&')
		return reader_second(reader) == '>' && reader_bash(reader);
	if (byte != '<' && byte != '>') {
		length = name_length(reader, ret_descriptor);
		from = reader->at;
		reader->at += length;
		byte = length ? reader_peek(reader) : READER_END;
	}
	if ((byte == '<' || byte == '>') && (reader_second(reader) != '(' || !reader_bash(reader)) &&
	    (reader->text[from] != '{' || reader_bash(reader)))
		return true;
	reader->at = from;
	return false;
}

/* The operator's kind; *ret_here: 0, '<' for <<, '-' for <<-, 's' for <<<. */
static enum shell_redirect_kind read_operator(struct reader *reader, int *ret_descriptor, int *ret_here)
{
	int byte = reader_peek(reader);

	*ret_here = 0;
	if (byte == '&') { /* &> and &>> */
		reader->at++;
		reader_accept(reader, '>');
		reader_accept(reader, '>');
		*ret_descriptor = 1;
		return SHELL_WRITE;
	}
	reader->at++;
	if (byte == '>') {
		*ret_descriptor = 1;
		if (reader_accept(reader, '&'))
			return SHELL_DUPLICATE;
		if (!reader_accept(reader, '>'))
			reader_accept(reader, '|');
		return SHELL_WRITE;
	}
	*ret_descriptor = 0;
	if (reader_accept(reader, '&'))
		return SHELL_DUPLICATE;
	if (reader_accept(reader, '>'))
		return SHELL_READ_WRITE;
	if (!reader_accept(reader, '<'))
		return SHELL_READ;
	*ret_here = '<';
	if (reader_accept(reader, '-'))
		*ret_here = '-';
	else if (reader_peek(reader) == '<' && reader_bash(reader) && reader_accept(reader, '<'))
		*ret_here = 's';
	return SHELL_HERE_TEXT;
}

static void add_pending(struct reader *reader, const struct shell_word *delimiter, bool strip_tabs)
{
	struct pending *pending;

	if (delimiter->dynamic) {
		reader_fail(reader, reader->at, "a here-document whose end cannot be known");
		return;
	}
	pending = stack_push(reader->reading, &reader->reading->pending, sizeof(*pending));
	if (!pending)
		return;
	*pending = (struct pending){
		.delimiter = *delimiter,
		.strip_tabs = strip_tabs,
		.command = (size_t)-1,
		.redirect = reader->reading->redirects.length,
	};
}

/* ">&file" writes a file; ">&2", ">&2-" and ">&-" do not. */
static bool is_descriptor(const struct shell_word *word)
{
	size_t digits = strspn(word->text, "0123456789");

	return word->dynamic || strcmp(word->text + digits, "") == 0 || strcmp(word->text + digits, "-") == 0;
}

/* To bash the dash of ">&-" ends the redirection, whatever follows it. */
static bool read_dash(struct reader *reader, enum shell_redirect_kind kind, struct word_read *ret_read)
{
	size_t at = reader->at;

	if (kind != SHELL_DUPLICATE || reader_peek(reader) != '-' || word_is_metachar(reader_second(reader)) ||
	    !reader_bash(reader))
		return false;
	reader_accept(reader, '-');
	*ret_read = (struct word_read){.word.position = reader_position(reader, at)};
	ret_read->word.text = memory_text(reader->reading, "-", 1);
	return ret_read->word.text != NULL;
}

/* bash expands the word of >& twice, so quoted text in it is code. */
static void read_twice(struct reader *reader, const struct shell_word *target)
{
	struct shell_word again = *target;

	if (!target->quoted || !strpbrk(target->text, "$`(") || !reader_bash(reader))
		return;
	if (strstr(target->text, "<(") || strstr(target->text, ">("))
		simple_unknown(reader, reader->at, "bash expands this quoted text");
	reader_expansions_in(reader, &again);
}

bool redirect_read(struct reader *reader)
{
	struct reading *reading = reader->reading;
	size_t from = reader->at;
	struct shell_redirect redirect, *kept;
	struct word_read target;
	int here, standard, descriptor;

	if (!accept_descriptor(reader, &descriptor))
		return false;
	redirect.kind = read_operator(reader, &standard, &here);
	redirect.descriptor = descriptor >= 0 ? descriptor : standard;
	while (reader_peek(reader) == ' ' || reader_peek(reader) == '\t')
		reader->at++;
	if (!read_dash(reader, redirect.kind, &target) &&
	    !word_read(reader, here && here != 's' ? WORD_DELIMITER : WORD_PLAIN, &target)) {
		reader_fail(reader, from, "a redirection without its target");
		return false;
	}
	if (here && here != 's')
		add_pending(reader, &target.word, here == '-');
	if (redirect.kind == SHELL_DUPLICATE && standard == 1)
		read_twice(reader, &target.word);
	if (redirect.kind == SHELL_DUPLICATE && !is_descriptor(&target.word))
		redirect.kind = standard == 1 ? SHELL_WRITE : SHELL_READ;
	word_settle_home(reading, &target.word);
	redirect.target = target.word;
	kept = stack_push(reading, &reading->redirects, sizeof(*kept));
	if (kept)
		*kept = redirect;
	return kept != NULL;
}

/* A file is no such text; a descriptor opened elsewhere may be. */
bool redirect_feeds(const struct shell_redirect *redirects, size_t count, bool inherited)
{
	bool feeds = inherited;

	for (size_t i = 0; i < count; i++) {
		const struct shell_redirect *redirect = &redirects[i];

		if (redirect->descriptor != 0 || strcmp(redirect->target.text, "0") == 0)
			continue;
		feeds = redirect->kind == SHELL_HERE_TEXT || redirect->target.process ||
			(redirect->kind == SHELL_DUPLICATE && strcmp(redirect->target.text, "-") != 0);
	}
	return feeds;
}
