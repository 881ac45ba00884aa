/* SPDX-License-Identifier: MIT */
/* Reads the options that run, check and trace share. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

enum {
	OPTION_RESULT_FD = 256,
	OPTION_REPORT,
	OPTION_REPORT_FD,
	OPTION_SET,
	OPTION_STDIN,
	OPTION_OTLP,
	OPTION_ONLY,
	OPTION_PROGRAM,
	OPTION_PATH,
	OPTION_ENFORCE
};

static const char short_options[] = "+:p:P:r:C:m:st:jqvhV";

static const struct option long_options[] = {
	{"policy", required_argument, NULL, 'p'},
	{"profile", required_argument, NULL, 'P'},
	{"root", required_argument, NULL, 'r'},
	{"chdir", required_argument, NULL, 'C'},
	{"mode", required_argument, NULL, 'm'},
	{"shell", no_argument, NULL, 's'},
	{"timeout", required_argument, NULL, 't'},
	{"json", no_argument, NULL, 'j'},
	{"quiet", no_argument, NULL, 'q'},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{"result-fd", required_argument, NULL, OPTION_RESULT_FD},
	{"report", required_argument, NULL, OPTION_REPORT},
	{"report-fd", required_argument, NULL, OPTION_REPORT_FD},
	{"set", required_argument, NULL, OPTION_SET},
	{"stdin", no_argument, NULL, OPTION_STDIN},
	{"otlp", required_argument, NULL, OPTION_OTLP},
	{"only", required_argument, NULL, OPTION_ONLY},
	{"program", required_argument, NULL, OPTION_PROGRAM},
	{"path", required_argument, NULL, OPTION_PATH},
	{"enforce", no_argument, NULL, OPTION_ENFORCE},
	{NULL, 0, NULL, 0},
};

#define LONG_COUNT (sizeof(long_options) / sizeof(long_options[0]) - 1)

/* What getopt could not place: an unknown option, one that is not unique, or a value where none belongs. */
static bool unknown_option(const char *word, struct failure *failure)
{
	const char *known[LONG_COUNT], *near, *equals = strchr(word, '=');
	char name[64];

	if (optopt && optopt < 256 && !strchr(short_options + 2, optopt))
		return failure_set(failure, "unknown option '-%c'; see --help, and put '--' before a "
					    "command that starts with '-'",
				   optopt);
	for (size_t i = 0; i < LONG_COUNT; i++)
		known[i] = long_options[i].name;
	strncpy(name, word + 2, sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	if (equals && (size_t)(equals - word - 2) < sizeof(name))
		name[equals - word - 2] = '\0';
	near = suggest(name, known, LONG_COUNT);
	if (optopt)
		return failure_set(failure, "option '--%s' takes no value", name);
	if (near)
		return failure_set(failure, "unknown option '--%s'; did you mean '--%s'?", name, near);
	return failure_set(failure, "unknown or ambiguous option '--%s'; see --help", name);
}

static bool read_descriptor(const char *option, const char *text, int *ret, struct failure *failure)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 0 || value > INT_MAX)
		return failure_set(failure, "%s needs the number of an open descriptor, not '%s'", option,
				   text);
	*ret = value;
	return true;
}

static bool read_timeout(const char *text, double *ret, struct failure *failure)
{
	char *end;
	double value = strtod(text, &end);

	/* The last comparison also turns away "nan"; a year is more than any command needs. */
	if (end == text || *end || !(value >= 0 && value <= 366 * 86400.0))
		return failure_set(failure, "--timeout needs seconds from 0 (no limit) to a year, such as 30 "
					    "or 0.5, not '%s'",
				   text);
	*ret = value;
	return true;
}

static bool add_setting(struct policy_choice *choice, const char *text, struct failure *failure)
{
	const char **sets = (const char **)choice->sets;
	size_t count = 0;

	if (!strchr(text, '=') || text[0] == '=')
		return failure_set(failure, "--set needs KEY=VALUE, such as limits.cpu_seconds=5, not '%s'",
				   text);
	while (sets && sets[count])
		count++;
	sets = realloc(sets, (count + 2) * sizeof(*sets));
	if (!sets)
		return failure_set(failure, "out of memory");
	sets[count] = text;
	sets[count + 1] = NULL;
	choice->sets = sets;
	return true;
}

