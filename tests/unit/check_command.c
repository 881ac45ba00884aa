/* SPDX-License-Identifier: MIT */
/* The rules on names and arguments, each mechanism by itself: on tests/cases/mechanisms.cfg. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/command.h"
#include "compile/compile.h"
#include "policy/policy.h"
#include "policy_image.h"

#define WORDS_MAX 32

enum {
	PASS = RULE_NONE,
	NAME = RULE_NAME_DENYLIST,
	CODE = RULE_ARGV_INLINE,
	SHAPE = RULE_ARGV_SHAPE
};

static struct image *image;

static void setup(void)
{
	struct policy_choice choice = {.file = "tests/cases/mechanisms.cfg", .root = test_folder()};
	struct compile_context context = {.home = "/home/dev", .tmpdir = "/scratch", .path = ""};
	struct failure failure = {""};
	struct policy *loaded = policy_load(&choice, &failure);
	void *bytes;
	size_t size;

	cr_assert_not_null(loaded, "%s", failure.text);
	cr_assert(compile_image(loaded, &context, &bytes, &size, &failure), "%s", failure.text);
	policy_free(loaded);
	image = bytes;
}

static void teardown(void)
{
	free(image);
}

/* Splits at single blanks; "_" stands for a blank in a word. */
static size_t split(char *line, char *argv[WORDS_MAX])
{
	size_t argc = 0;

	for (char *at = strtok(line, " "); at; at = strtok(NULL, " ")) {
		argv[argc++] = at;
		for (char *byte = at; *byte; byte++)
			*byte = *byte == '_' ? ' ' : *byte;
	}
	argv[argc] = NULL;
	return argc;
}

static struct decision ask(const char *words, struct command command)
{
	char *argv[WORDS_MAX], *line = strdup(words);
	struct decision decision;

	command.argc = split(line, argv);
	command.argv = argv;
	if (!command.program)
		command.program = argv[0];
	decision = check_command(image, &command);
	free(line);
	return decision;
}

struct row {
	const char *words;
	int rule;
	int element; /* that decides; 0 where nothing is refused */
};

static void expect_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct decision decision = ask(rows[i].words, (struct command){.launch = true});

		cr_expect_eq((int)decision.rule, rows[i].rule, "\"%s\": rule %d, not %d", rows[i].words, decision.rule,
			     rows[i].rule);
		if (rows[i].rule)
			cr_expect_eq(decision.element, rows[i].element, "\"%s\": element %d", rows[i].words,
				     decision.element);
	}
}

#define EXPECT(...)                                                \
	do {                                                       \
		static const struct row rows[] = {__VA_ARGS__};    \
		expect_rows(rows, sizeof(rows) / sizeof(rows[0])); \
	} while (0)

TestSuite(check_command, .init = setup, .fini = teardown);

Test(check_command, names)
{
	EXPECT({"evil", NAME, 0},
	       {"/a/b/evil x", NAME, 0},
	       {"evil.one", NAME, 0},
	       {"super", NAME, 0},
	       {"suber", NAME, 0},
	       {"evils", PASS, 0},
	       {"echo evil", PASS, 0},
	       {"evil/x", PASS, 0},
	       {"sucer", PASS, 0});
}

Test(check_command, names_by_other_ways)
{
	struct command link = {.program = "./harmless", .target = "/usr/bin/evil", .launch = true};
	struct command renamed = {.program = "./harmless", .target = "/tmp/harmless", .launch = true};
	struct command multicall = {.program = "/bin/box", .target = "/bin/box"};

	cr_expect_eq(ask("harmless", link).rule, NAME, "the target's name");
	cr_expect_eq(ask("harmless", renamed).rule, PASS);
	cr_expect_eq(ask("evil x", multicall).rule, NAME, "argv[0] is another name");
	cr_expect_eq(ask("x -c y", (struct command){.program = "./x", .target = "/bin/run"}).rule, CODE,
		     "what is known of the target holds for the link");
}

