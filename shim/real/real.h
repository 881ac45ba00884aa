/* SPDX-License-Identifier: MIT */
/*
 * The next definition of each interposed symbol: what the program would have reached without us. Found by walking the
 * loader's list of objects, which takes no lock and no memory, so that it works where dlsym() may not be called: before
 * our constructor, in a signal handler, in a vfork child, inside another library's allocator.
 */
#ifndef BRIDLE_REAL_REAL_H
#define BRIDLE_REAL_REAL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Functions of libc that finish what a wrapper began with a system call, its clock, which needs none, and its word on whether
 * there are threads; programs' own uses of them pass by.
 */
#define REAL_FINISHERS(SYM) SYM(fdopendir) SYM(fdopen) SYM(pthread_setcanceltype) SYM(clock_gettime) SYM(__libc_single_threaded)

extern char __libc_single_threaded; /* glibc's since 2.32: 0 from before the second thread is made */

enum real {
#define SYM(name, family) REAL_##name,
#include "symbols.def"
#undef SYM
#define SYM(name) REAL_##name,
	REAL_FINISHERS(SYM)
#undef SYM
	REAL_COUNT
};

/* The definition behind ours; a function that fails with ENOSYS when no loaded object has one. */
void *real_find(enum real which);

/*
 * Is that definition libc's own? Then a system call in its place is the same. When another preload or a sanitizer
 * stands there, it must be called itself.
 */
bool real_look_up(enum real which);

#define REAL_IN_LIBC 1u
extern uintptr_t real_found[REAL_COUNT]; /* 0: not looked up yet; bit 0: libc defines it; the rest is real.c's */

static inline bool real_is_libc(enum real which)
{
	uintptr_t found = __atomic_load_n(&real_found[which], __ATOMIC_ACQUIRE);

	return found ? found & REAL_IN_LIBC : real_look_up(which);
}

/* The same by name; true for a name that is in no row. Compares names: for answers that are rare. */
bool real_is_libc_named(const char *name);

/* The entry of a name; REAL_COUNT: it is not interposed. */
enum real real_named(const char *name);

#define REAL(name) ((__typeof__(&name))real_find(REAL_##name))

#endif
