/* SPDX-License-Identifier: MIT */
/* Writes report lines where the user wants them, and counts what that place does not take. */
#include "forward/target.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE_MS 1000
#define PIPE_BYTES (1 << 20)
#define HELD_BYTES (1 << 16)

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
	if (fstat(target->file, &status) || !S_ISREG(status.st_mode))
		return true;
	fcntl(target->file, F_SETFL, O_APPEND);
	rotation_open(&target->rotation, path);
	target->held = malloc(HELD_BYTES);
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

/* What a full disk left unwritten is lost line by line. */
static void lose_rest(struct target *target, const char *rest, size_t length)
{
	const char *end = rest + length;

	target->torn = rest != target->held && rest[-1] != '\n';
	for (; rest < end && (rest = memchr(rest, '\n', (size_t)(end - rest))); rest++)
		lose(target);
}

/* One write is one piece of the file, whoever else appends to it. */
void target_flush(struct target *target)
{
	size_t length = target->held_used;
	ssize_t wrote;

	target->held_used = 0;
	if (!length)
		return;
	rotation_make_room(&target->rotation, &target->file, length);
	if (target->torn && write(target->file, "\n", 1) == 1)
		target->torn = false;
	do
		wrote = write(target->file, target->held, length);
	while (wrote < 0 && errno == EINTR);
	if (wrote < 0)
		wrote = 0;
	if ((size_t)wrote < length)
		lose_rest(target, target->held + wrote, length - (size_t)wrote);
}

static void hold(struct target *target, const char *line, size_t length)
{
	if (target->held_used + length > HELD_BYTES)
		target_flush(target);
	memcpy(target->held + target->held_used, line, length);
	target->held_used += length;
}

void target_write(struct target *target, const char *line, size_t length)
{
	size_t done = 0;

	if (target->file < 0)
		return;
	if (target->held && length <= HELD_BYTES) {
		hold(target, line, length);
		return;
	}
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
	if (target->file >= 0)
		target_flush(target);
	free(target->held);
	target->held = NULL;
	if (target->owned && target->file >= 0)
		close(target->file);
	target->file = -1;
	rotation_close(&target->rotation);
}
