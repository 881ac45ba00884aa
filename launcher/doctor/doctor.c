/* SPDX-License-Identifier: MIT */
/* `bridle doctor`: what this machine offers, what is in force under the policy, and canaries that prove it. */
#include "doctor/doctor.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backstop/belt.h"
#include "backstop/callsite.h"
#include "check/path.h"
#include "commands.h"
#include "doctor/print.h"
#include "prepare.h"
#include "say.h"
#include "session/session.h"

#define OPTIONS_MAX 60

static const char help[] =
	"usage: bridle doctor [OPTION]... [PROGRAM]\n"
	"Say what bridle can do on this machine and prove it under the policy, or how PROGRAM would be covered.\n"
	"\n"
	"  -p, --policy FILE, -P, --profile NAME, --set KEY=VALUE   the policy, as for `bridle run`\n"
	"  -j, --json             one JSON object on stdout\n"
	"      --symbols [FILE]   the functions that are guarded; for FILE: which of its imports are, and which are not\n"
	"  -h, --help             this text\n"
	"\n"
	"Exit status: 0; 1 something that is promised was not caught, or PROGRAM is not covered; 125 bridle failed.\n";

/* The command line. */
struct visit {
	bool json, symbols, help;
	const char *canary, *operand;
	struct options options;
	const char *sets[OPTIONS_MAX + 1];
	size_t set_count;
	const char *passed[2 * OPTIONS_MAX + 5]; /* the policy's options, for `bridle run` */
	size_t passed_count;
};

static void pass(struct visit *visit, const char *option, const char *value)
{
	if (visit->passed_count + 2 >= sizeof(visit->passed) / sizeof(visit->passed[0]))
		return;
	visit->passed[visit->passed_count++] = option;
	visit->passed[visit->passed_count++] = value;
}

enum {
	OPTION_SET = 256,
	OPTION_SYMBOLS,
	OPTION_CANARY
};

static bool take(struct visit *visit, int option)
{
	switch (option) {
	case 'p':
		visit->options.choice.file = optarg;
		pass(visit, "-p", optarg);
		return true;
	case 'P':
		visit->options.choice.profile = optarg;
		pass(visit, "-P", optarg);
		return true;
	case OPTION_SET:
		if (visit->set_count < OPTIONS_MAX)
			visit->sets[visit->set_count++] = optarg;
		pass(visit, "--set", optarg);
		return true;
	case 'j':
		visit->json = true;
		return true;
	case 'h':
		visit->help = true;
		return true;
	case OPTION_SYMBOLS:
		visit->symbols = true;
		return true;
	case OPTION_CANARY:
		visit->canary = optarg;
		return true;
	default:
		return false;
	}
}

static bool parse(int argc, char **argv, struct visit *visit)
{
	static const struct option known[] = {
		{"policy", required_argument, NULL, 'p'},
		{"profile", required_argument, NULL, 'P'},
		{"set", required_argument, NULL, OPTION_SET},
		{"json", no_argument, NULL, 'j'},
		{"help", no_argument, NULL, 'h'},
		{"symbols", no_argument, NULL, OPTION_SYMBOLS},
		{"canary", required_argument, NULL, OPTION_CANARY},
		{NULL, 0, NULL, 0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "p:P:jh", known, NULL)) != -1)
		if (!take(visit, option))
			return false;
	visit->operand = optind < argc ? argv[optind] : NULL;
	visit->options.choice.sets = visit->sets;
	if (argc - optind <= 1)
		return true;
	say("doctor: one PROGRAM at most; see 'bridle doctor --help'");
	return false;
}

/* A file that the policy refuses to create, best one that this user otherwise could; "" when it refuses none. */
static void find_target(const struct image *image, char target[PATH_MAX])
{
	const char *home = getenv("HOME");
	const char *const folders[] = {home ? home : "/", "/var/tmp", "/opt", "/usr/local", "/var/lib", "/etc", "/"};
	char folder[PATH_MAX], candidate[PATH_MAX + 64];
	struct stat status;

	target[0] = '\0';
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		int length;

		if (!realpath(folders[i], folder))
			continue;
		length = snprintf(candidate, sizeof(candidate), "%s/.bridle-canary-%d",
				  strcmp(folder, "/") ? folder : "", (int)getpid());
		if (length >= PATH_MAX || !lstat(candidate, &status) ||
		    !check_path(image, OP_WRITE, candidate, (size_t)length).denied)
			continue;
		if (!target[0] || !access(folder, W_OK))
			memcpy(target, candidate, (size_t)length + 1);
		if (!access(folder, W_OK))
			return;
	}
}

