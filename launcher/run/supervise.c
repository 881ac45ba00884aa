/* SPDX-License-Identifier: MIT */
/* The loop around a running command. */
#include "run/supervise.h"

#include <errno.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/tree.h"

#define GATHER_MS 3     /* the FIFO holds what some thousand calls tell: none has to wait for us meanwhile */
#define KILL_ROUND_MS 5 /* between two walks of the tree that sweep up what was forked meanwhile */

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2,
				SIGALRM, SIGCONT, SIGTSTP, SIGWINCH};

int64_t supervise_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int supervise_signals(sigset_t *before)
{
	sigset_t handled;

	sigemptyset(&handled);
	sigaddset(&handled, SIGCHLD);
	/* A reader of ours that goes away is an error of write, nothing more; stops come by way of the child. */
	sigaddset(&handled, SIGPIPE);
	sigaddset(&handled, SIGXFSZ); /* ... and so is a file that may not grow (ulimit -f) */
	sigaddset(&handled, SIGTTIN);
	sigaddset(&handled, SIGTTOU);
	for (size_t i = 0; i < sizeof(forwarded) / sizeof(forwarded[0]); i++)
		sigaddset(&handled, forwarded[i]);
	if (sigprocmask(SIG_BLOCK, &handled, before))
		return -1;
	sigdelset(&handled, SIGPIPE);
	sigdelset(&handled, SIGXFSZ);
	sigdelset(&handled, SIGTTIN);
	sigdelset(&handled, SIGTTOU);
	signal(SIGCHLD, SIG_DFL); /* ignored, it would take the statuses away */
	return signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void enter(struct supervisor *supervisor, enum phase phase)
{
	if (phase <= supervisor->phase)
		return;
	supervisor->phase = phase;
	if (phase == PHASE_ENDING) {
		tree_signal(SIGTERM);
		tree_signal(SIGCONT); /* what is stopped cannot end */
		supervisor->deadline = supervise_clock() + supervisor->grace_ms;
	} else {
		supervisor->deadline = supervise_clock();
	}
}

/* A key on the terminal reaches the command by itself where it is in our group. */
static void pass_on(struct supervisor *supervisor, const struct signalfd_siginfo *signal)
{
	bool same_group = getpgid(supervisor->child) == getpgrp();
	int number = signal->ssi_signo;

	if (supervisor->ends && number == SIGTERM && supervisor->phase == PHASE_RUNNING) {
		enter(supervisor, PHASE_ENDING);
		return;
	}
	if (supervisor->child_ended) {
		if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)
			enter(supervisor, PHASE_KILLING);
		return;
	}
	if (signal->ssi_code == SI_KERNEL)
		supervisor->key_signal = number;
	if (signal->ssi_code == SI_KERNEL && same_group)
		return;
	supervisor->passed_on |= UINT64_C(1) << number;
	kill(supervisor->child, number);
}

static void take_signals(struct supervisor *supervisor)
{
	struct signalfd_siginfo signal;

	while (read(supervisor->signals, &signal, sizeof(signal)) == sizeof(signal))
		if (signal.ssi_signo != SIGCHLD)
			pass_on(supervisor, &signal);
}

static bool was_sent(const struct supervisor *supervisor, int number)
{
	return supervisor->phase != PHASE_RUNNING || number == supervisor->key_signal ||
	       (supervisor->passed_on >> number & 1);
}

static void child_changed(struct supervisor *supervisor, int status, const struct rusage *usage)
{
	int64_t stopped;
	bool key;

	if (WIFSTOPPED(status)) {
		take_signals(supervisor);
		key = supervisor->key_signal == WSTOPSIG(status);
		supervisor->key_signal = 0;
		if (!(supervisor->follow_stops || key) || supervisor->phase != PHASE_RUNNING)
			return;
		stopped = supervise_clock();
		terminal_stop(supervisor->terminal, supervisor->child, WSTOPSIG(status));
		/* The clock of the command stands still with it. */
		if (supervisor->deadline)
			supervisor->deadline += supervise_clock() - stopped;
		return;
	}
	supervisor->child_ended = true;
	supervisor->wait_status = status;
	supervisor->cpu_seconds = usage->ru_utime.tv_sec + usage->ru_stime.tv_sec +
				  (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
	/* What we ended ourselves may not have come as far as to say hello. */
	if (WIFSIGNALED(status) && was_sent(supervisor, WTERMSIG(status)))
		supervisor->hello.state = HELLO_UNNEEDED;
	hello_end(&supervisor->hello);
}

/* Collects what ended. False when no child is left, and so, as we are their subreaper, no descendant. */
static bool reap(struct supervisor *supervisor)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage)) > 0)
		if (pid == supervisor->child)
			child_changed(supervisor, status, &usage);
	return pid == 0 || errno != ECHILD;
}

