/* SPDX-License-Identifier: MIT */
/* The texts that answer --help, --version and mistakes on the command line of run, check and trace. */
#include "usage.h"

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "say.h"
#include "version.h"

static const char run_head[] =
	"usage: bridle run [OPTION]... [--] COMMAND [ARG]...\n"
	"Run COMMAND under the policy: refuse it at once, or keep it and all it starts inside the rules.\n";

static const char check_head[] =
	"usage: bridle check [OPTION]... [--] COMMAND [ARG]...\n"
	"Say what the policy answers to COMMAND, and start nothing.\n";

static const char trace_head[] =
	"usage: bridle trace [OPTION]... [--] COMMAND [ARG]...\n"
	"Run COMMAND, refuse nothing, show every call that the policy judges, and sum up at the end.\n";

static const char options_text[] =
	"\n"
	"  -p, --policy FILE      the policy (else $BRIDLE_POLICY, else bridle.cfg here or above,\n"
	"                         else the profile tool)\n"
	"  -P, --profile NAME     a built-in profile instead: tool, agent or code\n"
	"  -r, --root DIR         the project (else the policy's own, else its folder, else here)\n"
	"  -C, --chdir DIR        start COMMAND there\n"
	"  -m, --mode MODE        enforce, or audit: report but refuse nothing\n"
	"  -s, --shell            COMMAND is one argument, a line for /bin/sh\n"
	"  -t, --timeout SECONDS  end COMMAND and all it started after that time; 0: never\n"
	"  -j, --json             one JSON object on stdout instead of COMMAND's own output\n"
	"      --result-fd N      write that object to descriptor N (implies --json)\n"
	"      --stdin            with --json: COMMAND gets this stdin (else it is empty)\n"
	"      --report FILE      append the report, JSON Lines, to FILE\n"
	"      --report-fd N      write the report to descriptor N\n"
	"      --otlp TARGET      OpenTelemetry spans of the session: to a file, or http://127.0.0.1:4318\n"
	"      --set KEY=VALUE    override one policy setting: --set limits.cpu_seconds=5\n"
	"  -q, --quiet            no closing line, no violations on stderr\n"
	"  -v, --verbose          say which policy, root and limits are in force\n"
	"  -h, --help             this text\n"
	"  -V, --version          print the version\n";

static const char trace_options[] =
	"\n"
	"  -j, --json             show the calls as report lines, JSON, on stderr\n"
	"      --only LIST        show only these: exec,read,write,connect,denied\n"
	"      --program GLOB     show only calls of these programs\n"
	"      --path GLOB        show only calls on these paths\n"
	"      --enforce          refuse what the policy refuses\n";

static const char run_status[] =
	"\n"
	"Exit status: COMMAND's own; 128+N when signal N ended it; 124 out of time; 125 bridle itself\n"
	"failed; 126 refused at launch, or not executable; 127 not found.\n";

static const char check_status[] = "\nExit status: 0 allowed, 1 denied, 2 error.\n";

static void print_help(const char *command)
{
	bool check = !strcmp(command, "check");

	fputs(check ? check_head : strcmp(command, "trace") ? run_head
							    : trace_head,
	      stdout);
	fputs(options_text, stdout);
	if (!strcmp(command, "trace"))
		fputs(trace_options, stdout);
	fputs(check ? check_status : run_status, stdout);
}

bool usage_answer(const char *command, const struct options *options, bool parsed,
		  const struct failure *failure, int *ret_status)
{
	if (!parsed) {
		say("%s: %s", command, failure->text);
		*ret_status = strcmp(command, "check") ? STATUS_FAILED : STATUS_CHECK_ERROR;
		return true;
	}
	if (options->request == OPTIONS_COMMAND)
		return false;
	if (options->request == OPTIONS_HELP)
		print_help(command);
	else
		printf("bridle %s\n", BRIDLE_VERSION);
	*ret_status = fflush(stdout) ? STATUS_FAILED : 0;
	return true;
}