/* Runs the canaries in a cage that is the root for them. */
static bool fly(const struct visit *visit, struct doctor *doctor, struct failure *failure)
{
	struct canary_cage cage;
	bool good = canary_cage(&cage, doctor->target, failure);

	if (good)
		canary_run(&cage, visit->passed, doctor->canaries);
	canary_clear(&cage);
	return good;
}

static void tell_libc(struct doctor *doctor)
{
	struct filter_sites sites;

	callsite_find(&sites);
	if (policy_judges_libc(doctor->policy))
		snprintf(doctor->libc, sizeof(doctor->libc), "judged: coverage.libc = \"judged\"");
	else if (sites.count)
		snprintf(doctor->libc, sizeof(doctor->libc), "trusted, from %u places of its code", sites.count);
	else
		snprintf(doctor->libc, sizeof(doctor->libc), "judged: its code is not laid out as bridle knows it");
}

static bool examine(struct visit *visit, struct doctor *doctor, struct preparation *preparation,
		    struct backstop **ret_backstop, struct failure *failure)
{
	char *none[] = {NULL};
	struct failure missing = {""};
	struct belt belt;

	visit->options.argv = none;
	visit->options.timeout = -1;
	if (!prepare(&visit->options, NULL, false, preparation, failure))
		return false;
	doctor->policy = preparation->policy;
	doctor->fact_count = kernel_facts(doctor->facts);
	doctor->shim = session_find_library(doctor->library, sizeof(doctor->library), &missing);
	if (!doctor->shim)
		snprintf(doctor->library, sizeof(doctor->library), "%s", missing.text);
	if (backstop_prepare(doctor->policy, handoff_word("doctor"), ret_backstop, &missing))
		snprintf(doctor->backstop, sizeof(doctor->backstop), "%s", backstop_status(*ret_backstop));
	else
		snprintf(doctor->backstop, sizeof(doctor->backstop), "refused: %.200s", missing.text);
	belt_prepare(&belt, policy_landlock(doctor->policy), preparation->image, NULL);
	snprintf(doctor->landlock, sizeof(doctor->landlock), "%s", belt.status);
	belt_close(&belt);
	tell_libc(doctor);
	find_target(preparation->image, doctor->target);
	return true;
}

static int whole(struct visit *visit)
{
	struct preparation preparation = {0};
	struct backstop *backstop = NULL;
	struct failure failure = {""};
	struct doctor doctor = {0};
	bool good = examine(visit, &doctor, &preparation, &backstop, &failure);
	int status;

	if (good && visit->operand)
		good = doctor_cover(visit->operand, &preparation, &doctor, &failure);
	else if (good && doctor.target[0])
		good = fly(visit, &doctor, &failure);
	if (good)
		print_doctor(&doctor, visit->json);
	status = good && doctor_is_well(&doctor) ? 0 : 1;
	backstop_stop(backstop);
	preparation_free(&preparation);
	if (good)
		return status;
	say("doctor: %s", failure.text);
	return STATUS_FAILED;
}

static int show_symbols(const struct visit *visit)
{
	struct failure failure = {""};
	json_t *found = visit->operand ? symbols_imports(visit->operand, &failure) : symbols_list();

	if (!found) {
		say("doctor: %s", failure.text);
		return STATUS_FAILED;
	}
	print_symbols(found, visit->json);
	json_decref(found);
	return fflush(stdout) ? STATUS_FAILED : 0;
}

int command_doctor(int argc, char **argv)
{
	struct visit visit = {0};

	if (!parse(argc, argv, &visit))
		return STATUS_FAILED;
	if (visit.canary)
		return canary_act(visit.canary);
	if (visit.help) {
		fputs(help, stdout);
		return fflush(stdout) ? STATUS_FAILED : 0;
	}
	return visit.symbols ? show_symbols(&visit) : whole(&visit);
}
