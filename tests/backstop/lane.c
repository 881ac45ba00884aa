/* SPDX-License-Identifier: MIT */
/*
 * lane TIMES: calls of libc that a program makes all day, TIMES times each, in the folder $INSIDE. In a covered program none
 * of them needs the backstop. Prints how many did not do what they should.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int wrong, peer;
static struct sockaddr_in address;

static void expect(bool good, const char *what)
{
	if (good)
		return;
	wrong++;
	perror(what);
}

static void streams(void)
{
	char word[8] = "";
	FILE *stream = fopen("stream", "w+");
	DIR *folder = opendir(".");

	expect(stream && fputs("one", stream) >= 0 && !fclose(stream), "fopen w+");
	stream = fopen("stream", "ae");
	expect(stream && fcntl(fileno(stream), F_GETFD) & FD_CLOEXEC, "fopen ae");
	expect(stream && fputs("two", stream) >= 0 && ftell(stream) == 6 && !fclose(stream), "append");
	stream = fopen("stream", "r");
	expect(stream && fgets(word, sizeof(word), stream) && !strcmp(word, "onetwo") && !fclose(stream), "fopen r");
	expect(!fopen("stream", "wx"), "fopen wx of what is there");
	expect(folder && readdir(folder) && !closedir(folder), "opendir");
	expect(!opendir("stream"), "opendir of a file");
	expect(!remove("stream"), "remove");
}

static void temporary(void)
{
	char file[] = "fileXXXXXX", cut[] = "fileXXXXXX.c", folder[] = "folderXXXXXX", bad[] = "fileXXX";
	int one = mkstemp(file), other = mkostemps(cut, 2, O_CLOEXEC);

	expect(one >= 0 && !close(one) && !unlink(file), "mkstemp");
	expect(other >= 0 && !strcmp(cut + 10, ".c") && fcntl(other, F_GETFD) == FD_CLOEXEC, "mkostemps");
	close(other);
	expect(!unlink(cut), "unlink");
	expect(mkdtemp(folder) == folder && !rmdir(folder), "mkdtemp");
	expect(mkstemp(bad) < 0, "mkstemp of a bad template");
}

static void names(void)
{
	expect(!mkdir("d", 0700) && !mkdirat(AT_FDCWD, "e", 0700) && !remove("e"), "mkdir");
	expect(mkdir("d", 0700) < 0, "mkdir of what is there");
	close(open("d/a", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	expect(!rename("d/a", "d/b") && !renameat(AT_FDCWD, "d/b", AT_FDCWD, "d/a"), "rename");
	expect(!renameat2(AT_FDCWD, "d/a", AT_FDCWD, "d/b", 1), "renameat2");
	expect(!link("d/b", "d/c") && !linkat(AT_FDCWD, "d/b", AT_FDCWD, "d/d", 0), "link");
	expect(!symlink("b", "d/s") && !symlinkat("b", AT_FDCWD, "d/t"), "symlink");
	expect(!mkfifo("d/f", 0600) && !mknod("d/g", S_IFIFO | 0600, 0), "mkfifo");
	expect(!chmod("d/b", 0644) && !fchmodat(AT_FDCWD, "d/b", 0600, 0), "chmod");
	expect(!chown("d/b", (uid_t)-1, (gid_t)-1) && !lchown("d/s", (uid_t)-1, (gid_t)-1), "chown");
	expect(!utimensat(AT_FDCWD, "d/b", NULL, 0) && !truncate("d/b", 7), "utimensat");
	expect(!unlink("d/b") && !unlinkat(AT_FDCWD, "d/c", 0) && !unlink("d/d") && !unlink("d/s") && !unlink("d/t"), "unlink");
	expect(!unlink("d/f") && !unlink("d/g"), "unlink");
	expect(!unlinkat(AT_FDCWD, "d", AT_REMOVEDIR), "rmdir");
}

static void by_number(void)
{
	long descriptor = syscall(SYS_openat, AT_FDCWD, "n", O_CREAT | O_RDWR, 0600);

	expect(descriptor >= 0 && !syscall(SYS_fchmod, descriptor, 0644), "syscall");
	close((int)descriptor);
	expect(!syscall(SYS_renameat2, AT_FDCWD, "n", AT_FDCWD, "m", 0), "syscall renameat2");
	expect(!syscall(SYS_unlinkat, AT_FDCWD, "m", 0), "syscall unlinkat");
	expect(syscall(SYS_unlinkat, AT_FDCWD, "m", 0) < 0, "syscall unlinkat of what is not there");
}

static void network(void)
{
	struct iovec text = {(char[]){"x"}, 1};
	struct msghdr message = {.msg_name = &address, .msg_namelen = sizeof(address), .msg_iov = &text, .msg_iovlen = 1};
	struct sockaddr_in any = {.sin_family = AF_INET};
	int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char got;

	expect(!bind(descriptor, (struct sockaddr *)&any, sizeof(any)), "bind");
	expect(sendto(descriptor, "y", 1, 0, (struct sockaddr *)&address, sizeof(address)) == 1, "sendto");
	expect(recv(peer, &got, 1, 0) == 1 && got == 'y', "recv");
	expect(sendmsg(descriptor, &message, 0) == 1, "sendmsg");
	expect(recv(peer, &got, 1, 0) == 1 && got == 'x', "recv");
	expect(!connect(descriptor, (struct sockaddr *)&address, sizeof(address)), "connect");
	expect(send(descriptor, "z", 1, 0) == 1, "send");
	expect(recv(peer, &got, 1, 0) == 1 && got == 'z', "recv");
	close(descriptor);
}

static void clean_up(void *done)
{
	*(bool *)done = true;
}

/* Waits in sendmsg for room that nobody makes. */
static void *wait_for_room(void *done)
{
	static char much[1 << 20];
	struct iovec text = {much, sizeof(much)};
	struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return NULL;
	pthread_cleanup_push(clean_up, done);
	while (sendmsg(ends[0], &message, 0) > 0)
		;
	pthread_cleanup_pop(0);
	return NULL;
}

/* What waits can be cancelled, as in libc. */
static void cancelled(void)
{
	bool done = false;
	pthread_t thread;
	void *result = NULL;

	expect(!pthread_create(&thread, NULL, wait_for_room, &done), "pthread_create");
	usleep(2000);
	expect(!pthread_cancel(thread) && !pthread_join(thread, &result), "pthread_cancel");
	expect(result == PTHREAD_CANCELED && done, "cancelled");
}

int main(int argc, char **argv)
{
	const char *folder = getenv("INSIDE");
	socklen_t size = sizeof(address);

	if (argc != 2 || !folder || chdir(folder) < 0)
		return 2;
	peer = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (bind(peer, (struct sockaddr *)&address, size) < 0 || getsockname(peer, (struct sockaddr *)&address, &size) < 0)
		return 2;
	for (int i = atoi(argv[1]); i > 0; i--) {
		streams();
		temporary();
		names();
		by_number();
		network();
		cancelled();
	}
	printf("%d wrong\n", wrong);
	return wrong != 0;
}
