/* SPDX-License-Identifier: MIT */
/* One word of a shell line: quotes, escapes and expansions, until a blank or an operator ends it. */
#include "shell/reader.h"

#include <ctype.h>
#include <string.h>

/* A word on its way: where its text begins and what was seen of it. */
struct progress {
	struct shell_word *word;
	enum word_mode mode;
	size_t mark;    /* of its text in the stack of bytes */
	size_t value;   /* as in struct word_read */
	bool name_only; /* all of it so far is an unquoted name, perhaps with a subscript */
	bool subscript;
	bool bracket;            /* an unquoted [ was seen */
	bool brace, list, range; /* an unquoted { was seen, after it a comma, or .. */
	bool closed;             /* and after that a } */
	size_t first_mark;       /* of its own in the stack of marks */
};

bool word_is_metachar(int byte)
{
	return byte == READER_END || strchr(" \t\n;&|<>()", byte);
}

/* Where $HOME at the start is all that is unknown of a word, it is as good as known. */
void word_settle_home(struct reading *reading, struct shell_word *word)
{
	static const char *const forms[] = {"$HOME", "${HOME}"};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		size_t length = strlen(forms[i]);
		const char *rest = word->text + length;
		char *text;

		if (word->expansions != 1 || reading->homeless || strncmp(word->text, forms[i], length) != 0 ||
		    *rest != '/' || strpbrk(rest, "$`("))
			continue;
		text = memory_text(reading, word->text + length - 1, strlen(rest) + 1);
		if (!text)
			return;
		text[0] = '~';
		word->text = text;
		word->tilde = true;
		word->dynamic = false;
		return;
	}
}

