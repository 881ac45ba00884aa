/* SPDX-License-Identifier: MIT */
/* The walk over a command, shown piece by piece instead of judged. */
#include "check/operands.h"

#include "check/command.h"
#include "check/judge.h"

/* The length of "scheme://" at the start of the text, or 0. */
static size_t scheme_length(struct span text)
{
	size_t at = 0;

	while (at < text.length && ((text.text[at] | 0x20) >= 'a' && (text.text[at] | 0x20) <= 'z'))
		at++;
	if (at < 2 || text.length < at + 3 || text.text[at] != ':' || text.text[at + 1] != '/' ||
	    text.text[at + 2] != '/')
		return 0;
	return at + 3;
}

static void give(struct judge *judge, enum operand_kind kind, struct span text, size_t element)
{
	struct operand operand = {.kind = kind, .element = element, .text = text.text, .length = text.length};

	if (!judge->stopped && !judge->visit(judge->context, &operand))
		judge->stopped = true;
}

/* What a text that may be a path stands for: "file:///x" is one, another URL is none, "@x" names one. */
static void give_path(struct judge *judge, enum operand_kind kind, struct span text, size_t element)
{
	size_t scheme = scheme_length(text);

	if (scheme && span_starts(text, "file://")) {
		while (scheme < text.length && text.text[scheme] != '/')
			scheme++; /* a host */
		text = (struct span){text.text + scheme, text.length - scheme};
		kind = kind == OPERAND_WRITE || kind == OPERAND_MOVE || kind == OPERAND_LOOK || kind == OPERAND_STATUS
			       ? kind
			       : OPERAND_READ;
	} else if (scheme) {
		kind = OPERAND_DATA;
	} else if (kind == OPERAND_UNKNOWN && text.length > 1 && text.text[0] == '@') {
		text = (struct span){text.text + 1, text.length - 1};
	}
	give(judge, kind, text, element);
}

bool judge_show(struct judge *judge, enum operand_kind kind, struct span text, size_t element)
{
	if (!judge->visit || !text.text)
		return false;
	if (kind == OPERAND_DATA && span_starts(text, "file://"))
		kind = OPERAND_READ;
	if ((kind == OPERAND_WRITE || kind == OPERAND_MOVE) && span_has_braces(text))
		judge->writes_found = true;
	if (kind >= OPERAND_UNKNOWN && kind <= OPERAND_VALUE)
		give_path(judge, kind, text, element);
	else
		give(judge, kind, text, element);
	return judge->stopped;
}

static struct judge walk(const struct image *image, char *const *argv, size_t argc, operand_visit *visit,
			 void *context)
{
	struct words words = {.argv = argv, .index = 0, .end = argc};
	struct judge judge = {.image = image, .argv = argv, .decision = DECISION_ALLOW, .visit = visit, .context = context};

	judge_words(&judge, &words);
	return judge;
}

void check_operands(const struct image *image, char *const *argv, size_t argc, operand_visit *visit,
		    void *context)
{
	walk(image, argv, argc, visit, context);
}

static bool ignore(void *context, const struct operand *operand)
{
	(void)context;
	(void)operand;
	return true;
}

size_t check_unwrap(const struct image *image, char *const *argv, size_t argc)
{
	return walk(image, argv, argc, ignore, NULL).unwrapped;
}

bool check_reads_code(const struct image *image, char *const *argv, size_t argc)
{
	return walk(image, argv, argc, ignore, NULL).reads_code;
}

bool check_reads_line(const struct image *image, char *const *argv, size_t argc)
{
	return walk(image, argv, argc, ignore, NULL).reads_line;
}
