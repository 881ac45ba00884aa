/* SPDX-License-Identifier: MIT */
/*
 * Programs that move their working directory, or a folder above it, behind libc's back, and then open by libc. $INSIDE is a
 * folder that may be written, with a file in it; $OUTSIDE a file that may not be read. Prints "NAME RESULT", RESULT being
 * ok or the errno's name.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw.h"

#define TURNS 100
#define SETTLED 400000 /* microseconds: what went before is over, and shims remember again */

static const char *inside, *outside;
static char folder[PATH_MAX]; /* of outside */

static void say(const char *name, int error)
{
	printf("%s %s\n", name, error ? strerrorname_np(error) : "ok");
}

static int try(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void walk(const char *to)
{
	if (RAW(SYS_chdir, to, 0, 0, 0, 0) < 0)
		_exit(3);
}

static void in_child(void (*what)(void))
{
	pid_t child;

	fflush(stdout);
	usleep(SETTLED);
	child = fork();
	if (child == 0) {
		what();
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void by_path(void)
{
	if (chdir(inside) < 0)
		return;
	say("before", try("file"));
	walk(folder);
	say("chdir_out", try("file"));
	walk(inside);
	say("chdir_back", try("file"));
}

static void by_descriptor(void)
{
	int here = open(inside, O_RDONLY | O_DIRECTORY);

	if (chdir(folder) < 0)
		return;
	say("outside", try("file"));
	if (!RAW(SYS_fchdir, here, 0, 0, 0, 0))
		say("fchdir_back", try("file"));
}

#ifdef __x86_64__
static void narrow(void)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long result;

	if (chdir(inside) < 0 || try("file"))
		return;
	strcpy(low, folder);
	/* chdir by the 32-bit door, which spoils r8 to r11 */
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(12), "b"(low)
			 : "memory", "r8", "r9", "r10", "r11");
	say("narrow_out", result ? ENOSYS : try("file"));
}
#endif

/* One thread walks, the other opens: where it stood still around an open, that must fit. */
static _Atomic unsigned steps; /* odd: on the way; of the even ones every other is outside */
static _Atomic bool over;

static void *walk_on(void *unused)
{
	for (unsigned i = 0; i < TURNS; i++) {
		atomic_fetch_add(&steps, 1);
		walk(i % 2 ? inside : folder);
		atomic_fetch_add(&steps, 1);
		for (unsigned wait = 0; wait < 50; wait++)
			sched_yield();
	}
	atomic_store(&over, true);
	return unused;
}

static void in_threads(void)
{
	unsigned wrong = 0, before;
	pthread_t thread;

	if (chdir(inside) < 0 || pthread_create(&thread, NULL, walk_on, NULL))
		return;
	while (!atomic_load(&over)) {
		before = atomic_load(&steps);
		int error = try("file");

		if (before % 2 == 0 && before == atomic_load(&steps))
			wrong += error != (before % 4 ? EACCES : 0);
	}
	pthread_join(thread, NULL);
	say("threads", wrong ? EINVAL : 0);
}

/* A child with no libc in between moves what its parent stands in one folder up: "../../../" leads further than before. */
static void renamed(void)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "../../../%s/file", strrchr(folder, '/') + 1);
	if (chdir(inside) < 0 || mkdir("deep", 0700) < 0 || mkdir("deep/tree", 0700) < 0)
		return;
	if (mkdir("deep/tree/below", 0700) < 0 || chdir("deep/tree/below") < 0)
		return;
	say("renamed_before", try(path));
	if (vfork() == 0)
		_exit(RAW(SYS_renameat2, AT_FDCWD, "../../tree", AT_FDCWD, "../../../tree", 0) < 0);
	say("renamed", try(path));
	say("renamed_file", try("../../file"));
}

/* The folder is removed and another one takes its name. */
static void replaced(void)
{
	if (chdir(inside) < 0 || mkdir("short", 0700) < 0 || chdir("short") < 0)
		return;
	say("replaced_before", try("../file"));
	if (vfork() == 0) {
		long fd;

		RAW(SYS_unlinkat, AT_FDCWD, "../short", 0x200, 0, 0);
		fd = RAW(SYS_openat, AT_FDCWD, inside, O_PATH | O_DIRECTORY, 0, 0);
		RAW(SYS_mkdirat, fd, "short", 0700, 0, 0);
		RAW(SYS_symlinkat, outside, fd, "short/file", 0, 0);
		_exit(0);
	}
	say("replaced", try("file"));
	say("replaced_up", try("../file"));
}

static int go_out(void *unused)
{
	(void)unused;
	_exit(chdir(folder));
}

/* A child that shares the working directory and no memory, made raw. */
static void shared(void)
{
	int status = 0;
	long child;

	if (chdir(inside) < 0)
		return;
	say("shared_before", try("file"));
	child = RAW(SYS_clone, CLONE_FS | SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		go_out(NULL);
	waitpid((pid_t)child, &status, 0);
	say("shared", status ? EINVAL : try("file"));
}

int main(void)
{
	inside = getenv("INSIDE");
	outside = getenv("OUTSIDE");
	if (!inside || !outside)
		return 2;
	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(outside, '/') - outside), outside);
	in_child(by_path);
	in_child(by_descriptor);
	in_child(in_threads);
	in_child(renamed);
	in_child(replaced);
	in_child(shared);
#ifdef __x86_64__
	in_child(narrow);
#endif
	return 0;
}
