/* SPDX-License-Identifier: MIT */
/* Every descriptor closed, every number taken by a file of the user's: reports arrive, and not in that file. */
#include <mntent.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "life.h"

int main(void)
{
	struct rlimit one = {4, 4}, none = {3, 3};
	char made[] = "./madeXXXXXX";
	struct stat status;
	FILE *stream;
	int file;

	for (int fd = 0; fd < 1024; fd++)
		if (fd != 2)
			close(fd);
	file = open("data", O_WRONLY | O_CREAT, 0644);
	must(file == 0);
	for (int fd = 3; fd < 1024; fd += 7)
		must(dup2(file, fd) == fd);
	must(is_refused(OUTSIDE));
	must(is_refused("link"));
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	must(is_refused(OUTSIDE));
	must(fstat(file, &status) == 0 && status.st_size == 0);

	/* The last number is the file's. */
	must(dup2(file, 1) == 1);
	must(setrlimit(RLIMIT_NOFILE, &one) == 0);
	must(mkstemp(made) == 3 && access(made, W_OK) == 0 && close(3) == 0 && unlink(made) == 0);

	stream = fopen(INSIDE, "r");
	must(stream && fileno(stream) == 3);

	/* With no descriptor to be had the guard still decides, and the kernel's own answer comes through. */
	must(setrlimit(RLIMIT_NOFILE, &none) == 0);
	must(is_refused(OUTSIDE));
	must(open(INSIDE, O_RDONLY) == -1 && errno == EMFILE);
	must(!freopen("nothing", "r", stream) && errno == EMFILE);
	must(!setmntent("nothing", "r") && errno == EMFILE);
	must(!fopen("dir/nothing", "rm") && errno == EMFILE);
	must(unlink("g") == 0);
	must(unlink(OUTSIDE) == -1 && errno == EACCES);
	return 0;
}
