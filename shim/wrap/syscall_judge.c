/* SPDX-License-Identifier: MIT */
/* The numbers of syscall() that name a program, a file or a peer, decoded as the kernel decodes them. */
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "describe/cwd.h"
#include "describe/memory.h"
#include "describe/number.h"
#include "wrap/syscall.h"
#include "wrap/wrap.h"

#include "forbid.h"

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

/* An open is made here, in the one kernel step that was judged. */
static bool open_judged(const char *name, long dirfd, long path, long flags, long mode, long *ret)
{
	*ret = guard_open(&(struct open_call){name, (int)dirfd, syscall_text(path), (int)flags, (mode_t)mode, true});
	return *ret != GUARD_REAL;
}

/* openat2 has its own strictness and its own resolve flags: judged by where the path leads, made by the kernel. */
static bool judge_openat2(const long *arguments, long *ret)
{
	const struct open_how *how = (const struct open_how *)arguments[2];
	bool writes, creates;

	if (!memory_readable(how, sizeof(*how)))
		return false;
	creates = how->flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
	writes = creates || (how->flags & O_TRUNC) || (how->flags & O_ACCMODE) != O_RDONLY;
	*ret = guard_file(&(struct file_call){"openat2", (int)arguments[0], syscall_text(arguments[1]),
					      writes ? OP_WRITE : OP_READ,
					      (how->flags & O_NOFOLLOW ? 0 : FILE_FOLLOW) | (creates ? FILE_CREATES : 0)});
	if (*ret == -EACCES)
		return true;
	if (!syscall_make(SYS_openat2, arguments, ret))
		*ret = raw(SYS_openat2, arguments[0], arguments[1], arguments[2], arguments[3]);
	number_new(*ret);
	return true;
}

static bool judge_exec(long number, const long *a, long *ret)
{
	if (number == SYS_execve) {
		*ret = wrap_execve("execve", syscall_text(a[0]), (char *const *)a[1], (char *const *)a[2]);
	} else {
		*ret = wrap_execveat("execveat", (int)a[0], syscall_text(a[1]), (char *const *)a[2], (char *const *)a[3],
				     (int)a[4]);
	}
	*ret = -errno; /* it came back: errno is set, and the stub's caller gets the same */
	return true;
}

static bool judge_network(long number, const long *a, long *ret)
{
	const struct msghdr *message = (const struct msghdr *)a[1];

	switch (number) {
	case SYS_connect:
		*ret = guard_address("connect", OP_CONNECT, (const struct sockaddr *)a[1], (socklen_t)a[2]);
		break;
	case SYS_bind:
		*ret = guard_address("bind", OP_BIND, (const struct sockaddr *)a[1], (socklen_t)a[2]);
		break;
	case SYS_sendto: /* its sixth argument is the size */
		*ret = guard_address("sendto", OP_CONNECT, (const struct sockaddr *)a[4], (socklen_t)a[5]);
		break;
	case SYS_sendmsg:
		*ret = memory_readable(message, sizeof(*message))
			       ? guard_address("sendmsg", OP_CONNECT, message->msg_name, message->msg_namelen)
			       : GUARD_GO;
		break;
	case SYS_sendmmsg:
		*ret = wrap_ask_messages("sendmmsg", (const struct mmsghdr *)a[1], (unsigned)a[2]);
		break;
	}
	return *ret != GUARD_GO || syscall_make(number, a, ret);
}

static bool move(long number, const long *a, long *ret)
{
	cwd_leave();
	*ret = number == SYS_setns ? raw(number, a[0], a[1]) : raw_guarded(number, a[0], 0, 0, 0, 0);
	cwd_arrive();
	if (number == SYS_setns)
		start_moved();
	return true;
}

/* A descriptor that may be a directory's: made here, so that what its number stood for is known no more once it is back. */
static bool renumber(long number, const long *a, int replaced, long *ret)
{
	number_leave(replaced);
	*ret = raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	number_arrive((int)*ret);
	return true;
}

/* They bring any number of them. */
static bool receive(long number, const long *a, long *ret)
{
	*ret = raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	number_forget();
	return true;
}

bool syscall_judge(long number, const long arguments[6], long *ret)
{
	const long *a = arguments;

	if (start()->state == START_INERT)
		return false;
	switch (number) {
#ifdef SYS_open
	case SYS_open:
		return open_judged("open", AT_FDCWD, a[0], a[1], a[2], ret);
	case SYS_creat:
		return open_judged("creat", AT_FDCWD, a[0], O_WRONLY | O_CREAT | O_TRUNC, a[1], ret);
#endif
	case SYS_openat:
		return open_judged("openat", a[0], a[1], a[2], a[3], ret);
	case SYS_openat2:
		return judge_openat2(a, ret);
	case SYS_execve:
	case SYS_execveat:
		return judge_exec(number, a, ret);
	case SYS_connect:
	case SYS_bind:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
		return judge_network(number, a, ret);
	case SYS_chdir:
	case SYS_fchdir:
	case SYS_setns:
		return move(number, a, ret);
#ifdef SYS_dup2
	case SYS_dup2:
#endif
	case SYS_dup3:
		return renumber(number, a, (int)a[1], ret);
	case SYS_fcntl:
		return (a[1] == F_DUPFD || a[1] == F_DUPFD_CLOEXEC) && renumber(number, a, -1, ret);
	case SYS_dup:
	case SYS_pidfd_getfd:
	case SYS_fsmount:
		return renumber(number, a, -1, ret);
	case SYS_recvmsg:
	case SYS_recvmmsg:
		return receive(number, a, ret);
	case SYS_clone:
		wrap_note_child((unsigned long)a[0]);
		return false;
	case SYS_clone3:
		if (memory_readable((const void *)a[0], sizeof(uint64_t)))
			wrap_note_child(*(const uint64_t *)a[0]);
		return false;
	case SYS_io_uring_setup:
		*ret = -ENOSYS; /* a ring opens files out of everyone's sight; programs fall back */
		return true;
	case SYS_seccomp:
		if (a[0] == SECCOMP_SET_MODE_FILTER || a[0] == SECCOMP_SET_MODE_STRICT)
			guard_filtered();
		return false;
	case SYS_prctl:
		if (a[0] == PR_SET_SECCOMP)
			guard_filtered();
		return false;
	}
	return syscall_judge_file(number, a, ret);
}
