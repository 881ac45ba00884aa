/* SPDX-License-Identifier: MIT */
/*
 * Every guarded system call, made raw. Built dynamic, static and against musl; knows nothing of bridle.
 *
 *   doors prepare   lays out in $FOLDER what the calls need
 *   doors sweep     makes each call on $FOLDER; prints "NAME RESULT", RESULT being ok or the errno's name
 *   doors NAME      only that one
 *
 * The folder is no argument, which would be judged before anything is started.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "raw.h"

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

#define HERE AT_FDCWD
#define UNREACHABLE "192.0.2.1" /* TEST-NET-1: nobody is there */

static const char *folder;

static const char *in(const char *name)
{
	static char paths[4][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return path;
}

/* Opens and closes again. */
static long closed(long descriptor)
{
	if (descriptor >= 0)
		close((int)descriptor);
	return descriptor < 0 ? descriptor : 0;
}

static long how_open(int flags, const char *name)
{
	struct {
		uint64_t flags, mode, resolve;
	} how = {.flags = (uint64_t)flags}; /* struct open_how: not every libc brings the kernel's headers */

	return closed(RAW(SYS_openat2, HERE, in(name), &how, sizeof(how), 0));
}

static long by_descriptor(long number, long second, long third)
{
	long descriptor = RAW(SYS_openat, HERE, in("file"), O_RDONLY, 0, 0), result;

	if (descriptor < 0)
		return descriptor;
	result = RAW(number, descriptor, second, third, 0, 0);
	close((int)descriptor);
	return result;
}

/* In a child, whose exit status is the errno; 0 when the program ran and was content. */
static long run(long number, const char *name)
{
	char *argv[] = {(char *)name, NULL};
	char *environment[] = {NULL};
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		long result;

		if (number == SYS_execve)
			result = RAW(number, in(name), argv, environment, 0, 0);
		else
			result = RAW(number, HERE, in(name), argv, environment, 0);
		_exit((int)-result);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

static struct sockaddr_in far_away(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};

	inet_pton(AF_INET, UNREACHABLE, &address.sin_addr);
	return address;
}

/* Not having a route there is as good as having been let through. */
static long sent(long result)
{
	return result == -EINPROGRESS || result == -ENETUNREACH || result == -EHOSTUNREACH || result > 0 ? 0 : result;
}

static long with_socket(int type, long number, bool message, bool vector)
{
	struct sockaddr_in to = far_away();
	struct iovec text = {(char[]){"x"}, 1};
	struct mmsghdr header = {.msg_hdr = {.msg_name = &to, .msg_namelen = sizeof(to), .msg_iov = &text, .msg_iovlen = 1}};
	int descriptor = socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	long result;

	if (vector)
		result = RAW(number, descriptor, &header, 1, 0, 0);
	else if (message)
		result = RAW(number, descriptor, &header.msg_hdr, 0, 0, 0);
	else if (number == SYS_sendto)
		result = raw_call(number, descriptor, (long)"x", 1, 0, (long)&to, sizeof(to));
	else
		result = RAW(number, descriptor, &to, sizeof(to), 0, 0);
	close(descriptor);
	return sent(result);
}

static long unix_socket(long number, const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	long result;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", folder, name);
	result = RAW(number, descriptor, &address, sizeof(address), 0, 0);
	close(descriptor);
	return result == -ECONNREFUSED ? 0 : result;
}

static const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};

/* DOOR(name, call): `sweep` makes them in this order; VICTIM is one of the files that prepare made, each used once. */
#define DOORS                                                                                       \
	DOOR(openat, closed(RAW(SYS_openat, HERE, in("file"), O_RDONLY, 0, 0)))                     \
	DOOR(openat_write, closed(RAW(SYS_openat, HERE, in("file"), O_WRONLY, 0, 0)))               \
	DOOR(openat_create, closed(RAW(SYS_openat, HERE, in("new1"), O_RDONLY | O_CREAT, 0600, 0))) \
	DOOR(openat_folder, closed(RAW(SYS_openat, HERE, folder, O_RDONLY | O_DIRECTORY, 0, 0)))    \
	DOOR(openat_tmpfile, closed(RAW(SYS_openat, HERE, folder, O_WRONLY | O_TMPFILE, 0600, 0)))  \
	DOOR(openat_link, closed(RAW(SYS_openat, HERE, in("link"), O_RDONLY, 0, 0)))                \
	DOOR(openat_path, closed(RAW(SYS_openat, HERE, in("file"), O_PATH, 0, 0)))                  \
	DOOR(openat2, how_open(O_RDONLY, "file"))                                                   \
	DOOR(openat2_write, how_open(O_RDWR, "file"))                                               \
	DOOR(unlinkat, RAW(SYS_unlinkat, HERE, in("victim1"), 0, 0, 0))                             \
	DOOR(renameat, RAW(SYS_renameat, HERE, in("victim2"), HERE, in("new2"), 0))                 \
	DOOR(renameat2, RAW(SYS_renameat2, HERE, in("victim3"), HERE, in("new3"), 0))               \
	DOOR(linkat, RAW(SYS_linkat, HERE, in("file"), HERE, in("new4"), 0))                        \
	DOOR(symlinkat, RAW(SYS_symlinkat, "x", HERE, in("new5"), 0, 0))                            \
	DOOR(mkdirat, RAW(SYS_mkdirat, HERE, in("new6"), 0700, 0, 0))                               \
	DOOR(mknodat, RAW(SYS_mknodat, HERE, in("new7"), S_IFIFO | 0600, 0, 0))                     \
	DOOR(fchmodat, RAW(SYS_fchmodat, HERE, in("file"), 0644, 0, 0))                             \
	DOOR(fchmod, by_descriptor(SYS_fchmod, 0644, 0))                                            \
	DOOR(fchownat, RAW(SYS_fchownat, HERE, in("file"), -1, -1, 0))                              \
	DOOR(fchown, by_descriptor(SYS_fchown, -1, -1))                                             \
	DOOR(truncate, RAW(SYS_truncate, in("file"), 1, 0, 0, 0))                                   \
	DOOR(utimensat, RAW(SYS_utimensat, HERE, in("file"), times, 0, 0))                          \
	DOOR(setxattr, RAW(SYS_setxattr, in("file"), "user.x", "y", 1, 0))                          \
	DOOR(lsetxattr, RAW(SYS_lsetxattr, in("file"), "user.x", "y", 1, 0))                        \
	DOOR(removexattr, RAW(SYS_removexattr, in("file"), "user.x", 0, 0, 0))                      \
	DOOR(execve, run(SYS_execve, "program"))                                                    \
	DOOR(execveat, run(SYS_execveat, "program"))                                                \
	DOOR(connect, with_socket(SOCK_STREAM, SYS_connect, false, false))                          \
	DOOR(connect_datagram, with_socket(SOCK_DGRAM, SYS_connect, false, false))                  \
	DOOR(sendto, with_socket(SOCK_DGRAM, SYS_sendto, false, false))                             \
	DOOR(sendmsg, with_socket(SOCK_DGRAM, SYS_sendmsg, true, false))                            \
	DOOR(sendmmsg, with_socket(SOCK_DGRAM, SYS_sendmmsg, false, true))                          \
	DOOR(connect_unix, unix_socket(SYS_connect, "socket"))                                      \
	DOOR(bind_unix, unix_socket(SYS_bind, "new8"))                                              \
	OLD_DOORS

