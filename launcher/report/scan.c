/* SPDX-License-Identifier: MIT */
/* Pulls JSON values out of one line. */
#include "report/scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/visible.h"

#define REPLACEMENT "\xef\xbf\xbd"

void scan_space(struct scan *scan)
{
	while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r' ||
					*scan->at == '\n'))
		scan->at++;
}

bool scan_take(struct scan *scan, char byte)
{
	scan_space(scan);
	if (scan->at == scan->end || *scan->at != byte)
		return false;
	scan->at++;
	return true;
}

static bool put(struct scan *scan, const char *bytes, size_t length)
{
	if ((size_t)(scan->text_end - scan->text) <= length)
		return false;
	memcpy(scan->text, bytes, length);
	scan->text += length;
	return true;
}

static bool put_code_point(struct scan *scan, uint32_t code)
{
	char bytes[4];

	if (code == 0 || (code >= 0xd800 && code <= 0xdfff))
		return put(scan, REPLACEMENT, 3);
	return put(scan, bytes, visible_encode(code, bytes));
}

static bool hexadecimal(struct scan *scan, uint32_t *ret_unit)
{
	uint32_t unit = 0;

	if (scan->end - scan->at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		unsigned char byte = (unsigned char)*scan->at++;

		if (!isxdigit(byte))
			return false;
		unit = unit * 16 + (uint32_t)(isdigit(byte) ? byte - '0' : (byte | 0x20) - 'a' + 10);
	}
	*ret_unit = unit;
	return true;
}

/* What follows "\u": one unit, or two that make a pair. */
static bool unicode_escape(struct scan *scan)
{
	uint32_t unit, low;

	if (!hexadecimal(scan, &unit))
		return false;
	if (unit < 0xd800 || unit > 0xdbff || scan->end - scan->at < 6 || scan->at[0] != '\\' ||
	    scan->at[1] != 'u')
		return put_code_point(scan, unit);
	scan->at += 2;
	if (!hexadecimal(scan, &low))
		return false;
	if (low >= 0xdc00 && low <= 0xdfff)
		return put_code_point(scan, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
	return put_code_point(scan, unit) && put_code_point(scan, low);
}

static bool escape(struct scan *scan)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const char *letter;

	if (scan->at == scan->end)
		return false;
	if (*scan->at == 'u') {
		scan->at++;
		return unicode_escape(scan);
	}
	letter = memchr(letters, *scan->at++, sizeof(letters) - 1);
	return letter != NULL && put(scan, bytes + (letter - letters), 1);
}

/* Bytes that stand for themselves, as many as there are. */
static bool plain(struct scan *scan)
{
	const char *start = scan->at;

	while (scan->at < scan->end && (unsigned char)*scan->at >= 0x20 &&
	       (unsigned char)*scan->at < 0x80 && *scan->at != '"' && *scan->at != '\\')
		scan->at++;
	return put(scan, start, (size_t)(scan->at - start));
}

bool scan_string(struct scan *scan, const char **ret_text)
{
	const char *start = scan->text;

	if (!scan_take(scan, '"'))
		return false;
	while (scan->at < scan->end && *scan->at != '"') {
		size_t length = visible_sequence(scan->at, (size_t)(scan->end - scan->at));
		unsigned char byte = (unsigned char)*scan->at;

		if (byte < 0x20)
			return false;
		if (byte == '\\') {
			scan->at++;
			if (!escape(scan))
				return false;
		} else if (byte < 0x80) {
			if (!plain(scan))
				return false;
		} else {
			if (!put(scan, length ? scan->at : REPLACEMENT, length ? length : 3))
				return false;
			scan->at += length ? length : 1;
		}
	}
	if (scan->at == scan->end || scan->text == scan->text_end)
		return false;
	scan->at++;
	*scan->text++ = '\0';
	*ret_text = start;
	return true;
}

static int64_t saturate(double value)
{
	if (!(value > -9.2e18))
		return INT64_MIN;
	return value < 9.2e18 ? (int64_t)value : INT64_MAX;
}

/* The form that a plain "123.456789" does not have: an exponent, or more digits than fit. */
static int64_t general_number(const char *start, const char *end)
{
	char copy[64];
	size_t length = (size_t)(end - start);

	if (length >= sizeof(copy))
		length = sizeof(copy) - 1;
	memcpy(copy, start, length);
	copy[length] = '\0';
	return saturate(strtod(copy, NULL) * 1e6);
}

static int digits(struct scan *scan, int64_t *value, int limit)
{
	int count = 0;

	for (; scan->at < scan->end && isdigit((unsigned char)*scan->at); scan->at++)
		if (count++ < limit)
			*value = *value * 10 + (*scan->at - '0');
	return count;
}

bool scan_number(struct scan *scan, int64_t *ret_millionths)
{
	const char *start;
	int64_t value = 0;
	bool negative, general;
	int fraction = 0;

	scan_space(scan);
	start = scan->at;
	negative = scan_take(scan, '-');
	int whole = digits(scan, &value, 12);

	if (whole == 0 || (whole > 1 && start[negative] == '0'))
		return false;
	general = whole > 12;
	if (scan->at < scan->end && *scan->at == '.') {
		scan->at++;
		fraction = digits(scan, &value, 6);
		if (fraction == 0)
			return false;
	}
	if (scan->at < scan->end && (*scan->at | 0x20) == 'e') {
		int64_t exponent = 0;

		general = true;
		scan->at++;
		if (scan->at < scan->end && (*scan->at == '+' || *scan->at == '-'))
			scan->at++;
		if (digits(scan, &exponent, 4) == 0)
			return false;
	}
	for (int i = fraction; i < 6; i++)
		value *= 10;
	*ret_millionths = general ? general_number(start, scan->at) : negative ? -value
									       : value;
	return true;
}

static bool literal(struct scan *scan, const char *word)
{
	size_t length = strlen(word);

	scan_space(scan);
	if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0)
		return false;
	scan->at += length;
	return true;
}

bool scan_bool(struct scan *scan, bool *ret_value)
{
	*ret_value = literal(scan, "true");
	return *ret_value || literal(scan, "false");
}

static bool skip(struct scan *scan, int depth);

/* After the opening bracket: values, or pairs with a string before each, up to the closing one. */
static bool skip_items(struct scan *scan, char close, int depth)
{
	const char *key;

	if (scan_take(scan, close))
		return true;
	do {
		if (close == '}' && (!scan_string(scan, &key) || !scan_take(scan, ':')))
			return false;
		if (!skip(scan, depth))
			return false;
	} while (scan_take(scan, ','));
	return scan_take(scan, close);
}

static bool skip(struct scan *scan, int depth)
{
	int64_t number;
	const char *string;
	bool value;

	if (depth == 0)
		return false;
	if (scan_take(scan, '{'))
		return skip_items(scan, '}', depth - 1);
	if (scan_take(scan, '['))
		return skip_items(scan, ']', depth - 1);
	scan_space(scan);
	if (scan->at < scan->end && *scan->at == '"')
		return scan_string(scan, &string);
	return literal(scan, "null") || scan_bool(scan, &value) || scan_number(scan, &number);
}

bool scan_skip(struct scan *scan)
{
	char *text = scan->text;
	bool good = skip(scan, SCAN_DEPTH_MAX);

	scan->text = text;
	return good;
}
