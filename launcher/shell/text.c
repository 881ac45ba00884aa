/* SPDX-License-Identifier: MIT */
/* Words of a shell line as the program gets them. */
#include "shell/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char process_path[] = "/dev/fd/63"; /* what bash makes of the first <(..) */

static char *home_of(const char *user, size_t length, const struct shell_homes *homes)
{
	char *name, *home;

	if (!length)
		return homes->own ? strdup(homes->own) : NULL;
	name = homes->of ? strndup(user, length) : NULL;
	home = name ? homes->of(name) : NULL;
	free(name);
	return home;
}

char *shell_text(const struct shell_word *word, const struct shell_homes *homes)
{
	size_t length;
	char *home, *text;

	if (word->dynamic)
		return NULL;
	if (!word->tilde || word->text[0] != '~')
		return strdup(word->text);
	length = strcspn(word->text + 1, "/");
	home = home_of(word->text + 1, length, homes);
	if (!home || asprintf(&text, "%s%s", home, word->text + 1 + length) < 0)
		text = NULL;
	free(home);
	return text;
}

char *shell_assignment(const struct shell_word *word)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	size_t name = strspn(word->text, letters);
	const char *equals = strchr(word->text, '=');
	char *assignment;

	if (name == 0 || !equals || !strchr("=+[", word->text[name]))
		return NULL;
	return asprintf(&assignment, "%.*s%s", (int)name, word->text, equals) < 0 ? NULL : assignment;
}

char **shell_argv(const struct shell_command *command, const struct shell_homes *homes, bool **ret_known)
{
	const struct shell_word *words = command->words + command->skip;
	size_t count = command->word_count - command->skip;
	char **argv = calloc(count + 1, sizeof(*argv));
	bool *known = calloc(count + 1, sizeof(*known));

	for (size_t i = 0; argv && known && i < count; i++) {
		argv[i] = shell_text(&words[i], homes);
		known[i] = argv[i] != NULL;
		if (!known[i])
			argv[i] = strdup(words[i].process ? process_path : words[i].text);
		if (!argv[i])
			break;
	}
	if (!argv || !known || (count && !argv[count - 1])) {
		shell_argv_free(argv, known);
		return NULL;
	}
	*ret_known = known;
	return argv;
}

void shell_argv_free(char **argv, bool *known)
{
	for (size_t i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
	free(known);
}

bool shell_peer(const char *path, char host[SHELL_HOST_MAX], unsigned *ret_port)
{
	const char *slash;

	if (strncmp(path, "/dev/tcp/", 9) != 0 && strncmp(path, "/dev/udp/", 9) != 0)
		return false;
	path += 9;
	slash = strchr(path, '/');
	if (!slash || slash == path || slash - path >= SHELL_HOST_MAX)
		return false;
	memcpy(host, path, (size_t)(slash - path));
	host[slash - path] = '\0';
	*ret_port = (unsigned)strtoul(slash + 1, NULL, 10) & 0xffff;
	return true;
}
