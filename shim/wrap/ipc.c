/* SPDX-License-Identifier: MIT */
/* POSIX shared memory, semaphores and queues: names that libc turns into files under /dev. */
#include <mqueue.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "describe/memory.h"
#include "wrap/wrap.h"

#include "forbid.h"

#define NAME_ROOM 256

/* folder: with what stands before the name. A name that libc refuses is left to libc. */
static __attribute__((noinline)) long ask(const char *call, const char *folder, const char *name, enum op op,
					  bool creates)
{
	char path[NAME_ROOM + 32];
	size_t length = strlen(folder);
	long got;

	if (!memory_string_readable(name))
		return -EFAULT;
	while (*name == '/')
		name++;
	if (!*name || strchr(name, '/'))
		return GUARD_GO;
	memcpy(path, folder, length);
	got = memory_string(path + length, sizeof(path) - length, name);
	if (got < 0)
		return got == -ENAMETOOLONG ? GUARD_GO : got;
	got = guard_file(&(struct file_call){call, AT_FDCWD, path, op, creates ? FILE_CREATES : 0});
	return got == -ENAMETOOLONG ? GUARD_GO : got;
}

/* A queue's name must start with a slash: else libc says EINVAL, and reads no further. */
static long ask_queue(const char *call, const char *name, enum op op, bool creates)
{
	if (memory_readable(name, 1) && *name != '/')
		return GUARD_GO;
	return ask(call, "/dev/mqueue/", name, op, creates);
}

static bool writes(int flags)
{
	return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
	long answer = ask("shm_open", "/dev/shm/", name, writes(flags) ? OP_WRITE : OP_READ, flags & O_CREAT);

	return answer ? (int)wrap_result(answer) : wrap_opened(REAL(shm_open)(name, flags, mode));
}

EXPORT int shm_unlink(const char *name)
{
	long answer = ask("shm_unlink", "/dev/shm/", name, OP_WRITE, false);

	return answer ? (int)wrap_result(answer) : REAL(shm_unlink)(name);
}

EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
	long answer = ask("sem_open", "/dev/shm/sem.", name, OP_WRITE, flags & O_CREAT);
	va_list arguments;
	mode_t mode = 0;
	unsigned value = 0;

	if (answer) {
		wrap_result(answer);
		return SEM_FAILED;
	}
	if (!(flags & O_CREAT))
		return REAL(sem_open)(name, flags);
	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	value = va_arg(arguments, unsigned);
	va_end(arguments);
	return REAL(sem_open)(name, flags, mode, value);
}

EXPORT int sem_unlink(const char *name)
{
	long answer = ask("sem_unlink", "/dev/shm/sem.", name, OP_WRITE, false);

	return answer ? (int)wrap_result(answer) : REAL(sem_unlink)(name);
}

EXPORT mqd_t mq_open(const char *name, int flags, ...)
{
	long answer = ask_queue("mq_open", name, writes(flags) ? OP_WRITE : OP_READ, flags & O_CREAT);
	va_list arguments;
	mode_t mode = 0;
	struct mq_attr *attributes = NULL;

	/* Where /dev/mqueue is not mounted its files cannot be seen, and the queue may be there all the same. */
	if (answer && answer != -ENOENT)
		return (mqd_t)wrap_result(answer);
	if (!(flags & O_CREAT))
		return REAL(mq_open)(name, flags);
	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	attributes = va_arg(arguments, struct mq_attr *);
	va_end(arguments);
	return REAL(mq_open)(name, flags, mode, attributes);
}

EXPORT mqd_t __mq_open_2(const char *name, int flags)
{
	long answer = ask_queue("__mq_open_2", name, writes(flags) ? OP_WRITE : OP_READ, false);

	if (answer && answer != -ENOENT)
		return (mqd_t)wrap_result(answer);
	return REAL(__mq_open_2)(name, flags);
}

EXPORT int mq_unlink(const char *name)
{
	long answer = ask_queue("mq_unlink", name, OP_WRITE, false);

	return answer && answer != -ENOENT ? (int)wrap_result(answer) : REAL(mq_unlink)(name);
}
