/* SPDX-License-Identifier: MIT */
/* The quick question about a path: its text is folded and judged without asking the kernel, and answers are remembered. */
#include <errno.h>

#include "describe/path.h"
#include "guard.h"
#include "memo.h"

#include "forbid.h"

static bool allows_name(const struct image *image, enum op op, const struct path_place *place, const char *name, size_t length)
{
	return op == OP_MOVE ? check_path_moves(image, place, name, length) : check_path_allows(image, op, place, name, length);
}

static bool allows_path(const struct image *image, enum op op, const char *path, size_t length)
{
	if (op != OP_MOVE)
		return !check_path(image, op, path, length).denied;
	return !check_path(image, OP_WRITE, path, length).denied && !check_path_below(image, path, length, NULL, 0).denied;
}

/* By what is remembered of the folder that the file lies in. */
static bool is_known(const struct start *start, enum op op, uint64_t folder, const char *name, size_t length)
{
	struct path_place place;

	if (!folder)
		return false;
	for (unsigned i = 0; i < start->count; i++)
		if (!memo_find_place(folder, i, &place) ||
		    !allows_name(start->sessions[i].image, op, &place, name, length))
			return false;
	return true;
}

/* By the rules of one session; path is folded. folder: the key that what holds in its folder is remembered under, or 0. */
static bool allows(const struct start *start, unsigned index, enum op op, const char *path, size_t length, uint64_t folder)
{
	const struct image *image = start->sessions[index].image;
	struct path_place place;
	size_t slash = length - 1;

	while (slash && path[slash] != '/')
		slash--;
	if (!folder || !check_path_place(image, path, slash, &place))
		return allows_path(image, op, path, length);
	memo_keep_place(folder, index, &place);
	return allows_name(image, op, &place, path + slash + 1, length - slash - 1);
}

/* Does the text still start where the key says? Then the key may be kept. */
static bool is_still(const struct guard_text *text)
{
	if (text->text[0] == '/')
		return true;
	return text->folder ? folder_is_still(text->folder) : cwd_is_still(&text->base);
}

static long fold(const struct guard_text *text, struct path_room room)
{
	long length = text->folder ? folder_path(room, text->folder, text->dirfd) : -ENOENT;

	if (length < 0)
		return path_fold(room, text->dirfd, text->text, text->length);
	return path_join(room, (size_t)length, text->text, text->length);
}

/* By the folded path, which stands in the room. key, folder: what it is remembered under, or 0. */
static long judge_folded(const struct start *start, enum op op, struct path_room room, size_t length, uint64_t key,
			 uint64_t folder)
{
	for (unsigned i = 0; i < start->count; i++)
		if (!allows(start, i, op, room.text, length, folder))
			return GUARD_UNSURE;
	if (key)
		memo_keep(key);
	return GUARD_GO;
}

long guard_folded(const struct start *start, enum op op, struct path_room room, size_t length)
{
	uint64_t key = memo_key(op, 0, print_text(0, room.text, length)), folder;
	size_t name;

	if (path_in_proc(room)) /* what may be opened through its links is not told from the text: it is not remembered */
		return judge_folded(start, op, room, length, 0, 0);
	folder = memo_folder(0, room.text, length, &name);
	if (memo_holds(key) || is_known(start, op, folder, room.text + name, length - name))
		return GUARD_GO;
	return judge_folded(start, op, room, length, key, folder);
}

long guard_text(const struct start *start, const struct guard_text *text, struct path_room room, size_t *ret_folded)
{
	uint64_t key = text->key, folder;
	size_t name = 0;
	long folded;

	room.text[0] = '\0';
	*ret_folded = 0;
	folder = key ? memo_folder(text->base.print, text->text, text->length, &name) : 0;
	if (is_known(start, text->op, folder, text->text + name, text->length - name)) {
		memo_keep(key);
		return GUARD_GO;
	}
	folded = fold(text, room);
	if (folded < 0)
		return folded == -ENAMETOOLONG || folded == -EBADF ? folded : GUARD_UNSURE;
	*ret_folded = (size_t)folded;
	if (!key)
		return guard_folded(start, text->op, room, (size_t)folded);
	if (path_in_proc(room) || !is_still(text))
		key = folder = 0;
	return judge_folded(start, text->op, room, (size_t)folded, key, folder);
}
