/* SPDX-License-Identifier: MIT */
/* Calls that are never refused: they change what later calls mean, or what may be known of us. */
#include <link.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "describe/alone.h"
#include "describe/cwd.h"
#include "wrap/lane.h"

#include "forbid.h"

EXPORT int chdir(const char *path)
{
	int result;

	cwd_leave();
	result = LANE(chdir, (path), SYS_chdir, path, 0, 0, 0, 0);
	cwd_arrive();
	return result;
}

EXPORT int fchdir(int fd)
{
	int result;

	cwd_leave();
	result = LANE(fchdir, (fd), SYS_fchdir, fd, 0, 0, 0, 0);
	cwd_arrive();
	return result;
}

/* Into another mount namespace: then the working directory is its root. */
EXPORT int setns(int fd, int kind)
{
	int result;

	cwd_leave();
	result = REAL(setns)(fd, kind);
	cwd_arrive();
	start_moved();
	return result;
}

void wrap_note_child(uint64_t flags)
{
	if ((flags & (CLONE_FS | CLONE_VM)) == CLONE_FS)
		cwd_shared();
	if ((flags & CLONE_FILES) || (flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM)
		alone_no_more();
}

/* The child runs fn and never comes back here. */
static int start_child(__typeof__(clone) *real, int (*fn)(void *), void *stack, int flags, void *data, va_list more)
{
	void *values[3];

	for (unsigned i = 0; i < 3; i++)
		values[i] = va_arg(more, void *);
	wrap_note_child((unsigned)flags);
	return real(fn, stack, flags, data, values[0], values[1], values[2]);
}

EXPORT int clone(int (*fn)(void *), void *stack, int flags, void *data, ...)
{
	va_list more;
	int child;

	va_start(more, data);
	child = start_child(REAL(clone), fn, stack, flags, data, more);
	va_end(more);
	return child;
}

EXPORT int __clone(int (*fn)(void *), void *stack, int flags, void *data, ...)
{
	va_list more;
	int child;

	va_start(more, data);
	child = start_child(REAL(__clone), fn, stack, flags, data, more);
	va_end(more);
	return child;
}

/* A program that shuts system calls off must not be killed for one of ours. */
EXPORT int prctl(int option, ...)
{
	unsigned long values[4];
	va_list arguments;

	va_start(arguments, option);
	for (unsigned i = 0; i < 4; i++)
		values[i] = va_arg(arguments, unsigned long);
	va_end(arguments);
	if (option == PR_SET_SECCOMP)
		guard_filtered();
	return REAL(prctl)(option, values[0], values[1], values[2], values[3]);
}

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

/* Who asks, while we stand in between. */
struct listener {
	int (*visit)(struct dl_phdr_info *, size_t, void *);
	void *data;
};

static bool is_ours(const struct dl_phdr_info *info)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return info->dlpi_addr + info->dlpi_phdr[i].p_vaddr == (ElfW(Addr))_DYNAMIC;
	return false;
}

static int pass_on(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct listener *listener = data;

	if (is_ours(info))
		info->dlpi_name = "linux-bridle.so";
	return listener->visit(info, size, listener->data);
}

/*
 * The runtime of AddressSanitizer ends the program when another library is listed before it. It overlooks those that come
 * from the kernel, by their names: we share nothing with it either, so we are listed like one. All else about us is
 * listed as it is.
 */
EXPORT int dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data)
{
	return REAL(dl_iterate_phdr)(pass_on, &(struct listener){visit, data});
}
