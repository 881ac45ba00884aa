/* SPDX-License-Identifier: MIT */
/* The launcher's voice: whole lines on stderr, so that they do not mix with the command's own. */
#include "say.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define PATIENCE_MS 500

void say(const char *format, ...)
{
	char text[4096] = "bridle: ";
	int kept = errno, room = sizeof(text) - 9, length;
	va_list arguments;

	va_start(arguments, format);
	length = vsnprintf(text + 8, room, format, arguments);
	va_end(arguments);
	if (length < 0)
		length = 0;
	if (length >= room)
		length = room - 1;
	text[8 + length] = '\n';
	/* whoever does not read its pipe must not hold a session up */
	if (poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, PATIENCE_MS) > 0 &&
	    write(STDERR_FILENO, text, 9 + length) < 0)
		errno = 0; /* nobody listens: there is no one left to tell */
	errno = kept;
}
