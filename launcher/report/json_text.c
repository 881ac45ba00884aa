/* SPDX-License-Identifier: MIT */
/* Values for the JSON documents. */
#include "report/json_text.h"

#include <stdlib.h>

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
