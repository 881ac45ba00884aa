/* SPDX-License-Identifier: MIT */
/* Which trace a session belongs to. What the spans hold is tests/real/otlp.py's. */
#include "report/otlp.h"

#include <criterion/criterion.h>
#include <string.h>

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define PARENT "b7ad6b7169203331"

static const struct {
	const char *header;
	bool taken, sampled;
} headers[] = {
	{"00-" TRACE "-" PARENT "-01", true, true},
	{"00-" TRACE "-" PARENT "-00", true, false},
	{"cc-" TRACE "-" PARENT "-03-more", true, true},
	{NULL, false, true},
	{"", false, true},
	{"00-" TRACE "-" PARENT, false, true},
	{"00-" TRACE "-" PARENT "-01-more", false, true},
	{"ff-" TRACE "-" PARENT "-01", false, true},
	{"00-00000000000000000000000000000000-" PARENT "-01", false, true},
	{"00-" TRACE "-0000000000000000-01", false, true},
	{"00-0AF7651916CD43DD8448EB211C80319C-" PARENT "-01", false, true},
	{"00-" TRACE "x" PARENT "-01", false, true},
	{"00-" TRACE "-" PARENT "-0x", false, true},
};

Test(report_otlp, a_traceparent_is_honoured)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		struct otlp_context context = otlp_context_of("session", headers[i].header);

		cr_expect_eq(strcmp(context.trace, TRACE) == 0, headers[i].taken, "%s", headers[i].header);
		cr_expect_str_eq(context.parent, headers[i].taken ? PARENT : "", "%s", headers[i].header);
		cr_expect_eq(context.sampled, headers[i].sampled, "%s", headers[i].header);
		cr_expect_eq(strlen(context.span), 16);
		cr_expect_str_neq(context.span, PARENT);
	}
}

Test(report_otlp, and_passed_on)
{
	struct otlp_context context = otlp_context_of("session", "00-" TRACE "-" PARENT "-01"), inner;
	char header[OTLP_HEADER_SIZE];

	otlp_header(&context, header);
	cr_expect_eq(strlen(header), OTLP_HEADER_SIZE - 1);
	inner = otlp_context_of("inner", header);
	cr_expect_str_eq(inner.trace, TRACE);
	cr_expect_str_eq(inner.parent, context.span);
}

Test(report_otlp, sessions_have_ids_of_their_own)
{
	struct otlp_context one = otlp_context_of("1f3c", NULL), again = otlp_context_of("1f3c", NULL),
			    other = otlp_context_of("1f3d", NULL);

	cr_expect_str_eq(one.trace, again.trace);
	cr_expect_str_eq(one.span, again.span);
	cr_expect_str_neq(one.trace, other.trace);
	cr_expect_str_neq(one.span, other.span);
}