Test(check_command, wrappers)
{
	EXPECT({"wait 5 evil", NAME, 2},
	       {"wait -k 1 -s KILL 5 evil", NAME, 6},
	       {"wait -sKILL 5 evil", NAME, 3},
	       {"wait --signal=9 5 evil", NAME, 3},
	       {"wait --sig 9 5 evil", NAME, 4},
	       {"wait 5 -- evil", NAME, 3},
	       {"wait -s evil 5 echo", PASS, 0},
	       {"wait 5", PASS, 0},
	       {"wait 5 echo evil", PASS, 0},
	       {"with A=1 B=2 evil", NAME, 3},
	       {"with - evil", NAME, 2},
	       {"with -u evil echo", PASS, 0},
	       {"with A=evil echo", PASS, 0},
	       {"with", PASS, 0},
	       {"boxes evil", NAME, 1},
	       {"boxes --list", PASS, 0},
	       {"kit exec -p x evil", NAME, 4},
	       {"kit -C d exec evil", NAME, 4},
	       {"kit other evil", PASS, 0},
	       {"caps -- -c x", CODE, 3},
	       {"caps x", PASS, 0});
}

Test(check_command, wrappers_of_wrappers)
{
	char words[4096] = "", *end = words;

	EXPECT({"plain wait 3 with A=1 plain evil", NAME, 6},
	       {"plain wait 3 with A=1 plain echo evil", PASS, 0});
	for (int i = 0; i < 15; i++)
		end = stpcpy(end, "plain wait ");
	cr_expect_eq(ask(words, (struct command){.launch = true}).rule, PASS);
	memset(words, 0, sizeof(words));
	end = words;
	for (int i = 0; i < 30; i++)
		end = stpcpy(end, "plain ");
	strcpy(end, "evil");
	cr_expect_eq(ask(words, (struct command){.launch = true}).rule, NAME, "as deep as argv goes");
}

Test(check_command, commands_in_options)
{
	EXPECT({"every . -exec evil {} ;", NAME, 3},
	       {"every . -exec echo {} ; -exec evil {} +", NAME, 7},
	       {"every . -exec plain run -c x ;", CODE, 6},
	       {"every . -exec echo evil ; -name evil", PASS, 0},
	       {"every . -name evil", PASS, 0},
	       {"every . -exec every . -exec evil", NAME, 6},
	       {"with -S evil_x", NAME, 2},
	       {"with -Sevil", NAME, 1},
	       {"with -S plain_wait 5 evil", NAME, 4},
	       {"with -S A=1_evil", NAME, 2},
	       {"with --split=echo evil", PASS, 0},
	       {"with -S echo;x", CODE, 2},
	       {"again evil_x", NAME, 1},
	       {"again -n 1 plain_evil", NAME, 3},
	       {"again echo_evil", PASS, 0},
	       {"again echo|x", CODE, 1},
	       {"lock f evil", NAME, 2},
	       {"lock f -c evil_x", NAME, 3},
	       {"lock f -c A=1_evil", NAME, 3},
	       {"lock f --comm=plain_evil", NAME, 2},
	       {"lock f -c $x", CODE, 3},
	       {"pack cIf evil x", NAME, 2});
}

Test(check_command, interpreters)
{
	EXPECT({"run -c x", CODE, 2},
	       {"run -cx", CODE, 1},
	       {"run -Bc x", CODE, 2},
	       {"run --eval=x", CODE, 1},
	       {"run --eva x", CODE, 2},
	       {"run -W x -e y", CODE, 4},
	       {"run7 -c x", CODE, 2},
	       {"run -W -c x.r", PASS, 0},
	       {"run x.r -c y", PASS, 0},
	       {"run -- -c", PASS, 0},
	       {"run --evil-mode x.r", PASS, 0},
	       {"run +c x.r", PASS, 0},
	       {"run", CODE, 0},
	       {"run -", CODE, 1},
	       {"run /dev/stdin", CODE, 1},
	       {"run /proc/self/fd/3", CODE, 1},
	       {"run --version", PASS, 0},
	       {"run -m timer 1", CODE, 3},
	       {"run -m timer -n 3 x", CODE, 5},
	       {"run -m other -c x", PASS, 0},
	       {"run -mtimer x", CODE, 2},
	       {"shell -xc y", CODE, 2},
	       {"shell -c -x y", CODE, 3},
	       {"shell -o c x.sh", PASS, 0},
	       {"shell -s x", CODE, 1},
	       {"plain shell", CODE, 1},
	       {"run x.r run -c y", PASS, 0});
}

