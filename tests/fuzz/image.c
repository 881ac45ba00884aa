/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as an image: what check_validate accepts, every check and both printers can read. With --seeds=FOLDER it
 * writes the images of the built-in profiles there instead.
 */
#include "target.h"

#include <arpa/inet.h>

#include "check/command.h"
#include "check/network.h"
#include "check/path.h"
#include "check/validate.h"
#include "report.h"
#include "report/line.h"

static void write_seed(const char *folder, const char *profile)
{
	char path[4096];
	size_t size;
	struct image *image = fuzz_profile(profile, &size);
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, profile);
	file = fopen(path, "w");
	require(file != NULL && fwrite(image, 1, size, file) == size && fclose(file) == 0);
	free(image);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char option[] = "--seeds=";

	if (*argc < 2 || strncmp((*argv)[1], option, sizeof(option) - 1) != 0)
		return 0;
	write_seed((*argv)[1] + sizeof(option) - 1, "tool");
	write_seed((*argv)[1] + sizeof(option) - 1, "agent");
	write_seed((*argv)[1] + sizeof(option) - 1, "code");
	exit(0);
}

static void print(const struct image *image, const struct request *request,
		  struct decision decision)
{
	const struct report_context context = {
		.via = VIA_SHIM,
		.session = "0123456789abcdef",
		.exe = "/usr/bin/cat",
		.pid = 1,
		.ppid = 1,
		.tid = 1,
	};
	char text[REPORT_LINE_MAX];
	size_t length = report_line(text, sizeof(text), image, request, &decision, &context);

	require(length > 0 && length <= sizeof(text) && text[length - 1] == '\n');
	length = report_reason(text, sizeof(text), image, request, &decision);
	require(length < sizeof(text) && text[length] == '\0');
}

static void try_paths(const struct image *image)
{
	static const char *const paths[] = {
		"/", "/usr/bin/cat", "/home/dev/.ssh/id_rsa", "/home/dev/proj/.git/hooks/pre-commit",
		"/etc/passwd", "/home/dev/proj/.env", "/tmp/bridle-fuzz/tmp/x", "/a/b/c/d/e/f/g/h/i/j/k"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		for (int write = 0; write < 2; write++) {
			const struct request request = {.op = write ? OP_WRITE : OP_READ,
							.call = "open",
							.subject = paths[i],
							.path = paths[i],
							.path_length = strlen(paths[i])};

			print(image, &request, check_path(image, request.op, paths[i], request.path_length));
		}
}

static void try_commands(const struct image *image)
{
	static const char *const commands[][6] = {
		{"sudo", "ls"},
		{"rm", "-r", "-f", "x"},
		{"env", "A=b", "timeout", "5", "python3", "-cprint(1)"},
		{"find", ".", "-exec", "sh", "-c", "id"},
		{"git", "-C", "x", "log", "--format=%H"},
		{"echo", "a;b", "$(id)", "", "-"},
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		char *const *argv = (char *const *)(uintptr_t)commands[i];
		struct command command = {.program = commands[i][0],
					  .target = "/usr/bin/x",
					  .argv = argv,
					  .launch = i % 2 == 0,
					  .caller = i % 2 ? "make" : NULL};
		struct request request = {.op = OP_EXEC,
					  .call = "execve",
					  .subject = command.program,
					  .argv = argv};

		while (command.argc < 6 && commands[i][command.argc] != NULL)
			command.argc++;
		request.argc = command.argc;
		print(image, &request, check_command(image, &command));
	}
}

static void try_network(const struct image *image)
{
	struct address address = {.family = AF_INET, .port = 443, .bytes = {127, 0, 0, 1}};
	struct request request = {.op = OP_CONNECT, .call = "connect", .address = &address};

	print(image, &request, check_network(image, OP_CONNECT, &address));
	print(image, &request, check_network(image, OP_BIND, &address));
	address = (struct address){.family = AF_INET6,
				   .port = 65535,
				   .bytes = {0xfe, 0x80},
				   .host = "a.example.org"};
	print(image, &request, check_network(image, OP_CONNECT, &address));
	request = (struct request){.op = OP_RESOLVE, .call = "getaddrinfo", .subject = "a.example.org"};
	print(image, &request, check_resolve(image, "a.example.org"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image *image = malloc(size + 1);

	require(image != NULL);
	memcpy(image, data, size);
	if (check_validate(image, size)) {
		try_paths(image);
		try_commands(image);
		try_network(image);
	}
	free(image);
	return 0;
}
