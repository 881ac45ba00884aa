/* SPDX-License-Identifier: MIT */
/* Labelled commands against a policy, for those who write one. */
#include "policy_test.h"
#include "report/visible.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decide/decide.h"
#include "options.h"
#include "prepare.h"

#define TEST_FAILED 1
#define TEST_ERROR 2

static const char *const rule_names[] = {
#define RULE(name, words) words,
#include "rules.def"
#undef RULE
};

struct run {
	struct preparation preparation;
	json_t **cases;
	size_t count, room, failed;
};

/* What a line must be to be a case; NULL where it is. */
static const char *wrong_case(json_t *line)
{
	json_t *argv = json_object_get(line, "argv"), *word;
	const char *expect = json_string_value(json_object_get(line, "expect"));
	size_t index;

	if (!json_is_array(argv) || !json_array_size(argv))
		return "\"argv\" must be a list of strings";
	json_array_foreach(argv, index, word)
	{
		if (!json_is_string(word) || strlen(json_string_value(word)) != json_string_length(word))
			return "\"argv\" must be a list of strings without NUL";
	}
	if (!expect || (strcmp(expect, "allow") && strcmp(expect, "deny")))
		return "\"expect\" must be \"allow\" or \"deny\"";
	if (json_is_true(json_object_get(line, "shell")) && json_array_size(argv) != 1)
		return "with \"shell\" argv is one line";
	return NULL;
}

static bool add_case(struct run *run, json_t *line)
{
	if (run->count == run->room) {
		json_t **cases;

		run->room = run->room * 2 + 64;
		cases = reallocarray(run->cases, run->room, sizeof(json_t *));
		if (!cases)
			return false;
		run->cases = cases;
	}
	run->cases[run->count++] = line;
	return true;
}

static bool read_line(struct run *run, const char *file, size_t number, const char *text)
{
	json_error_t error;
	json_t *line;
	const char *wrong;

	if (text[strspn(text, " \t\r\n")] == '\0')
		return true;
	line = json_loads(text, 0, &error);
	wrong = line ? wrong_case(line) : error.text;
	if (!wrong && add_case(run, line))
		return true;
	fprintf(stderr, "bridle policy test: %s:%zu: %s\n", file, number, wrong ? wrong : "out of memory");
	json_decref(line);
	return false;
}

static bool read_file(struct run *run, const char *file)
{
	FILE *stream = fopen(file, "re");
	size_t room = 0, number = 0;
	char *text = NULL;
	bool good = stream != NULL;

	while (good && getline(&text, &room, stream) >= 0)
		good = read_line(run, file, ++number, text);
	if (!stream || (good && ferror(stream))) {
		visible_line(stderr, (const char *[]){"bridle policy test: cannot read ", file, ": ", strerror(errno), NULL});
		good = false;
	}
	if (stream)
		fclose(stream);
	free(text);
	return good;
}

/* A word of a description: TAP takes "#" for the start of a directive, and a line is a line. */
static void print_words(json_t *argv)
{
	json_t *word;
	size_t index;

	json_array_foreach(argv, index, word)
	{
		putchar(' ');
		for (const char *at = json_string_value(word); *at; at++)
			putchar(*at == '#' || (unsigned char)*at < ' ' ? '?' : *at);
	}
}

static void print_case(struct run *run, size_t number, json_t *one, const struct verdict *verdict, bool good)
{
	const char *id = json_string_value(json_object_get(one, "id"));
	const char *rule = json_string_value(json_object_get(one, "rule"));
	bool debatable = json_is_true(json_object_get(one, "debatable"));

	printf("%s %zu - %s:", good ? "ok" : "not ok", number, id ? id : "case");
	print_words(json_object_get(one, "argv"));
	printf("%s\n", debatable ? " # TODO debatable" : "");
	run->failed += !good && !debatable;
	if (good)
		return;
	printf("  ---\n  expected: %s%s%s\n  got: %s%s%s\n", json_string_value(json_object_get(one, "expect")),
	       rule ? " " : "", rule ? rule : "", verdict->decision.denied ? "deny" : "allow",
	       verdict->decision.denied ? " " : "", rule_names[verdict->decision.rule]);
	if (verdict->reason[0])
		printf("  reason: |\n    %s\n", verdict->reason);
	printf("  ...\n");
}

static bool judge(struct run *run, size_t number, json_t *one)
{
	json_t *argv = json_object_get(one, "argv");
	const char *rule = json_string_value(json_object_get(one, "rule"));
	struct question question = run->preparation.question;
	struct verdict *verdict = calloc(1, sizeof(*verdict));
	bool denies = !strcmp(json_string_value(json_object_get(one, "expect")), "deny"), good;
	char **words = calloc(json_array_size(argv) + 1, sizeof(char *));

	if (!verdict || !words) {
		free(verdict);
		free(words);
		return false;
	}
	for (size_t i = 0; i < json_array_size(argv); i++)
		words[i] = (char *)json_string_value(json_array_get(argv, i));
	question.argv = words;
	question.argc = json_array_size(argv);
	question.shell = json_is_true(json_object_get(one, "shell"));
	decide_command(&question, verdict);
	good = verdict->decision.denied == denies && (!rule || !strcmp(rule, rule_names[verdict->decision.rule]));
	print_case(run, number, one, verdict, good);
	verdict_free(verdict);
	free(verdict);
	free(words);
	return true;
}

static bool prepare_run(struct run *run, const struct policy_choice *choice)
{
	struct options options = {.choice = *choice, .timeout = -1, .result_fd = -1, .report_fd = -1};
	struct failure failure = {""};

	if (!prepare(&options, NULL, false, &run->preparation, &failure)) {
		visible_line(stderr, (const char *[]){"bridle: ", failure.text, NULL});
		return false;
	}
	if (!chdir(policy_root(run->preparation.policy)))
		return true;
	fprintf(stderr, "bridle policy test: cannot go to the root %s: %s\n",
		policy_root(run->preparation.policy), strerror(errno));
	return false;
}

static int judge_all(struct run *run)
{
	printf("TAP version 13\n1..%zu\n", run->count);
	for (size_t i = 0; i < run->count; i++)
		if (!judge(run, i + 1, run->cases[i]))
			return TEST_ERROR;
	printf("# %zu of %zu as expected\n", run->count - run->failed, run->count);
	if (fflush(stdout))
		return TEST_ERROR;
	return run->failed ? TEST_FAILED : 0;
}

int policy_test(const struct policy_choice *choice, char *const *files, int count)
{
	struct run run = {.count = 0};
	int status = TEST_ERROR;
	bool good = count > 0;

	if (!good)
		fprintf(stderr, "bridle policy test: which cases? Give a FILE with one JSON object a line\n");
	for (int i = 0; good && i < count; i++)
		good = read_file(&run, files[i]);
	if (good && prepare_run(&run, choice))
		status = judge_all(&run);
	preparation_free(&run.preparation);
	for (size_t i = 0; i < run.count; i++)
		json_decref(run.cases[i]);
	free(run.cases);
	return status;
}
