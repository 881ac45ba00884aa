/* SPDX-License-Identifier: MIT */
/* Where /proc is not mounted: what needs it finds another way, nobody dies, and the guard holds. Needs root. */
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../backstop/raw.h"
#include "life.h"

int main(int argc, char **argv)
{
	char *again[] = {argv[0], (char *)(size_t) "child", NULL}, *bad[] = {(char *)(size_t) "./forbidden", NULL};
	int folder = open("dir", O_RDONLY | O_DIRECTORY);
	struct stat status;

	/* Past the guard, which refuses to unmount: as if somebody had started us there. */
	if (argc == 1) {
		long shut = RAW(SYS_unshare, CLONE_NEWNS, 0, 0, 0, 0);

		shut = shut ? shut : RAW(SYS_mount, "none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
		if (shut || RAW(SYS_umount2, "/proc", MNT_DETACH, 0, 0, 0))
			return 0;
		execv(argv[0], again);
		must(!"started again");
	}
	must(stat("/proc/self", &status) == -1);
	must(is_opened(INSIDE) && is_opened("/usr/bin/env") && is_refused(OUTSIDE) && is_refused("link"));
	must(openat(folder, "inner", O_RDONLY) == -1 && errno == EACCES); /* where it leads cannot be told */
	must(chmod("dir/inner", 0600) == 0 && truncate("./f", 2) == 0 && rename("g", "dir/g") == 0 && unlink("dir/g") == 0);
	must(stat("f", &status) == 0 && status.st_size == 2);
	must(unlink(OUTSIDE) == -1 && errno == EACCES);
	must(execv(bad[0], bad) == -1 && errno == EACCES);
	return 0;
}
