/* SPDX-License-Identifier: MIT */
/*
 * A folder that is swapped for one outside, by a link in the middle of the path, while files in it are removed, renamed,
 * made, cut and changed: nothing outside is ever touched. argv[1]: swaps, in all.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "life.h"

static atomic_long swaps;
static long most;

static void *swap(void *unused)
{
	while (swaps < most) {
		must(symlink("../out", "next") == 0 && rename("next", "good") == 0);
		must(symlink(".", "next") == 0 && rename("next", "good") == 0);
		swaps += 2;
	}
	return unused;
}

static void make_again(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	must(fd >= 0);
	close(fd);
}

/* Each ends as it would inside, or is refused. */
static void must_end(int result)
{
	must(result == 0 || errno == EACCES || errno == ENOENT || errno == EEXIST || errno == ELOOP || errno == ENOTDIR);
}

static void try_names(void)
{
	make_again("f");
	must_end(rename("good/f", "good/moved"));
	unlink("moved");
	make_again("f");
	must_end(unlink("good/f"));
	must_end(mkdir("good/made", 0700));
	rmdir("made");
	must_end(symlink("x", "good/made"));
	unlink("made");
	must_end(link("g", "good/made"));
	unlink("made");
	must_end((int)syscall(SYS_mkdirat, AT_FDCWD, "good/made", 0700));
	rmdir("made");
}

static void try_contents(void)
{
	struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

	make_again("f");
	must_end(truncate("good/f", 1));
	must_end(chmod("good/f", 0600));
	must_end(utimensat(AT_FDCWD, "good/f", times, 0));
	must_end((int)syscall(SYS_truncate, "good/f", 1));
}

static void try_temporary(void)
{
	char name[] = "good/made-XXXXXX";
	int fd = mkstemp(name);

	must(fd >= 0 || errno == EACCES || errno == ENOENT || errno == ELOOP);
	if (fd >= 0) {
		unlink(strrchr(name, '/') + 1);
		close(fd);
	}
}

int main(int argc, char **argv)
{
	struct stat before, after, folder, folder_after;
	pthread_t thread;

	most = argc > 1 ? atol(argv[1]) : 1000;
	must(stat(OUTSIDE, &before) == 0 && stat("../out", &folder) == 0);
	must(symlink(".", "good") == 0);
	must(pthread_create(&thread, NULL, swap, NULL) == 0);
	while (swaps < most) {
		try_names();
		try_contents();
		try_temporary();
	}
	must(pthread_join(thread, NULL) == 0);
	must(stat(OUTSIDE, &after) == 0 && stat("../out", &folder_after) == 0);
	must(after.st_size == before.st_size && after.st_mode == before.st_mode);
	must(after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
	must(after.st_nlink == 1 && after.st_ino == before.st_ino);
	must(folder_after.st_mtim.tv_sec == folder.st_mtim.tv_sec && folder_after.st_mtim.tv_nsec == folder.st_mtim.tv_nsec);
	return 0;
}
