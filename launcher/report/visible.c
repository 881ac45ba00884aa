/* SPDX-License-Identifier: MIT */
/* Makes any string safe to look at. */
#include "report/visible.h"

#include <stdbool.h>
#include <string.h>

/* Length and smallest code point of the sequence that `lead` starts; 0 when it starts none. */
static size_t sequence_length(unsigned char lead, uint32_t *ret_least)
{
	if (lead < 0x80) {
		*ret_least = 0;
		return 1;
	}
	*ret_least = lead < 0xe0 ? 0x80 : lead < 0xf0 ? 0x800
						      : 0x10000;
	return lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2
					: lead < 0xf0       ? 3
							    : 4;
}

static uint32_t decode(const char *text, size_t length)
{
	static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t code = (unsigned char)text[0] & masks[length];

	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	return code;
}

size_t visible_sequence(const char *text, size_t size)
{
	uint32_t least, code;
	size_t length = sequence_length((unsigned char)text[0], &least);

	if (length == 0 || length > size)
		return 0;
	for (size_t i = 1; i < length; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
	code = decode(text, length);
	if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return length;
}

size_t visible_encode(uint32_t code, char *bytes)
{
	size_t length = code < 0x80 ? 1 : code < 0x800 ? 2
				  : code < 0x10000     ? 3
						       : 4;
	static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = length; i-- > 1; code >>= 6)
		bytes[i] = (char)(0x80 | (code & 0x3f));
	bytes[0] = (char)(leads[length] | code);
	return length;
}

/* Characters that are not seen, or that change how their neighbours are seen. */
static bool is_hidden(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
	       (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
	       (code >= 0xfff0 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe0fff);
}

const char *visible_next(const char *text, char form[VISIBLE_MAX])
{
	size_t length = visible_sequence(text, strnlen(text, 4));
	uint32_t code = length ? decode(text, length) : (unsigned char)text[0];

	if (length == 0)
		snprintf(form, VISIBLE_MAX, "\\x%02x", (unsigned int)code);
	else if (!is_hidden(code))
		snprintf(form, VISIBLE_MAX, "%.*s", (int)length, text);
	else if (code == '\n' || code == '\t' || code == '\r')
		snprintf(form, VISIBLE_MAX, "\\%c", code == '\n' ? 'n' : code == '\t' ? 't'
										      : 'r');
	else
		snprintf(form, VISIBLE_MAX, code < 0x80 ? "\\x%02x" : "\\u{%x}", (unsigned int)code);
	return text + (length ? length : 1);
}

/* Characters of two columns: East Asian scripts and symbols, emoji. */
static bool is_wide(uint32_t code)
{
	return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0x303e) ||
	       (code >= 0x3041 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) ||
	       (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) ||
	       (code >= 0xff00 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6) ||
	       (code >= 0x1f300 && code <= 0x1f64f) || (code >= 0x1f680 && code <= 0x1f6ff) ||
	       (code >= 0x1f900 && code <= 0x1faff) || (code >= 0x20000 && code <= 0x3fffd);
}

/* Characters that are drawn over the one before. */
static bool is_combining(uint32_t code)
{
	return (code >= 0x300 && code <= 0x36f) || (code >= 0x483 && code <= 0x489) ||
	       (code >= 0x591 && code <= 0x5bd) || (code >= 0x1ab0 && code <= 0x1aff) ||
	       (code >= 0x1dc0 && code <= 0x1dff) || (code >= 0x20d0 && code <= 0x20ff) ||
	       (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xfe20 && code <= 0xfe2f);
}

static size_t form_width(const char *form)
{
	uint32_t code;

	if ((unsigned char)form[0] < 0x80)
		return strlen(form);
	code = decode(form, strlen(form));
	return is_combining(code) ? 0 : is_wide(code) ? 2
						      : 1;
}

size_t visible_width(const char *text)
{
	char form[VISIBLE_MAX];
	size_t width = 0;

	while (*text != '\0') {
		text = visible_next(text, form);
		width += form_width(form);
	}
	return width;
}

/* One form, as it may stand in HTML. */
static void put_html(FILE *out, const char *form)
{
	static const char *const names[][2] = {
		{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (form[0] == names[i][0][0]) {
			fputs(names[i][1], out);
			return;
		}
	fputs(form, out);
}

static void put_text(FILE *out, const char *form)
{
	fputs(form, out);
}

static void put_forms(FILE *out, const char *text, size_t width, void (*put)(FILE *, const char *))
{
	char form[VISIBLE_MAX];
	bool cut = width != 0 && visible_width(text) > width;
	size_t room = cut ? (width > 3 ? width - 3 : 0) : 0;

	while (*text != '\0') {
		text = visible_next(text, form);
		if (cut && form_width(form) > room)
			break;
		room -= cut ? form_width(form) : 0;
		put(out, form);
	}
	if (cut)
		fputs("...", out);
}

void visible_put(FILE *out, const char *text, size_t width)
{
	put_forms(out, text, width, put_text);
}

void visible_line(FILE *out, const char *const *parts)
{
	for (; *parts; parts++)
		visible_put(out, *parts, 0);
	fputc('\n', out);
}

void visible_put_end(FILE *out, const char *text, size_t width)
{
	size_t left = visible_width(text);
	char form[VISIBLE_MAX];

	if (width == 0 || left <= width) {
		visible_put(out, text, 0);
		return;
	}
	fputs("...", out);
	while (*text != '\0' && left + 3 > width) {
		text = visible_next(text, form);
		left -= form_width(form);
	}
	visible_put(out, text, 0);
}

void visible_html(FILE *out, const char *text)
{
	put_forms(out, text, 0, put_html);
}

void visible_html_cut(FILE *out, const char *text, size_t width)
{
	put_forms(out, text, width, put_html);
}
