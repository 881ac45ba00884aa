/* SPDX-License-Identifier: MIT */
/* bridle policy show|check|learn: print the policy in force, say what is wrong with one, or learn one. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/validate.h"
#include "compile/commands.h"
#include "compile/compile.h"
#include "policy/policy.h"
#include "policy/write.h"
#include "policy_learn.h"
#include "policy_test.h"
#include "policy_trust.h"
#include "report/visible.h"
#include "say.h"

int command_policy(int argc, char **argv);

#define SHOW_FAILED 125 /* as run and trace */
#define CHECK_BAD 1
#define CHECK_ERROR 2

static const char help[] =
	"usage: bridle policy show [-P NAME | -p FILE] [-r DIR] [--set KEY=VALUE]...\n"
	"       bridle policy check [-r DIR] [FILE]...\n"
	"       bridle policy test [-P NAME | -p FILE] [-r DIR] [--set KEY=VALUE]... CASES...\n"
	"       bridle policy trust [FILE]\n"
	"       bridle policy learn [OPTION]... FILE...\n"
	"       bridle policy learn [-b NAME | -u FILE] [-r DIR] REPORT...\n"
	"\n"
	"show prints the policy in force with all that it extends; each entry says where it comes from.\n"
	"check reads each FILE (by default the policy in force), compiles it and runs the examples in it.\n"
	"test judges labelled commands, one JSON object a line ({\"argv\": [\"rm\", \"x\"], \"expect\": \"deny\"}; also id,\n"
	"shell, rule, debatable), and prints TAP.\n"
	"trust says that FILE (by default the bridle.cfg here or above) may be used where it is found. A change of it\n"
	"must be trusted anew; a policy that is named by --policy or BRIDLE_POLICY needs no trust.\n"
	"learn prints a policy that would have allowed what reports tell; see 'bridle policy learn --help'.\n"
	"learn prints a policy that would have allowed what reports tell, or adds to one.\n"
	"\n"
	"  -p, --policy FILE     this policy file\n"
	"  -P, --profile NAME    this built-in profile\n"
	"  -r, --root DIR        the root that the policy is about\n"
	"      --set KEY=VALUE   override one setting\n"
	"  -h, --help            print this\n"
	"\n"
	"Exit status of check and test: 0 good, 1 bad, 2 it could not be done.\n";

struct arguments {
	struct policy_choice choice;
	const char **sets; /* NULL-terminated, from malloc */
	bool help;
	char **files; /* what is no option */
	int count;
};

