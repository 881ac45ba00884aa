/* SPDX-License-Identifier: MIT */
/* Writes report lines where the user wants them, and counts what that place does not take. */
#include "forward/target.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE_MS 1000
#define PIPE_BYTES (1 << 20)

bool target_open_file(struct target *target, const char *path, struct failure *failure)
{
	struct stat status;

	*target = (struct target){.owned = true};
	/* Non-blocking, so that a FIFO without a reader is an error and not a wait. */
	target->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
	if (target->file < 0)
		return failure_set(failure, "cannot open the report file '%s': %s; name a file in a folder that "
					    "exists and can be written",
				   path, strerror(errno));
	if (!fstat(target->file, &status) && S_ISREG(status.st_mode))
		fcntl(target->file, F_SETFL, O_APPEND);
	return true;
}

bool target_open_descriptor(struct target *target, int file, struct failure *failure)
{
	int flags = fcntl(file, F_GETFL);

	*target = (struct target){.file = -1};
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return failure_set(failure, "--report-fd %d: descriptor %d is not open for writing; redirect it, as in "
					    "%d>report.jsonl",
				   file, file, file);
	target->file = file;
	/* Some readers look only when all is over; what is no pipe says no. */
	fcntl(file, F_SETPIPE_SZ, PIPE_BYTES);
	if (file > STDERR_FILENO)
		fcntl(file, F_SETFD, FD_CLOEXEC);
	return true;
}

/* Can a whole line be written without waiting? A pipe that polls writable has room for PIPE_BUF bytes. */
static bool is_ready(struct target *target)
{
	struct pollfd wanted = {.fd = target->file, .events = POLLOUT};
	int ready = poll(&wanted, 1, target->stalled ? 0 : PATIENCE_MS);

	if (!ready) {
		target->stalled = true;
		errno = EAGAIN;
		return false;
	}
	target->stalled = false;
	return ready > 0;
}

static void lose(struct target *target)
{
	if (!target->lost++)
		target->error = errno;
}

void target_write(struct target *target, const char *line, size_t length)
{
	size_t done = 0;

	if (target->file < 0)
		return;
	if (target->torn && is_ready(target) && write(target->file, "\n", 1) == 1)
		target->torn = false;
	if (target->torn) {
		lose(target);
		return;
	}
	while (done < length) {
		ssize_t wrote = is_ready(target) ? write(target->file, line + done, length - done) : -1;

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			target->torn = done > 0;
			lose(target);
			return;
		}
		done += wrote;
	}
}

void target_close(struct target *target)
{
	if (target->owned && target->file >= 0)
		close(target->file);
	target->file = -1;
}