/* What aarch64 never had. */
#ifdef SYS_open
#define OLD_DOORS                                                                        \
	DOOR(open, closed(RAW(SYS_open, in("file"), O_RDONLY, 0, 0, 0)))                 \
	DOOR(open_write, closed(RAW(SYS_open, in("file"), O_WRONLY | O_TRUNC, 0, 0, 0))) \
	DOOR(creat, closed(RAW(SYS_creat, in("new9"), 0600, 0, 0, 0)))                   \
	DOOR(unlink, RAW(SYS_unlink, in("victim4"), 0, 0, 0, 0))                         \
	DOOR(rmdir, RAW(SYS_rmdir, in("folder1"), 0, 0, 0, 0))                           \
	DOOR(rename, RAW(SYS_rename, in("victim5"), in("new10"), 0, 0, 0))               \
	DOOR(link, RAW(SYS_link, in("file"), in("new11"), 0, 0, 0))                      \
	DOOR(symlink, RAW(SYS_symlink, "x", in("new12"), 0, 0, 0))                       \
	DOOR(mkdir, RAW(SYS_mkdir, in("new13"), 0700, 0, 0, 0))                          \
	DOOR(mknod, RAW(SYS_mknod, in("new14"), S_IFIFO | 0600, 0, 0, 0))                \
	DOOR(chmod, RAW(SYS_chmod, in("file"), 0644, 0, 0, 0))                           \
	DOOR(chown, RAW(SYS_chown, in("file"), -1, -1, 0, 0))                            \
	DOOR(lchown, RAW(SYS_lchown, in("link"), -1, -1, 0, 0))                          \
	DOOR(utime, RAW(SYS_utime, in("file"), NULL, 0, 0, 0))                           \
	DOOR(utimes, RAW(SYS_utimes, in("file"), NULL, 0, 0, 0))                         \
	DOOR(futimesat, RAW(SYS_futimesat, HERE, in("file"), NULL, 0, 0))
#else
#define OLD_DOORS
#endif

#define DOOR(name, call)              \
	static long door_##name(void) \
	{                             \
		return call;          \
	}
DOORS
#undef DOOR

static const struct door {
	const char *name;
	long (*open)(void);
} doors[] = {
#define DOOR(name, call) {#name, door_##name},
	DOORS
#undef DOOR
};

static void make_file(const char *name, const char *text, mode_t mode)
{
	int descriptor = open(in(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	if (descriptor < 0 || write(descriptor, text, strlen(text)) < 0)
		exit(2);
	close(descriptor);
}

static void prepare(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
	char name[16];

	mkdir(folder, 0700);
	make_file("file", "text\n", 0600);
	make_file("program", "#!/bin/true\n", 0700);
	for (int i = 1; i <= 5; i++) {
		snprintf(name, sizeof(name), "victim%d", i);
		make_file(name, "", 0600);
	}
	mkdir(in("folder1"), 0700);
	if (symlink("file", in("link")) < 0 && errno != EEXIST)
		exit(2);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
	if (bind(descriptor, (struct sockaddr *)&address, sizeof(address)) < 0 && errno != EADDRINUSE)
		exit(2);
}

static const char *word_of(long result)
{
	static char number[32];

	if (result >= 0)
		return "ok";
	switch (-result) {
	case EACCES:
		return "EACCES";
	case EPERM:
		return "EPERM";
	case ENOENT:
		return "ENOENT";
	case ENOSYS:
		return "ENOSYS";
	default:
		snprintf(number, sizeof(number), "%ld", -result);
		return number;
	}
}

int main(int argc, char **argv)
{
	bool all;

	folder = getenv("FOLDER");
	if (argc != 2 || !folder)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	all = !strcmp(argv[1], "sweep");
	if (!strcmp(argv[1], "prepare")) {
		prepare();
		return 0;
	}
	for (size_t i = 0; i < sizeof(doors) / sizeof(doors[0]); i++)
		if (all || !strcmp(argv[1], doors[i].name))
			printf("%s %s\n", doors[i].name, word_of(doors[i].open()));
	return 0;
}