bool word_is_name(const char *text, size_t length)
{
	if (length == 0 || isdigit((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return true;
}

void word_append(struct reader *reader, const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *byte = stack_push(reader->reading, &reader->reading->bytes, 1);

		if (!byte)
			return;
		*byte = bytes[i];
	}
}

static void append_next(struct reader *reader)
{
	word_append(reader, reader->text + reader->at++, 1);
}

void word_single_quotes(struct reader *reader, struct shell_word *word)
{
	size_t opened = reader->at++;
	const char *from = reader->text + reader->at;
	const char *close = memchr(from, '\'', reader->length - reader->at);

	word->quoted = true;
	if (!close) {
		reader_fail(reader, opened, "a single quote that is not closed");
		return;
	}
	word_append(reader, from, (size_t)(close - from));
	reader->at += (size_t)(close - from) + 1;
}

void word_double_quotes(struct reader *reader, struct shell_word *word)
{
	size_t opened = reader->at++;
	int byte;

	word->quoted = true;
	while ((byte = reader_peek(reader)) != '"') {
		if (byte == READER_END) {
			reader_fail(reader, opened, "a double quote that is not closed");
			return;
		}
		if (byte == '$') {
			expansion_dollar(reader, word, EXPANSION_QUOTED);
		} else if (byte == '`') {
			expansion_backtick(reader, word, EXPANSION_QUOTED);
		} else if (byte == '\\' && reader->at + 1 < reader->length) {
			if (!strchr("$`\"\\", reader->text[reader->at + 1]))
				append_next(reader);
			else
				reader->at++;
			append_next(reader);
		} else {
			append_next(reader);
		}
	}
	reader->at++;
}

static void read_escape(struct reader *reader, struct shell_word *word)
{
	word->quoted = true;
	if (reader->at + 1 < reader->length)
		reader->at++;
	append_next(reader);
}

/* A group of patterns, @(a|b), or of a regular expression: blanks and operators in it belong to the word. */
static void read_group(struct reader *reader, struct progress *progress)
{
	size_t opened = reader->at, depth = 0;
	int byte;

	progress->word->glob = true;
	do {
		byte = reader_peek(reader);
		if (byte == READER_END) {
			reader_fail(reader, opened, "a parenthesis that is not closed");
			return;
		}
		depth += byte == '(';
		depth -= byte == ')';
		if (byte == '\'')
			word_single_quotes(reader, progress->word);
		else if (byte == '"')
			word_double_quotes(reader, progress->word);
		else if (byte == '\\')
			read_escape(reader, progress->word);
		else if (byte == '$')
			expansion_dollar(reader, progress->word, EXPANSION_BARE);
		else if (byte == '`')
			expansion_backtick(reader, progress->word, EXPANSION_BARE);
		else
			append_next(reader);
	} while (depth > 0);
}

/* NAME=( word word ): the words are data. */
static void read_array(struct reader *reader, struct progress *progress)
{
	size_t opened = reader->at++, mark = reader->reading->bytes.length;
	struct word_read element;

	if (reader->reading->pending.length > reader->pending_mark) {
		reader_fail(reader, opened, "an array after the start of a here-document");
		return;
	}
	if (!reader_enter(reader))
		return;
	for (;;) {
		reader_newlines(reader);
		if (!word_read(reader, WORD_PATTERN, &element))
			break;
		progress->word->dynamic |= element.word.dynamic;
	}
	if (!reader_accept(reader, ')'))
		reader_fail(reader, opened, "an array that is not closed");
	reader_leave(reader);
	reader->reading->bytes.length = mark;
	if (!reader->reading->line.error)
		word_append(reader, reader->text + opened, reader->at - opened);
}

static bool read_subscript(struct reader *reader, struct progress *progress)
{
	size_t from = reader->at, mark = reader->reading->bytes.length;

	if (!(progress->mode & WORD_SUBSCRIPT) || !progress->name_only || progress->subscript || progress->value ||
	    mark == progress->mark || !reader_bash(reader))
		return false;
	reader->at++;
	arithmetic_read(reader, "]");
	reader->reading->bytes.length = mark;
	if (!reader->reading->line.error)
		word_append(reader, reader->text + from, reader->at - from);
	progress->subscript = true;
	return true;
}

/* Is what stands before this = a name to assign to? */
static bool is_assignable(struct reader *reader, const struct progress *progress)
{
	const char *name = reader->reading->bytes.items + progress->mark;
	size_t length = reader->reading->bytes.length - progress->mark;
	const char *bracket = length ? memchr(name, '[', length) : NULL;

	if (length > 1 && name[length - 1] == '+') {
		if (!reader_bash(reader))
			return false;
		length--;
	}
	if (bracket && progress->subscript)
		length = (size_t)(bracket - name);
	return word_is_name(name, length);
}

static void read_equals(struct reader *reader, struct progress *progress)
{
	bool assigns = progress->name_only && progress->value == 0 && is_assignable(reader, progress);

	append_next(reader);
	if (!assigns)
		return;
	progress->value = reader->reading->bytes.length - progress->mark;
	if (reader_peek(reader) == '~')
		progress->word->tilde = true;
	if (reader_peek(reader) == '(' && !(progress->mode & WORD_DELIMITER) && reader_bash(reader))
		read_array(reader, progress);
}

/* {a,b} and {1..3} become several words in bash. */
static void note_brace(struct reader *reader, struct progress *progress, int byte)
{
	struct reading *reading = reader->reading;
	size_t *mark;

	progress->brace |= byte == '{';
	if (!progress->brace)
		return;
	if (byte == '.') {
		progress->range |= reader_second(reader) == '.';
		return;
	}
	progress->list |= byte == ',';
	progress->closed |= byte == '}' && (progress->list || progress->range);
	mark = stack_push(reading, &reading->marks, sizeof(*mark));
	if (mark)
		*mark = reading->bytes.length;
}

/* A word in which braces may stand for a list is known only when that is expanded. */
static void finish_braces(struct reader *reader, struct progress *progress, struct word_read *read)
{
	struct reading *reading = reader->reading;
	const size_t *marks = (const size_t *)reading->marks.items;
	size_t length = reading->bytes.length - progress->mark, end = reading->marks.length;
	bool *kept;

	reading->marks.length = progress->first_mark;
	read->dynamic = read->word.dynamic;
	if (!progress->closed || !reader_bash(reader))
		return;
	read->word.dynamic = true;
	read->dynamic |= progress->range;
	kept = progress->list ? memory_take(reading, length + 1) : NULL;
	if (!kept)
		return;
	memset(kept, 0, length + 1);
	for (size_t i = progress->first_mark; i < end; i++)
		kept[marks[i] - progress->mark] = true;
	read->marks = kept;
}

static void read_plain(struct reader *reader, struct progress *progress, int byte)
{
	struct shell_word *word = progress->word;
	size_t length = reader->reading->bytes.length - progress->mark;

	if (byte == '*' || byte == '?' || (byte == ']' && progress->bracket))
		word->glob = true;
	progress->bracket |= byte == '[';
	if (byte == '~' && length == 0)
		word->tilde = true;
	if (strchr("{},.", byte))
		note_brace(reader, progress, byte);
	if (byte != '+' || reader_second(reader) != '=')
		progress->name_only &= isalnum(byte) || byte == '_';
	append_next(reader);
}

/* One step of a word; false when it ended before this byte. */
static bool read_step(struct reader *reader, struct progress *progress, int byte)
{
	struct shell_word *word = progress->word;
	size_t at = reader->at, mark = reader->reading->bytes.length;
	char last = mark > progress->mark ? reader->reading->bytes.items[mark - 1] : '\0';
	bool delimiter = progress->mode & WORD_DELIMITER;

	if (byte == '(' && ((progress->mode & WORD_REGEX) ||
			    ((progress->mode & WORD_PATTERN) && last && strchr("?*+@!", last) && reader_bash(reader)))) {
		read_group(reader, progress);
	} else if (byte == '|' && (progress->mode & WORD_REGEX)) {
		append_next(reader);
	} else if ((byte == '<' || byte == '>') && !delimiter && reader_second(reader) == '(' && reader_bash(reader)) {
		word->process = mark == progress->mark;
		expansion_process(reader, word);
	} else if (word_is_metachar(byte)) {
		return false;
	} else if (byte == '=' && (progress->mode & WORD_ASSIGNMENT)) {
		read_equals(reader, progress);
		return true;
	} else if (byte == '[' && read_subscript(reader, progress)) {
		return true;
	} else if (byte == '\\') {
		read_escape(reader, word);
	} else if (byte == '\'') {
		word_single_quotes(reader, word);
	} else if (byte == '"') {
		word_double_quotes(reader, word);
	} else if (byte == '$') {
		expansion_dollar(reader, word, EXPANSION_BARE);
	} else if (byte == '`') {
		expansion_backtick(reader, word, EXPANSION_BARE);
	} else {
		read_plain(reader, progress, byte);
		return true;
	}
	progress->name_only = false;
	return reader->at > at;
}

bool word_read(struct reader *reader, enum word_mode mode, struct word_read *ret_read)
{
	struct reading *reading = reader->reading;
	struct progress progress = {
		.word = &ret_read->word,
		.mode = mode,
		.mark = reading->bytes.length,
		.name_only = true,
		.first_mark = reading->marks.length,
	};
	int byte = reader_peek(reader);
	size_t from = reader->at;

	*ret_read = (struct word_read){.word.position = reader_position(reader, from)};
	while (byte != READER_END && read_step(reader, &progress, byte))
		byte = reader_peek(reader);
	finish_braces(reader, &progress, ret_read);
	if (reader->at == from || reading->line.error) {
		reading->bytes.length = progress.mark;
		return false;
	}
	if (++reading->word_total > READER_MAX_WORDS) {
		reader_fail(reader, from, "too many words");
		return false;
	}
	ret_read->value = progress.value;
	ret_read->word.text = memory_text(reading, reading->bytes.items + progress.mark,
					  reading->bytes.length - progress.mark);
	reading->bytes.length = progress.mark;
	return ret_read->word.text != NULL;
}
