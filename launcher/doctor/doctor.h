/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_DOCTOR_H
#define BRIDLE_DOCTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "backstop/backstop.h"
#include "doctor/canary.h"
#include "doctor/kernel.h"
#include "doctor/symbols.h"
#include "policy/policy.h"
#include "prepare.h"

/* Everything that the doctor found. */
struct doctor {
	const struct policy *policy;
	struct kernel_fact facts[KERNEL_FACTS_MAX];
	size_t fact_count;
	bool shim;              /* the shim was found */
	char library[PATH_MAX]; /* where, or why not */
	char backstop[256];     /* as backstop_status says it */
	char landlock[96];      /* as belt_prepare says it */
	char libc[96];          /* whether what libc reads for itself stops in the backstop */
	char target[PATH_MAX];  /* what the canaries try to create; "": the policy refuses nothing */
	struct canary canaries[CANARY_COUNT];

	/* of one program */
	char program[PATH_MAX]; /* "": none was asked for */
	const char *kind;       /* "dynamic", ... */
	bool by_shim, by_backstop;
};

/* How a program would be covered: fills program, kind and by_. False when there is no such program. */
bool doctor_cover(const char *name, const struct preparation *preparation, struct doctor *doctor,
		  struct failure *failure);

/* Is the backstop in force? */
bool doctor_has_backstop(const struct doctor *doctor);

/* Was this canary promised to be caught? */
bool doctor_promises(const struct doctor *doctor, const struct canary *canary);

/* Is everything that is promised kept, or the program covered? */
bool doctor_is_well(const struct doctor *doctor);

#endif
