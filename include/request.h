/* SPDX-License-Identifier: MIT */
/*
 * What a call asks for, normalised. The describe stage (shim) or the launcher fills it; the check stage reads
 * it; the report stage prints it. It borrows every string: the storage is the describer's and lives until the
 * call is over.
 */
#ifndef BRIDLE_REQUEST_H
#define BRIDLE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum op {
#define OP(name, words) OP_##name,
#include "ops.def"
#undef OP
	OP_COUNT
};

/* What became of the file that a call names. */
enum change {
	CHANGE_UNSAID, /* written to, or its attributes changed; or not known */
	CHANGE_CREATE, /* it was not there before */
	CHANGE_REMOVE, /* the name is gone */
	CHANGE_NONE,   /* judged like a change, but it stays as it is: the first name of a hard link */
	CHANGE_COUNT
};

/* A peer or local address of a connect, bind or send. */
struct address {
	uint16_t family;   /* AF_INET, AF_INET6, AF_UNIX; anything else is not judged */
	uint16_t port;     /* host byte order; 0 for unix sockets */
	uint8_t bytes[16]; /* IPv4: the first four; IPv6: all; v4-mapped IPv6 is described as IPv4 */
	const char *host;  /* the name that was resolved to it, when known, else NULL */
};

struct request {
	enum op op;
	const char *call; /* the function really called, as in symbols.def, or the system call's name */

	const char *subject; /* the path as the caller gave it, NUL-terminated; NULL when there is none */
	const char *path;    /* where it leads: absolute, normalised, symlinks followed; NULL when unknown */
	size_t path_length;  /* of path, without the NUL */

	char *const *argv; /* exec only; NULL otherwise */
	size_t argc;

	const struct address *address; /* network only; NULL otherwise */

	enum change change; /* of a call that was made and went well */
};

#endif
