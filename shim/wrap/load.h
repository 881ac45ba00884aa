/* SPDX-License-Identifier: MIT */
/* Between the stubs of dlopen and dlmopen and their C part: not for anyone else. */
#ifndef BRIDLE_WRAP_LOAD_H
#define BRIDLE_WRAP_LOAD_H

/* Two registers wide, so that the stubs find both parts in registers. */
struct load_answer {
	const char *path; /* to be loaded, or one that cannot be */
	void *real;
};

struct load_answer load_ask(const char *path, int flags);
struct load_answer load_ask_namespace(const char *path, long space, int flags);

/* For dlsym and dlvsym: the function that is found, or NULL, and then the real function is to be asked. */
struct symbol_answer {
	void *found;
	void *function;
};

struct symbol_answer load_ask_symbol(void *handle, const char *name);
struct symbol_answer load_ask_version(void *handle, const char *name, const char *version);

#endif
