/* SPDX-License-Identifier: MIT */
/*
 * Runs every case below bridle: the probe must see what it expects; a refusal is one line with the function's own name,
 * and an allowed call none. And the list is complete: each row has both kinds of case and a verb of the probe.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call_case.h"

struct row {
	const char *name, *family;
};

static const struct row rows[] = {
#define SYM(name, family) {#name, #family},
#include "symbols.def"
#undef SYM
};

/*
 * Never refused by themselves: they only change what later calls mean. And objects that cannot exist where they would be
 * refused, so that the kernel's own "not there" comes first.
 */
static const char *const never_refused[] = {
	"posix_spawn_file_actions_init",
	"posix_spawn_file_actions_destroy",
	"posix_spawn_file_actions_addchdir",
	"posix_spawn_file_actions_addfchdir",
	"shm_unlink",
	"sem_unlink",
	"__mq_open_2",
	"mq_unlink",
};

static bool may_be_refused(const struct row *row)
{
	for (size_t i = 0; i < sizeof(never_refused) / sizeof(*never_refused); i++)
		if (strcmp(never_refused[i], row->name) == 0)
			return false;
	return strcmp(row->family, "state") != 0 && strcmp(row->family, "number") != 0;
}

static bool has_case(const char *name, bool denied)
{
	for (size_t i = 0; i < call_case_count; i++)
		if (call_cases[i].denied == denied && strcmp(call_cases[i].name, name) == 0)
			return true;
	return false;
}

static bool has_verb(const char *name)
{
	const char *folder = getenv("BUILD");
	char line[128];
	bool found = false;

	snprintf(line, sizeof(line), "%s/probe --verbs", folder ? folder : "build");
	FILE *verbs = popen(line, "r");
	while (verbs && fgets(line, sizeof(line), verbs)) {
		line[strcspn(line, "\n")] = '\0';
		found = found || strcmp(line, name) == 0;
	}
	if (verbs)
		pclose(verbs);
	return found;
}

Test(calls, every_row_has_its_cases_and_its_verb)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cr_expect(has_case(rows[i].name, false), "%s has no allowed case", rows[i].name);
		cr_expect(!may_be_refused(&rows[i]) || has_case(rows[i].name, true), "%s has no denied case",
			  rows[i].name);
		cr_expect(has_verb(rows[i].name), "%s has no verb", rows[i].name);
	}
}

/* Parameters travel to another process as bytes: an index does, strings do not. */
ParameterizedTestParameters(calls, case_by_case)
{
	static size_t numbers[512];

	for (size_t i = 0; i < call_case_count; i++)
		numbers[i] = i;
	return cr_make_param_array(size_t, numbers, call_case_count, NULL);
}

/* Can a file there be opened by a handle at all? */
static bool has_handles(const struct call_world *world)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} file = {.handle.handle_bytes = MAX_HANDLE_SZ};
	int mount, folder = open(world->top, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;

	if (name_to_handle_at(AT_FDCWD, world->top, &file.handle, &mount, 0) == 0)
		fd = open_by_handle_at(folder, &file.handle, O_RDONLY | O_CLOEXEC);
	close(folder);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

ParameterizedTest(size_t *number, calls, case_by_case, .timeout = 300)
{
	const struct call_case *given = &call_cases[*number];
	struct call_world world;
	struct call_result result;

	if (given->root && geteuid() != 0)
		cr_skip("needs root");
	call_world_make(&world);
	if (strcmp(given->name, "open_by_handle_at") == 0 && !has_handles(&world)) {
		call_world_remove(&world);
		cr_skip("open_by_handle_at is not tried: the file system of /var/tmp gives no handles (overlayfs, say)");
	}
	result = call_run(&world, given);
	call_world_remove(&world);
	cr_expect_eq(result.status, 0, "%s %s %s: status %d: %s", given->name, given->words[0],
		     given->words[1] ? given->words[1] : "", result.status, result.output);
	cr_expect_eq(result.denials, given->denied ? 1 : 0, "%s %s: %d lines: %s", given->name,
		     given->words[1] ? given->words[1] : "", result.denials, result.output);
	/* A raw system call is reported by its own name, a spawn that was moved as the spawn. */
	if (given->denied && strcmp(given->name, "syscall") != 0 && !strstr(given->name, "chdir_np"))
		cr_expect_eq(result.named, 1, "%s: the line names another call", given->name);
}
