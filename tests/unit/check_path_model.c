/* SPDX-License-Identifier: MIT */
/*
 * check_path against a plain model: rules tried one by one, as the words of the design say it. Random policies over few
 * names, so that everything overlaps.
 */
#include "check/path.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/glob.h"
#include "check/validate.h"
#include "policy_image.h"

#define RULES 12
#define DEPTH 6

struct rule_text {
	enum image_path_verdict verdict; /* NONE: it may only be listed */
	char text[64];
};

static uint32_t state;

static uint32_t random_below(uint32_t limit)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 16) % limit;
}

/* "/a/b*" with now and then a "**", or a bare name. */
static void random_rule(struct rule_text *rule)
{
	static const char *const names[] = {"a", "b", "ab", "*", "a*", "?", "[ab]", "**"};
	uint32_t count = 1 + random_below(4);

	rule->verdict = (enum image_path_verdict)random_below(5);
	rule->text[0] = '\0';
	if (rule->verdict != IMAGE_PATH_NONE && rule->verdict != IMAGE_PATH_HIDE && random_below(5) == 0) {
		strcpy(rule->text, names[random_below(7)]);
		return;
	}
	if (random_below(4) == 0)
		strcpy(rule->text, "**");
	while (count--) {
		strcat(rule->text, "/");
		strcat(rule->text, names[count ? random_below(8) : random_below(7)]);
	}
}

static void random_path(char *path)
{
	static const char *const names[] = {"a", "b", "ab", "c"};
	uint32_t count = random_below(DEPTH + 1);

	strcpy(path, count ? "" : "/");
	while (count--) {
		strcat(path, "/");
		strcat(path, names[random_below(4)]);
	}
}

/* Does the pattern fit all of path[0..end)? Both start with a slash or are empty. */
static bool fits(const char *pattern, const char *path, const char *end)
{
	size_t of_pattern = 1 + strcspn(pattern + (*pattern == '/'), "/"), of_path;
	char one[64];

	if (!*pattern)
		return path == end;
	if (of_pattern == 3 && !strncmp(pattern, "/**", 3)) {
		for (;;) {
			if (fits(pattern + 3, path, end))
				return true;
			if (path == end)
				return false;
			path += 1 + strcspn(path + 1, "/");
		}
	}
	if (path == end)
		return false;
	of_path = 1 + strcspn(path + 1, "/");
	snprintf(one, sizeof(one), "%.*s", (int)of_pattern - 1, pattern + 1);
	return check_glob(one, path + 1, of_path - 1) && fits(pattern + of_pattern, path + of_path, end);
}

static bool is_literal(const char *text)
{
	return !check_glob_is_pattern(text);
}

/* Of the same entry in two lists the deny stays. */
static bool is_denied(const struct rule_text *rules, const char *text)
{
	for (int i = 0; i < RULES; i++)
		if (rules[i].verdict == IMAGE_PATH_DENY && !strcmp(rules[i].text, text))
			return true;
	return false;
}

static enum rule model(const struct rule_text *rules, enum op op, const char *path)
{
	enum image_path_verdict tree = IMAGE_PATH_NONE, base = IMAGE_PATH_NONE;
	const char *end = path + (path[1] ? strlen(path) : 0);
	bool shut = false, named_last = false, listed = false;

	/* Prefix by prefix: the deepest match of a tree wins. */
	for (const char *at = path; at <= end; at += 1 + strcspn(at + 1, "/")) {
		enum image_path_verdict here = IMAGE_PATH_NONE;
		bool denied = false, named = false;
		const char *name = at;

		while (name > path && *--name != '/')
			;
		for (int i = 0; i < RULES; i++) {
			const char *text = rules[i].text;
			char anchored[80];

			if (!strchr(text, '/') && at > path && check_glob(text, name + 1, (size_t)(at - name - 1))) {
				denied |= rules[i].verdict == IMAGE_PATH_DENY;
				if (!is_denied(rules, text) && rules[i].verdict > base)
					base = rules[i].verdict;
			}
			if (!strchr(text, '/'))
				continue;
			snprintf(anchored, sizeof(anchored), "%s%s", *text == '/' ? "" : "/", text);
			if (fits(anchored, path, at) && !rules[i].verdict) {
				listed |= at == end;
			} else if (fits(anchored, path, at)) {
				here = rules[i].verdict > here ? rules[i].verdict : here;
				named |= is_literal(text);
			}
		}
		/* A name under which a deny stands as well allows nothing. */
		for (int i = 0; i < RULES; i++)
			if (strchr(rules[i].text, '/') && rules[i].verdict >= IMAGE_PATH_HIDE && is_literal(rules[i].text) &&
			    fits(rules[i].text, path, at))
				named = false;
		tree = here ? here : tree;
		shut |= denied && !named;
		named_last = named;
		listed &= !here;
		if (at == end)
			break;
	}
	if (shut && !named_last)
		return RULE_PATH_DENY;
	if (listed && op == OP_READ)
		return RULE_NONE;
	if (tree >= IMAGE_PATH_HIDE)
		return RULE_PATH_DENY;
	if (tree >= (op == OP_WRITE ? IMAGE_PATH_WRITE : IMAGE_PATH_READ) ||
	    base >= (op == OP_WRITE ? IMAGE_PATH_WRITE : IMAGE_PATH_READ))
		return RULE_NONE;
	return RULE_PATH_JAIL;
}

static char *policy_text(const struct rule_text *rules)
{
	static const char *const keys[] = {"list", "read", "write", "hide", "deny"};
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	fputs("extends = \"none\"; paths: {", stream);
	for (int verdict = IMAGE_PATH_NONE; verdict <= IMAGE_PATH_DENY; verdict++) {
		const char *comma = "";

		fprintf(stream, " %s = [", keys[verdict]);
		for (int i = 0; i < RULES; i++) {
			if ((int)rules[i].verdict != verdict)
				continue;
			fprintf(stream, "%s \"%s\"", comma, rules[i].text);
			comma = ",";
		}
		fputs(" ];", stream);
	}
	fputs(" };", stream);
	fclose(stream);
	return text;
}

/* Asked about a file through what is remembered of its folder. */
static bool allowed_in_place(const struct image *image, enum op op, const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct path_place place;

	if (!*name || !check_path_place(image, path, (size_t)(name - path) - 1, &place))
		return !check_path(image, op, path, strlen(path)).denied;
	return check_path_allows(image, op, &place, name, strlen(name));
}

Test(check_path_model, agrees)
{
	for (uint32_t round = 0; round < 300; round++) {
		struct rule_text rules[RULES];
		struct image *image;
		char *text;
		size_t size;

		state = round * 2654435761u + 1;
		for (int i = 0; i < RULES; i++)
			random_rule(&rules[i]);
		text = policy_text(rules);
		image = test_image(text, &size);
		cr_assert(check_validate(image, size));
		for (int i = 0; i < 300; i++) {
			enum op op = random_below(2) ? OP_READ : OP_WRITE;
			char path[64];

			random_path(path);
			cr_assert_eq(check_path(image, op, path, strlen(path)).rule, model(rules, op, path),
				     "round %u: op %d of %s under %s: %d, the model says %d", round, op, path, text,
				     check_path(image, op, path, strlen(path)).rule, model(rules, op, path));
			cr_assert_eq(allowed_in_place(image, op, path), model(rules, op, path) == RULE_NONE,
				     "round %u: op %d of %s in its folder under %s", round, op, path, text);
		}
		free(text);
		free(image);
	}
}
