/* SPDX-License-Identifier: MIT */
/* Reads block by block, so that a string which ends before an unmapped page is read as the kernel reads it. */
#include "backstop/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The kernel's own bounds are of this size (MAX_ARG_STRLEN, a quarter of the stack's limit at most). */
#define ARGUMENTS_BYTES_MAX ((size_t)8 << 20)
#define ARGUMENTS_COUNT_MAX ((size_t)1 << 20)

#define FIRST_BYTES 256

void memory_open(struct memory *memory, pid_t tid)
{
	memory->tid = tid;
	memory->held = 0;
	memory->reach = FIRST_BYTES;
}

/* As process_vm_readv does, for one that sandboxes of agents (Codex) take away; the file of /proc asks for the same rights. */
static ssize_t read_by_file(pid_t tid, const struct iovec *local, uint64_t address)
{
	char path[64];
	ssize_t got;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)tid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -1;
	got = pread(file, local->iov_base, local->iov_len, (off_t)address);
	if (got < 0 && (errno == EIO || errno == EINVAL)) /* nothing is mapped there, or could be */
		errno = EFAULT;
	close(file);
	return got;
}

/* Makes an address part of what is held; *ret_bytes: it and the `*ret_size` bytes from there. */
static int hold(struct memory *memory, uint64_t address, const unsigned char **ret_bytes, size_t *ret_size)
{
	size_t rest = MEMORY_PAGE - (address & (MEMORY_PAGE - 1));
	struct iovec local = {memory->bytes, rest < memory->reach ? rest : memory->reach};
	struct iovec remote = {(void *)(uintptr_t)address, local.iov_len};

	if (address - memory->start >= memory->held) {
		ssize_t got = process_vm_readv(memory->tid, &local, 1, &remote, 1, 0);

		if (got < 0 && (errno == EPERM || errno == ENOSYS))
			got = read_by_file(memory->tid, &local, address);
		memory->held = 0;
		if (got < 0)
			return errno;
		if (got != (ssize_t)local.iov_len)
			return EFAULT;
		memory->start = address;
		memory->held = local.iov_len;
		memory->reach = MEMORY_PAGE;
	}
	*ret_bytes = memory->bytes + (address - memory->start);
	*ret_size = memory->held - (size_t)(address - memory->start);
	return 0;
}

int memory_read(struct memory *memory, uint64_t address, void *buffer, size_t size)
{
	char *to = buffer;

	while (size) {
		const unsigned char *bytes;
		size_t part;
		int error = hold(memory, address, &bytes, &part);

		if (error)
			return error;
		if (part > size)
			part = size;
		memcpy(to, bytes, part);
		to += part;
		address += part;
		size -= part;
	}
	return 0;
}

int memory_string(struct memory *memory, uint64_t address, char *buffer, size_t size, size_t *ret_length)
{
	size_t length = 0;

	while (length < size) {
		const unsigned char *bytes, *end;
		size_t part;
		int error = hold(memory, address, &bytes, &part);

		if (error)
			return error;
		if (part > size - length)
			part = size - length;
		end = memchr(bytes, '\0', part);
		if (end)
			part = (size_t)(end - bytes) + 1;
		memcpy(buffer + length, bytes, part);
		length += part;
		address += part;
		if (end) {
			*ret_length = length - 1;
			return 0;
		}
	}
	return ENAMETOOLONG;
}

/* Text that grows: offsets stay right while the allocation moves. */
struct text {
	char *bytes;
	size_t used, room;
};

static bool text_room(struct text *text, size_t more)
{
	size_t room = text->room ? text->room : 8192;
	char *bytes;

	while (room - text->used < more)
		room *= 2;
	if (room == text->room)
		return true;
	bytes = realloc(text->bytes, room);
	if (!bytes)
		return false;
	text->bytes = bytes;
	text->room = room;
	return true;
}

/* Appends one string of the caller's; strings are read in pieces since nobody says how long they are. */
static int text_append(struct text *text, struct memory *memory, uint64_t address)
{
	for (;;) {
		size_t length = 0, room;
		int error;

		if (!text_room(text, MEMORY_PAGE))
			return ENOMEM;
		room = MEMORY_PAGE;
		error = memory_string(memory, address, text->bytes + text->used, room, &length);
		if (!error) {
			text->used += length + 1;
			return 0;
		}
		if (error != ENAMETOOLONG)
			return error;
		text->used += room;
		address += room;
		if (text->used > ARGUMENTS_BYTES_MAX)
			return E2BIG;
	}
}

static int pointer_at(struct memory *memory, uint64_t address, bool wide, uint64_t *ret_pointer)
{
	uint32_t narrow;
	int error;

	if (wide)
		return memory_read(memory, address, ret_pointer, sizeof(*ret_pointer));
	error = memory_read(memory, address, &narrow, sizeof(narrow));
	*ret_pointer = narrow;
	return error;
}

/* Reads all strings; *ret_count of them stand in text, one after the other. */
static int gather(struct memory *memory, uint64_t address, bool wide, struct text *text, size_t *ret_count)
{
	/* pointers and strings live far apart: a window each */
	struct memory strings;
	size_t step = wide ? 8 : 4;

	memory_open(&strings, memory->tid);
	for (size_t count = 0; address; count++) {
		uint64_t pointer;
		int error = pointer_at(memory, address + count * step, wide, &pointer);

		if (!error && !pointer) {
			*ret_count = count;
			return 0;
		}
		if (!error)
			error = count < ARGUMENTS_COUNT_MAX ? text_append(text, &strings, pointer) : E2BIG;
		if (error)
			return error;
	}
	*ret_count = 0;
	return 0;
}

int memory_arguments(struct memory *memory, uint64_t address, bool wide, struct memory_arguments *ret_arguments)
{
	struct text text = {0};
	size_t count = 0;
	char **argv, *at;
	int error = gather(memory, address, wide, &text, &count);

	if (error) {
		free(text.bytes);
		return error;
	}
	argv = malloc((count + 1) * sizeof(*argv) + text.used);
	if (!argv) {
		free(text.bytes);
		return ENOMEM;
	}
	at = (char *)(argv + count + 1);
	if (text.used)
		memcpy(at, text.bytes, text.used);
	free(text.bytes);
	for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
		argv[i] = at;
	argv[count] = NULL;
	*ret_arguments = (struct memory_arguments){argv, count};
	return 0;
}
