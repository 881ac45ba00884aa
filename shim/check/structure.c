/* SPDX-License-Identifier: MIT */
/* Elements of argv that look as if a shell was meant to read them. */
#include "check/structure.h"

#include <string.h>

#include "check/operands.h"
#include "check/words.h"

struct survey {
	const struct image *image;
	char *const *argv;
	size_t next; /* the first element not looked at yet */
	struct decision decision;
};

static bool holds_metachar(const char *text)
{
	for (; *text; text++)
		if (strchr(";|&<>`", *text) || (*text == '$' && text[1] == '('))
			return true;
	return false;
}

/* ";", "&&", "2>&1": nothing but signs that part or redirect, with the digits of descriptors. */
static bool is_operator(const char *text)
{
	bool sign = false;

	for (; *text; text++) {
		sign |= strchr(";|&<>", *text) != NULL;
		if (!strchr(";|&<>0123456789-", *text))
			return false;
	}
	return sign;
}

static bool is_refused(const struct survey *survey, const char *text, bool program)
{
	if (survey->image->flags & IMAGE_METACHARS_ANY || program)
		return holds_metachar(text);
	return is_operator(text);
}

/* Looks at the elements before `end`, of which none is data. */
static bool survey_to(struct survey *survey, size_t end)
{
	for (; survey->next < end; survey->next++) {
		if (!is_refused(survey, survey->argv[survey->next], false))
			continue;
		survey->decision = DECISION_DENY(RULE_STRUCTURE_METACHAR);
		survey->decision.element = (int32_t)survey->next;
		return false;
	}
	return true;
}

static bool see(void *context, const struct operand *operand)
{
	struct survey *survey = context;

	if (operand->kind == OPERAND_PROGRAM) {
		if (!survey_to(survey, operand->element))
			return false;
		if (survey->next == operand->element && is_refused(survey, survey->argv[survey->next], true)) {
			survey->decision = DECISION_DENY(RULE_STRUCTURE_METACHAR);
			survey->decision.element = (int32_t)survey->next;
			return false;
		}
		return true;
	}
	if (operand->kind < OPERAND_DATA)
		return true;
	if (!survey_to(survey, operand->element))
		return false;
	if (survey->next == operand->element)
		survey->next++;
	return true;
}

struct decision check_structure(const struct image *image, char *const *argv, size_t argc)
{
	struct survey survey = {.image = image, .argv = argv, .decision = DECISION_ALLOW};

	if (!argc || !argv[0][0]) {
		survey.decision = DECISION_DENY(RULE_STRUCTURE_MALFORMED);
		survey.decision.element = argc ? 0 : -1;
		return survey.decision;
	}
	if (!(image->flags & (IMAGE_METACHARS_ANY | IMAGE_METACHARS_OPERATORS)))
		return survey.decision;
	check_operands(image, argv, argc, see, &survey);
	if (!survey.decision.denied)
		survey_to(&survey, argc);
	return survey.decision;
}
