/* SPDX-License-Identifier: MIT */
/*
 * One thread, the leader, waits for calls and answers each before it takes the next: handing over between threads would
 * double the price of a call. It can get stuck, when a path leads into a file system that one of the stopped programs
 * itself serves. So a watcher looks every now and then; when the leader has been busy with one call for too long it
 * takes the lead and starts the next watcher, and the stuck thread ends once it is free.
 *
 * The kernel is asked to wake the leader on the CPU of the caller, which falls free just then (SYNC_WAKE_UP). The answer is
 * to wake the caller on that CPU too. The same flag does it as long as one thread calls at a time; with several the leader may
 * have taken a call from another CPU, and would draw its caller away from there, to share this one while that falls idle:
 * then the scheduler chooses, as it does for every other sleeper.
 */
#include "backstop/supervise.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backstop/clock.h"
#include "backstop/judge.h"
#include "backstop/moves.h"

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

#define STOP_SIGNAL SIGRTMAX /* interrupts a thread that waits for a call */
#define THREADS_MAX 32
#define MIXED_CALLS 32
#define SLICE_NANOSECONDS 100000
#define STACK_BYTES ((size_t)512 << 10)
#define WATCH_MILLISECONDS 250
#define STOP_MILLISECONDS 20
#define STOP_TRIES 50

struct supervisor {
	struct rules *rules;
	struct seccomp_notif_sizes sizes;
	_Atomic bool stopping;
	int stop;                   /* eventfd: readable when everybody is to end */
	_Atomic uint64_t lead;      /* counts the changes of the lead; who holds the current number leads */
	_Atomic int64_t busy_since; /* milliseconds; 0: the leader waits */
	pthread_mutex_t lock;
	pthread_t threads[THREADS_MAX];
	unsigned thread_count;
};

/* Waits for a call; false when there will be none any more. Without a poll before it: a call costs a tenth less. */
static bool receive(struct supervisor *supervisor, struct seccomp_notif *call)
{
	int listener = supervisor->rules->listener;
	struct pollfd users = {listener, POLLIN, 0};

	while (!atomic_load(&supervisor->stopping)) {
		/* the kernel insists on zeroes */
		memset(call, 0, supervisor->sizes.seccomp_notif);
		if (!ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, call))
			return true;
		/* EINTR: a signal, perhaps ours; ENOENT: the caller was killed, or (Linux 6.11) nobody is left */
		if (errno != EINTR && (errno != ENOENT || (poll(&users, 1, 0) > 0 && users.revents & POLLHUP)))
			return false;
	}
	return false;
}

/* What a leader knows of the traffic. */
struct traffic {
	uint32_t caller; /* thread of the last call */
	unsigned mixed;  /* calls for which several threads are taken to call, since not long ago they did */
	bool here;       /* the kernel wakes leader and callers on the CPU of who wakes them */
};

static void note_caller(struct traffic *traffic, uint32_t caller)
{
	if (traffic->caller != caller)
		traffic->mixed = MIXED_CALLS;
	else if (traffic->mixed)
		traffic->mixed--;
	traffic->caller = caller;
}

/* Linux 6.6: before, the scheduler always chooses and a call costs half as much again. */
static void wake_here(const struct supervisor *supervisor, struct traffic *traffic, bool here)
{
	if (traffic->here == here)
		return;
	traffic->here = here;
	(void)ioctl(supervisor->rules->listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS,
		    here ? SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP : 0);
}

static void serve(struct supervisor *supervisor, struct traffic *traffic, const struct seccomp_notif *call,
		  struct seccomp_notif_resp *answer)
{
	int error = judge_call(supervisor->rules, call);

	atomic_fetch_add_explicit((_Atomic uint64_t *)&supervisor->rules->page->stopped, 1, memory_order_relaxed);
	memset(answer, 0, supervisor->sizes.seccomp_notif_resp);
	answer->id = call->id;
	answer->error = -error;
	answer->flags = error ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	wake_here(supervisor, traffic, !traffic->mixed);
	/* fails only when the caller is gone */
	(void)ioctl(supervisor->rules->listener, SECCOMP_IOCTL_NOTIF_SEND, answer);
}

