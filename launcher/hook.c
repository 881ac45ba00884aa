/* SPDX-License-Identifier: MIT */
/* bridle hook AGENT: what the policy says of the tool that an agent is about to use, in that agent's own words. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "hook/answer.h"
#include "hook/rewrite.h"
#include "prepare.h"
#include "report/visible.h"
#include "run/result.h"
#include "say.h"

static const char help[] =
	"usage: bridle hook AGENT [OPTION]...\n"
	"Read the event that AGENT sends before it uses a tool on stdin, and answer it on stdout.\n"
	"AGENT is claude-code, codex, gemini, qwen-code, copilot or cursor.\n"
	"\n"
	"  -e, --enforce          put the shell commands that are allowed under `bridle run --shell`\n"
	"  -f, --fail open|closed what becomes of a tool that cannot be judged (else closed: it is refused)\n"
	"  -p, --policy FILE      the policy, as for `bridle run`\n"
	"  -P, --profile NAME     a built-in profile instead\n"
	"  -r, --root DIR         the project\n"
	"  -m, --mode MODE        enforce, or audit: refuse nothing\n"
	"      --set KEY=VALUE    override one policy setting\n"
	"  -h, --help             this text\n";

struct hook {
	enum hook_agent agent;
	bool enforce, open, help;
	struct options options; /* those that say which policy */
	struct hook_event event;
	struct preparation preparation;
	struct hook_verdict verdict;
	char *text;
};

