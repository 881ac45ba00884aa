/* SPDX-License-Identifier: MIT */
/* bridle init: write a commented bridle.cfg here, and with --agent the hook that asks it. Overwrites nothing. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "init/merge.h"
#include "init/settings.h"
#include "policy_trust.h"
#include "report/visible.h"

#define FILE_NAME "bridle.cfg"

static const char help[] =
	"usage: bridle init [--agent NAME] [--dry-run] [--undo] [--yes]\n"
	"Write a commented " FILE_NAME " into this folder, and trust it.\n"
	"\n"
	"  -a, --agent NAME   for claude-code, codex, gemini, qwen-code, copilot or cursor: a policy for a whole agent, and\n"
	"                     bridle's hook in its settings here; they are shown as a diff first, and what they say stays\n"
	"  -n, --dry-run      only show what would be written\n"
	"      --undo         take it back: the hook, and a " FILE_NAME " that was not changed\n"
	"  -y, --yes          do not ask, on a terminal\n"
	"  -h, --help         this text\n";

/* extends, a word on read, read, wall_seconds */
static const char template[] =
	"// bridle's policy for this folder and all below it. `bridle policy check` says whether it is good,\n"
	"// `bridle policy show` prints it with everything that it extends.\n"
	"\n"
	"// The profile it builds on: tool (one tool call), agent (a whole agent), code (unreviewed code), or none.\n"
	"// What stands here wins: a single value replaces the profile's, a list is appended to the profile's, and\n"
	"// \"!entry\" in a list drops an inherited entry.\n"
	"extends = \"%s\";\n"
	"root = \".\";\n"
	"mode = \"enforce\";             // audit: refuse nothing, report what would have been refused\n"
	"\n"
	"// Programs that must not start, by basename; globs.\n"
	"names: { deny = [ ]; };\n"
	"\n"
	"paths: {\n"
	"\t// A tree; \"~/x\" below the home; \"./x\" below the root; a name without a slash is any file of that name.\n"
	"\t// The most specific entry wins: what stands in read only may not be written, though a tree above it may.\n"
	"\t// For example \"/opt/sdk\", \"~/.m2\".%s\n"
	"\tread  = [ %s];\n"
	"\twrite = [ ];                // implies read; the root and ${TMPDIR} are inherited\n"
	"\tdeny  = [ \".env\" ];        // and \"./secrets\", \"**/.git/hooks\"\n"
	"};\n"
	"\n"
	"network: {\n"
	"\tallow = [ ];                // \"10.0.0.0/8\", \"[::1]:5432\", \"*.example.org:443\"\n"
	"\tdeny  = [ ];\n"
	"};\n"
	"\n"
	"limits: {\n"
	"\twall_seconds = %d;         // 0: no limit\n"
	"\t// cpu_seconds, memory_mb, file_size_mb, open_files, processes, output_bytes, grace_seconds\n"
	"};\n"
	"\n"
	"environment: {\n"
	"\tinherit = [ ];              // variables that commands get beside the inherited ones: \"DATABASE_*\"\n"
	"\tset = ( );                  // { name = \"CI\"; value = \"1\"; }\n"
	"};\n";

struct init {
	enum hook_agent agent; /* HOOK_AGENTS: none */
	bool dry, undo, yes, help;
};

static bool fail(const char *name, const char *words)
{
	visible_line(stderr, (const char *[]){"bridle init: ", name, ": ", words, NULL});
	return false;
}

/* The policy, from malloc. An agent may read the settings that its hook stands in, and not change them. */
static char *policy_text(enum hook_agent agent)
{
	char read[160] = "", *whole = NULL;
	bool tool = agent == HOOK_AGENTS;

	if (!tool)
		snprintf(read, sizeof(read), "%s ", merge_locked(agent));
	if (asprintf(&whole, template, tool ? "tool" : "agent",
		     tool ? "" : " These here hold the hook: the agent may not take it out.", read, tool ? 120 : 0) < 0)
		return NULL;
	return whole;
}

