/* SPDX-License-Identifier: MIT */
/* Build-ids: found in real programs, in copies of them, and never outside of the bytes that are there. */
#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/build.h"
#include "check/command.h"
#include "policy_image.h"

static size_t head_of(const char *file, char head[BUILD_HEAD])
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	ssize_t size = pread(fd, head, BUILD_HEAD, 0);

	cr_assert_gt(size, 0);
	close(fd);
	return (size_t)size;
}

Test(check_build, tells_programs_apart)
{
	uint8_t one[IMAGE_BUILD_SIZE], again[IMAGE_BUILD_SIZE], other[IMAGE_BUILD_SIZE];
	char head[BUILD_HEAD];
	size_t size = head_of("/bin/ls", head);

	cr_assert(check_build_id(head, size, one));
	cr_assert(check_build_id(head, size, again));
	cr_expect_arr_eq(one, again, IMAGE_BUILD_SIZE);
	size = head_of("/bin/cat", head);
	cr_assert(check_build_id(head, size, other));
	cr_expect_neq(memcmp(one, other, IMAGE_BUILD_SIZE), 0);
}

Test(check_build, believes_no_offset)
{
	char head[BUILD_HEAD], changed[BUILD_HEAD];
	uint8_t id[IMAGE_BUILD_SIZE];
	size_t size = head_of("/bin/ls", head);

	cr_expect_not(check_build_id("#!/bin/sh\n", 10, id));
	for (size_t cut = 0; cut < size; cut++) {
		char *exact = malloc(cut + 1);

		memcpy(exact, head, cut);
		check_build_id(exact, cut, id);
		free(exact);
	}
	for (size_t at = 0; at < size; at++) {
		memcpy(changed, head, size);
		changed[at] = (char)0xff;
		check_build_id(changed, size, id);
	}
}

Test(check_build, knows_a_copy)
{
	struct image *image = test_image("extends = \"none\"; names: { deny = [ \"ls\" ]; };", NULL);
	char *const argv[] = {(char *)(uintptr_t) "./copy", NULL};
	uint8_t id[IMAGE_BUILD_SIZE];
	struct command command = {.program = "./copy", .target = "/tmp/copy", .argv = argv, .argc = 1};
	char head[BUILD_HEAD];
	size_t size = head_of("/bin/ls", head);

	cr_assert(check_build_id(head, size, id));
	cr_expect_not(check_command(image, &command).denied);
	command.build = id;
	cr_expect_eq(check_command(image, &command).rule, RULE_NAME_DENYLIST);
	id[0] ^= 1;
	cr_expect_not(check_command(image, &command).denied);
	free(image);
}
