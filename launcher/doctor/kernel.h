/* SPDX-License-Identifier: MIT */
/* What this machine's kernel offers of what bridle can use. */
#ifndef BRIDLE_DOCTOR_KERNEL_H
#define BRIDLE_DOCTOR_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#define KERNEL_FACTS_MAX 16

struct kernel_fact {
	const char *name;
	bool good; /* it is there, or it stands in nobody's way */
	char value[96];
	const char *use; /* what it is good for */
};

/* Asks the kernel, partly in a child that ends at once. Returns how many facts were written. */
size_t kernel_facts(struct kernel_fact facts[KERNEL_FACTS_MAX]);

/* Does io_uring_setup work for this process, as it is? */
bool kernel_has_io_uring(void);

#endif