/* What the clock and the state of things ask for. */
static void keep_time(struct supervisor *supervisor)
{
	int64_t now = supervise_clock();

	hello_look(&supervisor->hello, now);
	if (supervisor->hello.state == HELLO_MISSING)
		enter(supervisor, PHASE_KILLING);
	if (supervisor->phase != PHASE_KILLING && crowd_look(&supervisor->crowd, now)) {
		supervisor->crowded = true;
		enter(supervisor, PHASE_KILLING);
	}
	if (supervisor->child_ended && supervisor->phase == PHASE_RUNNING) {
		supervisor->left_over = tree_signal(0);
		enter(supervisor, PHASE_ENDING);
	}
	if (!supervisor->deadline || now < supervisor->deadline)
		return;
	switch (supervisor->phase) {
	case PHASE_RUNNING:
		supervisor->timed_out = true;
		enter(supervisor, PHASE_ENDING);
		break;
	case PHASE_ENDING:
		enter(supervisor, PHASE_KILLING);
		break;
	case PHASE_KILLING:
		tree_kill();
		supervisor->deadline = now + KILL_ROUND_MS;
		break;
	}
}

/* The shorter of two times to wait, -1 being for ever. */
static int sooner(int one, int other)
{
	return one < 0 || (other >= 0 && other < one) ? other : one;
}

static int time_to_wait(const struct supervisor *supervisor)
{
	int64_t now = supervise_clock(), left = supervisor->deadline - now;
	int wait = sooner(hello_wait(&supervisor->hello, now), crowd_wait(&supervisor->crowd, now));

	if (!supervisor->deadline)
		return wait;
	return sooner(wait, left < 0 ? 0 : left > 3600000 ? 3600000
							  : (int)left);
}

static bool read_captures(struct supervisor *supervisor)
{
	bool more = false;

	if (supervisor->output)
		more |= capture_read(supervisor->output);
	if (supervisor->error)
		more |= capture_read(supervisor->error);
	return more;
}

static void wait_for_news(struct supervisor *supervisor, bool more)
{
	bool full = supervisor->frames && frames_full(supervisor->frames);
	struct pollfd files[] = {
		{.fd = supervisor->signals, .events = POLLIN},
		{.fd = supervisor->gathering ? -1 : supervisor->fifo, .events = POLLIN},
		{.fd = supervisor->output && !full ? supervisor->output->file : -1, .events = POLLIN},
		{.fd = supervisor->error && !full ? supervisor->error->file : -1, .events = POLLIN},
		{.fd = full ? supervisor->frames->file : -1, .events = POLLOUT},
	};
	int wait = more ? 0 : time_to_wait(supervisor);

	if (supervisor->gathering && !more && (wait < 0 || wait > GATHER_MS))
		wait = GATHER_MS;
	poll(files, sizeof(files) / sizeof(files[0]), wait);
}

static void tell(const struct supervisor *supervisor, struct outcome *outcome)
{
	outcome->kind = supervisor->hello.state == HELLO_MISSING ? OUTCOME_UNGUARDED
			: supervisor->timed_out                  ? OUTCOME_TIMED_OUT
			: supervisor->crowded                    ? OUTCOME_CROWDED
								 : OUTCOME_ENDED;
	outcome->wait_status = supervisor->wait_status;
	outcome->duration_ms = supervise_clock() - supervisor->started;
	outcome->cpu_seconds = supervisor->cpu_seconds;
	outcome->left_over = supervisor->left_over;
	outcome->by_key = supervisor->key_signal && WIFSIGNALED(supervisor->wait_status) &&
			  WTERMSIG(supervisor->wait_status) == supervisor->key_signal;
}

void supervise(struct supervisor *supervisor, struct outcome *ret_outcome)
{
	bool more = false;

	supervisor->started = supervise_clock();
	supervisor->deadline = supervisor->wall_ms ? supervisor->started + supervisor->wall_ms : 0;
	while (reap(supervisor)) {
		uint64_t before = supervisor->forward->lines;

		keep_time(supervisor);
		wait_for_news(supervisor, more);
		take_signals(supervisor);
		/* Output is read before the report of what led to it, and told after. */
		more = read_captures(supervisor);
		more |= forward_pump(supervisor->forward, supervisor->fifo);
		supervisor->gathering = supervisor->gather && supervisor->forward->lines != before;
		if (supervisor->frames)
			frames_send(supervisor->frames);
	}
	/* Nothing writes any more: what is still in the pipes is all there is. */
	tell(supervisor, ret_outcome);
	while (forward_pump(supervisor->forward, supervisor->fifo))
		;
	do
		while (read_captures(supervisor))
			;
	while (supervisor->frames && frames_wait(supervisor->frames));
	reader_finish(&supervisor->forward->reader);
}