static bool read_arguments(int argc, char **argv, struct arguments *ret)
{
	static const struct option options[] = {
		{"policy", required_argument, NULL, 'p'},
		{"profile", required_argument, NULL, 'P'},
		{"root", required_argument, NULL, 'r'},
		{"set", required_argument, NULL, 's'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	size_t count = 0;
	int option;

	ret->sets = calloc((size_t)argc + 1, sizeof(*ret->sets));
	ret->choice.sets = ret->sets;
	optind = 0;
	while (ret->sets && (option = getopt_long(argc, argv, "p:P:r:h", options, NULL)) != -1) {
		if (option == 'p')
			ret->choice.file = optarg;
		else if (option == 'P')
			ret->choice.profile = optarg;
		else if (option == 'r')
			ret->choice.root = optarg;
		else if (option == 's')
			ret->sets[count++] = optarg;
		else if (option == 'h')
			ret->help = true;
		else
			return false;
	}
	ret->files = argv + optind;
	ret->count = argc - optind;
	return ret->sets != NULL;
}

static int show(const struct arguments *arguments)
{
	struct policy_choice choice = arguments->choice;
	struct failure failure = {""};
	struct policy *policy;

	if (arguments->count) {
		say("policy show: what is '%s'? A policy file is given with --policy", arguments->files[0]);
		return SHOW_FAILED;
	}
	choice.whole = true;
	policy = policy_load(&choice, &failure);
	if (!policy) {
		say("%s", failure.text);
		return SHOW_FAILED;
	}
	if (policy_untrusted(policy))
		say("%s is not trusted and not used; 'bridle policy show -p' shows it", policy_untrusted(policy));
	visible_line(stdout, (const char *[]){"# ", policy_name(policy), ", root ", policy_root(policy), NULL});
	write_settings(stdout, policy_settings(policy));
	policy_free(policy);
	return fflush(stdout) ? SHOW_FAILED : 0;
}

/* Compiles as for a run from here, and runs the examples in it. */
static bool compiles(const struct policy *policy, size_t *ret_examples, struct failure *failure)
{
	const char *tmpdir = getenv("TMPDIR");
	struct compile_context context = {
		.home = getenv("HOME"), .tmpdir = tmpdir ? tmpdir : "/tmp", .path = getenv("PATH")};
	void *image;
	size_t size;
	bool good;

	if (!compile_image(policy, &context, &image, &size, failure))
		return false;
	if (check_validate(image, size))
		good = compile_examples(policy, image, size, ret_examples, failure);
	else
		good = failure_set(failure, "%s: compiles to an image that is not valid", policy_name(policy));
	free(image);
	return good;
}

static int check_one(struct policy_choice choice, const char *file)
{
	struct failure failure = {""};
	struct policy *policy;
	size_t examples = 0;
	bool good;

	if (file && access(file, R_OK)) {
		say("policy check: cannot read %s: %s", file, strerror(errno));
		return CHECK_ERROR;
	}
	if (file)
		choice.file = file;
	choice.whole = choice.untrusted = true;
	policy = policy_load(&choice, &failure);
	good = policy && compiles(policy, &examples, &failure);
	visible_put(good ? stdout : stderr, good ? policy_name(policy) : failure.text, 0);
	if (good)
		printf(": good, %zu examples hold\n", examples);
	else
		fputc('\n', stderr);
	policy_free(policy);
	return good ? 0 : CHECK_BAD;
}

static int check(const struct arguments *arguments)
{
	int worst = arguments->count ? 0 : check_one(arguments->choice, NULL);

	for (int i = 0; i < arguments->count; i++) {
		int status = check_one(arguments->choice, arguments->files[i]);

		worst = status > worst ? status : worst;
	}
	return fflush(stdout) ? CHECK_ERROR : worst;
}

int command_policy(int argc, char **argv)
{
	struct arguments arguments = {{NULL}, NULL, false, NULL, 0};
	const char *verb = argc > 1 ? argv[1] : "";
	bool checks = !strcmp(verb, "check"), shows = !strcmp(verb, "show"), tests = !strcmp(verb, "test");
	int status = checks || tests ? CHECK_ERROR : SHOW_FAILED;

	if (!strcmp(verb, "--help") || !strcmp(verb, "-h")) {
		fputs(help, stdout);
		return fflush(stdout) ? SHOW_FAILED : 0;
	}
	if (!strcmp(verb, "learn"))
		return policy_learn(argc - 1, argv + 1);
	if (!strcmp(verb, "trust"))
		return policy_trust(argc - 1, argv + 1);
	if (!checks && !shows && !tests) {
		visible_line(stderr, (const char *[]){"bridle policy: say show, check, test, trust or learn, not '", verb,
						      "'; see 'bridle policy --help'", NULL});
		return SHOW_FAILED;
	}
	if (!read_arguments(argc - 1, argv + 1, &arguments))
		fprintf(stderr, "see 'bridle policy --help'\n");
	else if (arguments.help)
		status = fputs(help, stdout) == EOF || fflush(stdout) ? status : 0;
	else if (tests)
		status = policy_test(&arguments.choice, arguments.files, arguments.count);
	else
		status = checks ? check(&arguments) : show(&arguments);
	free(arguments.sets);
	return status;
}
