/* SPDX-License-Identifier: MIT */
/* Any text as a policy: it is refused with words, or it compiles to an image that is valid and the same each time. */
#include "target.h"

#include <fcntl.h>
#include <unistd.h>

#include "check/path.h"
#include "check/validate.h"

static char folder[] = "/tmp/fuzz-policy-XXXXXX";
static char file[sizeof(folder) + 8];

static void clean(void)
{
	unlink(file);
	rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	require(mkdtemp(folder) != NULL);
	snprintf(file, sizeof(file), "%s/p.cfg", folder);
	atexit(clean);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct policy_choice choice = {.file = file, .root = folder};
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct image *first, *second;
	size_t first_size, second_size;

	require(fd >= 0 && write(fd, data, size) == (ssize_t)size && close(fd) == 0);
	first = fuzz_image(&choice, &first_size);
	if (first == NULL)
		return 0;
	require(check_validate(first, first_size));
	check_path(first, OP_WRITE, "/home/dev/.ssh/id_rsa", 21);
	second = fuzz_image(&choice, &second_size);
	require(second != NULL && second_size == first_size && memcmp(first, second, first_size) == 0);
	free(second);
	free(first);
	return 0;
}
