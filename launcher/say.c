/* SPDX-License-Identifier: MIT */
/* The launcher's voice: whole lines on stderr, so that they do not mix with the command's own. */
#include "say.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/visible.h"

#define PATIENCE_MS 500

/* The names in a message are anybody's: what would act on a terminal is shown. Result: bytes, the NUL not counted. */
static size_t make_visible(char *out, size_t size, const char *text)
{
	char form[VISIBLE_MAX];
	size_t used = 0;

	while (*text) {
		size_t length;

		text = visible_next(text, form);
		length = strlen(form);
		if (used + length >= size)
			break;
		memcpy(out + used, form, length);
		used += length;
	}
	return used;
}

void say(const char *format, ...)
{
	char said[4096 - 9] = "", text[4096] = "bridle: ";
	int kept = errno;
	size_t length;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(said, sizeof(said), format, arguments);
	va_end(arguments);
	length = make_visible(text + 8, sizeof(text) - 9, said);
	text[8 + length] = '\n';
	/* whoever does not read its pipe must not hold a session up */
	if (poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, PATIENCE_MS) > 0 &&
	    write(STDERR_FILENO, text, 9 + length) < 0)
		errno = 0; /* nobody listens: there is no one left to tell */
	errno = kept;
}
