/* SPDX-License-Identifier: MIT */
/* Sessions for tests. */
#include "session_of.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS_MAX 64

char *session_built(const char *name)
{
	const char *build = getenv("BUILD");
	char *path = NULL, *folder = realpath(build && *build ? build : "build", NULL);

	cr_assert_not_null(folder, "no build folder");
	cr_assert_geq(asprintf(&path, "%s/%s", folder, name), 0);
	free(folder);
	return path;
}

static char *read_all(FILE *stream)
{
	size_t used = 0, room = 4096, got;
	char *text = malloc(room);

	rewind(stream);
	while (text && (got = fread(text + used, 1, room - used - 1, stream)) > 0) {
		used += got;
		if (room - used < 2)
			text = realloc(text, room *= 2);
	}
	cr_assert_not_null(text);
	text[used] = '\0';
	fclose(stream);
	return text;
}

static json_t *read_report(const char *path)
{
	json_t *lines = json_array(), *line;
	FILE *stream = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;

	while (stream && getline(&text, &room, stream) > 0) {
		line = json_loads(text, 0, NULL);
		cr_expect_not_null(line, "not a JSON line: %s", text);
		json_array_append_new(lines, line ? line : json_null());
	}
	free(text);
	if (stream)
		fclose(stream);
	return lines;
}

struct session_of session_start(const char *const *argv, const char *report)
{
	FILE *output = tmpfile(), *errors = tmpfile();
	struct session_of session = {0};
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		dup2(fileno(output), STDOUT_FILENO);
		dup2(fileno(errors), STDERR_FILENO);
		execv(argv[0], (char *const *)argv);
		_exit(125);
	}
	cr_assert_gt(child, 0);
	while (waitpid(child, &status, 0) < 0)
		cr_assert_eq(errno, EINTR);
	session.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	session.output = read_all(output);
	session.errors = read_all(errors);
	session.report = report ? read_report(report) : json_array();
	return session;
}

struct session_of session_run(const char *folder, const char *policy, const char *const *argv)
{
	const char *line[ARGUMENTS_MAX + 16];
	char *bridle = session_built("bridle"), report[4096], file[4096];
	struct session_of session;
	size_t count = 0;
	FILE *stream;

	snprintf(report, sizeof(report), "%s/report.jsonl", folder);
	snprintf(file, sizeof(file), "%s/session.cfg", folder);
	unlink(report);
	stream = fopen(file, "we");
	cr_assert_not_null(stream);
	fputs(policy, stream);
	fclose(stream);
	line[count++] = bridle;
	line[count++] = "run";
	line[count++] = "--policy";
	line[count++] = file;
	line[count++] = "-C";
	line[count++] = folder;
	line[count++] = "--report";
	line[count++] = report;
	line[count++] = "--";
	for (size_t i = 0; argv[i] && count < ARGUMENTS_MAX; i++)
		line[count++] = argv[i];
	line[count] = NULL;
	session = session_start(line, report);
	unlink(report);
	unlink(file);
	free(bridle);
	return session;
}

void session_free(struct session_of *session)
{
	free(session->output);
	free(session->errors);
	json_decref(session->report);
}

const char *session_field(const json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));

	return text ? text : "";
}

const json_t *session_line(const struct session_of *session, const char *key, const char *value)
{
	for (size_t i = 0; i < json_array_size(session->report); i++)
		if (!strcmp(session_field(json_array_get(session->report, i), key), value))
			return json_array_get(session->report, i);
	return NULL;
}

size_t session_count(const struct session_of *session, const char *key, const char *value)
{
	size_t count = 0;

	for (size_t i = 0; i < json_array_size(session->report); i++)
		count += !strcmp(session_field(json_array_get(session->report, i), key), value);
	return count;
}
