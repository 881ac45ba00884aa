/* SPDX-License-Identifier: MIT */
/*
 * The measured program: calls CASE COUNT makes one kind of call COUNT times, in the working directory, and prints the
 * nanoseconds that one took. It knows nothing of bridle: table.py runs it bare and guarded.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "slices.h"

extern char **environ;

static const char below[] = "a/b/c/file";
static char absolute[PATH_MAX];
static int directory;
static struct sockaddr_in listener;
static const struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "a/socket"};
static int listener_fd, local_fd;

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

static void rename_beside(void)
{
	if (rename(below, "a/b/c/moved") < 0 || rename("a/b/c/moved", below) < 0)
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

static void fork_exec(void)
{
	char program[] = "/bin/true", *argv[] = {program, NULL};
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execv(program, argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		die("fork");
}

static void pipe_open(void)
{
	FILE *pipe = popen("/bin/true", "r");

	if (pipe == NULL || pclose(pipe) != 0)
		die("popen");
}

static void prepare_local(void)
{
	unlink(local.sun_path);
	local_fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (local_fd < 0 || bind(local_fd, (const struct sockaddr *)&local, sizeof(local)) < 0 || listen(local_fd, 16) < 0)
		die(local.sun_path);
}

static void connect_local(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)&local, sizeof(local)) < 0)
		die("connect");
	close_it(accept(local_fd, NULL, NULL));
	close(fd);
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

/* Not timed: KiB that only this process holds, after a life of a few calls. */
static void print_private(void)
{
	FILE *rollup = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	long sum = 0, kib;

	while (rollup != NULL && fgets(line, sizeof(line), rollup) != NULL)
		if (sscanf(line, "Private_Clean: %ld", &kib) == 1 || sscanf(line, "Private_Dirty: %ld", &kib) == 1)
			sum += kib;
	if (sum == 0)
		die("smaps_rollup");
	printf("%ld\n", sum);
}

/* A child of the same kind prints it, so that what two such processes share is not counted. */
static void live_and_print(bool child)
{
	char program[] = "./calls", name[] = "private-child", one[] = "1", *argv[] = {program, name, one, NULL};
	int status;
	pid_t pid;

	open_absolute();
	open_relative();
	open_link();
	spawn();
	connect_loopback();
	if (child) {
		print_private();
		return;
	}
	errno = posix_spawn(&pid, program, NULL, NULL, argv, environ);
	if (errno != 0 || waitpid(pid, &status, 0) != pid || status != 0)
		die(program);
}

#define BREATH_NS 2000000

static const struct measured cases[] = {
	{"open-absolute", open_absolute, 200, 0},
	{"open-relative", open_relative, 200, 0},
	{"open-missing", open_missing, 200, 0},
	{"open-directory", open_directory, 200, 0},
	{"open-create", open_create, 200, 0},
	{"open-link", open_link, 200, 0},
	{"unlink", remove_file, 50, 0},
	{"rename", rename_file, 50, 0},
	{"rename-beside", rename_beside, 50, 0},
	{"mkdir", make_directory, 50, 0},
	{"open-outside", open_outside, 50, BREATH_NS},
	{"fopen", stream, 200, 0},
	{"stat", control, 200, 0},
	{"spawn", spawn, 5, 0},
	{"fork", fork_exec, 5, 0},
	{"popen", pipe_open, 5, 0},
	{"connect", connect_loopback, 20, 0},
	{"connect-unix", connect_local, 50, 0},
};

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
	if (strcmp(argv[1], "connect-unix") == 0)
		prepare_local();
	if (strcmp(argv[1], "private") == 0 || strcmp(argv[1], "private-child") == 0) {
		live_and_print(strcmp(argv[1], "private-child") == 0);
		return 0;
	}
	return measure_named(cases, sizeof(cases) / sizeof(cases[0]), argv[1], count);
}
