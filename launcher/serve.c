/* SPDX-License-Identifier: MIT */
/* bridle serve: for harnesses that run many commands, and for agents that speak the Model Context Protocol. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "commands.h"
#include "say.h"
#include "serve/warm.h"

#define JOBS_MAX 256

static const char help[] =
	"usage: bridle serve [OPTION]...\n"
	"Read requests, one JSON object a line, run each under the policy, and write each result as a line.\n"
	"  {\"id\": 1, \"argv\": [\"make\"], \"cwd\": \"src\", \"stdin\": \"\", \"timeout\": 5, \"shell\": false}\n"
	"  {\"cancel\": 1}\n"
	"Results come as they are ready, as of `bridle run --json`, with the id. With \"stream\": true the output comes\n"
	"before, as {\"id\": 1, \"stream\": \"stdout\", \"data\": \"...\"}, whole. The policy is read once, at the start.\n"
	"With --warm, {\"id\": 2, \"task\": ANYTHING} goes as one line to a worker that was started before; the line that it\n"
	"answers is the stdout of the result.\n"
	"\n"
	"  -S, --socket PATH      listen on a unix socket (mode 0600) instead of stdin and stdout\n"
	"      --mcp              speak the Model Context Protocol on stdin and stdout: the tools run and check\n"
	"  -n, --jobs N           at most N commands at once (else as many as there are processors)\n"
	"  -w, --warm LINE        keep as many workers as --jobs says, started by this shell line; one that runs out of time\n"
	"                         or ends is replaced\n"
	"      --warm-requests N  ... also after N tasks\n"
	"      --warm-cpu SECONDS ... or when it has used so much CPU time (else half of limits.cpu_seconds)\n"
	"  -p, --policy FILE      the policy, as for `bridle run`; so are these:\n"
	"  -P, --profile NAME, -r, --root DIR, -m, --mode MODE, --set KEY=VALUE, --report FILE\n"
	"  -h, --help             this text\n";

struct arguments {
	struct server server;
	struct policy_choice choice;
	const char *socket;
	bool help;
};

enum {
	OPTION_MCP = 256,
	OPTION_SET,
	OPTION_REPORT,
	OPTION_WARM_REQUESTS,
	OPTION_WARM_CPU
};

static const struct option long_options[] = {
	{"socket", required_argument, NULL, 'S'},
	{"mcp", no_argument, NULL, OPTION_MCP},
	{"jobs", required_argument, NULL, 'n'},
	{"warm", required_argument, NULL, 'w'},
	{"warm-requests", required_argument, NULL, OPTION_WARM_REQUESTS},
	{"warm-cpu", required_argument, NULL, OPTION_WARM_CPU},
	{"policy", required_argument, NULL, 'p'},
	{"profile", required_argument, NULL, 'P'},
	{"root", required_argument, NULL, 'r'},
	{"mode", required_argument, NULL, 'm'},
	{"set", required_argument, NULL, OPTION_SET},
	{"report", required_argument, NULL, OPTION_REPORT},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static bool read_count(const char *option, const char *text, size_t most, size_t *ret, struct failure *failure)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || *text == '-' || value < 1 || value > most)
		return failure_set(failure, "%s is a number from 1 to %zu, not '%s'", option, most, text);
	*ret = value;
	return true;
}

static bool read_seconds(const char *text, double *ret, struct failure *failure)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0 && value <= 1e9))
		return failure_set(failure, "--warm-cpu is seconds of CPU time, such as 10 or 0.5, not '%s'", text);
	*ret = value;
	return true;
}

static bool take(struct arguments *arguments, int option, struct failure *failure)
{
	struct server *server = &arguments->server;

	switch (option) {
	case 'S':
		arguments->socket = optarg;
		return true;
	case OPTION_MCP:
		server->mcp = true;
		return true;
	case 'n':
		return read_count("--jobs", optarg, JOBS_MAX, &server->limit, failure);
	case 'w':
		server->warm.line = optarg;
		return true;
	case OPTION_WARM_REQUESTS:
		return read_count("--warm-requests", optarg, 1000000000, &server->warm.requests, failure);
	case OPTION_WARM_CPU:
		return read_seconds(optarg, &server->warm.cpu_seconds, failure);
	case OPTION_REPORT:
		server->report = optarg;
		return true;
	case 'h':
		arguments->help = true;
		return true;
	default:
		return options_take_choice(&arguments->choice, option, optarg, failure);
	}
}

static bool read_arguments(struct arguments *arguments, int argc, char **argv, struct failure *failure)
{
	const struct warm *warm = &arguments->server.warm;
	int option;

	opterr = 0;
	optind = 0;
	while ((option = getopt_long(argc, argv, "S:n:w:p:P:r:m:h", long_options, NULL)) != -1) {
		if (option == '?')
			return failure_set(failure, "what is '%s'? See 'bridle serve --help'", argv[optind - 1]);
		if (!take(arguments, option, failure))
			return false;
	}
	if (optind < argc)
		return failure_set(failure, "what is '%s'? A command comes as a request", argv[optind]);
	if (arguments->server.mcp && (arguments->socket || warm->line))
		return failure_set(failure, "--mcp speaks on stdin and stdout: it goes without --socket and --warm");
	if (!warm->line && (warm->requests || warm->cpu_seconds > 0))
		return failure_set(failure, "--warm-requests and --warm-cpu are about the workers of --warm LINE");
	return true;
}

/* Read and compiled once; a mistake in it is told before anybody asks for anything. */
static bool make_policy(struct arguments *arguments, struct failure *failure)
{
	struct server *server = &arguments->server;

	if (!ready_policy_make(&arguments->choice, &server->ready, failure))
		return false;
	say_untrusted(server->ready.policy);
	if (server->warm.line && !(server->warm.cpu_seconds > 0))
		server->warm.cpu_seconds = (double)policy_limits(server->ready.policy)->cpu_seconds / 2;
	return !server->warm.line || warm_check(server, failure);
}

