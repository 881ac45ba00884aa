/* SPDX-License-Identifier: MIT */
/* $'..': the C escapes that bash knows. */
#include "shell/reader.h"

#include <ctype.h>
#include <string.h>

static void append_byte(struct reader *reader, unsigned value)
{
	char byte = (char)value;

	word_append(reader, &byte, 1);
}

static void append_utf8(struct reader *reader, unsigned long code)
{
	if (code < 0x80) {
		append_byte(reader, (unsigned)code);
		return;
	}
	if (code < 0x800) {
		append_byte(reader, 0xc0 | (unsigned)(code >> 6));
	} else if (code < 0x10000) {
		append_byte(reader, 0xe0 | (unsigned)(code >> 12));
		append_byte(reader, 0x80 | (code >> 6 & 0x3f));
	} else {
		append_byte(reader, 0xf0 | (code >> 18 & 0x07));
		append_byte(reader, 0x80 | (code >> 12 & 0x3f));
		append_byte(reader, 0x80 | (code >> 6 & 0x3f));
	}
	append_byte(reader, 0x80 | (code & 0x3f));
}

/* Up to `most` digits of base 8 or 16; false when there is none. */
static bool read_number(struct reader *reader, unsigned base, int most, unsigned long *ret_value)
{
	unsigned long value = 0;
	int count = 0, byte;

	while (count < most && (byte = reader_raw(reader)) != READER_END) {
		if (base == 16 ? !isxdigit(byte) : byte < '0' || byte > '7')
			break;
		value = value * base + (unsigned)(isdigit(byte) ? byte - '0' : tolower(byte) - 'a' + 10);
		value &= 0xffffffff;
		reader->at++;
		count++;
	}
	*ret_value = value;
	return count > 0;
}

/* \xHH and \x{H..} are a byte, \uHHHH and \UHHHHHHHH a character. */
static bool read_code(struct reader *reader, int kind)
{
	unsigned long value;
	bool braces;

	reader->at++;
	braces = kind == 'x' && reader_raw(reader) == '{';
	reader->at += braces;
	if (!read_number(reader, 16, braces ? 64 : kind == 'x' ? 2
					   : kind == 'u'       ? 4
							       : 8,
			 &value)) {
		append_byte(reader, '\\');
		append_byte(reader, (unsigned)kind);
		return true;
	}
	if (braces && reader_raw(reader) == '}')
		reader->at++;
	if (kind == 'x')
		append_byte(reader, (unsigned)value & 0xff);
	else
		append_utf8(reader, value);
	return kind == 'x' ? (value & 0xff) != 0 : value != 0;
}

/* What follows a backslash. Returns false when it is a NUL, which ends the text in bash. */
static bool read_escape(struct reader *reader)
{
	static const char letters[] = "abeEfnrtv\\'\"?";
	static const char values[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	int byte = reader_raw(reader);
	const char *letter = byte > 0 ? strchr(letters, byte) : NULL;
	unsigned long value;

	if (letter) {
		reader->at++;
		append_byte(reader, (unsigned char)values[letter - letters]);
		return true;
	}
	if (byte >= '0' && byte <= '7') {
		read_number(reader, 8, 3, &value);
		append_byte(reader, (unsigned)value & 0xff);
		return (value & 0xff) != 0;
	}
	if (byte == 'x' || byte == 'u' || byte == 'U')
		return read_code(reader, byte);
	if (byte == 'c' && reader->at + 1 < reader->length) {
		value = (unsigned char)reader->text[reader->at + 1] & 0x1f;
		reader->at += 2;
		append_byte(reader, (unsigned)value);
		return value != 0;
	}
	append_byte(reader, '\\');
	return true;
}

void ansi_quotes(struct reader *reader, struct shell_word *word)
{
	size_t opened = reader->at++, end = 0;
	bool ended = false;
	int byte;

	word->quoted = true;
	while ((byte = reader_raw(reader)) != '\'') {
		if (byte == READER_END) {
			reader_fail(reader, opened, "a single quote that is not closed");
			return;
		}
		reader->at++;
		if (byte != '\\') {
			append_byte(reader, (unsigned)byte);
		} else if (!read_escape(reader) && !ended) {
			ended = true;
			end = reader->reading->bytes.length - 1;
		}
	}
	reader->at++;
	if (ended)
		reader->reading->bytes.length = end;
}
