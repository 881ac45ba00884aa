/* SPDX-License-Identifier: MIT */
/* bridle check: what the policy answers to a command, for people or as JSON. Starts nothing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "commands.h"
#include "decide/explain.h"
#include "prepare.h"
#include "run/result.h"
#include "say.h"
#include "usage.h"

static bool answer(const struct options *options, const struct preparation *preparation,
		   const struct verdict *verdict)
{
	json_t *object;
	bool good = true;

	if (options->json) {
		object = explain_json(&preparation->question, verdict);
		good = object && result_write(object, options->result_fd >= 0 ? options->result_fd : 1);
		json_decref(object);
		if (!good)
			say("check: cannot write the answer: %s", strerror(errno));
	} else if (!options->quiet) {
		explain_text(&preparation->question, verdict, stdout);
		good = !fflush(stdout); /* main says why not */
	}
	return good;
}

static int judge_into(struct verdict *verdict, const struct options *options, const struct preparation *preparation)
{
	struct failure failure;
	bool good = prepare_directory(options, preparation, verdict, &failure);
	int status = STATUS_CHECK_ERROR;

	if (good && !verdict->decision.denied) {
		verdict_free(verdict);
		decide_command(&preparation->question, verdict);
	}
	if (!good)
		say("check: %s", failure.text);
	else if (answer(options, preparation, verdict))
		status = verdict->decision.denied ? STATUS_CHECK_DENIED : 0;
	verdict_free(verdict);
	return status;
}

/* A verdict is too large for a small stack. */
static int judge(const struct options *options, const struct preparation *preparation)
{
	struct verdict *verdict = malloc(sizeof(*verdict));
	int status = STATUS_CHECK_ERROR;

	if (verdict)
		status = judge_into(verdict, options, preparation);
	else
		say("check: there is no memory for the verdict");
	free(verdict);
	return status;
}

int check_answer(const struct options *options)
{
	struct preparation preparation;
	struct failure failure;
	int status = STATUS_CHECK_ERROR;

	if (prepare(options, NULL, false, &preparation, &failure))
		status = judge(options, &preparation);
	else
		say("check: %s", failure.text);
	preparation_free(&preparation);
	return status;
}

int command_check(int argc, char **argv)
{
	struct options options;
	struct failure failure;
	bool parsed = options_parse(argc, argv, &options, &failure);
	int status;

	if (!usage_answer("check", &options, parsed, &failure, &status))
		status = check_answer(&options);
	options_free(&options);
	return status;
}
