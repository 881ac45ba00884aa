/* SPDX-License-Identifier: MIT */
/* From the settings of a policy to those of its report. */
#include "forward/configure.h"

#define REDACT_PATTERNS_MAX 64

/* The policy's patterns and the built-in ones. */
static bool open_redact(struct forward *forward, const struct setting *patterns, struct failure *failure)
{
	const char *list[REDACT_PATTERNS_MAX + 1];
	size_t count = 0;

	SETTING_EACH(pattern, patterns)
	{
		if (count == REDACT_PATTERNS_MAX)
			return failure_set(failure, "%s:%u: report.redact has more than %d patterns; join some with |",
					   pattern->file, pattern->line, REDACT_PATTERNS_MAX);
		list[count++] = pattern->text;
	}
	list[count] = NULL;
	forward->redact = redact_new(list, failure);
	return forward->redact != NULL;
}

bool forward_configure(struct forward *forward, const struct setting *settings, struct failure *failure)
{
	forward->file.rotation.limit = (uint64_t)setting_integer(setting_member(settings, "report"), "max_mb", 0) << 20;
	return open_redact(forward, setting_find(settings, "report.redact"), failure);
}
