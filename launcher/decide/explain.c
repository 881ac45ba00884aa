/* SPDX-License-Identifier: MIT */
/* Says what was decided, which entry decided, and what could be done. */
#include "decide/explain.h"

#include <string.h>

#include "check/operands.h"
#include "forward/tally.h"
#include "report/visible.h"
#include "run/result.h"

const char *explain_hint(enum rule rule)
{
	switch (rule) {
	case RULE_NAME_DENYLIST:
		return "drop the name from names.deny (\"!NAME\") if this program shall be allowed";
	case RULE_ARGV_INLINE:
		return "put the code into a file and run that, or set argv.inline = \"allow\"";
	case RULE_ARGV_SHAPE:
		return "use a narrower command, or drop the entry from argv.deny";
	case RULE_PATH_JAIL:
		return "add the folder to paths.read or paths.write, or choose another --root";
	case RULE_PATH_DENY:
		return "drop the entry from paths.deny (\"!ENTRY\"), or name that very file in paths.read";
	case RULE_PATH_UNRESOLVED:
		return "name the file by a path without a loop of links, shorter than 4096 bytes";
	case RULE_STRUCTURE_METACHAR:
		return "use --shell for a shell line, or set structure.metachars = \"operators\" or \"off\"";
	case RULE_STRUCTURE_DYNAMIC:
		return "write the program's name instead of an expansion";
	case RULE_STRUCTURE_MALFORMED:
		return "write the command plainly";
	case RULE_INTEGRITY_PIN:
		return "restore the file, or write its new SHA-256 into integrity.pins";
	case RULE_COVERAGE_STATIC:
	case RULE_COVERAGE_SETID:
	case RULE_COVERAGE_FOREIGN:
		return "set coverage.uncovered = \"report\" to let it run without run-time rules";
	default:
		return NULL;
	}
}

static const char *hint_of(const struct decision *decision)
{
	return decision->below ? "move what else lies in it one by one, or drop the entry about the path below it"
			       : explain_hint(decision->rule);
}

static json_t *text_or_null(const char *text)
{
	return text && *text ? result_words(text) : json_null();
}

static json_t *array_of(char *const *words, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, result_words(words[i]));
	return array;
}

static const struct image_origin *origin_of(const struct question *question, const struct verdict *verdict)
{
	uint32_t origin = verdict->decision.origin;

	return origin ? &image_origins(question->image)[origin - 1] : NULL;
}

static uint32_t line_of(const struct question *question, const struct verdict *verdict)
{
	const struct image_origin *origin = origin_of(question, verdict);

	return origin ? origin->line : verdict->line;
}

static json_t *policy_of(const struct question *question, const struct verdict *verdict)
{
	const struct image_origin *origin = origin_of(question, verdict);
	uint32_t line = line_of(question, verdict);
	json_t *object = json_object();

	json_object_set_new(object, "file",
			    result_words(origin ? image_string(question->image, origin->file)
						: policy_name(question->policy)));
	json_object_set_new(object, "line", line ? json_integer(line) : json_null());
	return object;
}

/* What was judged: argv, or with a shell line the command of it that was refused. */
static char *const *judged(const struct question *question, const struct verdict *verdict, size_t *ret_count)
{
	*ret_count = question->argc;
	if (!verdict->words)
		return question->argv;
	for (*ret_count = 0; verdict->words[*ret_count];)
		++*ret_count;
	return verdict->words;
}

/* The program behind the wrappers, with its own arguments. */
static json_t *unwrapped_of(const struct question *question, const struct verdict *verdict)
{
	size_t count, first;
	char *const *argv = judged(question, verdict, &count);

	first = count ? check_unwrap(question->image, argv, count) : 0;
	return array_of(argv + first, count - first);
}

json_t *explain_json(const struct question *question, const struct verdict *verdict)
{
	const struct decision *decision = &verdict->decision;
	json_t *object = json_object();

	json_object_set_new(object, "verdict", json_string(decision->denied ? "deny" : "allow"));
	json_object_set_new(object, "rule", text_or_null(tally_rule_id(decision->rule)));
	json_object_set_new(object, "reason", text_or_null(verdict->reason));
	json_object_set_new(object, "element",
			    decision->denied && decision->element >= 0 ? json_integer(decision->element)
								       : json_null());
	json_object_set_new(object, "argv", array_of(question->argv, question->argc));
	json_object_set_new(object, "unwrapped", unwrapped_of(question, verdict));
	json_object_set_new(object, "policy", policy_of(question, verdict));
	json_object_set_new(object, "hint", text_or_null(decision->denied ? hint_of(decision) : NULL));
	return object;
}

static void print_words(FILE *out, const char *label, char *const *words, size_t count)
{
	fprintf(out, "  %-9s", label);
	for (size_t i = 0; i < count; i++) {
		fputc(' ', out);
		visible_put(out, words[i], 0);
	}
	fputc('\n', out);
}

void explain_text(const struct question *question, const struct verdict *verdict, FILE *out)
{
	const struct decision *decision = &verdict->decision;
	const struct image_origin *origin = origin_of(question, verdict);
	const char *hint = hint_of(decision);
	size_t count, first;
	char *const *argv = judged(question, verdict, &count);

	if (!decision->denied) {
		fprintf(out, "allow\n");
		if (verdict->coverage)
			fprintf(out, "  note      %s: the run-time rules would %s inside this program\n",
				tally_rule_id(verdict->coverage),
				question->backstop ? "be kept by the backstop alone" : "not hold");
		return;
	}
	fprintf(out, "deny  %s\n  reason    ", tally_rule_id(decision->rule));
	visible_put(out, verdict->reason, 0);
	fputc('\n', out);
	print_words(out, "command", argv, count);
	first = count ? check_unwrap(question->image, argv, count) : 0;
	if (first)
		print_words(out, "unwrapped", argv + first, count - first);
	if (decision->element >= 0 && (size_t)decision->element < count) {
		fprintf(out, "  element   %d: ", decision->element);
		visible_put(out, argv[decision->element], 0);
		fputc('\n', out);
	}
	fputs("  policy    ", out);
	visible_put(out, origin ? image_string(question->image, origin->file) : policy_name(question->policy), 0);
	if (line_of(question, verdict))
		fprintf(out, ":%u", line_of(question, verdict));
	fputc('\n', out);
	if (hint)
		fprintf(out, "  hint      %s\n", hint);
}
