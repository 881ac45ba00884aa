/* SPDX-License-Identifier: MIT */
/* Patterns over a value: what an option may be given, and what not. No recursion: only the last star is gone back to. */
#include "check/pattern.h"

#include <string.h>

static unsigned char folded(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte | 0x20) : (unsigned char)byte;
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static bool parts_commands(char byte)
{
	return strchr(";|&<>`$\n", byte) != NULL;
}

/* The byte behind the set at `set`, and whether it holds `byte`; a set that is not closed is a literal "[". */
static const char *set_match(const char *set, char byte, bool *ret_holds)
{
	bool inverted = set[1] == '!' || set[1] == '^', found = false;
	const char *at = set + 1 + inverted, *first = at;

	for (; *at && (*at != ']' || at == first); at++) {
		unsigned char low = folded(*at), high = low;

		if (at[1] == '-' && at[2] && at[2] != ']') {
			high = folded(at[2]);
			at += 2;
		}
		found |= low <= folded(byte) && folded(byte) <= high;
	}
	if (!*at) {
		*ret_holds = byte == '[';
		return set + 1;
	}
	*ret_holds = found != inverted;
	return at + 1;
}

/* The pattern after its first element when that takes text[at], with ret_at behind what it took; else NULL. */
static const char *one(const char *pattern, struct span text, size_t at, bool tame, size_t *ret_at)
{
	const char *next;
	bool holds;

	*ret_at = at + 1;
	switch (*pattern) {
	case '\0':
		return NULL;
	case '?':
		return tame && parts_commands(text.text[at]) ? NULL : pattern + 1;
	case '#':
		if (!is_digit(text.text[at]))
			return NULL;
		while (*ret_at < text.length && is_digit(text.text[*ret_at]))
			++*ret_at;
		return pattern + 1;
	case '[':
		next = set_match(pattern, text.text[at], &holds);
		return holds ? next : NULL;
	case '\\':
		if (pattern[1])
			pattern++;
		break;
	}
	return folded(*pattern) == folded(text.text[at]) ? pattern + 1 : NULL;
}

bool check_pattern(const char *pattern, struct span text, bool tame)
{
	const char *star = NULL, *next;
	size_t star_at = 0, at = 0, behind;

	while (at < text.length) {
		if (*pattern == '*') {
			star = ++pattern;
			star_at = at;
			continue;
		}
		next = one(pattern, text, at, tame, &behind);
		if (next) {
			pattern = next;
			at = behind;
		} else if (star && !(tame && parts_commands(text.text[star_at]))) {
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

enum patterns_say check_patterns(const struct image *image, uint32_t first, uint32_t count, struct span value,
				 bool launch)
{
	const struct image_pattern *pattern = image_tool_patterns(image) + first;
	bool refused = false, refuses = false;

	for (uint32_t i = 0; i < count; i++) {
		bool allows = pattern[i].verdict != IMAGE_PATTERN_REFUSE;

		refuses |= !allows;
		if (pattern[i].verdict == IMAGE_PATTERN_ALLOW_AT_RUN && launch)
			continue;
		if (!check_pattern(image_string(image, pattern[i].text), value, allows))
			continue;
		if (allows)
			return PATTERNS_ALLOW;
		refused = true;
	}
	return refused || !refuses ? PATTERNS_REFUSE : PATTERNS_NOTHING;
}
