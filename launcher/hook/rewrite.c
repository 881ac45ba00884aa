/* SPDX-License-Identifier: MIT */
/* Puts a command under bridle, so that the rules hold for what it does after it has started. */
#include "hook/rewrite.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(json_t *argv, const char *word)
{
	json_array_append_new(argv, json_string(word));
}

static void add_option(json_t *argv, const char *option, const char *value)
{
	add(argv, option);
	add(argv, value);
}

/* bridle run, with a policy that is named: it was found and trusted when the command was judged. */
static json_t *prefix(const struct policy *policy, const struct policy_choice *choice)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	json_t *argv = length > 0 ? json_array() : NULL;

	if (!argv)
		return NULL;
	self[length] = '\0';
	add(argv, self);
	add(argv, "run");
	if (policy_file(policy))
		add_option(argv, "-p", policy_file(policy));
	else
		add_option(argv, "-P", policy_profile(policy));
	if (choice->root || !policy_file(policy))
		add_option(argv, "-r", policy_root(policy));
	if (choice->mode)
		add_option(argv, "-m", choice->mode);
	for (size_t i = 0; choice->sets && choice->sets[i]; i++)
		add_option(argv, "--set", choice->sets[i]);
	return argv;
}

/* A word as a shell reads it back. */
static void put_word(FILE *stream, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, stream);
		return;
	}
	fputc('\'', stream);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", stream);
		else
			fputc(*word, stream);
	fputc('\'', stream);
}

static json_t *line_of(const json_t *argv)
{
	char *line = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&line, &size);
	json_t *text;

	if (!stream)
		return NULL;
	for (size_t i = 0; i < json_array_size(argv); i++) {
		if (i)
			fputc(' ', stream);
		put_word(stream, json_string_value(json_array_get(argv, i)));
	}
	text = fclose(stream) ? NULL : json_string(line);
	free(line);
	return text;
}

json_t *hook_rewrite(const struct hook_event *event, const char *key, const struct policy *policy,
		     const struct policy_choice *choice)
{
	json_t *command = json_object_get(event->input, key), *argv = prefix(policy, choice), *input, *value;

	if (!argv)
		return NULL;
	if (json_is_array(command)) {
		add(argv, "--");
		json_array_extend(argv, command);
		value = json_incref(argv);
	} else {
		add(argv, "--shell");
		add(argv, "--");
		add(argv, json_string_value(command));
		value = line_of(argv);
	}
	json_decref(argv);
	/* Cursor's shell event is its own input: only the command can be changed. */
	input = event->input == event->whole ? json_object() : json_copy((json_t *)event->input);
	if (!value || json_object_set_new(input, key, value)) {
		json_decref(input);
		return NULL;
	}
	return input;
}
