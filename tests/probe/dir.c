/* SPDX-License-Identifier: MIT */
/* Directories, mounts, memory objects, code, system calls and state. */
#include <dirent.h>
#include <dlfcn.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <link.h>
#include <mqueue.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

static struct outcome call_opendir(char **a)
{
	return from_pointer(opendir(a[0]));
}

static struct outcome call_scandir(char **a)
{
	struct dirent **list;

	return from_int(scandir(a[0], &list, NULL, NULL));
}

static struct outcome call_scandir64(char **a)
{
	struct dirent64 **list;

	return from_int(scandir64(a[0], &list, NULL, NULL));
}

static struct outcome call_scandirat(char **a)
{
	struct dirent **list;

	return from_int(scandirat(folder(a[0]), a[1], &list, NULL, NULL));
}

static struct outcome call_scandirat64(char **a)
{
	struct dirent64 **list;

	return from_int(scandirat64(folder(a[0]), a[1], &list, NULL, NULL));
}

static int visit(const char *path, const struct stat *status, int kind)
{
	(void)path;
	(void)status;
	(void)kind;
	return 0;
}

static int visit64(const char *path, const struct stat64 *status, int kind)
{
	(void)path;
	(void)status;
	(void)kind;
	return 0;
}

static int visit_new(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)where;
	return visit(path, status, kind);
}

static int visit_new64(const char *path, const struct stat64 *status, int kind, struct FTW *where)
{
	(void)where;
	return visit64(path, status, kind);
}

static struct outcome call_ftw(char **a)
{
	return from_int(ftw(a[0], visit, 4));
}

static struct outcome call_ftw64(char **a)
{
	return from_int(ftw64(a[0], visit64, 4));
}

static struct outcome call_nftw(char **a)
{
	return from_int(nftw(a[0], visit_new, 4, FTW_PHYS));
}

static struct outcome call_nftw64(char **a)
{
	return from_int(nftw64(a[0], visit_new64, 4, FTW_PHYS));
}

static struct outcome call_fts_open(char **a)
{
	return from_pointer(fts_open(a, FTS_PHYSICAL, NULL));
}

static struct outcome call_fts64_open(char **a)
{
	return from_pointer(fts64_open(a, FTS_PHYSICAL, NULL));
}

static struct outcome call_glob(char **a)
{
	glob_t found;
	int error = glob(a[0], GLOB_ERR, NULL, &found);

	return (struct outcome){.failed = error != 0, .error = errno};
}

static struct outcome call_glob64(char **a)
{
	glob64_t found;
	int error = glob64(a[0], GLOB_ERR, NULL, &found);

	return (struct outcome){.failed = error != 0, .error = errno};
}

const struct verb dir_verbs[] = {
	{"opendir", 1, call_opendir},
	{"scandir", 1, call_scandir},
	{"scandir64", 1, call_scandir64},
	{"scandirat", 2, call_scandirat},
	{"scandirat64", 2, call_scandirat64},
	{"ftw", 1, call_ftw},
	{"ftw64", 1, call_ftw64},
	{"nftw", 1, call_nftw},
	{"nftw64", 1, call_nftw64},
	{"fts_open", 1, call_fts_open},
	{"fts64_open", 1, call_fts64_open},
	{"glob", 1, call_glob},
	{"glob64", 1, call_glob64},
	{NULL, 0, NULL},
};

static struct outcome call_shm_open(char **a)
{
	return from_int(shm_open(a[0], O_RDWR | O_CREAT, 0600));
}

static struct outcome call_shm_unlink(char **a)
{
	return from_int(shm_unlink(a[0]));
}

static struct outcome call_sem_open(char **a)
{
	sem_t *semaphore = sem_open(a[0], O_CREAT, 0600, 1);

	return from_int(semaphore == SEM_FAILED ? -1 : 0);
}

static struct outcome call_sem_unlink(char **a)
{
	return from_int(sem_unlink(a[0]));
}

static struct outcome call_mq_open(char **a)
{
	return from_int(mq_open(a[0], O_RDWR | O_CREAT, 0600, NULL));
}

static struct outcome call___mq_open_2(char **a)
{
	return from_int(((int (*)(const char *, int))find("__mq_open_2"))(a[0], O_RDWR));
}

static struct outcome call_mq_unlink(char **a)
{
	return from_int(mq_unlink(a[0]));
}

const struct verb ipc_verbs[] = {
	{"shm_open", 1, call_shm_open},
	{"shm_unlink", 1, call_shm_unlink},
	{"sem_open", 1, call_sem_open},
	{"sem_unlink", 1, call_sem_unlink},
	{"mq_open", 1, call_mq_open},
	{"__mq_open_2", 1, call___mq_open_2},
	{"mq_unlink", 1, call_mq_unlink},
	{NULL, 0, NULL},
};

/* Without a file system type or on no mount point these change nothing, whoever calls them. */
static struct outcome call_mount(char **a)
{
	bool moves = strcmp(a[0], "-") != 0;

	return from_int(mount(moves ? a[0] : NULL, a[1], NULL, moves ? MS_MOVE : MS_REMOUNT | MS_BIND, NULL));
}

static struct outcome call_umount(char **a)
{
	return from_int(umount(a[0]));
}

static struct outcome call_umount2(char **a)
{
	return from_int(umount2(a[0], MNT_DETACH));
}

static struct outcome call_chroot(char **a)
{
	return from_int(chroot(a[0]));
}

static struct outcome call_pivot_root(char **a)
{
	return from_int(((int (*)(const char *, const char *))find("pivot_root"))(a[0], a[1]));
}

