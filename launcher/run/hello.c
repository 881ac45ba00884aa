/* SPDX-License-Identifier: MIT */
/* Watches for the shim's sign of life in the command. */
#include "run/hello.h"

#include <stdio.h>
#include <string.h>

#define FIRST_MS 5
#define SLOWEST_MS 500
#define PATIENCE_MS 5000 /* a program without libc shows nothing to go by: then the time decides */

enum mapped {
	MAPPED_NOTHING,
	MAPPED_SHIM,
	MAPPED_LIBC_ONLY
};

/* ld.so maps preloads before anything else that the program needs: libc there and no shim means that it failed. */
static enum mapped look_at_maps(pid_t child)
{
	enum mapped found = MAPPED_NOTHING;
	char path[64], line[4200];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)child);
	maps = fopen(path, "re");
	if (!maps)
		return MAPPED_NOTHING;
	while (found != MAPPED_SHIM && fgets(line, sizeof(line), maps)) {
		if (strstr(line, "/" SESSION_LIBRARY))
			found = MAPPED_SHIM;
		else if (strstr(line, "/libc.so.6") || strstr(line, "/libc-2."))
			found = MAPPED_LIBC_ONLY;
	}
	fclose(maps);
	return found;
}

void hello_start(struct hello *hello, const struct session_page *page, pid_t child, bool needed, int64_t now)
{
	*hello = (struct hello){.state = needed ? HELLO_AWAITED : HELLO_UNNEEDED,
				.page = page,
				.child = child,
				.since = now,
				.next = now + FIRST_MS};
}

static bool is_counted(const struct hello *hello)
{
	return __atomic_load_n(&hello->page->started, __ATOMIC_ACQUIRE) > 0;
}

void hello_look(struct hello *hello, int64_t now)
{
	int64_t waited = now - hello->since;
	enum mapped mapped;

	if (hello->state != HELLO_AWAITED)
		return;
	if (is_counted(hello)) {
		hello->state = HELLO_SEEN;
		return;
	}
	if (now < hello->next)
		return;
	hello->next = now + (waited < SLOWEST_MS ? waited : SLOWEST_MS);
	mapped = look_at_maps(hello->child);
	if (is_counted(hello))
		hello->state = HELLO_SEEN;
	else if (mapped == MAPPED_LIBC_ONLY || (mapped == MAPPED_NOTHING && waited > PATIENCE_MS))
		hello->state = HELLO_MISSING;
}

void hello_end(struct hello *hello)
{
	if (hello->state == HELLO_AWAITED)
		hello->state = is_counted(hello) ? HELLO_SEEN : HELLO_MISSING;
}

int hello_wait(const struct hello *hello, int64_t now)
{
	if (hello->state != HELLO_AWAITED)
		return -1;
	return hello->next > now ? hello->next - now : 0;
}