Test(check_command, who_may_run_code)
{
	struct command deep = {.caller = "/usr/bin/maker"}, script = {.caller = "node", .caller_script = "/x/test-it.js"};

	cr_expect_eq(ask("shell -c x", deep).rule, PASS);
	cr_expect_eq(ask("run -c x", script).rule, PASS);
	cr_expect_eq(ask("run -c x", (struct command){.caller = "other"}).rule, CODE);
	cr_expect_eq(ask("evil", deep).rule, NAME, "names are denied to everybody");
	cr_expect_eq(ask("del -rf x", deep).rule, SHAPE, "and so are shapes");
	deep.launch = true;
	cr_expect_eq(ask("shell -c x", deep).rule, CODE, "nobody is trusted at launch");
	cr_expect_eq(ask("run -c spawn(12)", (struct command){.caller = "x"}).rule, PASS);
	cr_expect_eq(ask("run -c spawn(12);x", (struct command){.caller = "x"}).rule, CODE);
	cr_expect_eq(ask("run -c spawn(12)", (struct command){.launch = true}).rule, CODE);
}

Test(check_command, who_may_sweep_the_project)
{
	const char *root = test_folder();
	const struct command maker = {.caller = "maker", .cwd = root}, other = {.caller = "x", .cwd = root},
			     launch = {.caller = "maker", .cwd = root, .launch = true};

	cr_expect_eq(ask("sweep -r out", other).rule, SHAPE);
	cr_expect_eq(ask("sweep -r out", launch).rule, SHAPE);
	cr_expect_eq(ask("sweep -r out sub/./x", maker).rule, PASS);
	cr_expect_eq(ask("sweep -r out", (struct command){.caller = "maker"}).rule, PASS);
	cr_expect_eq(ask("sweep -r ..", (struct command){.caller = "maker"}).rule, SHAPE);
	for (const char *const *broad = (const char *const[]){"sweep -r /", "sweep -r ~", "sweep -r out /home", "sweep -r .git",
							      "sweep -r ../../..", "sweep -r /*", NULL};
	     *broad; broad++)
		cr_expect_eq(ask(*broad, maker).rule, SHAPE, "%s", *broad);
	cr_expect_eq(ask("sweep -r ..", (struct command){.caller = "sweep"}).rule, PASS, "it was judged before");
	cr_expect_eq(ask("sweep -r ..", (struct command){.caller = "sweep", .passed_on = true}).rule, SHAPE);
}

Test(check_command, doors)
{
	EXPECT({"kit -c pager.log=x log", CODE, 2},
	       {"kit -cPAGER.log=x log", CODE, 1},
	       {"kit -c pager.x=less log", PASS, 0},
	       {"kit -c pager.x=less_-R log", PASS, 0},
	       {"kit -c pager.x=less;y log", CODE, 2},
	       {"kit -c alias.x=!y x", CODE, 2},
	       {"kit -c color=no log", PASS, 0},
	       {"kit log -c pager.x=y", PASS, 0},
	       {"pack --to-command=x", CODE, 1},
	       {"pack --to-c x", CODE, 2},
	       {"pack cf x y", PASS, 0},
	       {"build SHELL=x all", CODE, 1},
	       {"build CC=x all", PASS, 0},
	       {"global sub --hook x", CODE, 3},
	       {"global sub -x --hook", PASS, 0},
	       {"with STARTUP=x echo", CODE, 1},
	       {"with STARTUP= echo", PASS, 0},
	       {"with STARTUP=none echo", PASS, 0});
}

