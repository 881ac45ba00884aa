/* SPDX-License-Identifier: MIT */
/* Where in libc and its dynamic linker the system call stands by which they open what they read for themselves. */
#ifndef BRIDLE_BACKSTOP_CALLSITE_H
#define BRIDLE_BACKSTOP_CALLSITE_H

#include "backstop/filter.h"

/*
 * Libraries, locales, message catalogues, time zones and name services are opened by one internal function of libc and its
 * twin in the linker, which no program's own open reaches. Looks them up in the libc that the launcher itself runs with;
 * finds none where its code is laid out otherwise, or where it is not glibc. Takes no lock; any thread.
 */
void callsite_find(struct filter_sites *ret_sites);

#endif
