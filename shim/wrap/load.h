/* SPDX-License-Identifier: MIT */
/* Between the stubs of dlopen and dlmopen and their C part: not for anyone else. */
#ifndef BRIDLE_WRAP_LOAD_H
#define BRIDLE_WRAP_LOAD_H

/* Two registers wide, so that the stubs find both parts in registers. */
struct load_answer {
	const char *path; /* to be loaded, or one that cannot be */
	void *real;
};

struct load_answer load_ask(const char *path);
struct load_answer load_ask_namespace(const char *path);

#endif
