/* SPDX-License-Identifier: MIT */
/* bridle init: write a commented bridle.cfg here. Never overwrites. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy_trust.h"

int command_init(int argc, char **argv);

#define FILE_NAME "bridle.cfg"
#define FAILED 125

static const char text[] =
	"// bridle's policy for this folder and all below it. `bridle policy check` says whether it is good,\n"
	"// `bridle policy show` prints it with everything that it extends.\n"
	"\n"
	"// The profile it builds on: tool (one tool call), agent (a whole agent), code (unreviewed code), or none.\n"
	"// What stands here wins: a single value replaces the profile's, a list is appended to the profile's, and\n"
	"// \"!entry\" in a list drops an inherited entry.\n"
	"extends = \"tool\";\n"
	"root = \".\";\n"
	"mode = \"enforce\";             // audit: refuse nothing, report what would have been refused\n"
	"\n"
	"// Programs that must not start, by basename; globs.\n"
	"names: { deny = [ ]; };\n"
	"\n"
	"paths: {\n"
	"\t// A tree; \"~/x\" below the home; \"./x\" below the root; a name without a slash is any file of that name.\n"
	"\tread  = [ ];                // for example \"/opt/sdk\", \"~/.m2\"\n"
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
	"\twall_seconds = 120;         // 0: no limit\n"
	"\t// cpu_seconds, memory_mb, file_size_mb, open_files, processes, output_bytes, grace_seconds\n"
	"};\n"
	"\n"
	"environment: {\n"
	"\tinherit = [ ];              // variables that commands get beside the inherited ones: \"DATABASE_*\"\n"
	"\tset = ( );                  // { name = \"CI\"; value = \"1\"; }\n"
	"};\n";

static int fail(const char *words)
{
	fprintf(stderr, "bridle init: %s: %s\n", FILE_NAME, words);
	return FAILED;
}

int command_init(int argc, char **argv)
{
	struct failure failure;
	FILE *stream;
	char *path = NULL;
	int file;

	if (argc > 1) {
		bool asked = !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h");

		fputs("usage: bridle init\nWrites a commented " FILE_NAME " into this folder.\n", asked ? stdout : stderr);
		return asked && !fflush(stdout) ? 0 : FAILED;
	}
	file = open(FILE_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (file < 0)
		return fail(errno == EEXIST ? "it is here already and stays as it is" : strerror(errno));
	stream = fdopen(file, "w");
	if (!stream || fputs(text, stream) == EOF || fclose(stream)) {
		int error = errno;

		unlink(FILE_NAME);
		return fail(strerror(error));
	}
	if (!policy_trust_file(FILE_NAME, &path, &failure))
		fprintf(stderr, "bridle init: %s: wrote it, but it is not trusted yet: %s\n", FILE_NAME, failure.text);
	free(path);
	printf("wrote %s; change it, then say: bridle policy check && bridle policy trust\n", FILE_NAME);
	return fflush(stdout) ? FAILED : 0;
}