static const struct option long_options[] = {
	{"enforce", no_argument, NULL, 'e'},
	{"fail", required_argument, NULL, 'f'},
	{"policy", required_argument, NULL, 'p'},
	{"profile", required_argument, NULL, 'P'},
	{"root", required_argument, NULL, 'r'},
	{"mode", required_argument, NULL, 'm'},
	{"set", required_argument, NULL, 's'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static bool take(struct hook *hook, int option, const char **sets, size_t *count, struct failure *failure)
{
	switch (option) {
	case 'e':
		hook->enforce = true;
		return true;
	case 'f':
		hook->open = !strcmp(optarg, "open");
		return hook->open || !strcmp(optarg, "closed") ||
		       failure_set(failure, "--fail is 'open' or 'closed', not '%s'", optarg);
	case 'p':
		hook->options.choice.file = optarg;
		return true;
	case 'P':
		hook->options.choice.profile = optarg;
		return true;
	case 'r':
		hook->options.choice.root = optarg;
		return true;
	case 'm':
		hook->options.choice.mode = optarg;
		return true;
	case 's':
		sets[(*count)++] = optarg;
		return true;
	case 'h':
		hook->help = true;
		return true;
	default:
		return failure_set(failure, "what is '%s'? See 'bridle hook --help'", hook->options.argv[optind - 1]);
	}
}

/* The agent is known as soon as it can be, so that a mistake behind it is answered in its words. */
static bool read_arguments(struct hook *hook, int argc, char **argv, struct failure *failure)
{
	const char **sets = calloc((size_t)argc + 1, sizeof(*sets));
	size_t count = 0;
	int option;

	for (int i = 1; i < argc && hook->agent == HOOK_AGENTS; i++)
		hook->agent = hook_agent_of(argv[i]);
	hook->options.choice.sets = sets;
	hook->options.argv = argv;
	if (!sets)
		return failure_set(failure, "out of memory");
	opterr = 0;
	optind = 0;
	unsetenv("POSIXLY_CORRECT"); /* or options behind the agent's name were none */
	while ((option = getopt_long(argc, argv, "ef:p:P:r:m:h", long_options, NULL)) != -1)
		if (!take(hook, option, sets, &count, failure))
			return false;
	if (hook->help)
		return true;
	if (hook->agent == HOOK_AGENTS || optind + 1 != argc || hook_agent_of(argv[optind]) != hook->agent)
		return failure_set(failure, "say which agent asks: claude-code, codex, gemini, qwen-code, copilot or cursor");
	if (hook->enforce && !hook_agent_rewrites(hook->agent))
		return failure_set(failure, "--enforce: %s runs no command that a hook puts in the place of its own: leave it "
					    "out, and run the whole agent under bridle",
				   hook_agent_name(hook->agent));
	return true;
}

/* All of stdin; NULL with the reason in failure. */
static char *read_event(size_t *ret_size, struct failure *failure)
{
	size_t size = 0, room = 65536;
	char *text = malloc(room);

	while (text) {
		ssize_t got = read(STDIN_FILENO, text + size, room - size);

		if (got == 0) {
			*ret_size = size;
			return text;
		}
		if (got < 0 && errno != EINTR) {
			failure_set(failure, "cannot read the event: %s", strerror(errno));
			break;
		}
		size += got > 0 ? (size_t)got : 0;
		if (size > HOOK_EVENT_MAX) {
			failure_set(failure, "the event is larger than %u MB and was not judged: do this in smaller parts",
				    HOOK_EVENT_MAX >> 20);
			break;
		}
		if (size == room) {
			char *larger = realloc(text, room *= 2);

			if (!larger)
				break;
			text = larger;
		}
	}
	if (!failure->text[0])
		failure_set(failure, "no memory for the event");
	free(text);
	return NULL;
}

static bool enter(const char *folder, struct failure *failure)
{
	if (!folder || !chdir(folder))
		return true;
	return failure_set(failure, "cannot enter '%s', where the event takes place: %s", folder, strerror(errno));
}

/* The policy is that of the project; paths start where the event takes place. */
static bool judge(struct hook *hook, struct failure *failure)
{
	const struct hook_event *event = &hook->event;

	return enter(event->project ? event->project : event->cwd, failure) &&
	       prepare(&hook->options, NULL, false, &hook->preparation, failure) && enter(event->cwd, failure) &&
	       hook_judge(event, &hook->preparation.question, &hook->verdict, failure);
}

static bool hear(struct hook *hook, struct failure *failure)
{
	size_t size = 0;

	hook->text = read_event(&size, failure);
	if (!hook->text || !hook_event_read(hook->agent, hook->text, size, &hook->event, failure))
		return false;
	return !hook->event.before || judge(hook, failure);
}

static int answer(const struct hook *hook, const struct hook_answer *answer)
{
	const char *event = hook->event.name;
	json_t *object = hook_answer_json(hook->agent, event ? event : "", answer);
	bool written = object && result_write(object, STDOUT_FILENO);

	if (!written)
		say("hook: cannot write the answer: %s", strerror(errno));
	if (answer->opinion == HOOK_DENY)
		visible_line(stderr, (const char *[]){answer->reason, NULL});
	json_decref(object);
	if (written)
		return hook_answer_status(hook->agent, answer);
	/* Without an answer the status alone can stop the tool. */
	return hook->open ? STATUS_FAILED : HOOK_STATUS_BLOCK;
}

/* Bridle's own trouble is told on stderr, and to the agent where it costs it a tool. */
static int answer_failure(struct hook *hook, const struct failure *failure)
{
	char reason[1200];
	struct hook_answer given = {hook->open ? HOOK_NONE : HOOK_DENY, reason, NULL};
	struct hook_event nothing;
	struct failure ignored;

	if (!hook->event.name) {
		hook_event_read(hook->agent, "{}", 2, &nothing, &ignored);
		hook->event.name = nothing.name;
		hook_event_free(&nothing);
	}
	snprintf(reason, sizeof(reason), "bridle: hook: %s%s", failure->text,
		 hook->open ? " (not judged: --fail open)" : "");
	if (hook->open)
		visible_line(stderr, (const char *[]){reason, NULL});
	return answer(hook, &given);
}

static int answer_verdict(struct hook *hook)
{
	struct hook_answer given = {hook->verdict.opinion, NULL, NULL};
	bool audit = hook->preparation.image && hook->preparation.image->flags & IMAGE_AUDIT;
	struct failure failure;
	int status;

	if (given.opinion == HOOK_DENY)
		given.reason = hook->verdict.reason;
	if (given.opinion == HOOK_DENY && audit) {
		say("hook: audit, not refused: %s", given.reason);
		given.opinion = HOOK_ALLOW;
	}
	if (given.opinion == HOOK_ALLOW && hook->enforce && hook->verdict.key) {
		given.input = hook_rewrite(&hook->event, hook->verdict.key, hook->preparation.policy,
					   &hook->options.choice);
		if (!given.input) {
			failure_set(&failure, "cannot put the command under bridle run");
			return answer_failure(hook, &failure);
		}
	}
	status = answer(hook, &given);
	json_decref(given.input);
	return status;
}

int command_hook(int argc, char **argv)
{
	struct hook hook = {.agent = HOOK_AGENTS};
	struct failure failure = {""};
	int status = STATUS_FAILED;
	bool good = read_arguments(&hook, argc, argv, &failure);

	if (good && hook.help)
		status = fputs(help, stdout) == EOF || fflush(stdout) ? STATUS_FAILED : 0;
	else if (hook.agent == HOOK_AGENTS)
		say("hook: %s", failure.text);
	else if (good && hear(&hook, &failure))
		status = answer_verdict(&hook);
	else
		status = answer_failure(&hook, &failure);
	free(hook.verdict.key);
	preparation_free(&hook.preparation);
	hook_event_free(&hook.event);
	options_free(&hook.options);
	free(hook.text);
	return status;
}
