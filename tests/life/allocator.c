/* SPDX-License-Identifier: MIT */
/* A program with its own allocator, which opens a file and looks up a symbol the first time it is asked. */
#include <dlfcn.h>
#include <stddef.h>

#include "life.h"

static char pool[1 << 20];
static size_t used;
static int opened = -1, busy;

/* The executable's definition is everybody's: libc's own calls come here too. */
void *malloc(size_t size)
{
	if (opened < 0 && !busy) {
		busy = 1;
		int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
		opened = fd >= 0;
		close(fd);
		busy = 0;
	}
	size = (size + 31) & ~(size_t)15;
	if (used + size > sizeof(pool))
		return NULL;
	used += size;
	*(size_t *)(void *)(pool + used - size) = size - 16;
	return pool + used - size + 16;
}

void free(void *memory)
{
	(void)memory;
}

void *calloc(size_t count, size_t size)
{
	void *memory = malloc(count * size);

	return memory ? memset(memory, 0, count * size) : NULL;
}

void *realloc(void *memory, size_t size)
{
	void *fresh = malloc(size);

	if (fresh && memory)
		memcpy(fresh, memory, ((size_t *)memory)[-2] < size ? ((size_t *)memory)[-2] : size);
	return fresh;
}

int main(void)
{
	size_t before;

	must(malloc(10) && opened == 1);
	before = used;
	must(is_refused(OUTSIDE) && is_refused("link") && is_opened(INSIDE));
	must(unlink("../out/missing") == -1 && errno == ENOENT);
	must(used == before); /* nothing of this was allocated */
	must(dlsym(RTLD_DEFAULT, "no_such_symbol_here") == NULL);
	must(is_refused(OUTSIDE));
	return 0;
}
