/* SPDX-License-Identifier: MIT */
/* What is promised, what is kept, and what it means for one program. */
#include <stdio.h>
#include <string.h>

#include "decide/program.h"
#include "doctor/doctor.h"

bool doctor_has_backstop(const struct doctor *doctor)
{
	return !strcmp(doctor->backstop, "on");
}

bool doctor_promises(const struct doctor *doctor, const struct canary *canary)
{
	if (canary->outcome == CANARY_UNTRIED)
		return false;
	return canary->promise == CANARY_SHIM ? doctor->shim : doctor_has_backstop(doctor);
}

bool doctor_is_well(const struct doctor *doctor)
{
	if (doctor->program[0])
		return doctor->by_shim || doctor->by_backstop;
	if (!doctor->shim || !strncmp(doctor->backstop, "refused", strlen("refused")))
		return false;
	for (size_t i = 0; doctor->target[0] && i < CANARY_COUNT; i++) {
		const struct canary *canary = &doctor->canaries[i];

		if (doctor_promises(doctor, canary) && canary->outcome != CANARY_CAUGHT &&
		    !(canary->outcome == CANARY_REPORTED && policy_mode(doctor->policy) == POLICY_AUDIT))
			return false;
	}
	return true;
}

bool doctor_cover(const char *name, const struct preparation *preparation, struct doctor *doctor,
		  struct failure *failure)
{
	struct program program;
	enum rule rule;

	program_find(name, preparation->question.search, NULL, &program);
	if (program.error)
		return failure_set(failure, "there is no program '%s': %s", name, strerror(program.error));
	rule = program_coverage(program.path);
	snprintf(doctor->program, sizeof(doctor->program), "%s", program.target[0] ? program.target : program.path);
	doctor->kind = rule == RULE_COVERAGE_STATIC    ? "static"
		       : rule == RULE_COVERAGE_FOREIGN ? "built for another system"
		       : rule == RULE_COVERAGE_SETID   ? "set-id"
						       : "dynamic";
	doctor->by_backstop = doctor_has_backstop(doctor);
	/* with the backstop set-id marks have no effect, and ld.so keeps the preload */
	doctor->by_shim = doctor->shim &&
			  (rule == RULE_NONE || (rule == RULE_COVERAGE_SETID && doctor->by_backstop));
	return true;
}
