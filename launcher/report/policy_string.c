/* SPDX-License-Identifier: MIT */
/* Strings for policy files. */
#include "report/policy_string.h"

void policy_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == '"' || byte == '\\')
			fprintf(out, "\\%c", byte);
		else if (byte < 0x20 || byte == 0x7f)
			fprintf(out, "\\x%02x", byte);
		else
			fputc(byte, out);
	}
	fputc('"', out);
}