static struct outcome call_acct(char **a)
{
	return from_int(acct(a[0]));
}

static struct outcome call_swapon(char **a)
{
	return from_int(swapon(a[0], 0));
}

static struct outcome call_open_tree(char **a)
{
	return from_int(open_tree(folder(a[0]), a[1], 0));
}

static struct outcome call_move_mount(char **a)
{
	return from_int(move_mount(folder(a[0]), a[1], folder(a[2]), a[3], 0));
}

/* The loader's reason in words has no errno: a refusal is told by them. */
static struct outcome loaded(const void *handle)
{
	const char *words = handle ? "" : dlerror();

	return (struct outcome){.failed = !handle, .error = words && strstr(words, "refused") ? EACCES : ENOENT};
}

static struct outcome call_dlopen(char **a)
{
	return loaded(dlopen(a[0], RTLD_NOW));
}

static struct outcome call_dlmopen(char **a)
{
	return loaded(dlmopen(LM_ID_BASE, a[0], RTLD_NOW));
}

/* syscall NUMBER-NAME ARGUMENT...: the calls whose decoding differs. */
static struct outcome call_syscall(char **a)
{
	if (strcmp(a[0], "openat") == 0)
		return from_int(syscall(SYS_openat, AT_FDCWD, a[1], O_RDONLY));
	if (strcmp(a[0], "unlinkat") == 0)
		return from_int(syscall(SYS_unlinkat, AT_FDCWD, a[1], 0));
	if (strcmp(a[0], "renameat2") == 0)
		return from_int(syscall(SYS_renameat2, AT_FDCWD, a[1], AT_FDCWD, a[2], 0));
	if (strcmp(a[0], "symlinkat") == 0)
		return from_int(syscall(SYS_symlinkat, a[1], AT_FDCWD, a[2]));
	if (strcmp(a[0], "io_uring_setup") == 0)
		return from_int(syscall(SYS_io_uring_setup, 1, NULL));
	if (strcmp(a[0], "getpid") == 0)
		return from_int(syscall(SYS_getpid));
	if (strcmp(a[0], "openat2") == 0) {
		struct {
			unsigned long long flags, mode, resolve;
		} how = {O_RDONLY, 0, 0};

		return from_int(syscall(SYS_openat2, AT_FDCWD, a[1], &how, sizeof(how)));
	}
	if (strcmp(a[0], "execve") == 0)
		return from_int(syscall(SYS_execve, a[1], a + 1, environ));
	errno = ENOSYS;
	return from_int(-1);
}

static struct outcome call_chdir(char **a)
{
	return from_int(chdir(a[0]));
}

static struct outcome call_fchdir(char **a)
{
	return from_int(fchdir(folder(a[0])));
}

static struct outcome call_setns(char **a)
{
	return from_int(setns(open(a[0], O_RDONLY | O_CLOEXEC), 0));
}

static int end(void *status)
{
	_exit(*(int *)status);
}

int __clone(int (*fn)(void *), void *stack, int flags, void *data, ...);

static struct outcome with_clone(int (*way)(int (*)(void *), void *, int, void *, ...), const char *word)
{
	int status = atoi(word), ended = -1;
	static char stack[65536];
	pid_t pid = way(end, stack + sizeof(stack), CLONE_FS | SIGCHLD, &status);

	if (pid > 0 && waitpid(pid, &ended, 0) == pid)
		return from_int(WIFEXITED(ended) && WEXITSTATUS(ended) == status ? 0 : -1);
	return from_int(-1);
}

static struct outcome call_clone(char **a)
{
	return with_clone(clone, a[0]);
}

static struct outcome call___clone(char **a)
{
	return with_clone(__clone, a[0]);
}

static struct outcome call_prctl(char **a)
{
	return from_int(prctl(PR_SET_NAME, a[0], 0, 0, 0));
}

static int count_object(struct dl_phdr_info *info, size_t size, void *count)
{
	(void)info;
	(void)size;
	++*(int *)count;
	return 0;
}

static struct outcome call_dl_iterate_phdr(char **a)
{
	int count = 0;

	(void)a;
	return from_int(dl_iterate_phdr(count_object, &count) == 0 && count > 2 ? 0 : -1);
}

static struct outcome call_dlsym(char **a)
{
	return from_int(dlsym(dlopen(a[0], RTLD_NOW), a[1]) ? 0 : -1);
}

static struct outcome call_dlvsym(char **a)
{
	return from_int(dlvsym(dlopen(a[0], RTLD_NOW), a[1], a[2]) ? 0 : -1);
}

const struct verb other_verbs[] = {
	{"mount", 2, call_mount},
	{"umount", 1, call_umount},
	{"umount2", 1, call_umount2},
	{"chroot", 1, call_chroot},
	{"pivot_root", 2, call_pivot_root},
	{"acct", 1, call_acct},
	{"swapon", 1, call_swapon},
	{"open_tree", 2, call_open_tree},
	{"move_mount", 4, call_move_mount},
	{"dlopen", 1, call_dlopen},
	{"dlmopen", 1, call_dlmopen},
	{"syscall", 1, call_syscall},
	{"chdir", 1, call_chdir},
	{"fchdir", 1, call_fchdir},
	{"setns", 1, call_setns},
	{"clone", 1, call_clone},
	{"__clone", 1, call___clone},
	{"prctl", 1, call_prctl},
	{"dl_iterate_phdr", 0, call_dl_iterate_phdr},
	{"dlsym", 2, call_dlsym},
	{"dlvsym", 3, call_dlvsym},
	{NULL, 0, NULL},
};
