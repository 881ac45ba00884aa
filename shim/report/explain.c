/* SPDX-License-Identifier: MIT */
/* One line to whoever reads the program's stderr. */
#include "report/explain.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "real/syscall.h"
#include "report/line.h"
#include "report/text.h"

#include "forbid.h"

#define LINE_SIZE 512
#define STDOUT 1
#define STDERR 2
#define KERNEL_SET 8 /* bytes of a signal set, as the kernel counts them */
#define TERMINAL_SETTINGS 64
#define ANY_TERMINAL 0x500u /* st_rdev of /dev/tty, 5:0 */

enum reader {
	NOBODY,
	STREAM,
	SOCKET
};

/*
 * A file in which somebody gathers what a program says, as Claude Code does with each command: descriptors 1 and 2 are the
 * same file, opened to append. No write of ours can then land on data or move what comes behind; and a data file that
 * merely got the number 2 is not on 1 as well.
 */
static bool gathers(const struct stat *status)
{
	long flags = raw(SYS_fcntl, STDERR, F_GETFL);
	struct stat output;

	return flags >= 0 && (flags & O_APPEND) && raw(SYS_fstat, STDOUT, &output) == 0 &&
	       output.st_dev == status->st_dev && output.st_ino == status->st_ino;
}

/* Another one than the command's own: an agent may give each of its commands one. "/dev/tty" may be either. */
static bool is_other_terminal(const struct stat *status, uint64_t screen)
{
	char settings[TERMINAL_SETTINGS];

	return S_ISCHR(status->st_mode) && !(screen && (status->st_rdev == screen || status->st_rdev == ANY_TERMINAL)) &&
	       raw(SYS_ioctl, STDERR, TCGETS, settings) == 0;
}

static enum reader who_reads(uint64_t screen)
{
	struct stat status;

	if (raw(SYS_fstat, STDERR, &status) != 0)
		return NOBODY;
	if (S_ISSOCK(status.st_mode))
		return SOCKET;
	if (S_ISFIFO(status.st_mode))
		return STREAM;
	if (S_ISREG(status.st_mode))
		return gathers(&status) ? STREAM : NOBODY;
	return is_other_terminal(&status, screen) ? STREAM : NOBODY;
}

static bool has_room(void)
{
	struct pollfd entry = {.fd = STDERR, .events = POLLOUT};
	struct timespec now = {0};

	return raw(SYS_ppoll, &entry, 1, &now, NULL, KERNEL_SET) == 1 && entry.revents == POLLOUT;
}

/*
 * The reader may go between the look and the write, and a file be as long as it may become: the signal that makes is taken
 * back, unless one was pending anyway.
 */
static void write_quietly(const char *line, size_t length)
{
	uint64_t signals = 1ull << (SIGPIPE - 1) | 1ull << (SIGXFSZ - 1), before = 0, pending = 0, made;
	struct timespec now = {0};

	raw(SYS_rt_sigpending, &pending, KERNEL_SET);
	raw(SYS_rt_sigprocmask, SIG_BLOCK, &signals, &before, KERNEL_SET);
	made = signals & ~pending;
	if (raw(SYS_write, STDERR, line, length) < 0 && made)
		raw(SYS_rt_sigtimedwait, &made, NULL, &now, KERNEL_SET);
	raw(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, KERNEL_SET);
}

/* What a terminal would act on, in any encoding, becomes "?"; whole UTF-8 characters stay. */
static void make_inert(char *line, size_t length)
{
	unsigned expected = 0; /* bytes of a character that are still to come */

	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)line[i];
		unsigned char next = i + 1 < length ? (unsigned char)line[i + 1] : 0;
		bool control = byte < 0x20 || byte == 0x7f || (byte == 0xc2 && next < 0xa0);

		if (expected > 0 && (byte & 0xc0) == 0x80) {
			expected--;
			continue;
		}
		expected = control ? 0 : byte >= 0xf0 ? 3
				 : byte >= 0xe0       ? 2
				 : byte >= 0xc2       ? 1
						      : 0;
		if (control || (byte >= 0x80 && byte < 0xc2))
			line[i] = '?';
	}
}

void report_explain(const struct image *image, const struct request *request, const struct decision *decision)
{
	enum reader reader = who_reads(image->screen);
	char line[LINE_SIZE];
	struct text text = {.at = line, .end = line + sizeof(line) - 1};

	if (reader == NOBODY || !has_room())
		return;
	text_add(&text, "bridle: denied ");
	text_add(&text, request->call ? request->call : "call");
	text_add(&text, " ");
	text.at += report_reason(text.at, (size_t)(text.end - text.at), image, request, decision);
	make_inert(line, (size_t)(text.at - line));
	*text.at++ = '\n';
	if (reader == SOCKET)
		raw(SYS_sendto, STDERR, line, text.at - line, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
	else
		write_quietly(line, (size_t)(text.at - line));
}
