/* SPDX-License-Identifier: MIT */
/* Any argument vector under each built-in profile: the answer names a rule and an existing element, twice alike. */
#include "target.h"

#include "check/command.h"

enum {
	ARGUMENTS_MAX = 64
};

static struct image *profile[3];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	size_t size;

	(void)argc;
	(void)argv;
	profile[0] = fuzz_profile("tool", &size);
	profile[1] = fuzz_profile("agent", &size);
	profile[2] = fuzz_profile("code", &size);
	return 0;
}

static void judge(const struct image *image, const struct command *command)
{
	struct decision decision = check_command(image, command);
	struct decision again = check_command(image, command);

	require(decision.denied == (decision.rule != RULE_NONE));
	require(decision.rule < RULE_COUNT);
	require(decision.element >= -1 && decision.element < (int32_t)command->argc + (command->argc == 0));
	require(again.denied == decision.denied && again.rule == decision.rule &&
		again.element == decision.element && again.origin == decision.origin);
	require(decision.reason < image->strings.count && decision.origin <= image->origins.count);
}

/* The input: one byte of choices, then the arguments, each ended by a NUL. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *arguments[ARGUMENTS_MAX + 1];
	struct command command = {.target = "/usr/bin/x", .argv = arguments};
	uint8_t choice;

	if (size == 0)
		return 0;
	choice = *data++;
	size--;
	while (command.argc < ARGUMENTS_MAX && (arguments[command.argc] = fuzz_piece(&data, &size)) != NULL)
		command.argc++;
	arguments[command.argc] = NULL;
	command.program = command.argc > 0 ? arguments[0] : "";
	command.launch = choice & 1;
	if (choice & 2)
		command.target = NULL;
	if (!command.launch && choice & 4)
		command.caller = "make";
	if (!command.launch && choice & 8)
		command.caller_script = "npm";
	for (size_t i = 0; i < sizeof(profile) / sizeof(profile[0]); i++)
		judge(profile[i], &command);
	for (size_t i = 0; i < command.argc; i++)
		free(arguments[i]);
	return 0;
}