bool options_take_choice(struct policy_choice *choice, int option, const char *value, struct failure *failure)
{
	switch (option) {
	case 'p':
		choice->file = value;
		return true;
	case 'P':
		choice->profile = value;
		return true;
	case 'r':
		choice->root = value;
		return true;
	case 'm':
		choice->mode = value;
		return !strcmp(value, "enforce") || !strcmp(value, "audit") ||
		       failure_set(failure, "--mode is 'enforce' or 'audit', not '%s'", value);
	default:
		return add_setting(choice, value, failure);
	}
}

/* What to show of a trace; traced remembers the option for a command that shows none. */
static void take_trace_value(int option, struct options *options)
{
	switch (option) {
	case OPTION_ONLY:
		options->only = optarg;
		options->traced = "--only";
		break;
	case OPTION_PROGRAM:
		options->program = optarg;
		options->traced = "--program";
		break;
	case OPTION_PATH:
		options->path = optarg;
		options->traced = "--path";
		break;
	}
}

static bool take_value(int option, struct options *options, struct failure *failure)
{
	switch (option) {
	case 'p':
	case 'P':
	case 'r':
	case 'm':
	case OPTION_SET:
		return options_take_choice(&options->choice, option, optarg, failure);
	case 'C':
		options->chdir = optarg;
		return true;
	case 't':
		return read_timeout(optarg, &options->timeout, failure);
	case OPTION_RESULT_FD:
		options->json = true;
		return read_descriptor("--result-fd", optarg, &options->result_fd, failure);
	case OPTION_REPORT:
		options->report = optarg;
		return true;
	case OPTION_REPORT_FD:
		return read_descriptor("--report-fd", optarg, &options->report_fd, failure);
	case OPTION_OTLP:
		options->otlp = optarg;
		return true;
	default:
		take_trace_value(option, options);
		return true;
	}
}

static void take_flag(int option, struct options *options)
{
	switch (option) {
	case 's':
		options->shell = true;
		break;
	case 'j':
		options->json = true;
		break;
	case 'q':
		options->quiet = true;
		break;
	case 'v':
		options->verbose = true;
		break;
	case OPTION_STDIN:
		options->keep_stdin = true;
		break;
	case OPTION_ENFORCE:
		options->enforce = true;
		options->traced = "--enforce";
		break;
	case 'h':
		options->request = OPTIONS_HELP;
		break;
	case 'V':
		options->request = OPTIONS_VERSION;
		break;
	}
}

static bool take_command(int argc, char **argv, struct options *options, struct failure *failure)
{
	options->argv = argv + optind;
	options->argc = argc - optind;
	if (options->request != OPTIONS_COMMAND)
		return true;
	if (!options->argc)
		return failure_set(failure, "no command given; say 'bridle %s -- COMMAND [ARG]...'", argv[0]);
	if (options->shell && options->argc != 1)
		return failure_set(failure, "--shell takes exactly one argument, the whole line: put it in "
					    "quotes ('bridle %s --shell -- \"%s ...\"')",
				   argv[0], options->argv[0]);
	return true;
}

bool options_parse(int argc, char **argv, struct options *ret_options, struct failure *failure)
{
	int option;

	*ret_options = (struct options){.timeout = -1, .result_fd = -1, .report_fd = -1};
	opterr = 0;
	optind = 0; /* glibc: start anew, with the '+' seen again */
	while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
		if (option == '?')
			return unknown_option(argv[optind - 1], failure);
		if (option == ':')
			return failure_set(failure, "option '%s' needs a value; see --help",
					   argv[optind - 1]);
		if (!optarg)
			take_flag(option, ret_options);
		else if (!take_value(option, ret_options, failure))
			return false;
	}
	if (ret_options->traced && strcmp(argv[0], "trace"))
		return failure_set(failure, "%s is an option of 'bridle trace'", ret_options->traced);
	return take_command(argc, argv, ret_options, failure);
}

const char *options_name(size_t index, bool *ret_value)
{
	*ret_value = index < LONG_COUNT && long_options[index].has_arg == required_argument;
	return index < LONG_COUNT ? long_options[index].name : NULL;
}

void options_free(struct options *options)
{
	free((void *)options->choice.sets);
	options->choice.sets = NULL;
}