/* A socket that nobody listens on any more is left over from a server that was killed. */
static bool is_left_over(const struct sockaddr_un *address)
{
	int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat status;
	bool dead = !lstat(address->sun_path, &status) && S_ISSOCK(status.st_mode) &&
		    connect(file, (const struct sockaddr *)address, sizeof(*address)) && errno == ECONNREFUSED;

	close(file);
	return dead;
}

static bool listen_on(const char *path, int *ret_file, struct failure *failure)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	mode_t mask;
	bool good;

	if (strlen(path) >= sizeof(address.sun_path))
		return failure_set(failure, "--socket %s: the path is longer than %zu bytes", path,
				   sizeof(address.sun_path) - 1);
	strcpy(address.sun_path, path);
	*ret_file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*ret_file >= 0 && is_left_over(&address))
		unlink(path);
	mask = umask(0177);
	good = *ret_file >= 0 && !bind(*ret_file, (const struct sockaddr *)&address, sizeof(address)) &&
	       !listen(*ret_file, 64);
	umask(mask);
	return good || failure_set(failure, "--socket %s: %s", path, strerror(errno));
}

int command_serve(int argc, char **argv)
{
	struct arguments arguments = {.server.listener = -1};
	struct server *server = &arguments.server;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct failure failure = {""};
	int status = STATUS_FAILED;

	server->ready.session.file = server->ready.session.fifo = -1;
	server->limit = processors > 0 && processors < JOBS_MAX ? (size_t)processors : 1;
	if (!read_arguments(&arguments, argc, argv, &failure))
		say("serve: %s", failure.text);
	else if (arguments.help)
		status = fputs(help, stdout) == EOF || fflush(stdout) ? STATUS_FAILED : 0;
	else if (!make_policy(&arguments, &failure) ||
		 (arguments.socket && !listen_on(arguments.socket, &server->listener, &failure)))
		say("serve: %s", failure.text);
	else
		status = server_run(server);
	if (server->listener >= 0)
		unlink(arguments.socket);
	ready_policy_free(&server->ready);
	free((void *)arguments.choice.sets);
	return status;
}
