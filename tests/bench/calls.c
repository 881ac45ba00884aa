/* SPDX-License-Identifier: MIT */
/*
 * The measured program: calls CASE COUNT makes one kind of call COUNT times, in the working directory, and prints the
 * nanoseconds that one took: of its own processor where the call does not wait, so that what else the machine does
 * disturbs the figure less, else of the wall clock. It knows nothing of bridle: table.c runs it bare and guarded.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char below[] = "a/b/c/file";
static char absolute[PATH_MAX];
static int directory;
static struct sockaddr_in listener;
static int listener_fd;

static void die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void close_it(int fd)
{
	if (fd < 0)
		die("open");
	close(fd);
}

static void open_absolute(void)
{
	close_it(open(absolute, O_RDONLY));
}

static void open_relative(void)
{
	close_it(open(below, O_RDONLY));
}

static void open_missing(void)
{
	if (open("a/b/c/no-such-file", O_RDONLY) >= 0)
		die("no-such-file exists");
}

static void open_directory(void)
{
	close_it(openat(directory, "file", O_RDONLY));
}

static void open_create(void)
{
	close_it(open(absolute, O_WRONLY | O_CREAT, 0644));
}

/* Outside the root: bare it opens, guarded it is refused and a line is written. */
static void open_outside(void)
{
	int fd = open("../outside", O_RDONLY);

	if (fd >= 0)
		close(fd);
	else if (errno != EACCES)
		die("../outside");
}

/* a/link leads to a/b/c/file */
static void open_link(void)
{
	close_it(open("a/link", O_RDONLY));
}

/* Two calls: made and removed. */
static void remove_file(void)
{
	close_it(open("a/fresh", O_WRONLY | O_CREAT, 0644));
	if (unlink("a/fresh") < 0)
		die("unlink");
}

/* Two calls: there and back. */
static void rename_file(void)
{
	if (rename(below, "a/b/moved") < 0 || rename("a/b/moved", below) < 0)
		die("rename");
}

/* Two calls as well. */
static void make_directory(void)
{
	if (mkdir("a/made", 0755) < 0 || rmdir("a/made") < 0)
		die("mkdir");
}

static void stream(void)
{
	FILE *file = fopen(below, "r");

	if (file == NULL)
		die(below);
	fclose(file);
}

static void control(void)
{
	struct stat status;

	if (fstatat(AT_FDCWD, below, &status, 0) < 0)
		die(below);
}

static void spawn(void)
{
	char program[] = "/bin/true", *argv[] = {program, NULL};
	int status;
	pid_t pid;

	errno = posix_spawn(&pid, program, NULL, NULL, argv, environ);
	if (errno != 0 || waitpid(pid, &status, 0) != pid || status != 0)
		die(program);
}

static void prepare_listener(void)
{
	socklen_t size = sizeof(listener);

	listener.sin_family = AF_INET;
	listener.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener_fd = socket(AF_INET, SOCK_STREAM, 0);
	if (listener_fd < 0 || bind(listener_fd, (struct sockaddr *)&listener, size) < 0 ||
	    listen(listener_fd, 16) < 0 || getsockname(listener_fd, (struct sockaddr *)&listener, &size) < 0)
		die("listen");
}

/* One call at a time, reset at once, so that no port stays taken. */
static void connect_loopback(void)
{
	const struct linger reset = {.l_onoff = 1};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&listener, sizeof(listener)) < 0)
		die("connect");
	close_it(accept(listener_fd, NULL, NULL));
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	close(fd);
}

/* Not timed: COUNT MiB on stdout, for the memory of who captures them. */
static void print_much(long count)
{
	static char block[1 << 20];

	memset(block, 'x', sizeof(block));
	while (count-- > 0)
		for (size_t done = 0; done < sizeof(block);) {
			ssize_t wrote = write(STDOUT_FILENO, block + done, sizeof(block) - done);

			if (wrote < 0)
				die("write");
			done += (size_t)wrote;
		}
}

static const struct {
	const char *name;
	void (*call)(void);
	clockid_t clock;
} cases[] = {
	{"open-absolute", open_absolute, CLOCK_PROCESS_CPUTIME_ID},
	{"open-supervised", open_absolute, CLOCK_MONOTONIC}, /* another process works for it meanwhile */
	{"open-relative", open_relative, CLOCK_PROCESS_CPUTIME_ID},
	{"open-missing", open_missing, CLOCK_PROCESS_CPUTIME_ID},
	{"open-directory", open_directory, CLOCK_PROCESS_CPUTIME_ID},
	{"open-create", open_create, CLOCK_PROCESS_CPUTIME_ID},
	{"open-link", open_link, CLOCK_PROCESS_CPUTIME_ID},
	{"unlink", remove_file, CLOCK_PROCESS_CPUTIME_ID},
	{"rename", rename_file, CLOCK_PROCESS_CPUTIME_ID},
	{"mkdir", make_directory, CLOCK_PROCESS_CPUTIME_ID},
	{"open-outside", open_outside, CLOCK_MONOTONIC},
	{"fopen", stream, CLOCK_PROCESS_CPUTIME_ID},
	{"stat", control, CLOCK_PROCESS_CPUTIME_ID},
	{"spawn", spawn, CLOCK_MONOTONIC},
	{"connect", connect_loopback, CLOCK_MONOTONIC},
};

static void measure(void (*call)(void), clockid_t clock, long count)
{
	uint64_t began;

	for (long i = 0; i < count / 10 + 1; i++)
		call(); /* warm */
	began = now(clock);
	for (long i = 0; i < count; i++)
		call();
	printf("%.1f\n", (double)(now(clock) - began) / (double)count);
}

int main(int argc, char **argv)
{
	char here[PATH_MAX - 32];
	long count = argc == 3 ? atol(argv[2]) : 0;

	if (count <= 0) {
		fputs("usage: calls CASE COUNT\n", stderr);
		return 2;
	}
	if (strcmp(argv[1], "print") == 0) {
		print_much(count);
		return 0;
	}
	if (getcwd(here, sizeof(here)) == NULL)
		die("getcwd");
	snprintf(absolute, sizeof(absolute), "%s/%s", here, below);
	directory = open("a/b/c", O_PATH | O_DIRECTORY | O_CLOEXEC);
	prepare_listener();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (strcmp(argv[1], cases[i].name) == 0) {
			measure(cases[i].call, cases[i].clock, count);
			return 0;
		}
	fprintf(stderr, "bench: no case %s\n", argv[1]);
	return 2;
}
