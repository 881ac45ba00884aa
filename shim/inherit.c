/* SPDX-License-Identifier: MIT */
/* Keeps the guardrail in the environment of a child. Pure: reads envp, writes only what its caller lends. */
#include "inherit.h"

#include <string.h>

#include "handoff.h"

#define PRELOAD HANDOFF_PRELOAD "="
#define SESSION HANDOFF_SESSION "="

/* The value of NAME= in an environment string, or NULL when it is another variable. */
static const char *value_of(const char *string, const char *name)
{
	size_t length = strlen(name);

	return strncmp(string, name, length) == 0 ? string + length : NULL;
}

/* The first value of a variable, as getenv would find it. */
static const char *find(char *const *envp, const char *name)
{
	const char *value;

	for (; envp && *envp; envp++)
		if ((value = value_of(*envp, name)))
			return value;
	return NULL;
}

/* Does the list start with head, as a whole entry? separators: what may follow it. */
static bool starts_with(const char *list, const char *head, const char *separators)
{
	size_t length = strlen(head);

	if (!list || strncmp(list, head, length) != 0)
		return false;
	return list[length] == '\0' || strchr(separators, list[length]);
}

static size_t count_of(char *const *envp, const char *name)
{
	size_t count = 0;

	for (; envp && *envp; envp++)
		count += value_of(*envp, name) != NULL;
	return count;
}

bool inherit_is_right(const struct inherit *inherit, char *const *envp)
{
	return starts_with(find(envp, PRELOAD), inherit->preload, ": ") &&
	       starts_with(find(envp, SESSION), inherit->session, ":") && count_of(envp, PRELOAD) == 1 &&
	       count_of(envp, SESSION) == 1;
}

size_t inherit_text_size(const struct inherit *inherit, char *const *envp)
{
	const char *preload = find(envp, PRELOAD), *session = find(envp, SESSION);

	return sizeof(PRELOAD) + strlen(inherit->preload) + 1 + (preload ? strlen(preload) : 0) + sizeof(SESSION) +
	       strlen(inherit->session) + 1 + (session ? strlen(session) : 0);
}

static char *put(char *at, const char *text)
{
	size_t length = strlen(text);

	memcpy(at, text, length);
	return at + length;
}

/* LD_PRELOAD: ours, then the entries of the list that are not ours. ld.so splits at colons and spaces. */
static char *put_preload(char *at, const struct inherit *inherit, const char *list)
{
	size_t own = strlen(inherit->preload);

	at = put(put(at, PRELOAD), inherit->preload);
	while (list && *list) {
		size_t length = 0;

		while (list[length] && list[length] != ':' && list[length] != ' ')
			length++;
		if (length && !(length == own && memcmp(list, inherit->preload, own) == 0)) {
			*at++ = ':';
			memcpy(at, list, length);
			at += length;
		}
		list += length + (list[length] != '\0');
	}
	*at = '\0';
	return at + 1;
}

/* BRIDLE_SESSION: the caller's own value when an inner session was appended to ours, else ours. */
static char *put_session(char *at, const struct inherit *inherit, const char *value)
{
	at = put(put(at, SESSION), starts_with(value, inherit->session, ":") ? value : inherit->session);
	*at = '\0';
	return at + 1;
}

void inherit_build(const struct inherit *inherit, char *const *envp, char **vector, char *text)
{
	char *preload = text, *session = put_preload(text, inherit, find(envp, PRELOAD));
	bool preload_placed = false, session_placed = false;

	put_session(session, inherit, find(envp, SESSION));
	for (; envp && *envp; envp++) {
		if (value_of(*envp, PRELOAD)) {
			if (!preload_placed)
				*vector++ = preload;
			preload_placed = true;
		} else if (value_of(*envp, SESSION)) {
			if (!session_placed)
				*vector++ = session;
			session_placed = true;
		} else {
			*vector++ = *envp;
		}
	}
	if (!preload_placed)
		*vector++ = preload;
	if (!session_placed)
		*vector++ = session;
	*vector = NULL;
}
