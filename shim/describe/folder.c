/* SPDX-License-Identifier: MIT */
/*
 * A few directories, known by device, inode and last change: to be moved changes a directory, and what other guarded
 * processes move above it is counted (start_moves). A directory that is made in the place of a removed one may get its inode,
 * but is changed later, by more than what clocks of file systems tell apart: none is remembered that was changed just now.
 */
#include "describe/folder.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "describe/number.h"
#include "print.h"
#include "real/real.h"
#include "real/syscall.h"
#include "sequence.h"

#include "forbid.h"

#define PLACES 8
#define TEXT 256
#define IDENTITY_WORDS (offsetof(struct folder, print) / sizeof(uint64_t))

/* Longer than a tick of the clock that files are stamped with; the other one where only whole seconds are kept. */
#define JUST_NOW 100000000u
#define SECONDS_AGO 3

static struct place {
	unsigned sequence;
	unsigned length;
	uint64_t identity[IDENTITY_WORDS];
	uint64_t print;
	uint64_t words[TEXT / sizeof(uint64_t)]; /* the path, no NUL */
} places[PLACES];

static struct place *place_of(const struct folder *folder)
{
	return &places[(folder->inode ^ folder->device) % PLACES];
}

static bool is_same(const uint64_t identity[IDENTITY_WORDS], const struct folder *folder)
{
	return memcmp(identity, folder, IDENTITY_WORDS * sizeof(*identity)) == 0;
}

static uint64_t read_print(struct place *place, const struct folder *folder)
{
	uint64_t kept[IDENTITY_WORDS], print;
	unsigned began;

	if (!sequence_read(&place->sequence, &began))
		return 0;
	print = __atomic_load_n(&place->print, __ATOMIC_RELAXED);
	sequence_load(kept, place->identity, IDENTITY_WORDS);
	return is_same(kept, folder) && sequence_held(&place->sequence, began) ? print : 0;
}

/* Result: 0 when it is another one's place by now. */
static long read_path(struct path_room room, struct place *place, const struct folder *folder)
{
	uint64_t kept[IDENTITY_WORDS], word;
	unsigned began;
	size_t length;

	if (!sequence_read(&place->sequence, &began))
		return 0;
	length = __atomic_load_n(&place->length, __ATOMIC_RELAXED);
	sequence_load(kept, place->identity, IDENTITY_WORDS);
	if (!length || length >= TEXT || length + sizeof(word) > room.size || !is_same(kept, folder))
		return 0;
	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = __atomic_load_n(&place->words[i / sizeof(word)], __ATOMIC_RELAXED);
		__builtin_memcpy(room.text + i, &word, sizeof(word));
	}
	room.text[length] = '\0';
	return sequence_held(&place->sequence, began) ? (long)length : 0;
}

static void write_place(struct place *place, const struct folder *folder, const char *path, size_t length)
{
	uint64_t kept[IDENTITY_WORDS], word, print = (uintptr_t)places;

	if (length >= TEXT || !sequence_lock(&place->sequence))
		return;
	memcpy(kept, folder, sizeof(kept));
	sequence_store(place->identity, kept, IDENTITY_WORDS);
	__atomic_store_n(&place->length, (unsigned)length, __ATOMIC_RELAXED);
	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = 0;
		memcpy(&word, path + i, length - i < sizeof(word) ? length - i : sizeof(word));
		__atomic_store_n(&place->words[i / sizeof(word)], word, __ATOMIC_RELAXED);
		print = print_word(print, word);
	}
	__atomic_store_n(&place->print, print | 1, __ATOMIC_RELAXED);
	sequence_unlock(&place->sequence);
}

long folder_look(struct folder *ret, int fd)
{
	struct stat status;
	long result = raw(SYS_fstat, fd, &status);

	if (result < 0)
		return result;
	if (!S_ISDIR(status.st_mode))
		return -ENOTDIR;
	*ret = (struct folder){status.st_dev, status.st_ino, (uint64_t)status.st_ctim.tv_sec,
			       (uint64_t)status.st_ctim.tv_nsec, start_moves(), 0, 0, false};
	ret->print = read_print(place_of(ret), ret);
	return 0;
}

/* Was it last changed so long ago that no other change can bear the same time? Not when the clock was set back either. */
static bool is_settled(const struct folder *folder)
{
	__typeof__(&clock_gettime) ask = REAL(clock_gettime);
	struct timespec now;
	int64_t seconds, nanoseconds;

	if (!real_is_libc(REAL_clock_gettime) || ask(CLOCK_REALTIME_COARSE, &now) != 0)
		raw(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &now);
	seconds = (int64_t)now.tv_sec - (int64_t)folder->seconds;
	nanoseconds = (int64_t)now.tv_nsec - (int64_t)folder->nanoseconds;
	return seconds >= SECONDS_AGO || (folder->nanoseconds && seconds >= 0 && seconds * 1000000000 + nanoseconds > JUST_NOW);
}

/* Is the same directory still behind the number, unchanged and unmoved? */
static bool is_still_there(const struct folder *folder, int fd)
{
	struct folder now;

	return folder_look(&now, fd) == 0 && memcmp(&now, folder, IDENTITY_WORDS * sizeof(uint64_t)) == 0;
}

long folder_path(struct path_room room, const struct folder *folder, int fd)
{
	long length = folder->by_number ? number_path(room, folder, fd) : read_path(room, place_of(folder), folder);

	if (length || folder->by_number)
		return length;
	length = path_of_descriptor(room, fd);
	if (length > 0 && is_settled(folder) && !start_moving() && is_still_there(folder, fd))
		write_place(place_of(folder), folder, room.text, (size_t)length);
	return length;
}
