/* SPDX-License-Identifier: MIT */
/*
 * The built-in profiles' settings, read and checked when bridle was built, without the rules about programs, which are
 * compiled already (compile/rules.h): to parse their text at each start would take longer than many a command.
 */
#ifndef BRIDLE_POLICY_EMBEDDED_H
#define BRIDLE_POLICY_EMBEDDED_H

#include "policy/setting.h"

/* Made by launcher/profiles/embed_settings.c; ended by a NULL name. */
struct embedded_settings {
	const char *profile; /* "tool" */
	const char *rules;   /* what is left out, "rules/tool.cfg"; NULL: nothing */
	struct setting *top; /* never written to: who lays something over it makes a new tree */
};
extern const struct embedded_settings embedded_settings[];

#endif
