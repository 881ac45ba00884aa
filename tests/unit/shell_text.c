/* SPDX-License-Identifier: MIT */
/* Words of a shell line as a program gets them: home folders, assignments, argv, peers. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "shell/text.h"

static struct shell_line *read_line(const char *text)
{
	struct shell_line *line = shell_read(text, strlen(text), SHELL_BASH);

	cr_assert_null(line->error, "%s: %s", text, line->error);
	cr_assert_geq(line->count, 1);
	return line;
}

static char *home_of(const char *user)
{
	return strcmp(user, "root") ? NULL : strdup("/root");
}

/* The last command's last word. */
static void expect_text(const char *text, const char *home, const char *wanted)
{
	const struct shell_homes homes = {home, home_of};
	struct shell_line *line = read_line(text);
	const struct shell_command *command = &line->commands[line->count - 1];
	char *got = shell_text(&command->words[command->word_count - 1], &homes);

	if (wanted)
		cr_expect_str_eq(got, wanted);
	else
		cr_expect_null(got, "%s is taken for known: %s", text, got);
	free(got);
	shell_free(line);
}

Test(shell, home_folders_are_expanded_where_the_shell_does)
{
	expect_text("ls ~", "/home/dev", "/home/dev");
	expect_text("ls ~/x", "/home/dev", "/home/dev/x");
	expect_text("ls ~\"/x\"", "/home/dev", "/home/dev/x");
	expect_text("ls '~/x'", "/home/dev", "~/x");
	expect_text("ls \\~/x", "/home/dev", "~/x");
	expect_text("ls a~/x", "/home/dev", "a~/x");
	expect_text("ls ~root/x", "/home/dev", "/root/x");
	expect_text("ls ~root", NULL, "/root");
	expect_text("ls ~rooter/x", "/home/dev", NULL);
	expect_text("ls ~/x", NULL, NULL);
	expect_text("ls x$y", "/home/dev", NULL);
	expect_text("ls $(x)", "/home/dev", NULL);
	expect_text("ls <(x)", "/home/dev", NULL);
	expect_text("ls *.c", "/home/dev", "*.c");
}

static void expect_assignment(const char *text, const char *wanted)
{
	struct shell_line *line = read_line(text);
	char *got = shell_assignment(&line->commands[0].assignments[0]);

	cr_expect_str_eq(got, wanted);
	free(got);
	shell_free(line);
}

Test(shell, assignments_of_every_form_name_their_variable)
{
	expect_assignment("A=b", "A=b");
	expect_assignment("A=", "A=");
	expect_assignment("A+=b", "A=b");
	expect_assignment("A[0]=b=c", "A=b=c");
	expect_assignment("A='b c' d", "A=b c");
}

Test(shell, words_that_assign_nothing_are_no_assignments)
{
	struct shell_line *line = read_line("export -p A B-c=d =e");

	for (size_t i = 0; i < line->commands[0].word_count; i++)
		cr_expect_null(shell_assignment(&line->commands[0].words[i]));
	shell_free(line);
}

Test(shell, argv_leaves_out_the_prefixes_of_the_shell)
{
	struct shell_line *line = read_line("command exec -a x sort ~/y $z <(w) 'a b'");
	const struct shell_command *command = &line->commands[line->count - 1];
	const struct shell_homes homes = {"/h", NULL};
	bool *known = NULL;
	char **argv = shell_argv(command, &homes, &known);

	cr_assert_not_null(argv);
	cr_expect_str_eq(argv[0], "sort");
	cr_expect_str_eq(argv[1], "/h/y");
	cr_expect_str_eq(argv[2], "$z");
	cr_expect_str_eq(argv[3], "/dev/fd/63");
	cr_expect_str_eq(argv[4], "a b");
	cr_expect_null(argv[5]);
	cr_expect(known[0] && known[1] && !known[2] && !known[3] && known[4]);
	shell_argv_free(argv, known);
	shell_free(line);
}

Test(shell, peers_are_told_from_files)
{
	char host[SHELL_HOST_MAX];
	unsigned port = 0;

	cr_expect(shell_peer("/dev/tcp/127.0.0.1/9", host, &port));
	cr_expect_str_eq(host, "127.0.0.1");
	cr_expect_eq(port, 9);
	cr_expect(shell_peer("/dev/udp/a.example.org/53", host, &port));
	cr_expect_str_eq(host, "a.example.org");
	cr_expect_eq(port, 53);
	cr_expect(shell_peer("/dev/tcp/h/http", host, &port));
	cr_expect_eq(port, 0);
	cr_expect_not(shell_peer("/dev/tcp/h", host, &port));
	cr_expect_not(shell_peer("/dev/tcp//9", host, &port));
	cr_expect_not(shell_peer("/dev/tty", host, &port));
	cr_expect_not(shell_peer("/x/dev/tcp/h/9", host, &port));
}
