/* SPDX-License-Identifier: MIT */
/* Before every constructor and after every destructor: the guard holds, and main finds errno at 0. */
#include "life.h"

static int refused_early, opened_early;

static void before_all(void)
{
	refused_early = is_refused(OUTSIDE);
	opened_early = is_opened(INSIDE);
	errno = 0;
}

/* Runs before the constructors of all libraries, preloaded ones included. */
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = before_all;

static __attribute__((destructor)) void after_all(void)
{
	must(is_refused(OUTSIDE));
	must(is_opened(INSIDE));
}

static void at_exit(void)
{
	must(is_refused(OUTSIDE));
}

int main(void)
{
	must(errno == 0);
	must(refused_early);
	must(opened_early);
	must(atexit(at_exit) == 0);
	return 0;
}
