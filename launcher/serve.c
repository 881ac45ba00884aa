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
#include "prepare.h"
#include "say.h"
#include "serve/server.h"

#define JOBS_MAX 256

static const char help[] =
	"usage: bridle serve [OPTION]...\n"
	"Read requests, one JSON object a line, run each under the policy, and write each result as a line.\n"
	"  {\"id\": 1, \"argv\": [\"make\"], \"cwd\": \"src\", \"stdin\": \"\", \"timeout\": 5, \"shell\": false}\n"
	"  {\"cancel\": 1}\n"
	"Results come as they are ready, as of `bridle run --json`, with the id.\n"
	"\n"
	"  -S, --socket PATH      listen on a unix socket (mode 0600) instead of stdin and stdout\n"
	"      --mcp              speak the Model Context Protocol on stdin and stdout: the tools run and check\n"
	"  -n, --jobs N           at most N commands at once (else as many as there are processors)\n"
	"  -p, --policy FILE      the policy, as for `bridle run`; so are these:\n"
	"  -P, --profile NAME, -r, --root DIR, -m, --mode MODE, --set KEY=VALUE, --report FILE\n"
	"  -h, --help             this text\n";

struct arguments {
	struct server server;
	const char *socket;
	bool help;
};

static const struct option long_options[] = {
	{"socket", required_argument, NULL, 'S'},
	{"mcp", no_argument, NULL, 'M'},
	{"jobs", required_argument, NULL, 'n'},
	{"policy", required_argument, NULL, 'p'},
	{"profile", required_argument, NULL, 'P'},
	{"root", required_argument, NULL, 'r'},
	{"mode", required_argument, NULL, 'm'},
	{"set", required_argument, NULL, 's'},
	{"report", required_argument, NULL, 'R'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static bool read_jobs(const char *text, size_t *ret, struct failure *failure)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || value < 1 || value > JOBS_MAX)
		return failure_set(failure, "--jobs is a number from 1 to %d, not '%s'", JOBS_MAX, text);
	*ret = value;
	return true;
}

/* Everything else is for the children, as it is. */
static bool read_arguments(struct arguments *arguments, int argc, char **argv, struct failure *failure)
{
	size_t count = 0;
	int option, which;

	opterr = 0;
	optind = 0;
	while ((option = getopt_long(argc, argv, "S:n:p:P:r:m:h", long_options, NULL)) != -1) {
		if (option == '?')
			return failure_set(failure, "what is '%s'? See 'bridle serve --help'", argv[optind - 1]);
		if (option == 'n' && !read_jobs(optarg, &arguments->server.limit, failure))
			return false;
		if (option == 'S')
			arguments->socket = optarg;
		arguments->server.mcp |= option == 'M';
		arguments->help |= option == 'h';
		if (!strchr("pPrmsR", option))
			continue;
		for (which = 0; long_options[which].val != option; which++)
			;
		if (asprintf(&arguments->server.options[count++], "--%s=%s", long_options[which].name, optarg) < 0)
			return failure_set(failure, "out of memory");
	}
	if (optind < argc)
		return failure_set(failure, "what is '%s'? A command comes as a request", argv[optind]);
	if (arguments->socket && arguments->server.mcp)
		return failure_set(failure, "--mcp speaks on stdin and stdout: it goes without --socket");
	return true;
}

/* A mistake in the policy is told before anybody asks for anything. */
static bool try_policy(const struct server *server, struct failure *failure)
{
	struct preparation preparation = {NULL};
	struct options options;
	size_t count = 0;
	char **argv;
	bool good;

	while (server->options[count])
		count++;
	argv = calloc(count + 4, sizeof(*argv));
	if (!argv)
		return failure_set(failure, "out of memory");
	argv[0] = (char *)"run";
	memcpy(argv + 1, server->options, count * sizeof(*argv));
	argv[count + 1] = (char *)"--";
	argv[count + 2] = (char *)"true";
	good = options_parse((int)count + 3, argv, &options, failure) &&
	       prepare(&options, NULL, false, &preparation, failure);
	preparation_free(&preparation);
	options_free(&options);
	free(argv);
	return good;
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
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct failure failure = {""};
	int status = STATUS_FAILED;

	arguments.server.limit = processors > 0 && processors < JOBS_MAX ? (size_t)processors : 1;
	arguments.server.options = calloc((size_t)argc + 1, sizeof(char *));
	if (!arguments.server.options)
		return STATUS_FAILED;
	if (!read_arguments(&arguments, argc, argv, &failure))
		say("serve: %s", failure.text);
	else if (arguments.help)
		status = fputs(help, stdout) == EOF || fflush(stdout) ? STATUS_FAILED : 0;
	else if (!try_policy(&arguments.server, &failure) ||
		 (arguments.socket && !listen_on(arguments.socket, &arguments.server.listener, &failure)))
		say("serve: %s", failure.text);
	else
		status = server_run(&arguments.server);
	for (size_t i = 0; arguments.server.options[i]; i++)
		free(arguments.server.options[i]);
	free(arguments.server.options);
	return status;
}
