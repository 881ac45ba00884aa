/* SPDX-License-Identifier: MIT */
/* How far an operand reaches, by its text. Paths are read from their ends, so that ".." needs no buffer. */
#include "check/broad.h"

#include <string.h>

/* A path in two parts, read component by component from the right; "." and what ".." takes away are left out. */
struct backwards {
	struct span part[2]; /* the base, and what is relative to it */
	size_t skip;         /* components that a ".." took */
};

static bool step(struct backwards *path, struct span *ret_component)
{
	for (int i = 1; i >= 0; i--) {
		struct span *part = &path->part[i];

		while (part->length) {
			struct span component;

			while (part->length && part->text[part->length - 1] == '/')
				part->length--;
			component = span_basename(*part);
			part->length -= component.length;
			if (!component.length || span_is(component, "."))
				continue;
			if (span_is(component, "..")) {
				path->skip++;
			} else if (path->skip) {
				path->skip--;
			} else {
				*ret_component = component;
				return true;
			}
		}
	}
	return false;
}

static struct backwards backwards_of(const char *cwd, struct span operand)
{
	bool absolute = operand.length && operand.text[0] == '/';

	return (struct backwards){.part = {absolute ? (struct span){"", 0} : span_of(cwd), operand}};
}

static size_t depth(struct backwards path)
{
	struct span component;
	size_t count = 0;

	while (step(&path, &component))
		count++;
	return count;
}

/* Of two paths of the same depth: are they one? */
static bool same(struct backwards left, struct backwards right)
{
	struct span one, other;

	while (step(&left, &one))
		if (!step(&right, &other) || one.length != other.length || memcmp(one.text, other.text, one.length))
			return false;
	return true;
}

/* Of a relative path that starts nobody knows where. */
static enum reach from_nowhere(struct backwards path)
{
	struct span component;
	size_t count = 0;

	while (step(&path, &component))
		count++;
	return path.skip ? REACH_BEYOND : count ? REACH_WITHIN
						: REACH_GROUND;
}

/* Is `path` beneath the ground, and not the ground itself? */
static bool beneath(struct backwards path, const char *ground)
{
	struct backwards above = backwards_of("", span_of(ground));
	size_t path_depth = depth(path), ground_depth = depth(above);
	struct span component;

	if (path_depth <= ground_depth)
		return false;
	for (; path_depth > ground_depth; path_depth--)
		step(&path, &component);
	return same(path, above);
}

/* Is `path` the ground, or does it hold it? */
static bool above(struct backwards path, const char *ground)
{
	struct backwards below = backwards_of("", span_of(ground));
	size_t path_depth = depth(path), ground_depth = depth(below);
	struct span component;

	if (path_depth > ground_depth)
		return false;
	for (; ground_depth > path_depth; ground_depth--)
		step(&below, &component);
	return same(path, below);
}

static bool holds_git(struct backwards path)
{
	struct span component;

	while (step(&path, &component))
		if (span_is(component, ".git"))
			return true;
	return false;
}

/* A last component that is only stars and dots takes all of its folder: that folder is what is judged. */
static struct span without_stars(struct span operand)
{
	struct span last = span_basename(operand);

	for (size_t i = 0; i < last.length; i++)
		if (last.text[i] != '*' && last.text[i] != '.')
			return operand;
	if (memchr(last.text, '*', last.length))
		operand.length -= last.length;
	return operand;
}

/* Nothing that holds the root or the home is ordinary, even where they lie in /tmp themselves. */
static enum reach from_root(const struct image *image, struct backwards path)
{
	const uint32_t *ground = image_grounds(image);
	enum reach reach = REACH_BEYOND;
	bool is_root = false;

	for (uint32_t i = 0; i < image->grounds.count; i++) {
		const char *text = image_string(image, ground[i]);

		if (!*text)
			continue;
		if (i != IMAGE_GROUND_HOME && beneath(path, text))
			return is_root ? REACH_GROUND : i == IMAGE_GROUND_SCRATCH ? REACH_SCRATCH
										  : REACH_WITHIN;
		if (!above(path, text))
			continue;
		if (i == IMAGE_GROUND_HOME || (!i && depth(path) < depth(backwards_of("", span_of(text)))))
			return REACH_BEYOND;
		if (depth(path) == depth(backwards_of("", span_of(text))))
			reach = REACH_GROUND;
		is_root |= !i;
	}
	return reach;
}

enum reach check_broad(const struct image *image, const char *cwd, struct span operand)
{
	struct backwards path;

	if (operand.length && (operand.text[0] == '~' || operand.text[0] == '$'))
		return REACH_BEYOND;
	operand = without_stars(operand);
	path = backwards_of(cwd ? cwd : "", operand);
	if (holds_git(path))
		return REACH_BEYOND;
	if (!cwd && !(operand.length && operand.text[0] == '/'))
		return from_nowhere(path);
	return from_root(image, path);
}
