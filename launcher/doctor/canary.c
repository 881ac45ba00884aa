/* SPDX-License-Identifier: MIT */
/* Letting the canaries fly: each under a `bridle run` of its own, then reading what its report says. */
#include "doctor/canary.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "doctor/kernel.h"

#define OPTIONS_MAX 64

/* How each canary is started in its cage. */
struct flight {
	const char *name, *words;
	enum canary_promise promise;
	const char *command[5];
};

static const struct flight flights[CANARY_COUNT] = {
	{"dynamic", "a dynamic program", CANARY_SHIM, {"./dynamic"}},
	{"env -i", "a program started with an empty environment", CANARY_SHIM, {"./cleared"}},
	{"closed", "a program that closed every descriptor", CANARY_SHIM, {"./closed"}},
	{"static", "a static program", CANARY_BACKSTOP, {"./static"}},
	{"raw", "a raw system call", CANARY_BACKSTOP, {"./canary", "doctor", "--canary", "raw"}},
	{"io_uring", "io_uring", CANARY_BACKSTOP, {"./canary", "doctor", "--canary", "io_uring"}},
	{"set-id", "a set-id program", CANARY_BACKSTOP, {"./setid", "doctor", "--canary", "open"}},
};

static _Noreturn void become(const struct canary_cage *cage, const char *report, const char *const *options,
			     const struct flight *flight)
{
	const char *argv[OPTIONS_MAX + 16] = {"bridle", "run", "-q", "-r", cage->folder, "-C", cage->folder, "--report",
					      report};
	size_t count = 9;
	int nothing = open("/dev/null", O_RDWR);

	for (size_t i = 0; i < OPTIONS_MAX && options[i]; i++)
		argv[count++] = options[i];
	argv[count++] = "--";
	for (size_t i = 0; i < 5 && flight->command[i]; i++)
		argv[count++] = flight->command[i];
	for (int i = 0; i < 3; i++)
		dup2(nothing, i);
	execv("/proc/self/exe", (char *const *)argv);
	_exit(STATUS_FAILED);
}

static int fly(const struct canary_cage *cage, const char *report, const char *const *options,
	       const struct flight *flight)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		become(cage, report, options, flight);
	if (child < 0)
		return STATUS_FAILED;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL + WTERMSIG(status);
}

static bool names(const json_t *line, const char *key, const char *value)
{
	const char *text = json_string_value(json_object_get(line, key));

	return text && !strcmp(text, value);
}

/* Is this the line about the canary: its target, or itself refused because it could not be covered? */
static bool is_about(const json_t *line, const struct canary_cage *cage)
{
	const char *rule = json_string_value(json_object_get(line, "rule"));

	if (!names(line, "verdict", "deny") || !rule)
		return false;
	return names(line, "target", cage->target) || names(line, "path", cage->target) ||
	       !strncmp(rule, "coverage.", strlen("coverage."));
}

/* Looks through the report; false when no line is about it. */
static bool find_line(const struct canary_cage *cage, const char *report, struct canary *canary)
{
	FILE *stream = fopen(report, "re");
	char *text = NULL;
	size_t room = 0;
	bool found = false;

	while (stream && !found && getline(&text, &room, stream) > 0) {
		json_t *line = json_loads(text, 0, NULL);

		if (line && is_about(line, cage)) {
			const char *rule = json_string_value(json_object_get(line, "rule"));
			const char *via = json_string_value(json_object_get(line, "via"));

			found = true;
			canary->outcome = json_is_false(json_object_get(line, "enforced")) ? CANARY_REPORTED
											   : CANARY_CAUGHT;
			snprintf(canary->detail, sizeof(canary->detail), "%s by the %s", rule, via ? via : "?");
		}
		json_decref(line);
	}
	free(text);
	if (stream)
		fclose(stream);
	return found;
}

static void judge(const struct canary_cage *cage, const char *report, int status, struct canary *canary)
{
	struct stat created;
	bool escaped = !lstat(cage->target, &created);

	if (escaped)
		unlink(cage->target);
	if (!strcmp(canary->name, "io_uring")) {
		canary->outcome = status == ENOSYS ? CANARY_CAUGHT : status ? CANARY_SILENT
									    : CANARY_ESCAPED;
		snprintf(canary->detail, sizeof(canary->detail), "%s",
			 status == ENOSYS ? "ENOSYS" : status ? "no ring was made, and not because of bridle"
							      : "a ring was made");
		return;
	}
	if (find_line(cage, report, canary) && !(escaped && canary->outcome == CANARY_CAUGHT))
		return;
	if (status == STATUS_FAILED)
		snprintf(canary->detail, sizeof(canary->detail), "bridle run failed; try it by hand to see why");
	else
		snprintf(canary->detail, sizeof(canary->detail), "exit status %d", status);
	canary->outcome = escaped ? CANARY_ESCAPED : CANARY_SILENT;
}

/* Why a canary does not apply here, or NULL. */
static const char *needless(const struct canary_cage *cage, const char *name)
{
	char path[PATH_MAX + 16];
	struct stat status;

	if (!strcmp(name, "io_uring") && !kernel_has_io_uring())
		return "this kernel gives no ring to anybody";
	snprintf(path, sizeof(path), "%s/setid", cage->folder);
	if (!strcmp(name, "set-id") && (stat(path, &status) < 0 || !(status.st_mode & (S_ISUID | S_ISGID))))
		return "this user cannot make one";
	return NULL;
}

void canary_run(const struct canary_cage *cage, const char *const *options, struct canary ret_canaries[CANARY_COUNT])
{
	char report[PATH_MAX + 16];

	snprintf(report, sizeof(report), "%s/report", cage->folder);
	for (size_t i = 0; i < CANARY_COUNT; i++) {
		struct canary *canary = &ret_canaries[i];
		const char *why = needless(cage, flights[i].name);

		*canary = (struct canary){
			.name = flights[i].name, .words = flights[i].words, .promise = flights[i].promise};
		if (why) {
			canary->outcome = CANARY_UNTRIED;
			snprintf(canary->detail, sizeof(canary->detail), "%s", why);
			continue;
		}
		unlink(report);
		judge(cage, report, fly(cage, report, options, &flights[i]), canary);
	}
}
