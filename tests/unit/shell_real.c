/* SPDX-License-Identifier: MIT */
/* Real shells must accept the lines that the reader accepts, and refuse those it refuses, but for rows that say so. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell_dump.h"

extern char **environ;

/* Does `shell -n -c line` find no error? -1 when there is no such shell. */
static int accepts(const char *shell, const char *line)
{
	char read_only[] = "-n", from_text[] = "-c";
	char *argv[] = {(char *)shell, read_only, from_text, (char *)line, NULL};
	posix_spawn_file_actions_t quiet;
	int status = 0, error;
	pid_t pid;

	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	error = posix_spawnp(&pid, shell, &quiet, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&quiet);
	if (error || waitpid(pid, &status, 0) != pid || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		return -1;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void compare(const struct shell_case *cases, const char *shell, enum shell_dialect dialect, int stricter)
{
	if (accepts(shell, ":") != 1)
		return;
	for (const struct shell_case *row = cases; row->line; row++) {
		struct shell_line *line = shell_read(row->line, strlen(row->line), dialect);
		bool same = accepts(shell, row->line) == !line->error;

		cr_expect_eq(same, !(row->stricter & stricter), "%s and the reader %s on <%s>: %s", shell,
			     same ? "agree" : "differ", row->line, line->error ? line->error : "no error");
		shell_free(line);
	}
}

Test(shell, accepts_what_real_shells_accept)
{
	static const struct shell_case *const tables[] = {
		shell_words,
		shell_assignments,
		shell_redirects,
		shell_heredocs,
		shell_expansions,
		shell_compounds,
		shell_codes,
		shell_data,
		shell_errors,
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		compare(tables[i], "bash", SHELL_BASH, SHELL_CASE_BASH);
		compare(tables[i], "dash", SHELL_POSIX, SHELL_CASE_DASH);
	}
}
