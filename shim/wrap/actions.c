/* SPDX-License-Identifier: MIT */
/*
 * File actions of posix_spawn: an open is judged when it is added, as the child performs it out of our sight. A change of
 * directory is remembered, because a relative program path is looked up from there.
 */
#include "wrap/actions.h"

#include <limits.h>
#include <string.h>

#include "describe/memory.h"
#include "describe/path.h"
#include "wrap/wrap.h"

#include "forbid.h"

#pragma GCC diagnostic ignored "-Wvla"

#define PLACES 16
#define FOLDER_SIZE (PATH_MAX + 1)
#define SHORT_FOLDER 1024

/*
 * Which actions move the child, and where. Claimed by writing the key; a full table refuses the move. Where the folder's name
 * has become too long the child is lost: nothing that starts from there can be judged.
 */
static struct move {
	const posix_spawn_file_actions_t *actions;
	bool lost;
	char folder[FOLDER_SIZE];
} moves[PLACES];

static struct move *find(const posix_spawn_file_actions_t *actions)
{
	for (unsigned i = 0; i < PLACES; i++)
		if (__atomic_load_n(&moves[i].actions, __ATOMIC_ACQUIRE) == actions)
			return &moves[i];
	return NULL;
}

const char *actions_folder(const posix_spawn_file_actions_t *actions)
{
	const struct move *move = actions ? find(actions) : NULL;

	return move ? move->folder : NULL;
}

bool actions_are_lost(const posix_spawn_file_actions_t *actions)
{
	const struct move *move = actions ? find(actions) : NULL;

	return move && move->lost;
}

static void forget(const posix_spawn_file_actions_t *actions)
{
	struct move *move = find(actions);

	if (move)
		__atomic_store_n(&move->actions, NULL, __ATOMIC_RELEASE);
}

static struct move *claim(const posix_spawn_file_actions_t *actions)
{
	struct move *move = find(actions);

	for (unsigned i = 0; !move && i < PLACES; i++) {
		const posix_spawn_file_actions_t *nobody = NULL;

		if (__atomic_compare_exchange_n(&moves[i].actions, &nobody, actions, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED)) {
			move = &moves[i];
			move->folder[0] = '\0';
			move->lost = false;
		}
	}
	return move;
}

/* Joins a further move to those before it; NULL: to a folder whose name is too long. Result: 0 or an error number. */
static int remember(const posix_spawn_file_actions_t *actions, const char *folder)
{
	struct move *move = claim(actions);
	size_t length, before;

	if (!move)
		return ENOMEM;
	length = folder ? strlen(folder) : FOLDER_SIZE;
	before = folder && *folder == '/' ? 0 : strlen(move->folder);
	move->lost = before + length + 2 > FOLDER_SIZE || (move->lost && before);
	if (move->lost)
		return 0;
	if (before)
		move->folder[before++] = '/';
	memcpy(move->folder + before, folder, length + 1);
	return 0;
}

static int error_of(long answer)
{
	return (int)-answer;
}

EXPORT int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
	forget(actions);
	return REAL(posix_spawn_file_actions_init)(actions);
}

EXPORT int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions)
{
	forget(actions);
	return REAL(posix_spawn_file_actions_destroy)(actions);
}

static long ask_open(const char *path, int flags)
{
	bool creates = flags & O_CREAT, writes = creates || (flags & O_TRUNC) || (flags & O_ACCMODE) != O_RDONLY;

	return guard_file(&(struct file_call){"posix_spawn_file_actions_addopen", AT_FDCWD, path, writes ? OP_WRITE : OP_READ,
					      (flags & O_NOFOLLOW ? 0 : FILE_FOLLOW) | (creates ? FILE_CREATES : 0), NULL});
}

/* A relative path that the child opens from where the actions before it have moved it. */
static __attribute__((noinline)) long ask_moved(const char *folder, const char *path, int flags)
{
	size_t length = strlen(folder), rest = strlen(path);

	if (length + rest + 2 > PATH_MAX)
		return GUARD_GO; /* the child's open fails */
	char joined[length + rest + 2];
	memcpy(joined, folder, length);
	joined[length] = '/';
	memcpy(joined + length + 1, path, rest + 1);
	return ask_open(joined, flags);
}

EXPORT int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *restrict actions, int fd,
					    const char *restrict path, int flags, mode_t mode)
{
	const char *folder = actions_folder(actions);
	bool moved = folder && memory_string_readable(path) && *path && *path != '/';
	long answer;

	if (moved && actions_are_lost(actions))
		return ENAMETOOLONG;
	answer = moved ? ask_moved(folder, path, flags) : ask_open(path, flags);

	if (answer == -EACCES || answer == -EFAULT)
		return error_of(answer);
	return REAL(posix_spawn_file_actions_addopen)(actions, fd, path, flags, mode);
}

/* Where the child will stand matters only for what it opens and starts from there. */
static int add_folder(posix_spawn_file_actions_t *actions, const char *path)
{
	return start()->state != START_READY || !memory_string_readable(path) ? 0 : remember(actions, path);
}

static int add_descriptor(posix_spawn_file_actions_t *actions, int fd)
{
	char path[SHORT_FOLDER];
	long length;

	if (start()->state != START_READY)
		return 0;
	length = path_of_descriptor((struct path_room){path, sizeof(path)}, fd);
	return length > 0 || length == -ENAMETOOLONG ? remember(actions, length > 0 ? path : NULL) : 0;
}

EXPORT int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *restrict actions,
						const char *restrict path)
{
	int error = add_folder(actions, path);

	return error ? error : REAL(posix_spawn_file_actions_addchdir_np)(actions, path);
}

EXPORT int posix_spawn_file_actions_addfchdir_np(posix_spawn_file_actions_t *actions, int fd)
{
	int error = add_descriptor(actions, fd);

	return error ? error : REAL(posix_spawn_file_actions_addfchdir_np)(actions, fd);
}

/* The names that POSIX.1-2024 gave them, in newer libcs. */
EXPORT int posix_spawn_file_actions_addchdir(posix_spawn_file_actions_t *restrict actions, const char *restrict path)
{
	int error = add_folder(actions, path);

	return error ? error : REAL(posix_spawn_file_actions_addchdir)(actions, path);
}

EXPORT int posix_spawn_file_actions_addfchdir(posix_spawn_file_actions_t *actions, int fd)
{
	int error = add_descriptor(actions, fd);

	return error ? error : REAL(posix_spawn_file_actions_addfchdir)(actions, fd);
}
