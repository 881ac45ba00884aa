/* SPDX-License-Identifier: MIT */
/*
 * Ten threads that open, start and connect while signals arrive and children are forked and execute: no refusal is lost,
 * and no descriptor, no byte of the heap and no page is left behind. argv[1]: rounds of each thread; tests/call/life.c
 * knows how many refusals come of them.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <malloc.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "life.h"

#define THREADS 10

extern char **environ;

static void on_alarm(int number)
{
	int kept = errno;

	(void)number;
	if (!is_opened(INSIDE))
		_exit(9);
	errno = kept;
}

static int count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	must(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

static void try_connect(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(10)};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	must(fd >= 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == -1 && errno == EACCES);
	close(fd);
}

static void try_spawn(void)
{
	char *fine[] = {(char *)(size_t) "./fine", NULL}, *bad[] = {(char *)(size_t) "./forbidden", NULL};
	pid_t pid;

	must(posix_spawn(&pid, fine[0], NULL, NULL, fine, environ) == 0);
	must(ended_well(pid));
	must(posix_spawn(&pid, bad[0], NULL, NULL, bad, environ) == EACCES);
}

/* execute: the child goes on as another program, after one that it may not become. */
static void try_fork(bool execute)
{
	char *fine[] = {(char *)(size_t) "./fine", NULL};
	pid_t pid = fork();

	if (pid == 0) {
		if (!is_refused(OUTSIDE) || !is_opened(INSIDE))
			_exit(1);
		if (execute && execv("./forbidden", fine) == -1 && errno == EACCES)
			execv(fine[0], fine);
		_exit(execute);
	}
	must(ended_well(pid));
}

static void *work(void *rounds)
{
	for (long i = 0; i < *(long *)rounds; i++) {
		must(is_refused(OUTSIDE));
		must(is_opened(INSIDE));
		must(is_opened("dir/../f"));
		try_connect();
		try_spawn();
		if (i % 10 == 0)
			try_fork(i % 20 == 0);
	}
	return NULL;
}

#define STACK 262144 /* libc keeps so small ones for the next threads */

static void run(long rounds)
{
	pthread_attr_t attributes;
	pthread_t threads[THREADS];

	must(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, STACK) == 0);
	for (int i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], &attributes, work, &rounds) == 0);
	for (int i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL) == 0);
}

static long resident_pages(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	must(file && fscanf(file, "%*d %ld", &pages) == 1);
	fclose(file);
	return pages;
}

/* A thread's stack may be touched deeper by chance; a leak of eight bytes a round would be more than this. */
#define SPARE_PAGES 64

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10, pages;
	struct itimerval every = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	int before = count_descriptors();
	size_t bytes;

	must(sigaction(SIGALRM, &action, NULL) == 0);
	must(setitimer(ITIMER_REAL, &every, NULL) == 0);
	run(rounds / 10); /* what libc keeps for the next time is there after this */
	must(setitimer(ITIMER_REAL, &never, NULL) == 0);
	pages = resident_pages();
	bytes = mallinfo2().uordblks;
	must(setitimer(ITIMER_REAL, &every, NULL) == 0);
	run(rounds);
	must(setitimer(ITIMER_REAL, &never, NULL) == 0);
	must(mallinfo2().uordblks == bytes);
	must(resident_pages() < pages + SPARE_PAGES);
	must(count_descriptors() == before);
	return 0;
}
