/* SPDX-License-Identifier: MIT */
/* The quick question about a path: its text is folded and judged without asking the kernel, and answers are remembered. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "describe/path.h"
#include "guard.h"
#include "memo.h"

#include "forbid.h"

/* By what is remembered: of the whole text, or of the folder that it lies in. */
static bool is_known(const struct start *start, enum op op, const struct memo_key *key, const char *text, size_t length)
{
	struct path_place place;

	if (!key->whole)
		return false;
	if (memo_holds(key))
		return true;
	for (unsigned i = 0; i < start->count; i++)
		if (!memo_find_place(key, i, &place) ||
		    !check_path_allows(start->sessions[i].image, op, &place, text + key->name, length - key->name))
			return false;
	memo_keep(key);
	return true;
}

/* By the rules of one session; path is folded. keeps: what holds in its folder is remembered under the key. */
static bool allows(const struct start *start, unsigned index, enum op op, const char *path, size_t length,
		   const struct memo_key *key, bool keeps)
{
	const struct image *image = start->sessions[index].image;
	struct path_place place;
	size_t folder = length - 1;

	while (folder && path[folder] != '/')
		folder--;
	if (!keeps || !check_path_place(image, path, folder, &place))
		return !check_path(image, op, path, length).denied;
	memo_keep_place(key, index, &place);
	return check_path_allows(image, op, &place, path + folder + 1, length - folder - 1);
}

/* The links of /proc are no texts, and what may be opened through them is not told from the text: it is not remembered. */
static bool is_in_proc(const char *path)
{
	return memcmp(path, "/proc/", 6) == 0;
}

long guard_text(const struct start *start, enum op op, int dirfd, const char *text, size_t length, struct path_room room,
		size_t *ret_folded)
{
	struct memo_key key = {0};
	long folded;
	bool keeps;

	room.text[0] = '\0';
	*ret_folded = 0;
	if (start->silent)
		memo_key(&key, op, dirfd, text, length);
	if (is_known(start, op, &key, text, length))
		return GUARD_GO;
	folded = path_fold(room, dirfd, text, length);
	if (folded < 0)
		return folded == -ENAMETOOLONG || folded == -EBADF ? folded : GUARD_UNSURE;
	*ret_folded = (size_t)folded;
	if (!key.whole) {
		memo_key(&key, op, AT_FDCWD, room.text, (size_t)folded);
		if (is_known(start, op, &key, room.text, (size_t)folded))
			return GUARD_GO;
	}
	keeps = key.whole && !is_in_proc(room.text);
	for (unsigned i = 0; i < start->count; i++)
		if (!allows(start, i, op, room.text, (size_t)folded, &key, keeps))
			return GUARD_UNSURE;
	if (keeps)
		memo_keep(&key);
	return GUARD_GO;
}
