/* SPDX-License-Identifier: MIT */
/* What a server hears while a command runs: whole characters, what led to output before it, and nothing that blocks. */
#include "run/frames.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "run/capture.h"

static int ends[2];
static struct frames frames;

static void start(void)
{
	cr_assert(!pipe(ends));
	frames_start(&frames, ends[1]);
}

/* All that was told, without line ends. */
static const char *heard(void)
{
	static char text[4096];
	ssize_t got;

	frames_wait(&frames);
	got = read(ends[0], text, sizeof(text) - 1);
	text[got > 0 ? got : 0] = '\0';
	return text;
}

Test(frames, keeps_characters_whole, .init = start)
{
	frames_output(&frames, FRAMES_OUTPUT, "a\xc3", 2);
	cr_expect_str_eq(heard(), "{\"stream\":\"stdout\",\"data\":\"a\"}\n");
	frames_output(&frames, FRAMES_OUTPUT, "\xa4\xff", 2);
	cr_expect_str_eq(heard(), "{\"stream\":\"stdout\",\"data\":\"\xc3\xa4\xef\xbf\xbd\"}\n");
	frames_output(&frames, FRAMES_OUTPUT, "\xf0\x9f", 2);
	frames_output(&frames, FRAMES_OUTPUT, NULL, 0);
	cr_expect_str_eq(heard(), "{\"stream\":\"stdout\",\"data\":\"\xef\xbf\xbd\"}\n");
	frames_free(&frames);
}

Test(frames, tells_errors_and_violations_before_output, .init = start)
{
	frames_output(&frames, FRAMES_OUTPUT, "answer\n", 7);
	frames_output(&frames, FRAMES_ERROR, "warning\n", 8);
	frames_violation(&frames, "{\"v\":1}\n", 8);
	cr_expect_str_eq(heard(), "{\"violation\":{\"v\":1}}\n{\"stream\":\"stderr\",\"data\":\"warning\\n\"}\n"
				  "{\"stream\":\"stdout\",\"data\":\"answer\\n\"}\n");
	frames_free(&frames);
}

Test(frames, waits_for_no_reader, .init = start, .timeout = 300)
{
	char block[8192];

	memset(block, 'x', sizeof(block));
	while (!frames_full(&frames)) {
		frames_output(&frames, FRAMES_OUTPUT, block, sizeof(block));
		frames_send(&frames);
	}
	cr_expect(frames_send(&frames), "it is full, and says so at once");
	close(ends[0]);
	signal(SIGPIPE, SIG_IGN);
	cr_expect_not(frames_send(&frames), "nobody listens: nothing waits");
	cr_expect_eq(frames.file, -1);
	frames_free(&frames);
}

Test(frames, knows_where_characters_end)
{
	cr_expect_eq(capture_whole("", 0), 0u);
	cr_expect_eq(capture_whole("ab", 2), 2u);
	cr_expect_eq(capture_whole("a\xe2\x82", 3), 1u);
	cr_expect_eq(capture_whole("a\xe2\x82\xac", 4), 4u);
	cr_expect_eq(capture_whole("a\xff", 2), 2u);
	cr_expect_eq(capture_whole("\xe2\x82z", 3), 3u);
}
