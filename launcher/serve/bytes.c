/* SPDX-License-Identifier: MIT */
/* What waits to be written, or to become a whole line. */
#include "serve/bytes.h"

#include <stdlib.h>
#include <string.h>

bool bytes_add(struct bytes *bytes, const char *text, size_t length)
{
	size_t need = bytes->used + length + 1;

	if (bytes->start + need > bytes->room) {
		/* What was taken from the front makes room, where it is the greater part. */
		if (bytes->start > bytes->used && need <= bytes->room) {
			memmove(bytes->memory, bytes->memory + bytes->start, bytes->used);
			bytes->start = 0;
		} else {
			size_t room = (bytes->start + need) * 2;
			char *larger = realloc(bytes->memory, room);

			if (!larger)
				return false;
			bytes->memory = larger;
			bytes->room = room;
		}
	}
	memcpy(bytes->memory + bytes->start + bytes->used, text, length);
	bytes->used += length;
	bytes->memory[bytes->start + bytes->used] = '\0';
	return true;
}

char *bytes_text(const struct bytes *bytes)
{
	return bytes->memory + bytes->start;
}

void bytes_drop(struct bytes *bytes, size_t length)
{
	bytes->start += length;
	bytes->used -= length;
	if (bytes->used)
		return;
	free(bytes->memory);
	*bytes = (struct bytes){NULL};
}
