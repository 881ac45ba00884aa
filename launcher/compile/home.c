/* SPDX-License-Identifier: MIT */
/* Where the user's home is. Reads /etc/passwd itself: a name service may be far away. */
#include "compile/home.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the user with this name, or, where it is NULL, of the one who asks. */
static char *table_home(const char *name)
{
	FILE *stream = fopen("/etc/passwd", "re");
	const struct passwd *user = NULL;
	char *home = NULL;

	while (stream && (user = fgetpwent(stream)) &&
	       (name ? strcmp(user->pw_name, name) != 0 : user->pw_uid != getuid()))
		;
	if (user && user->pw_dir[0] == '/' && user->pw_dir[1])
		home = strdup(user->pw_dir);
	if (stream)
		fclose(stream);
	return home;
}

char *home_of_user(const char *name)
{
	return table_home(name);
}

void homes_find(struct homes *homes, const char *home)
{
	memset(homes, 0, sizeof(*homes));
	homes->given = home && *home == '/' ? strdup(home) : NULL;
	homes->table = table_home(NULL);
	if (homes->table && homes->given && !strcmp(homes->table, homes->given)) {
		free(homes->table);
		homes->table = NULL;
	}
	homes->given_real = homes->given ? realpath(homes->given, NULL) : NULL;
	homes->table_real = homes->table ? realpath(homes->table, NULL) : NULL;
}

void homes_free(struct homes *homes)
{
	free(homes->given);
	free(homes->table);
	free(homes->given_real);
	free(homes->table_real);
}

static bool is_within(const char *home, const char *path)
{
	size_t length = strlen(path);

	return home && !strncmp(home, path, length) && (!home[length] || home[length] == '/');
}

bool homes_within(const struct homes *homes, const char *path)
{
	return !path[0] || !path[1] || is_within(homes->given, path) || is_within(homes->table, path) ||
	       is_within(homes->given_real, path) || is_within(homes->table_real, path);
}