static bool write_policy(enum hook_agent agent)
{
	int file = open(FILE_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	struct failure failure;
	char *text, *path = NULL;
	FILE *stream;

	if (file < 0)
		return fail(FILE_NAME, errno == EEXIST ? "it is here already and stays as it is" : strerror(errno));
	text = policy_text(agent);
	stream = fdopen(file, "w");
	if (!text || !stream || fputs(text, stream) == EOF || fclose(stream)) {
		int error = errno;

		unlink(FILE_NAME);
		free(text);
		return fail(FILE_NAME, strerror(error));
	}
	free(text);
	if (!policy_trust_file(FILE_NAME, &path, &failure))
		fprintf(stderr, "bridle init: %s: wrote it, but it is not trusted yet: %s\n", FILE_NAME, failure.text);
	free(path);
	printf("wrote %s; change it, then say: bridle policy check && bridle policy trust\n", FILE_NAME);
	return true;
}

/* A policy that somebody changed is theirs. */
static bool remove_policy(enum hook_agent agent)
{
	char *text = policy_text(agent), *there = NULL;
	FILE *stream = fopen(FILE_NAME, "re");
	size_t room = 0;
	bool same = text && stream && getdelim(&there, &room, '\0', stream) > 0 && !strcmp(text, there);

	if (stream)
		fclose(stream);
	free(text);
	free(there);
	if (!stream)
		return true;
	if (!same) {
		printf("%s was changed and stays\n", FILE_NAME);
		return true;
	}
	if (unlink(FILE_NAME))
		return fail(FILE_NAME, strerror(errno));
	printf("removed %s\n", FILE_NAME);
	return true;
}

/* On a terminal a person decides. */
static bool may_write(const struct init *init, const char *file)
{
	char answer[16] = "";

	if (init->dry)
		return false;
	if (init->yes || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return true;
	printf("write %s? [y/N] ", file);
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static bool change_settings(const struct init *init)
{
	struct settings_change change;
	struct failure failure = {""};
	bool good = settings_plan(init->agent, init->undo, &change, &failure);
	bool same = good && !strcmp(change.before ? change.before : "", change.after ? change.after : "");

	if (good && same)
		printf("%s: nothing to change\n", change.file);
	if (good && !same) {
		settings_show(&change);
		fflush(stdout);
		if (may_write(init, change.file)) {
			good = settings_write(&change, &failure);
			if (good)
				printf("%s %s\n", change.after ? "wrote" : "removed", change.file);
			if (good && !init->undo)
				puts("Start the agent in this folder: bridle judges each of its tools from now on. To see it, "
				     "let it run: cat ~/.ssh/id_rsa");
			if (good && !init->undo && !hook_agent_rewrites(init->agent))
				puts("It judges a command by its words only, as this agent lets no hook change one; what the "
				     "command does then is judged when the whole agent runs under bridle");
			if (good && !init->undo && init->agent == HOOK_CODEX)
				puts("Codex asks before it uses a new hook: start it here, and say yes (/hooks)");
		}
	}
	settings_free(&change);
	if (!good)
		visible_line(stderr, (const char *[]){"bridle init: ", failure.text, NULL});
	if (!good && !init->undo && strstr(failure.text, "by hand"))
		settings_by_hand(init->agent);
	return good;
}

static bool do_init(const struct init *init)
{
	bool agent = init->agent != HOOK_AGENTS;

	if (agent && !change_settings(init))
		return false;
	if (init->dry)
		return true;
	if (init->undo)
		return remove_policy(init->agent);
	if (agent && !access(FILE_NAME, F_OK)) {
		printf("%s is here already and stays as it is\n", FILE_NAME);
		return true;
	}
	return write_policy(init->agent);
}

static bool read_arguments(struct init *init, int argc, char **argv)
{
	static const struct option options[] = {
		{"agent", required_argument, NULL, 'a'},
		{"dry-run", no_argument, NULL, 'n'},
		{"undo", no_argument, NULL, 'u'},
		{"yes", no_argument, NULL, 'y'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int option;

	optind = 0;
	while ((option = getopt_long(argc, argv, "a:nyh", options, NULL)) != -1) {
		init->dry |= option == 'n';
		init->undo |= option == 'u';
		init->yes |= option == 'y';
		init->help |= option == 'h';
		if (option == '?')
			return false;
		if (option == 'a' && (init->agent = hook_agent_of(optarg)) == HOOK_AGENTS)
			return fail(optarg, "the agents are claude-code, codex, gemini, qwen-code, copilot and cursor");
	}
	return optind == argc || fail(argv[optind], "what is this? See 'bridle init --help'");
}

int command_init(int argc, char **argv)
{
	struct init init = {HOOK_AGENTS, false, false, false, false};

	if (!read_arguments(&init, argc, argv))
		return STATUS_FAILED;
	if (init.help)
		fputs(help, stdout);
	else if (!do_init(&init))
		return STATUS_FAILED;
	return fflush(stdout) ? STATUS_FAILED : 0;
}
