/* SPDX-License-Identifier: MIT */
/*
 * The fast lane of the backstop: a call that was judged is made here, with the session's word (include/handoff.h), instead
 * of by libc, whose own would stop in the supervisor only to be judged again. Where there is no backstop, where another
 * library's function stands behind ours, or where the program has shut system calls off, libc makes it as ever.
 */
#ifndef BRIDLE_WRAP_LANE_H
#define BRIDLE_WRAP_LANE_H

#include <pthread.h>
#include <sys/syscall.h>

#include "real/syscall.h"
#include "start.h"
#include "wrap/wrap.h"

static inline bool lane_is_open(enum real which)
{
	return __atomic_load_n((uint64_t *)&raw_word, __ATOMIC_RELAXED) && !start_filtered && real_is_libc(which);
}

/* LANE(unlink, (path), SYS_unlinkat, AT_FDCWD, path, 0, 0, 0): the last six stand for what libc's function does. */
#define LANE(symbol, arguments, number, a, b, c, d, e)                             \
	(lane_is_open(REAL_##symbol) ? (__typeof__(symbol arguments))wrap_result(  \
					       raw_guarded(number, a, b, c, d, e)) \
				     : REAL(symbol) arguments)

/*
 * Of a call that cannot be made for what the guard found at its path: the kernel looks at flags, sizes and further pointers
 * before it looks for the file, and what it says of these comes first. It is asked where nothing can be found: answered with
 * anything but `nothing`, the file would not have been looked for. A refusal stands.
 */
static inline long lane_first(enum real which, long answer, long nothing, long number, long a, long b, long c, long d,
			      long e)
{
	long first;

	if (answer == -EACCES || start_filtered || !real_is_libc(which))
		return answer;
	first = raw_guarded(number, a, b, c, d, e);
	return first < 0 && first != nothing ? first : answer;
}

/* FIRST_AT(answer, unlinkat, SYS_unlinkat, -1, "x", flags, 0, 0): by a descriptor that is none, or by no path. */
#define FIRST_AT(answer, symbol, number, a, b, c, d, e) \
	lane_first(REAL_##symbol, answer, -EBADF, number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))
#define FIRST(answer, symbol, number, a, b, c, d, e) \
	lane_first(REAL_##symbol, answer, -ENOENT, number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))

/* Is the call made where the guard holds its place? Else in the caller's own words, by libc or on the fast lane. */
static inline bool place_is_ours(const struct file_place *place, enum real which)
{
	return place->held ? real_is_libc(which) && !start_filtered : lane_is_open(which);
}

static inline int place_left(const struct file_place *place, long result)
{
	guard_done(place, result < 0 ? errno : 0);
	return (int)result;
}

/* PLACED(&place, unlink, (path), SYS_unlinkat, place.dirfd, place.path, 0, 0, 0): like LANE, where the guard holds it. */
#define PLACED(place, symbol, arguments, number, a, b, c, d, e)                                                 \
	place_left(place, place_is_ours(place, REAL_##symbol) ? wrap_result(raw_guarded(number, a, b, c, d, e)) \
							      : REAL(symbol) arguments)

/* The same for what may wait: a cancellation point, as in libc. open: what lane_is_open and can_wait say. */
static inline long lane_wait(long number, long a, long b, long c, long d)
{
	int before, unused;
	long result;

	REAL(pthread_setcanceltype)
	(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
	result = raw_guarded(number, a, b, c, d, 0);
	REAL(pthread_setcanceltype)
	(before, &unused);
	return wrap_result(result);
}

static inline bool lane_can_wait(enum real which)
{
	return lane_is_open(which) && real_is_libc(REAL_pthread_setcanceltype);
}

#endif
