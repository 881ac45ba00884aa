/* SPDX-License-Identifier: MIT */
/*
 * What all wrappers share. A wrapper has three beats: collect the arguments, ask the guard, make the real call. Only
 * wrappers set errno, and only for what the guard itself answers.
 */
#ifndef BRIDLE_WRAP_WRAP_H
#define BRIDLE_WRAP_WRAP_H

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "describe/number.h"
#include "guard.h"
#include "real/real.h"
#include "real/syscall.h"

/* The only symbols that leave the library. */
#define EXPORT __attribute__((visibility("default")))

/* The guard's answer as libc gives it: -1 and errno, or the value. */
static inline long wrap_result(long answer)
{
	if (answer < 0) {
		errno = (int)-answer;
		return -1;
	}
	return answer;
}

/* What a real function gave, which may be a directory's descriptor: for what the guard remembers of numbers. */
static inline int wrap_opened(int fd)
{
	number_new(fd);
	return fd;
}

/* Names that libc exports and its headers, or older ones of them, do not declare. */
int __open(const char *path, int flags, ...);
int __open64(const char *path, int flags, ...);
FILE *_IO_fopen(const char *restrict path, const char *restrict mode);
FILE *_IO_popen(const char *command, const char *type);
FILE *__setmntent(const char *path, const char *mode);
int __libc_system(const char *command);
int ruserpass(const char *host, const char **user, const char **password);
int __connect(int fd, const struct sockaddr *address, socklen_t size);
int __sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags);
int __dup2(int from, int to);
int __fcntl(int fd, int command, ...);
int __clone(int (*fn)(void *), void *stack, int flags, void *data, ...);
mqd_t __mq_open_2(const char *name, int flags);
int __xmknod(int version, const char *path, mode_t mode, dev_t *device);
int __xmknodat(int version, int dirfd, const char *path, mode_t mode, dev_t *device);
int pidfd_getfd(int pidfd, int fd, unsigned flags);
int pivot_root(const char *root, const char *old);
int pidfd_spawn(int *restrict pidfd, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
		const posix_spawnattr_t *restrict attributes, char *const argv[restrict], char *const envp[restrict]);
int pidfd_spawnp(int *restrict pidfd, const char *restrict file, const posix_spawn_file_actions_t *restrict actions,
		 const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
		 char *const envp[restrict]);
int posix_spawn_file_actions_addchdir(posix_spawn_file_actions_t *restrict actions, const char *restrict path);
int posix_spawn_file_actions_addfchdir(posix_spawn_file_actions_t *actions, int fd);
int __execvpe(const char *file, char *const argv[], char *const envp[]);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dirfd, const char *path, int flags);
int __openat64_2(int dirfd, const char *path, int flags);

/* The file behind an exec call, in any of its spellings. GUARD_GO, GUARD_REFUSED or -errno: see guard_exec. */
int wrap_execve(const char *name, const char *path, char *const *argv, char *const *envp);
int wrap_execveat(const char *name, int dirfd, const char *path, char *const *argv, char *const *envp, int flags);
int wrap_execvpe(const char *name, const char *file, char *const *argv, char *const *envp);

/*
 * Before a child is made with these CLONE_* flags. One that shares the working directory and no memory with us moves it
 * unseen, one with our descriptors changes what they stand for, one that goes on beside us in our memory but with descriptors
 * of its own has other things behind the same numbers.
 */
void wrap_note_child(uint64_t flags);

/*
 * Calls that give folders other names, for the wrappers and for syscall(): GUARD_GO or -EACCES. What else is wrong the kernel
 * says, in its own order. They are made by their own paths.
 */
long wrap_ask_mount(const char *source, const char *target, unsigned long flags);
long wrap_ask_move_mount(int from_dir, const char *from, int to_dir, const char *to, unsigned flags);
long wrap_ask_open_tree(int dirfd, const char *path, unsigned flags);
long wrap_ask_chroot(const char *path);

/* The addresses of a sendmmsg, each judged; the first refusal is the answer. */
long wrap_ask_messages(const char *name, const struct mmsghdr *messages, unsigned count);

/*
 * May libc open the path by itself, for a call that hands on what stands there? GUARD_GO or -EACCES: only a refusal counts,
 * what else is wrong libc finds out in its own way.
 */
long wrap_ask_inside(const char *name, const char *path, enum op op);

/* May a look-up of host (NULL: of none) read what the environment names: see hosts.c. GUARD_GO or -EACCES. */
long wrap_ask_hosts(const char *name, const char *host);

/* environ of the running program, and the first value of one of its variables (getenv may be the program's own). */
char **wrap_environ(void);
const char *wrap_variable(const char *name);

/* The candidates of a name in PATH, in order, as execvp tries them. */
struct wrap_search {
	const char *file, *next;
};
void wrap_search_start(struct wrap_search *search, const char *file);

/* Bytes that every candidate fits into, small stacks in mind; folders that no path could be made of are left out. */
size_t wrap_search_size(const struct wrap_search *search);

/* Writes the next candidate; false when there is none. What does not fit is left out. */
bool wrap_search_next(struct wrap_search *search, char *candidate, size_t size);

#endif
