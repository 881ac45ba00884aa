/* SPDX-License-Identifier: MIT */
/* The loop that takes stopped calls up and answers them, in threads of its own beside the launcher's work. */
#ifndef BRIDLE_BACKSTOP_SUPERVISE_H
#define BRIDLE_BACKSTOP_SUPERVISE_H

#include "backstop/question.h"

struct supervisor;

/*
 * Starts answering what comes through rules->listener. rules stays the caller's and must outlive the supervisor. All
 * signals are blocked in its threads. NULL with errno when no thread could be started.
 */
struct supervisor *supervise_start(struct rules *rules);

/* Ends it: no call is taken up after this, the threads are gone, the memory is freed. The listener stays open. */
void supervise_stop(struct supervisor *supervisor);

#endif