Test(check_command, small_languages)
{
	EXPECT({"filter {system(\"x\")}", CODE, 1},
	       {"filter {print} f", PASS, 0},
	       {"filter -f p {system(\"x\")}", PASS, 0},
	       {"stream s/a/b/e f", CODE, 1},
	       {"stream s/a/b/ e", PASS, 0},
	       {"stream -e p e", PASS, 0},
	       {"stream --expr=e f", CODE, 1});
}

Test(check_command, shapes)
{
	EXPECT({"del -rf x", SHAPE, 1},
	       {"del -fR x", SHAPE, 1},
	       {"del -f x -r", SHAPE, 1},
	       {"del --rec --for x", SHAPE, 1},
	       {"del -r x", PASS, 0},
	       {"del -r -- -f", PASS, 0},
	       {"mode -R 777 x", SHAPE, 1},
	       {"mode 777 x -R", SHAPE, 1},
	       {"mode -Rn 777 x", PASS, 0},
	       {"mode 777 x", PASS, 0},
	       {"kit push --force", SHAPE, 2},
	       {"kit -C d push o -f", SHAPE, 5},
	       {"kit push --fol", PASS, 0},
	       {"kit push o +m", SHAPE, 3},
	       {"kit pull -f", PASS, 0},
	       {"kit gone", SHAPE, 1},
	       {"kit set alias.x", PASS, 0},
	       {"kit set alias.x y", SHAPE, 2},
	       {"boat run -v /:/x img", SHAPE, 2},
	       {"boat run -v/:/x img", SHAPE, 2},
	       {"boat run -v /x:/y img -v /:/z", PASS, 0},
	       {"plain del -rf x", SHAPE, 2},
	       {"plain echo del -rf x", PASS, 0},
	       {"copy /bin/evil x", SHAPE, 1},
	       {"copy evil x", PASS, 0});
}

Test(check_command, broad)
{
	char cwd[PATH_MAX];
	static const struct {
		const char *operand;
		bool broad;
	} rows[] = {
		{"wipe /", true},
		{"wipe .", true},
		{"wipe ..", true},
		{"wipe ../..", true},
		{"wipe /usr", true},
		{"wipe *", true},
		{"wipe ./*", true},
		{"wipe ~/x", true},
		{"wipe $X", true},
		{"wipe .git", true},
		{"wipe a/.git/x", true},
		{"wipe a", false},
		{"wipe a/../b", false},
		{"wipe a/*", false},
		{"wipe *.o", false},
		{"wipe ./a/", false},
		{"wipe a/../..", true},
		{"wipe /tmp/x", false},
		{"wipe /tmp", true},
		{"wipe /tmp/..", true},
		{"wipe //tmp//x/../", true},
		{"wipe ../src/x", false},
		{"wipe /home/dev", true},
		{"wipe /home/dev/x", true},
	};

	snprintf(cwd, sizeof(cwd), "%s/src", test_folder());
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct decision decision = ask(rows[i].operand, (struct command){.cwd = cwd, .launch = true});
		bool inside = !strcmp(rows[i].operand, "wipe .") || !strcmp(rows[i].operand, "wipe *") ||
			      !strcmp(rows[i].operand, "wipe ./*");

		cr_expect_eq(decision.denied, rows[i].broad && !inside, "\"%s\" in src", rows[i].operand);
		decision = ask(rows[i].operand, (struct command){.launch = true});
		if (strcmp(rows[i].operand, "wipe ../src/x"))
			cr_expect_eq(decision.denied, rows[i].broad, "\"%s\" somewhere", rows[i].operand);
	}
}

Test(check_command, malformed)
{
	char empty[] = "", *argv[] = {empty, NULL};
	struct command nothing = {.program = "", .argv = argv, .argc = 1, .launch = true};

	cr_expect_eq(check_command(image, &nothing).rule, RULE_STRUCTURE_MALFORMED);
	nothing.program = NULL;
	nothing.argc = 0;
	cr_expect_eq(check_command(image, &nothing).rule, RULE_STRUCTURE_MALFORMED);
}
