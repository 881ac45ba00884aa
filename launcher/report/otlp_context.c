/* SPDX-License-Identifier: MIT */
/* W3C trace context: which trace a session belongs to. */
#include <ctype.h>
#include <string.h>

#include "report/otlp.h"

/* 64 bits that spread well, for ids that only need to differ. */
static uint64_t mix(const char *text, uint64_t seed)
{
	uint64_t value = 0xcbf29ce484222325u ^ seed * 0x9e3779b97f4a7c15u;

	for (; *text != '\0'; text++)
		value = (value ^ (unsigned char)*text) * 0x100000001b3u;
	value = (value ^ value >> 33) * 0xff51afd7ed558ccdu;
	value = (value ^ value >> 33) * 0xc4ceb9fe1a85ec53u;
	value ^= value >> 33;
	return value ? value : 1; /* an id of zeros is invalid */
}

/* Copies `length` lower-case hex digits that are not all zero. */
static bool take_id(const char *text, size_t length, char *id)
{
	if (strspn(text, "0123456789abcdef") < length || strspn(text, "0") >= length)
		return false;
	memcpy(id, text, length);
	id[length] = '\0';
	return true;
}

/* "00-" trace "-" span "-" flags, and in versions to come more behind that. */
static bool take_header(struct otlp_context *context, const char *header)
{
	struct otlp_context taken = *context;
	size_t length = header ? strlen(header) : 0;

	if (length < OTLP_HEADER_SIZE - 1 || strncmp(header, "ff", 2) == 0 || header[2] != '-' || header[35] != '-' ||
	    header[52] != '-')
		return false;
	if (!isxdigit((unsigned char)header[0]) || !isxdigit((unsigned char)header[1]) ||
	    !isxdigit((unsigned char)header[53]) || !isxdigit((unsigned char)header[54]))
		return false;
	if (length > OTLP_HEADER_SIZE - 1 && (strncmp(header, "00", 2) == 0 || header[55] != '-'))
		return false;
	if (!take_id(header + 3, 32, taken.trace) || !take_id(header + 36, 16, taken.parent))
		return false;
	taken.sampled = (strchr("13579bdfBDF", header[54]) != NULL);
	*context = taken;
	return true;
}

struct otlp_context otlp_context_of(const char *session, const char *traceparent)
{
	struct otlp_context context = {.sampled = true};

	snprintf(context.trace, sizeof(context.trace), "%016llx%016llx", (unsigned long long)mix(session, 1),
		 (unsigned long long)mix(session, 2));
	snprintf(context.span, sizeof(context.span), "%016llx", (unsigned long long)mix(session, 3));
	take_header(&context, traceparent);
	return context;
}

void otlp_header(const struct otlp_context *context, char header[OTLP_HEADER_SIZE])
{
	snprintf(header, OTLP_HEADER_SIZE, "00-%s-%s-%s", context->trace, context->span, context->sampled ? "01" : "00");
}
