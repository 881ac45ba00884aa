/* SPDX-License-Identifier: MIT */
/*
 * Ten threads that open, start and connect while signals arrive and children are forked: no refusal is lost, no
 * descriptor is left behind. argv[1]: rounds of each thread.
 */
#include <arpa/inet.h>
#include <dirent.h>
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

static void try_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(is_refused(OUTSIDE) && is_opened(INSIDE) ? 0 : 1);
	must(ended_well(pid));
}

static void *work(void *rounds)
{
	for (long i = 0; i < *(long *)rounds; i++) {
		must(is_refused(OUTSIDE));
		must(is_opened(INSIDE));
		must(is_opened("dir/../f"));
		try_connect();
		if (i % 10 == 0) {
			try_spawn();
			try_fork();
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;
	struct itimerval every = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	pthread_t threads[THREADS];
	int before = count_descriptors();

	must(sigaction(SIGALRM, &action, NULL) == 0);
	must(setitimer(ITIMER_REAL, &every, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, &rounds) == 0);
	for (int i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL) == 0);
	must(setitimer(ITIMER_REAL, &never, NULL) == 0);
	must(count_descriptors() == before);
	return 0;
}
