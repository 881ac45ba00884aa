/* SPDX-License-Identifier: MIT */
/*
 * Many callers at once: $INSIDE is a folder, $OUTSIDE a file that may not be read. A thousand threads stop together,
 * processes are killed and exit while they wait for an answer, signals interrupt them. Prints how many answers were
 * wrong; hangs when one is lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw.h"

#define THREADS 1000
#define ROUNDS 100
#define WORKERS 4

static const char *inside, *outside;
static _Atomic int wrong, tried;
static pthread_barrier_t together;

static void try_both(void)
{
	char path[4096];
	long descriptor;

	if (RAW(SYS_openat, AT_FDCWD, outside, O_RDONLY, 0, 0) != -EACCES)
		atomic_fetch_add(&wrong, 1);
	snprintf(path, sizeof(path), "%s/crowd", inside);
	descriptor = RAW(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0600, 0);
	if (descriptor < 0)
		atomic_fetch_add(&wrong, 1);
	else
		RAW(SYS_close, descriptor, 0, 0, 0, 0);
	atomic_fetch_add(&tried, 2);
}

static void *once(void *unused)
{
	pthread_barrier_wait(&together);
	try_both();
	return unused;
}

static void thousand(void)
{
	static pthread_t threads[THREADS];
	pthread_attr_t small;
	unsigned count = 0;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_barrier_init(&together, NULL, THREADS);
	while (count < THREADS && !pthread_create(&threads[count], &small, once, NULL))
		count++;
	if (count < THREADS)
		exit(3);
	while (count)
		pthread_join(threads[--count], NULL);
	printf("thousand %d tried, %d wrong\n", tried, wrong);
}

static void *forever(void *unused)
{
	for (;;)
		try_both();
	return unused;
}

/* Processes full of stopped threads, ended at every moment of a call. */
static void ended(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		pid_t child = fork();

		if (child == 0) {
			pthread_t thread;

			for (int k = 0; k < WORKERS; k++)
				pthread_create(&thread, NULL, forever, NULL);
			usleep((unsigned)i * 20);
			if (i % 2)
				_exit(0);
			pause();
		}
		usleep((unsigned)i * 30);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	printf("ended %d\n", ROUNDS);
}

static void tick(int signal)
{
	(void)signal;
}

/*
 * A timer that fires all the time: no call may be lost or refused. SA_RESTART, since the kernel hands EINTR to a caller
 * that a signal meets before its call was taken up.
 */
static void interrupted(void)
{
	struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};

	wrong = tried = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 2000; i++)
		try_both();
	setitimer(ITIMER_REAL, &never, NULL);
	printf("interrupted %d tried, %d wrong\n", tried, wrong);
}

int main(void)
{
	inside = getenv("INSIDE");
	outside = getenv("OUTSIDE");
	if (!inside || !outside)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	thousand();
	ended();
	interrupted();
	return 0;
}
