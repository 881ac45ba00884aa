/* SPDX-License-Identifier: MIT */
/* One line into the session's FIFO. No descriptor outlives the call, so none can be closed, inherited or taken over. */
#include "report/send.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "real/syscall.h"

#include "forbid.h"

#define PATIENCE_MS 1000
#define NAP_MS 20 /* the FIFO is full for one line but not for poll(): look again after this */

static long open_fifo(const struct start_session *session)
{
	char path[SESSION_FOLDER_MAX + sizeof(SESSION_FIFO)];
	size_t length = strlen(session->folder);

	memcpy(path, session->folder, length);
	path[length] = '/';
	memcpy(path + length + 1, SESSION_FIFO, sizeof(SESSION_FIFO));
	/* Read-write: a FIFO's writer that is also its reader never gets SIGPIPE and never waits for one. */
	return raw_guarded(SYS_openat, AT_FDCWD, path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW, 0, 0);
}

static bool is_fifo(long fd)
{
	struct stat status;

	return raw(SYS_fstat, fd, &status) == 0 && S_ISFIFO(status.st_mode);
}

static long now_ms(void)
{
	struct timespec now;

	raw(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void wait_for_room(long fd, long ms)
{
	struct pollfd entry = {.fd = (int)fd, .events = POLLOUT};
	struct timespec nap = {.tv_nsec = (ms < NAP_MS ? ms : NAP_MS) * 1000000};

	if (raw(SYS_ppoll, &entry, 1, &nap, NULL, 8) > 0)
		raw(SYS_ppoll, NULL, 0, &(struct timespec){.tv_nsec = 1000000}, NULL, 8);
}

static bool write_line(long fd, const char *line, size_t length, bool drop)
{
	long deadline = 0;

	for (;;) {
		long wrote = raw(SYS_write, fd, line, length), now;

		if (wrote == (long)length)
			return true;
		if (wrote == -EINTR)
			continue;
		if (wrote != -EAGAIN || drop)
			return false;
		now = now_ms();
		deadline = deadline ? deadline : now + PATIENCE_MS;
		if (now >= deadline)
			return false;
		wait_for_room(fd, deadline - now);
	}
}

void report_send(const struct start_session *session, const char *line, size_t length)
{
	long fd = open_fifo(session);
	bool drop = session->image->flags & IMAGE_DROP;
	bool sent = fd >= 0 && is_fifo(fd) && write_line(fd, line, length, drop);

	if (fd >= 0)
		raw(SYS_close, fd);
	if (!sent)
		__atomic_fetch_add(&session->page->lost, 1, __ATOMIC_RELAXED);
}
