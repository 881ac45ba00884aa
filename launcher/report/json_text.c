/* SPDX-License-Identifier: MIT */
/* Values for the JSON documents. */
#include "report/json_text.h"

#include <stdlib.h>
#include <string.h>

#include "report/visible.h"

json_t *json_text(const char *text)
{
	json_t *value = json_string(text);
	char *visible = NULL;
	size_t size;
	FILE *out;

	if (value != NULL)
		return value;
	out = open_memstream(&visible, &size);
	if (out == NULL)
		return NULL;
	visible_put(out, text, 0);
	if (fclose(out) == 0)
		value = json_string(visible);
	free(visible);
	return value;
}

json_t *json_text_or_null(const char *text)
{
	return text[0] != '\0' ? json_text(text) : json_null();
}

json_t *json_time(int64_t microseconds)
{
	return json_real((double)microseconds / 1e6);
}

json_t *json_count(uint64_t count)
{
	return json_integer((json_int_t)count);
}

struct writing {
	FILE *out;
	int columns;
};

/* The code point of a whole sequence of UTF-8. */
static unsigned decode(const char *bytes, size_t length)
{
	unsigned code = length == 1 ? (unsigned char)bytes[0] : (unsigned char)bytes[0] & (0x7fu >> length);

	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)bytes[i] & 0x3f);
	return code;
}

/* jansson hands over whole characters. */
static int write_piece(const char *bytes, size_t size, void *data)
{
	struct writing *writing = data;

	for (size_t i = 0, length; i < size; i += length) {
		char text[5] = {0}, form[VISIBLE_MAX];

		length = visible_sequence(bytes + i, size - i);
		length = length ? length : 1;
		memcpy(text, bytes + i, length);
		if (bytes[i] == '\n') {
			fprintf(writing->out, "\n%*s", writing->columns, "");
			continue;
		}
		visible_next(text, form);
		if (strcmp(form, text) == 0 || bytes[i] == '\\' || length > 3)
			fwrite(text, 1, length, writing->out);
		else
			fprintf(writing->out, "\\u%04x", decode(text, length));
	}
	return 0;
}

bool json_write(FILE *out, const json_t *value, int columns)
{
	struct writing writing = {out, columns};

	return json_dump_callback(value, write_piece, &writing, JSON_INDENT(2) | JSON_ENCODE_ANY) == 0;
}
