/* SPDX-License-Identifier: MIT */
/* Which keys a policy may have, of which type and range. One table; whoever adds a setting adds its row. */
#ifndef BRIDLE_POLICY_SCHEMA_H
#define BRIDLE_POLICY_SCHEMA_H

#include "failure.h"
#include "policy/setting.h"

enum schema_type {
	SCHEMA_TEXT, /* a string that is not empty */
	SCHEMA_WORD, /* one of `words` */
	SCHEMA_BOOLEAN,
	SCHEMA_INTEGER,  /* low..high */
	SCHEMA_NUMBER,   /* integer or real, low..high */
	SCHEMA_TEXTS,    /* a list of strings; "!entry" drops an inherited one */
	SCHEMA_PATTERNS, /* a list of strings, of which any may be empty */
	SCHEMA_VECTORS,  /* a list of lists of strings */
	SCHEMA_GROUP,
	SCHEMA_GROUPS /* a list of groups; "!name" drops the inherited ones of that name */
};

struct schema_row {
	const char *key; /* dotted; "argv.deny[].name" is a key of the groups in the list argv.deny */
	enum schema_type type;
	double low, high;  /* SCHEMA_INTEGER, SCHEMA_NUMBER */
	const char *words; /* SCHEMA_WORD: "a|b" */
	/* What is wrong with the text, in words, or NULL: for SCHEMA_TEXT and each entry of SCHEMA_TEXTS. */
	const char *(*wrong)(const char *text);
	bool required; /* in each group of the list */
};

/* The row of a key as in schema_row.key; NULL where there is none. */
const struct schema_row *schema_row(const char *key);
/* By number, for whoever prints them all; NULL behind the last. */
const struct schema_row *schema_at(size_t index);

/* Checks everything that one file says; fills failure with file:line and the remedy. */
bool schema_check(const struct setting *top, struct failure *failure);

#endif
