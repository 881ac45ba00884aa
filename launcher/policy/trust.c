/* SPDX-License-Identifier: MIT */
/* Reads and writes the list of trusted policies. */
#include "policy/trust.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/sha256.h"

#define HEX (SHA256_TEXT - 1)

/* Below the home, from malloc; NULL where there is no home. */
static char *home_path(const char *name)
{
	const char *home = getenv("HOME");
	char *path = NULL;

	if (!home || home[0] != '/' || asprintf(&path, "%s/%s", home, name) < 0)
		return NULL;
	return path;
}

static void digest_of(const struct source *source, char hex[SHA256_TEXT])
{
	sha256_text(hex, source->text, strlen(source->text));
}

/* Is this line of the list about the path? */
static bool is_about(const char *line, const char *path)
{
	size_t length = strlen(path);

	return strlen(line) > HEX + 2 && !strncmp(line + HEX + 2, path, length) && strchr("\n", line[HEX + 2 + length]);
}

bool trust_holds(const char *path, const struct source *source)
{
	char *list = home_path(TRUST_LIST), *line = NULL, hex[SHA256_TEXT];
	FILE *stream = list ? fopen(list, "re") : NULL;
	bool holds = false;
	size_t room = 0;

	if (stream)
		digest_of(source, hex);
	while (stream && !holds && getline(&line, &room, stream) > 0)
		holds = is_about(line, path) && !strncmp(line, hex, HEX);
	if (stream)
		fclose(stream);
	free(line);
	free(list);
	return holds;
}

/* Every entry adds to a list of denials; "!entry" would take one out. */
static bool only_denies(const struct setting *group)
{
	SETTING_EACH(member, group)
	{
		if (strcmp(member->name, "deny"))
			return false;
		SETTING_EACH(entry, member)
		if (entry->kind != SETTING_STRING || entry->text[0] == '!')
			return false;
	}
	return true;
}

static bool is_harmless(const struct setting *setting)
{
	const char *name = setting->name;

	if (!strcmp(name, "extends"))
		return !strcmp(setting->text, "tool");
	if (!strcmp(name, "root"))
		return !strcmp(setting->text, ".");
	if (!strcmp(name, "mode"))
		return !strcmp(setting->text, "enforce");
	return (!strcmp(name, "names") || !strcmp(name, "paths") || !strcmp(name, "network")) && only_denies(setting);
}

bool trust_is_needless(const struct setting *top, const struct source *source, bool here)
{
	for (size_t i = 1; i < source->count; i++)
		if (source->lines[i].file != source->lines[0].file)
			return false;
	SETTING_EACH(setting, top)
	if (!is_harmless(setting))
		return false;
	return here;
}

/* The list without what it says of the path, and with this line. */
static bool write_list(const char *list, const char *next, const char *hex, const char *path)
{
	FILE *old = fopen(list, "re"), *new = fopen(next, "we");
	char *line = NULL;
	size_t room = 0;
	bool good = new && !fchmod(fileno(new), 0600);

	while (good && old && getline(&line, &room, old) > 0)
		good = is_about(line, path) || fputs(line, new) >= 0;
	good = good && fprintf(new, "%s  %s\n", hex, path) > 0;
	if (new &&fclose(new))
		good = false;
	if (old)
		fclose(old);
	free(line);
	return good && !rename(next, list);
}

bool trust_record(const char *path, const struct source *source, struct failure *failure)
{
	char *list = home_path(TRUST_LIST), *next = home_path(TRUST_LIST ".new"), *folder = home_path(TRUST_FOLDER);
	char hex[SHA256_TEXT];
	bool good = false;

	if (!list || !next || !folder) {
		failure_set(failure, "HOME is not set: there is no place for what you trust");
	} else if (strchr(path, '\n')) {
		failure_set(failure, "%s: a path with a line break cannot be trusted", path);
	} else {
		char *slash = strrchr(folder, '/');

		*slash = '\0';
		mkdir(folder, 0700);
		*slash = '/';
		mkdir(folder, 0700);
		digest_of(source, hex);
		good = write_list(list, next, hex, path) || failure_set(failure, "%s: %s", list, strerror(errno));
	}
	free(list);
	free(next);
	free(folder);
	return good;
}
