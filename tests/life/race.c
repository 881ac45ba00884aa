/* SPDX-License-Identifier: MIT */
/* A link that is swapped between a file inside and one outside while it is opened: the one outside is never reached. */
#include <pthread.h>

#include "life.h"

static volatile bool over;

static void *swap(void *unused)
{
	must(symlink("f", "good") == 0);
	while (!over) {
		must(symlink(OUTSIDE, "next") == 0 && rename("next", "good") == 0);
		must(symlink("f", "next") == 0 && rename("next", "good") == 0);
	}
	return unused;
}

int main(int argc, char **argv)
{
	int tries = argc > 1 ? atoi(argv[1]) : 3000;
	pthread_t thread;
	char text[8];

	must(pthread_create(&thread, NULL, swap, NULL) == 0);
	for (int i = 0; i < tries; i++) {
		int fd = open("good", O_RDONLY);

		if (fd < 0) {
			must(errno == EACCES || errno == ENOENT || errno == ELOOP);
			continue;
		}
		must(read(fd, text, sizeof(text)) > 0 && text[0] == 't');
		close(fd);
	}
	over = true;
	must(pthread_join(thread, NULL) == 0);
	return 0;
}
