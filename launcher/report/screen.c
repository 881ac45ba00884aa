/* SPDX-License-Identifier: MIT */
/* Output that waits for its reader, but not for ever. */
#include "report/screen.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define PATIENCE_MS 500 /* less than the shim has for a full FIFO: a slow screen costs no line of the report */
#define BUFFER_SIZE 65536

static bool has_room(struct screen *screen)
{
	struct pollfd wanted = {.fd = screen->file, .events = POLLOUT};
	int ready;

	do
		ready = poll(&wanted, 1, screen->stalled ? 0 : PATIENCE_MS);
	while (ready < 0 && errno == EINTR);
	screen->stalled = ready == 0;
	return ready > 0;
}

static void miss(struct screen *screen, const char *bytes, size_t size)
{
	for (const char *end = bytes + size; (bytes = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL; bytes++)
		screen->missed++;
}

/* Of a piece that is not wanted, what follows its first line break may be shown again. */
static size_t skip_torn(struct screen *screen, const char *bytes, size_t size)
{
	const char *newline = screen->torn ? memchr(bytes, '\n', size) : NULL;

	if (!screen->torn)
		return 0;
	screen->torn = newline == NULL;
	return newline != NULL ? (size_t)(newline + 1 - bytes) : size;
}

/* A pipe that polls writable takes PIPE_BUF bytes at once. */
static ssize_t put(void *cookie, const char *bytes, size_t size)
{
	struct screen *screen = cookie;
	size_t done = 0;

	while (done < size) {
		size_t part = size - done < PIPE_BUF ? size - done : PIPE_BUF;
		ssize_t wrote;

		if (!has_room(screen)) {
			miss(screen, bytes + done, size - done);
			screen->torn = bytes[size - 1] != '\n';
			break;
		}
		done += skip_torn(screen, bytes + done, part);
		part = size - done < part ? size - done : part;
		wrote = part ? write(screen->file, bytes + done, part) : 0;
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0) {
			miss(screen, bytes + done, size - done);
			break;
		}
		done += (size_t)wrote;
	}
	return (ssize_t)size;
}

FILE *screen_open(struct screen *screen, int file, bool lines)
{
	FILE *stream;

	*screen = (struct screen){.file = file};
	stream = fopencookie(screen, "w", (cookie_io_functions_t){.write = put});
	if (stream != NULL)
		setvbuf(stream, NULL, lines ? _IOLBF : _IOFBF, BUFFER_SIZE);
	return stream;
}