/* Linux's struct sched_attr in its first size; its header does not go together with libc's. */
struct scheduling {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

/*
 * A leader works in short turns while a caller stands still, and must not wait behind programs that compute: a short slice
 * (Linux 6.12) gets it the CPU sooner. A better nice value would as well, but makes each call dearer.
 */
static void hurry(void)
{
	struct scheduling now = {.size = sizeof(now)};

	if (syscall(SYS_sched_getattr, 0, &now, sizeof(now), 0) < 0 || now.policy != SCHED_OTHER)
		return;
	now.flags = 0;
	now.runtime = SLICE_NANOSECONDS;
	(void)syscall(SYS_sched_setattr, 0, &now, 0);
}

static void lead(struct supervisor *supervisor)
{
	size_t call_size = sizeof(struct seccomp_notif), answer_size = sizeof(struct seccomp_notif_resp);
	uint64_t term = atomic_fetch_add(&supervisor->lead, 1) + 1;
	struct traffic traffic = {0};
	struct seccomp_notif *call;
	struct seccomp_notif_resp *answer;

	if (supervisor->sizes.seccomp_notif > call_size)
		call_size = supervisor->sizes.seccomp_notif;
	if (supervisor->sizes.seccomp_notif_resp > answer_size)
		answer_size = supervisor->sizes.seccomp_notif_resp;
	call = malloc(call_size);
	answer = malloc(answer_size);
	hurry();
	while (call && answer && atomic_load(&supervisor->lead) == term) {
		wake_here(supervisor, &traffic, true);
		atomic_store(&supervisor->busy_since, 0);
		if (!receive(supervisor, call))
			break;
		atomic_store(&supervisor->busy_since, clock_milliseconds());
		note_caller(&traffic, call->pid);
		serve(supervisor, &traffic, call, answer);
	}
	free(call);
	free(answer);
}

static void *watch(void *argument);

static bool start_thread(struct supervisor *supervisor, void *(*start)(void *))
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int error = EAGAIN;

	sigfillset(&all);
	sigdelset(&all, STOP_SIGNAL);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_mutex_lock(&supervisor->lock);
	if (supervisor->thread_count < THREADS_MAX) {
		error = pthread_create(&supervisor->threads[supervisor->thread_count], &attributes, start, supervisor);
		if (!error)
			supervisor->thread_count++;
	}
	pthread_mutex_unlock(&supervisor->lock);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	errno = error;
	return !error;
}

static bool is_stuck(struct supervisor *supervisor)
{
	int64_t since = atomic_load(&supervisor->busy_since);

	return since && clock_milliseconds() - since > WATCH_MILLISECONDS;
}

static void *watch(void *argument)
{
	struct supervisor *supervisor = argument;
	struct pollfd stop = {supervisor->stop, POLLIN, 0};

	while (!is_stuck(supervisor)) {
		if (poll(&stop, 1, WATCH_MILLISECONDS) > 0)
			return NULL;
		moves_settle(supervisor->rules);
	}
	start_thread(supervisor, watch);
	lead(supervisor);
	return NULL;
}

static void *first_leader(void *argument)
{
	lead(argument);
	return NULL;
}

static void interrupt(int signal)
{
	(void)signal;
}

struct supervisor *supervise_start(struct rules *rules)
{
	struct sigaction action = {.sa_handler = interrupt};
	struct supervisor *supervisor = calloc(1, sizeof(*supervisor));

	if (!supervisor)
		return NULL;
	supervisor->rules = rules;
	pthread_mutex_init(&supervisor->lock, NULL);
	sigaction(STOP_SIGNAL, &action, NULL);
	supervisor->stop = eventfd(0, EFD_CLOEXEC);
	if (supervisor->stop >= 0 && !syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &supervisor->sizes) &&
	    start_thread(supervisor, first_leader)) {
		start_thread(supervisor, watch);
		return supervisor;
	}
	if (supervisor->stop >= 0)
		close(supervisor->stop);
	free(supervisor);
	return NULL;
}

/* A signal may come just before the wait it is to interrupt: it is sent until the thread is gone. */
static bool end_thread(pthread_t thread)
{
	for (int i = 0; i < STOP_TRIES; i++) {
		struct timespec until;

		pthread_kill(thread, STOP_SIGNAL);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += STOP_MILLISECONDS * 1000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		if (!pthread_timedjoin_np(thread, NULL, &until))
			return true;
	}
	return false;
}

static bool thread_at(struct supervisor *supervisor, unsigned index, pthread_t *ret_thread)
{
	bool there;

	pthread_mutex_lock(&supervisor->lock);
	there = index < supervisor->thread_count;
	if (there)
		*ret_thread = supervisor->threads[index];
	pthread_mutex_unlock(&supervisor->lock);
	return there;
}

void supervise_stop(struct supervisor *supervisor)
{
	uint64_t one = 1;
	pthread_t thread;

	if (!supervisor)
		return;
	atomic_store(&supervisor->stopping, true);
	(void)!write(supervisor->stop, &one, sizeof(one));
	for (unsigned i = 0; thread_at(supervisor, i, &thread); i++)
		if (!end_thread(thread))
			return; /* stuck in a file system that does not answer: it keeps its memory */
	close(supervisor->stop);
	free(supervisor);
}
