/* SPDX-License-Identifier: MIT */
/*
 * A few directories, known by device, inode and last change: to be moved changes a directory, and what other guarded
 * processes move above it is counted (start_moves).
 */
#include "describe/folder.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "real/syscall.h"
#include "start.h"

#include "forbid.h"

#define PLACES 8
#define TEXT 256

struct identity {
	uint64_t device, inode, seconds, nanoseconds, moves;
};
#define IDENTITY_WORDS (sizeof(struct identity) / sizeof(uint64_t))

static struct place {
	unsigned sequence; /* odd while it is written */
	unsigned length;
	uint64_t identity[IDENTITY_WORDS];
	uint64_t words[TEXT / sizeof(uint64_t)]; /* the path, no NUL */
} places[PLACES];

static long identify(struct identity *ret, int fd)
{
	struct stat status;
	long result = raw(SYS_fstat, fd, &status);

	if (result < 0)
		return result;
	if (!S_ISDIR(status.st_mode))
		return -ENOTDIR;
	*ret = (struct identity){status.st_dev, status.st_ino, (uint64_t)status.st_ctim.tv_sec,
				 (uint64_t)status.st_ctim.tv_nsec, start_moves()};
	return 0;
}

static struct place *place_of(const struct identity *identity)
{
	return &places[(identity->inode ^ identity->device) % PLACES];
}

static long read_place(struct path_room room, struct place *place, const struct identity *identity)
{
	unsigned before = __atomic_load_n(&place->sequence, __ATOMIC_ACQUIRE);
	size_t length = __atomic_load_n(&place->length, __ATOMIC_RELAXED);
	uint64_t kept[IDENTITY_WORDS] = {0}, word;

	for (size_t i = 0; i < IDENTITY_WORDS; i++)
		kept[i] = __atomic_load_n(&place->identity[i], __ATOMIC_RELAXED);
	if ((before & 1) || !length || length >= TEXT || length + sizeof(word) > room.size ||
	    memcmp(kept, identity, sizeof(kept)) != 0)
		return 0;
	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = __atomic_load_n(&place->words[i / sizeof(word)], __ATOMIC_RELAXED);
		__builtin_memcpy(room.text + i, &word, sizeof(word));
	}
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	room.text[length] = '\0';
	return __atomic_load_n(&place->sequence, __ATOMIC_RELAXED) == before ? (long)length : 0;
}

static void write_place(struct place *place, const struct identity *identity, const char *path, size_t length)
{
	unsigned sequence = __atomic_load_n(&place->sequence, __ATOMIC_RELAXED);
	uint64_t kept[IDENTITY_WORDS], word;

	if (length >= TEXT || (sequence & 1) ||
	    !__atomic_compare_exchange_n(&place->sequence, &sequence, sequence + 1, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(kept, identity, sizeof(kept));
	for (size_t i = 0; i < IDENTITY_WORDS; i++)
		__atomic_store_n(&place->identity[i], kept[i], __ATOMIC_RELAXED);
	__atomic_store_n(&place->length, (unsigned)length, __ATOMIC_RELAXED);
	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = 0;
		memcpy(&word, path + i, length - i < sizeof(word) ? length - i : sizeof(word));
		__atomic_store_n(&place->words[i / sizeof(word)], word, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&place->sequence, sequence + 2, __ATOMIC_RELEASE);
}

long folder_recall(struct path_room room, int fd)
{
	struct identity before, after;
	long length = identify(&before, fd);

	if (length < 0)
		return length;
	length = read_place(room, place_of(&before), &before);
	if (length)
		return length;
	length = path_of_descriptor(room, fd);
	/* Another thread may have put another directory behind the number meanwhile. */
	if (length > 0 && identify(&after, fd) == 0 && memcmp(&before, &after, sizeof(before)) == 0)
		write_place(place_of(&before), &before, room.text, (size_t)length);
	return length;
}
