/* SPDX-License-Identifier: MIT */
/* options_parse: argument vectors in, a struct or a complaint out. */
#include "options.h"

#include <criterion/criterion.h>
#include <string.h>

#define WORDS_MAX 32

static bool parse(const char *line, struct options *options, struct failure *failure)
{
	static char text[512], *argv[WORDS_MAX + 1];
	int argc = 0;

	strcpy(text, line);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	failure->text[0] = '\0';
	return options_parse(argc, argv, options, failure);
}

Test(options, take_their_values)
{
	static const char line[] = "run -p f.cfg --profile tool -r/top -C sub -m audit -t 2.5 -jqv --stdin --report r "
				   "--";
	struct options options;
	struct failure failure;
	char text[300];

	strcpy(text, line);
	cr_assert(parse(strcat(text, " ls -l"), &options, &failure), "%s", failure.text);
	cr_expect_str_eq(options.choice.file, "f.cfg");
	cr_expect_str_eq(options.choice.profile, "tool");
	cr_expect_str_eq(options.choice.root, "/top");
	cr_expect_str_eq(options.choice.mode, "audit");
	cr_expect_str_eq(options.chdir, "sub");
	cr_expect_str_eq(options.report, "r");
	cr_expect_eq(options.timeout, 2.5);
	cr_expect(options.json && options.quiet && options.verbose && options.keep_stdin && !options.shell);
	cr_expect_eq(options.argc, 2);
	cr_expect_str_eq(options.argv[1], "-l");
	cr_expect_null(options.argv[2]);
	options_free(&options);
}

Test(options, have_defaults)
{
	struct options options;
	struct failure failure;

	cr_assert(parse("run true", &options, &failure));
	cr_expect(options.timeout < 0);
	cr_expect_eq(options.result_fd, -1);
	cr_expect_eq(options.report_fd, -1);
	cr_expect_null(options.choice.sets);
	cr_expect_not(options.json || options.shell || options.quiet);
	options_free(&options);
}

Test(options, stop_at_the_command)
{
	static const struct {
		const char *line;
		int argc;
		const char *first;
		bool json;
	} rows[] = {
		{"run ls --json -q", 3, "ls", false},
		{"run -j ls --json", 2, "ls", true},
		{"run -- -odd", 1, "-odd", false},
		{"run -- --json", 1, "--json", false},
		{"run ls -- x", 3, "ls", false},
		{"run --result-fd 3 ls", 1, "ls", true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct options options;
		struct failure failure;

		cr_assert(parse(rows[i].line, &options, &failure), "%s: %s", rows[i].line, failure.text);
		cr_expect_eq(options.argc, rows[i].argc, "%s", rows[i].line);
		cr_expect_str_eq(options.argv[0], rows[i].first);
		cr_expect_eq(options.json, rows[i].json, "%s", rows[i].line);
		options_free(&options);
	}
}

Test(options, keep_every_setting_in_order)
{
	struct options options;
	struct failure failure;

	cr_assert(parse("check --set a=1 --set b.c=x=y ls", &options, &failure));
	cr_expect_str_eq(options.choice.sets[0], "a=1");
	cr_expect_str_eq(options.choice.sets[1], "b.c=x=y");
	cr_expect_null(options.choice.sets[2]);
	options_free(&options);
}

Test(options, complain_with_a_remedy)
{
	static const struct {
		const char *line, *words;
	} rows[] = {
		{"run", "no command"},
		{"run --", "no command"},
		{"run --jsno ls", "did you mean '--json'"},
		{"run --profil=x --reprot f ls", "did you mean '--report'"},
		{"run --no-such-option ls", "--no-such-option"},
		{"run --json=yes ls", "takes no value"},
		{"run -Z ls", "'-Z'"},
		{"run -jZ ls", "'-Z'"},
		{"run --policy", "needs a value"},
		{"run -p", "needs a value"},
		{"run --mode strict ls", "'enforce' or 'audit'"},
		{"run -t soon ls", "'soon'"},
		{"run -t -1 ls", "'-1'"},
		{"run -t nan ls", "'nan'"},
		{"run -t inf ls", "'inf'"},
		{"run -t 5x ls", "'5x'"},
		{"run --report-fd x ls", "'x'"},
		{"run --report-fd -3 ls", "'-3'"},
		{"run --result-fd 99999999999999999999 ls", "--result-fd"},
		{"run --set limits ls", "KEY=VALUE"},
		{"run --set =5 ls", "KEY=VALUE"},
		{"run --shell echo two", "exactly one"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct options options;
		struct failure failure;

		cr_expect_not(parse(rows[i].line, &options, &failure), "%s was taken", rows[i].line);
		cr_expect(strstr(failure.text, rows[i].words), "%s: '%s' does not say %s", rows[i].line,
			  failure.text, rows[i].words);
		options_free(&options);
	}
}

Test(options, help_and_version_need_no_command)
{
	struct options options;
	struct failure failure;

	cr_assert(parse("run --help", &options, &failure));
	cr_expect_eq(options.request, OPTIONS_HELP);
	options_free(&options);
	cr_assert(parse("trace -V", &options, &failure));
	cr_expect_eq(options.request, OPTIONS_VERSION);
	options_free(&options);
}
