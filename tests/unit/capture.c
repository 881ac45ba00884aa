/* SPDX-License-Identifier: MIT */
/* Captured streams: what is kept, where it is cut, and what becomes of bytes that are no UTF-8. */
#include "run/capture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FFFD "\xef\xbf\xbd"

/* A literal that may hold NUL bytes. */
#define BYTES(text) text, sizeof(text) - 1

static void expect_text(const char *bytes, size_t size, size_t limit, const char *wanted, size_t wanted_size)
{
	struct capture capture = {.file = -1, .limit = limit};
	size_t length;
	char *text;

	capture_add(&capture, bytes, size);
	text = capture_text(&capture, &length);
	cr_expect(length == wanted_size && !memcmp(text, wanted, length), "'%s' became '%.*s' (%zu)", bytes,
		  (int)length, text, length);
	free(text);
	capture_close(&capture);
}

Test(capture, repairs_utf8)
{
	expect_text(BYTES("plain\n"), 0, BYTES("plain\n"));
	expect_text(BYTES("a\xff\0b"), 0, BYTES("a" FFFD "\0b"));
	expect_text(BYTES("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), 0, BYTES("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
	expect_text(BYTES("\xc0\xaf"), 0, BYTES(FFFD FFFD));                   /* overlong */
	expect_text(BYTES("\xe0\x9f\xbf"), 0, BYTES(FFFD FFFD FFFD));          /* overlong */
	expect_text(BYTES("\xed\xa0\x80"), 0, BYTES(FFFD FFFD FFFD));          /* a surrogate */
	expect_text(BYTES("\xf4\x90\x80\x80"), 0, BYTES(FFFD FFFD FFFD FFFD)); /* beyond the last plane */
	expect_text(BYTES("\xe2\x82x"), 0, BYTES(FFFD "x"));                   /* one for the broken beginning */
	expect_text(BYTES("\xe2\x82"), 0, BYTES(FFFD));
	expect_text(BYTES("\x80\x80"), 0, BYTES(FFFD FFFD));
	expect_text(BYTES(""), 0, BYTES(""));
}

Test(capture, says_where_it_was_cut)
{
	expect_text(BYTES("12345678"), 8, BYTES("12345678"));
	expect_text(BYTES("123456789"), 8, BYTES("12345678\n[bridle: output truncated at 8 bytes]"));
	expect_text(BYTES("1234567\n9"), 8, BYTES("1234567\n[bridle: output truncated at 8 bytes]"));
	/* A character that the cut halves is left out, not made a replacement. */
	expect_text(BYTES("123\xe2\x82\xac"), 5, BYTES("123\n[bridle: output truncated at 5 bytes]"));
	expect_text(BYTES("123\xff\xff\xff"), 5, BYTES("123" FFFD FFFD "\n[bridle: output truncated at 5 bytes]"));
}

Test(capture, once_cut_stays_cut)
{
	struct capture capture = {.file = -1, .limit = 4};

	capture_add(&capture, "12345", 5);
	capture_add(&capture, "6", 1);
	cr_expect(capture.truncated);
	cr_expect_eq(capture.used, 4);
	capture_close(&capture);
}

Test(capture, reads_a_pipe_to_its_end)
{
	static char much[200000];
	struct capture capture;
	size_t sent = 0;
	int writer;

	memset(much, 'x', sizeof(much));
	cr_assert(capture_open(&capture, 1000, &writer));
	while (sent < sizeof(much)) {
		size_t left = sizeof(much) - sent;
		ssize_t wrote = write(writer, much + sent, left < 4096 ? left : 4096);

		cr_assert_gt(wrote, 0);
		sent += wrote;
		while (capture_read(&capture))
			;
	}
	cr_expect_geq(capture.file, 0, "closed before the end");
	close(writer);
	capture_read(&capture);
	cr_expect_eq(capture.file, -1);
	cr_expect_eq(capture.used, 1000);
	cr_expect(capture.truncated);
	capture_close(&capture);
}
