/* SPDX-License-Identifier: MIT */
/* Finds BRIDLE_SESSION: in the environment, or in what /proc keeps of the one that the program was started with. */
#include "start_handoff.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "handoff.h"
#include "real/syscall.h"

#include "forbid.h"

#define PREFIX HANDOFF_SESSION "="
#define PREFIX_LENGTH (sizeof(PREFIX) - 1)

/* For a program whose early constructors changed the environment. */
static bool read_first_environment(char *value, size_t size)
{
	char block[512];
	size_t matched = 0, length = 0;
	bool skipping = false, found = false;
	long got, fd = raw(SYS_openat, AT_FDCWD, "/proc/self/environ", O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return false;
	while (!found && (got = raw(SYS_read, fd, block, sizeof(block))) > 0) {
		for (long i = 0; i < got && !found; i++) {
			if (matched == PREFIX_LENGTH) {
				value[length] = block[i];
				found = block[i] == '\0' || ++length == size - 1;
			} else if (block[i] == '\0') {
				matched = 0;
				skipping = false;
			} else if (!skipping && block[i] == PREFIX[matched]) {
				matched++;
			} else {
				skipping = true;
				matched = 0;
			}
		}
	}
	raw(SYS_close, fd);
	value[length] = '\0';
	return matched == PREFIX_LENGTH && length > 0;
}

static const char *session_in(char *const *environment)
{
	for (; environment && *environment; environment++)
		if (strncmp(*environment, PREFIX, PREFIX_LENGTH) == 0 && (*environment)[PREFIX_LENGTH])
			return *environment + PREFIX_LENGTH;
	return NULL;
}

const char *start_handoff(char *room, size_t size)
{
	const char *value = session_in(environ);

	return value ? value : read_first_environment(room, size) ? room
								  : NULL;
}
