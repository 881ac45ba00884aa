/* SPDX-License-Identifier: MIT */
/* Tables for people, the same as JSON for programs. */
#include "doctor/print.h"
#include "report/visible.h"

#include <stdio.h>
#include <string.h>

#include "version.h"

static const char *outcome_word(enum canary_outcome outcome)
{
	switch (outcome) {
	case CANARY_CAUGHT:
		return "caught";
	case CANARY_REPORTED:
		return "reported";
	case CANARY_SILENT:
		return "not reported";
	case CANARY_ESCAPED:
		return "not caught";
	case CANARY_UNTRIED:
		break;
	}
	return "not tried";
}

static void dump(json_t *object)
{
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

static json_t *facts_json(const struct doctor *doctor)
{
	json_t *list = json_array();

	for (size_t i = 0; i < doctor->fact_count; i++)
		json_array_append_new(list, json_pack("{s:s s:s s:b s:s}", "name", doctor->facts[i].name, "value",
						      doctor->facts[i].value, "good", doctor->facts[i].good, "use",
						      doctor->facts[i].use));
	return list;
}

static json_t *canaries_json(const struct doctor *doctor)
{
	json_t *list = json_array();

	for (size_t i = 0; doctor->target[0] && i < CANARY_COUNT; i++) {
		const struct canary *canary = &doctor->canaries[i];

		json_array_append_new(list, json_pack("{s:s s:s s:s s:b s:s}", "name", canary->name, "words", canary->words,
						      "outcome", outcome_word(canary->outcome), "promised",
						      doctor_promises(doctor, canary), "detail", canary->detail));
	}
	return list;
}

static void print_json(const struct doctor *doctor)
{
	json_t *object = json_pack("{s:s s:s s:s s:b s:s s:s s:s s:s s:o}", "version", BRIDLE_VERSION,
				   "policy", policy_name(doctor->policy), "root", policy_root(doctor->policy),
				   "shim", doctor->shim, "library", doctor->library,
				   "backstop", doctor->backstop, "landlock", doctor->landlock,
				   "libc", doctor->libc, "kernel", facts_json(doctor));

	if (doctor->program[0])
		json_object_set_new(object, "program",
				    json_pack("{s:s s:s s:b s:b}", "path", doctor->program, "kind", doctor->kind, "shim",
					      doctor->by_shim, "backstop", doctor->by_backstop));
	else
		json_object_set_new(object, "canaries", canaries_json(doctor));
	json_object_set_new(object, "well", json_boolean(doctor_is_well(doctor)));
	dump(object);
}

static void print_facts(const struct doctor *doctor)
{
	printf("this machine\n");
	for (size_t i = 0; i < doctor->fact_count; i++) {
		const struct kernel_fact *fact = &doctor->facts[i];

		printf("  %-22s %-24s%s%s\n", fact->name, fact->value, *fact->use ? " for " : "", fact->use);
	}
}

static void print_force(const struct doctor *doctor)
{
	const char *mode = policy_mode(doctor->policy) == POLICY_AUDIT ? "audit" : "enforce";

	visible_line(stdout, (const char *[]){"in force under ", policy_name(doctor->policy), ", root ",
					      policy_root(doctor->policy), ", ", mode, " mode", NULL});
	printf("  %-22s %s", "shim", doctor->shim ? "" : "missing: ");
	visible_line(stdout, (const char *[]){doctor->library, NULL});
	printf("  %-22s %s\n", "backstop", doctor->backstop);
	printf("  %-22s %s\n", "libc's own reading", doctor->libc);
	printf("  %-22s %s\n", "landlock", doctor->landlock);
}

static void print_canaries(const struct doctor *doctor)
{
	if (!doctor->target[0]) {
		printf("this policy refuses to create no file anywhere: there is nothing to prove\n");
		return;
	}
	visible_line(stdout, (const char *[]){"canaries, each creating ", doctor->target, NULL});
	for (size_t i = 0; i < CANARY_COUNT; i++) {
		const struct canary *canary = &doctor->canaries[i];
		bool promised = doctor_promises(doctor, canary);

		printf("  %-46s %-13s %s%s\n", canary->words, outcome_word(canary->outcome), canary->detail,
		       promised || canary->outcome == CANARY_UNTRIED || canary->outcome == CANARY_CAUGHT
			       ? ""
			       : "; not promised without the backstop");
	}
	printf("%s\n", doctor_is_well(doctor) ? "everything that is promised is caught"
					      : "something that is promised is NOT caught");
}

static void print_program(const struct doctor *doctor)
{
	visible_put(stdout, doctor->program, 0);
	printf(" is %s: %s\n", doctor->kind,
	       doctor->by_shim && doctor->by_backstop ? "guarded by the shim from inside, and by the backstop"
	       : doctor->by_shim                      ? "guarded by the shim from inside"
	       : doctor->by_backstop                  ? "guarded by the backstop alone"
						      : "not guarded once it runs; only the launch is judged");
	if (!doctor->by_backstop)
		printf("backstop: %s\n", doctor->backstop);
}

void print_doctor(const struct doctor *doctor, bool json)
{
	if (json) {
		print_json(doctor);
		return;
	}
	if (doctor->program[0]) {
		print_program(doctor);
		return;
	}
	printf("bridle %s\n", BRIDLE_VERSION);
	print_facts(doctor);
	print_force(doctor);
	print_canaries(doctor);
}

static const char *text_of(const json_t *entry, const char *key)
{
	return json_string_value(json_object_get(entry, key));
}

static void print_imports(const char *title, const json_t *list)
{
	printf("%s: %zu\n", title, json_array_size(list));
	for (size_t i = 0; i < json_array_size(list); i++)
		printf("  %-24s %s\n", text_of(json_array_get(list, i), "name"), text_of(json_array_get(list, i), "words"));
}

void print_symbols(const json_t *found, bool json)
{
	if (json) {
		json_dumpf(found, stdout, JSON_COMPACT);
		putchar('\n');
		return;
	}
	if (json_is_array(found)) {
		for (size_t i = 0; i < json_array_size(found); i++)
			printf("%-28s %s\n", text_of(json_array_get(found, i), "name"),
			       text_of(json_array_get(found, i), "family"));
		return;
	}
	print_imports("guarded imports", json_object_get(found, "guarded"));
	print_imports("imports that touch files, programs or the network and are not guarded",
		      json_object_get(found, "unguarded"));
}
