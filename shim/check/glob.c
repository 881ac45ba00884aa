/* SPDX-License-Identifier: MIT */
/* Shell patterns over one name, without recursion: only the last star is ever gone back to. */
#include "check/glob.h"

/* The byte after the set that starts at `set` ("["), or NULL where it is not closed. A "]" first in it stands for itself. */
static const char *set_end(const char *set)
{
	const char *at = set + 1;

	if (*at == '!' || *at == '^')
		at++;
	do {
		if (*at == '\\' && at[1])
			at++;
		if (!*at)
			return NULL;
		at++;
	} while (*at != ']');
	return at + 1;
}

static bool set_holds(const char *set, const char *end, unsigned char byte)
{
	const char *at = set + 1;
	bool inverted = *at == '!' || *at == '^', found = false;

	at += inverted;
	while (at < end - 1) {
		unsigned char low, high;

		at += *at == '\\';
		low = high = (unsigned char)*at++;
		if (*at == '-' && at + 1 < end - 1) {
			at++;
			at += *at == '\\';
			high = (unsigned char)*at++;
		}
		found |= low <= byte && byte <= high;
	}
	return found != inverted;
}

/* The pattern after its first element when that takes the byte, else NULL. */
static const char *one(const char *pattern, unsigned char byte)
{
	const char *end;

	switch (*pattern) {
	case '?':
		return pattern + 1;
	case '[':
		end = set_end(pattern);
		if (end)
			return set_holds(pattern, end, byte) ? end : NULL;
		break;
	case '\\':
		if (pattern[1])
			pattern++;
		break;
	case '\0':
		return NULL;
	}
	return (unsigned char)*pattern == byte ? pattern + 1 : NULL;
}

bool check_glob(const char *pattern, const char *text, size_t length)
{
	const char *star = NULL;
	size_t star_at = 0, at = 0;

	while (at < length) {
		const char *next;

		if (*pattern == '*') {
			star = ++pattern;
			star_at = at;
			continue;
		}
		next = one(pattern, (unsigned char)text[at]);
		if (next) {
			pattern = next;
			at++;
		} else if (star) {
			pattern = star;
			at = ++star_at;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

bool check_glob_is_whole(const char *pattern)
{
	while (*pattern) {
		if (*pattern == '[') {
			pattern = set_end(pattern);
			if (!pattern)
				return false;
			continue;
		}
		if (*pattern == '\\' && !*++pattern)
			return false;
		pattern++;
	}
	return true;
}

bool check_glob_is_pattern(const char *text)
{
	for (; *text; text++)
		if (*text == '*' || *text == '?' || *text == '[' || *text == '\\')
			return true;
	return false;
}
