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
#include "sequence.h"
#include "start.h"

#include "forbid.h"

#define PLACES 8
#define TEXT 256

struct identity {
	uint64_t device, inode, seconds, nanoseconds, moves;
};
#define IDENTITY_WORDS (sizeof(struct identity) / sizeof(uint64_t))

static struct place {
	unsigned sequence;
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
	uint64_t kept[IDENTITY_WORDS], word;
	unsigned began;
	size_t length;

	if (!sequence_read(&place->sequence, &began))
		return 0;
	length = __atomic_load_n(&place->length, __ATOMIC_RELAXED);
	sequence_load(kept, place->identity, IDENTITY_WORDS);
	if (!length || length >= TEXT || length + sizeof(word) > room.size || memcmp(kept, identity, sizeof(kept)) != 0)
		return 0;
	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = __atomic_load_n(&place->words[i / sizeof(word)], __ATOMIC_RELAXED);
		__builtin_memcpy(room.text + i, &word, sizeof(word));
	}
	room.text[length] = '\0';
	return sequence_held(&place->sequence, began) ? (long)length : 0;
}

static void write_place(struct place *place, const struct identity *identity, const char *path, size_t length)
{
	uint64_t kept[IDENTITY_WORDS], word;

	if (length >= TEXT || !sequence_lock(&place->sequence))
		return;
	memcpy(kept, identity, sizeof(kept));
	sequence_store(place->identity, kept, IDENTITY_WORDS);
	__atomic_store_n(&place->length, (unsigned)length, __ATOMIC_RELAXED);
	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = 0;
		memcpy(&word, path + i, length - i < sizeof(word) ? length - i : sizeof(word));
		__atomic_store_n(&place->words[i / sizeof(word)], word, __ATOMIC_RELAXED);
	}
	sequence_unlock(&place->sequence);
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
	if (length > 0 && !start_moving() && identify(&after, fd) == 0 && memcmp(&before, &after, sizeof(before)) == 0)
		write_place(place_of(&before), &before, room.text, (size_t)length);
	return length;
}
