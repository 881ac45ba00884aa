/* SPDX-License-Identifier: MIT */
/* What was learnt, as a policy for people to read. */
#include <string.h>

#include "report/learn.h"
#include "report/policy_string.h"
#include "report/visible.h"

#define PROGRAMS_SHOWN 40

void learn_write_questions(FILE *out, const struct learn *learn, const char *prefix)
{
	for (uint32_t i = 0; i < table_count(&learn->questions); i++) {
		const struct learn_question *question = table_at(&learn->questions, i);

		fputs(prefix, out);
		visible_put(out, question->what, 0);
		fputs("  ", out);
		visible_put(out, question->subject, 100);
		if (question->caller[0] != '\0') {
			fputs("  by ", out);
			visible_put(out, question->caller, 40);
		}
		fprintf(out, ", %llu %s\n", (unsigned long long)question->count,
			question->count == 1 ? "time" : "times");
	}
}

static void head(FILE *out, const struct learn *learn, const char *base, const char *source)
{
	fputs("// Learnt by `bridle policy learn` from ", out);
	visible_put(out, source, 0);
	fprintf(out,
		" (%llu lines): what stands here was\n"
		"// done and the base would have refused it. What was done need not be what should be: read it first.\n"
		"// `bridle policy check` says whether it is good; `bridle policy show` prints it with its base.\n",
		(unsigned long long)learn->lines);
	if (learn->foreign)
		fprintf(out,
			"//\n// The report was made under another profile than \"%s\": programs and arguments were\n"
			"// judged by that one. `bridle trace -P %s` makes a report that fits.\n",
			base, base);
	fprintf(out, "extends = \"%s\";\nroot = \".\";\n", base);
	if (table_count(&learn->questions) != 0)
		fputs("\n// Not learnt, as it may be just what a policy is for; decide yourself:\n", out);
	learn_write_questions(out, learn, "//   ");
}

static void programs(FILE *out, const struct learn *learn)
{
	uint32_t count = table_count(&learn->programs);

	if (count != 0)
		fputs("\n// Programs that ran; names.deny refuses some by name:\n", out);
	for (uint32_t i = 0; i < count && i < PROGRAMS_SHOWN; i++) {
		const struct learn_program *program = table_at(&learn->programs, i);

		fputs("//   ", out);
		visible_put(out, program->path, 100);
		fprintf(out, ", %llu %s\n", (unsigned long long)program->count,
			program->count == 1 ? "time" : "times");
	}
	if (count > PROGRAMS_SHOWN)
		fprintf(out, "//   ... and %u more\n", count - PROGRAMS_SHOWN);
}

static void write_list(FILE *out, const struct learn_list *list)
{
	if (list->count == 0)
		return;
	fprintf(out, "\t%s = [\n", list->name);
	for (size_t i = 0; i < list->count; i++) {
		fputs("\t\t", out);
		policy_string(out, list->entries[i].text);
		fprintf(out, "%s // %s\n", i + 1 < list->count ? "," : "", list->entries[i].comment);
	}
	fputs("\t];\n", out);
}

/* Everything of one group. */
static void write_group(FILE *out, const struct learn_additions *additions, const char *group)
{
	bool opened = false;

	for (size_t i = 0; i < LEARN_LISTS + additions->scalar_count; i++) {
		const struct learn_list *list =
			i < LEARN_LISTS ? &additions->lists[i] : &additions->scalars[i - LEARN_LISTS];

		if (list->count == 0 || strcmp(list->group, group) != 0)
			continue;
		if (!opened)
			fprintf(out, "\n%s: {\n", group);
		opened = true;
		if (i < LEARN_LISTS) {
			write_list(out, list);
		} else {
			fprintf(out, "\t%s = ", list->name);
			policy_string(out, list->entries[0].text);
			fprintf(out, "; // %s\n", list->entries[0].comment);
		}
	}
	if (opened)
		fputs("};\n", out);
}

void learn_write(FILE *out, const struct learn *learn, const struct learn_additions *additions, const char *base,
		 const char *source)
{
	head(out, learn, base, source);
	programs(out, learn);
	write_group(out, additions, "argv");
	write_group(out, additions, "paths");
	write_group(out, additions, "network");
	if (strcmp(base, "none") == 0)
		fputs("\n// A report holds no variables of the environment; these are what most programs need.\n"
		      "environment: {\n\tinherit = [ \"PATH\", \"HOME\", \"USER\", \"LANG\", \"LC_*\", \"TERM\" ];\n};\n",
		      out);
	else
		fprintf(out, "\n// A report holds no variables of the environment: the list of \"%s\" applies.\n", base);
}
