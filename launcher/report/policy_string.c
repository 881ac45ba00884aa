/* SPDX-License-Identifier: MIT */
/* Strings for policy files. */
#include "report/policy_string.h"

#include "report/visible.h"

/* One character; what would act on a screen or is no UTF-8 goes byte by byte. */
static void put(FILE *out, const char *text, const char *end, const char *form)
{
	if (*text == '"' || *text == '\\')
		fprintf(out, "\\%c", *text);
	else if (form[0] != '\\')
		fputs(form, out);
	else
		for (; text < end; text++)
			fprintf(out, "\\x%02x", (unsigned char)*text);
}

void policy_string(FILE *out, const char *text)
{
	char form[VISIBLE_MAX];

	fputc('"', out);
	while (*text != '\0') {
		const char *next = visible_next(text, form);

		put(out, text, next, form);
		text = next;
	}
	fputc('"', out);
}
