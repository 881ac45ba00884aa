/* SPDX-License-Identifier: MIT */
/* The process tree of a report. */
#include "report/process.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "report/command_line.h"

#define ANCESTORS_MAX 8
#define COMMAND_PID 0 /* no process has it: in by_pid it stands for the command of the session */

void processes_open(struct processes *processes, struct intern *names)
{
	*processes = (struct processes){.names = names, .first = INDEX_NONE, .last = INDEX_NONE};
	index_open(&processes->by_pid, PROCESS_PIDS_MAX);
}

void processes_close(struct processes *processes)
{
	index_close(&processes->by_pid);
	free(processes->items);
	free(processes->latest);
	*processes = (struct processes){0};
}

/* Room for one record more in an array of `room` records of `size` bytes, `count` of them used. */
static bool make_room(void **array, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t wanted = *room ? 2 * *room : 64;
	void *grown;

	if (count < *room)
		return true;
	grown = realloc(*array, wanted * size);
	if (grown == NULL)
		return false;
	*array = grown;
	*room = wanted;
	return true;
}

/* A new process under parent (or none); INDEX_NONE when there is no room for it. */
static uint32_t add(struct processes *processes, uint32_t parent, const struct event *event)
{
	uint32_t number = processes->count;
	uint32_t *first, *last;

	if (number == PROCESSES_MAX ||
	    !make_room((void **)&processes->items, number, &processes->room,
		       sizeof(*processes->items))) {
		++*(parent == INDEX_NONE ? &processes->folded : &processes->items[parent].folded);
		return INDEX_NONE;
	}
	first = parent == INDEX_NONE ? &processes->first : &processes->items[parent].first;
	last = parent == INDEX_NONE ? &processes->last : &processes->items[parent].last;
	*(*last == INDEX_NONE ? first : &processes->items[*last].next) = number;
	*last = number;
	processes->items[number] = (struct process){
		.session = intern_text(processes->names, event->session),
		.parent = parent,
		.first = INDEX_NONE,
		.last = INDEX_NONE,
		.next = INDEX_NONE,
		.exe = intern_empty,
		.command = intern_empty,
		.earlier = intern_empty,
		.previous = intern_empty,
		.refused = intern_empty,
		.failed = intern_empty,
		.begin = event->time,
		.end = event->time,
	};
	processes->count++;
	return number;
}

static struct index_key pid_key(struct processes *processes, const struct event *event, int64_t pid)
{
	return (struct index_key){
		{INDEX_WORD(intern_text(processes->names, event->session)), (uint64_t)pid}};
}

static uint32_t find(struct processes *processes, const struct event *event, int64_t pid)
{
	struct index_key key = pid_key(processes, event, pid);
	uint32_t number = index_find(&processes->by_pid, &key);

	return number == INDEX_NONE ? INDEX_NONE : processes->latest[number];
}

static uint32_t *pending_of(struct processes *processes, uint32_t parent)
{
	return parent == INDEX_NONE ? &processes->pending : &processes->items[parent].pending;
}

/*
 * The child that a spawn announced and that now speaks for the first time: the one whose program this is, else, unless
 * this is a plain fork of the parent, the first (a script's process runs its interpreter).
 */
static uint32_t adopt(struct processes *processes, uint32_t parent, const struct event *event)
{
	struct process *items = processes->items;
	bool fork = parent != INDEX_NONE && strcmp(items[parent].exe, event->exe) == 0;
	uint32_t best = INDEX_NONE;
	uint32_t at = parent == INDEX_NONE ? processes->first : items[parent].first;

	if (*pending_of(processes, parent) == 0)
		return INDEX_NONE;
	for (; at != INDEX_NONE; at = items[at].next) {
		if (items[at].pid != 0 || items[at].ran || !items[at].pending ||
		    strcmp(items[at].session, event->session) != 0)
			continue;
		if (strcmp(items[at].exe, event->exe) == 0) {
			best = at;
			break;
		}
		if (best == INDEX_NONE && !fork)
			best = at;
	}
	if (best != INDEX_NONE) {
		items[best].pending = 0;
		--*pending_of(processes, parent);
	}
	return best;
}

/*
 * The nearest ancestor that was heard of: between it and the newcomer may be forks that made no call. All else in a session
 * comes from its command, of which nothing may have been heard yet: a static shell forks in silence.
 */
static uint32_t ancestor(struct processes *processes, const struct event *event)
{
	int64_t pid = event->ppid;
	uint32_t at = find(processes, event, pid), command;

	for (int i = 0; i < ANCESTORS_MAX && at == INDEX_NONE && processes->parent_of != NULL && pid > 1; i++) {
		pid = processes->parent_of(pid);
		at = find(processes, event, pid);
	}
	if (at != INDEX_NONE)
		return at;
	command = find(processes, event, COMMAND_PID);
	return command == INDEX_NONE || processes->items[command].ppid == event->ppid ? INDEX_NONE : command;
}

/* The slot of the process that has this pid; NULL when there is no room for one. */
static uint32_t *slot_of(struct processes *processes, const struct event *event, int64_t pid)
{
	struct index_key key = pid_key(processes, event, pid);
	bool fresh;
	uint32_t number = index_add(&processes->by_pid, &key, &fresh);

	if (number == INDEX_NONE ||
	    (fresh && !make_room((void **)&processes->latest, number, &processes->latest_room, sizeof(*processes->latest))))
		return NULL;
	if (fresh)
		processes->latest[number] = INDEX_NONE;
	return &processes->latest[number];
}

/* A pid that speaks for the first time. Where no process can be kept for it, its parent stands for it. */
static uint32_t newcomer(struct processes *processes, const struct event *event)
{
	uint32_t parent = ancestor(processes, event);
	uint32_t at = adopt(processes, parent, event);

	if (at == INDEX_NONE)
		at = add(processes, parent, event);
	if (at == INDEX_NONE)
		return parent;
	processes->items[at].pid = event->pid;
	processes->items[at].ppid = event->ppid;
	processes->items[at].ran = true;
	return at;
}

/* Another parent means another process with the same pid, unless the parent died and a reaper took over. */
static bool is_reused(struct processes *processes, uint32_t at, const struct event *event)
{
	const struct process *process = &processes->items[at];

	return process->pid == event->pid && event->ppid != process->ppid &&
	       find(processes, event, event->ppid) != INDEX_NONE;
}

static uint32_t see(struct processes *processes, const struct event *event)
{
	uint32_t *slot = slot_of(processes, event, event->pid), at;
	struct process *process;

	if (slot == NULL)
		return find(processes, event, event->ppid);
	if (*slot == INDEX_NONE || is_reused(processes, *slot, event))
		*slot = newcomer(processes, event);
	at = *slot;
	if (at == INDEX_NONE)
		return INDEX_NONE;
	process = &processes->items[at];
	if (event->time < process->begin || process->begin == 0)
		process->begin = event->time;
	if (event->time > process->end)
		process->end = event->time;
	if (process->pid == event->pid && event->exe[0] != '\0')
		process->exe = intern_text(processes->names, event->exe);
	process->calls += event->verdict != EVENT_NOTICE && !event->outcome;
	process->denied += event->verdict == EVENT_DENY;
	return at;
}

static const char *command_of(struct processes *processes, const struct event *event)
{
	char line[COMMAND_LINE_MAX];

	if (event->argc == 0)
		return intern_text(processes->names, event->path);
	command_line(event->argv, event->argc, line, sizeof(line));
	return intern_text(processes->names, line);
}

/* Is this refusal the same as the one just before it? Programs retry. */
static bool is_repeated(const struct processes *processes, uint32_t parent, const char *command)
{
	uint32_t at = parent == INDEX_NONE ? processes->last : processes->items[parent].last;

	return at != INDEX_NONE && processes->items[at].stopped &&
	       processes->items[at].command == command;
}

/* A program that gets a process of its own: announced here, heard of later. */
static void start(struct processes *processes, uint32_t parent, const struct event *event)
{
	const char *command = command_of(processes, event);
	bool stopped = !event_went_through(event);
	struct process *child;
	uint32_t at;

	if (stopped && is_repeated(processes, parent, command))
		return;
	at = add(processes, parent, event);
	if (at == INDEX_NONE)
		return;
	child = &processes->items[at];
	child->command = command;
	child->exe = intern_text(processes->names, event_file(event));
	child->refused = intern_text(processes->names, event->rule);
	child->stopped = stopped;
	if (!stopped) {
		child->pending = 1;
		++*pending_of(processes, parent);
	}
}

/*
 * The launcher says what it starts. In audit mode it says before what speaks against it, which may name a program inside a
 * shell line: the command is what it says last.
 */
static void start_command(struct processes *processes, const struct event *event)
{
	uint32_t *slot = slot_of(processes, event, COMMAND_PID);
	struct process *command = slot == NULL || *slot == INDEX_NONE ? NULL : &processes->items[*slot];
	uint32_t before = processes->count;

	if (command != NULL && !command->ran && !command->stopped && command->refused[0] != '\0') {
		command->command = command_of(processes, event);
		command->exe = intern_text(processes->names, event_file(event));
		return;
	}
	start(processes, INDEX_NONE, event);
	if (slot == NULL || processes->count == before)
		return;
	*slot = processes->last;
	processes->items[*slot].ppid = event->pid;
}

/* exec proper: the process goes on as another program, or would have. */
static void replace(struct processes *processes, uint32_t at, const struct event *event)
{
	struct process *process = &processes->items[at];
	bool bare = process->command[0] == '\0' && process->first == INDEX_NONE;

	if (!event_went_through(event) && !bare && process->refused[0] == '\0') {
		start(processes, at, event);
		return;
	}
	if (!process->stopped) {
		process->previous = process->command;
		if (process->earlier[0] == '\0')
			process->earlier = process->command;
	}
	process->command = command_of(processes, event);
	if (process->stopped || event->rule[0] != '\0')
		process->refused = intern_text(processes->names, event->rule);
	process->refused_last = event->rule[0] != '\0';
	process->stopped = !event_went_through(event);
	if (!process->stopped)
		process->exe = intern_text(processes->names, event_file(event));
}

/* A start that was told of has failed: the process is what it was before, the child that was announced does not come. */
static void take_failure(struct processes *processes, uint32_t at, const struct event *event)
{
	struct process *process = &processes->items[at];
	const char *error = intern_text(processes->names, event->error);
	uint32_t announced = INDEX_NONE;

	if (strstr(event->call, "exec") != NULL) {
		if (process->previous[0] == '\0')
			process->failed = error;
		else
			process->command = process->previous;
		if (process->earlier == process->previous)
			process->earlier = intern_empty;
		process->previous = intern_empty;
		return;
	}
	for (uint32_t child = process->first; child != INDEX_NONE; child = processes->items[child].next)
		if (processes->items[child].pending)
			announced = child;
	if (announced == INDEX_NONE)
		return;
	processes->items[announced].pending = 0;
	processes->items[announced].failed = error;
	process->pending--;
}

uint32_t processes_take(struct processes *processes, const struct event *event)
{
	bool launcher = strcmp(event->via, VIA_LAUNCHER) == 0;
	uint32_t at = launcher || event->pid <= 0 ? INDEX_NONE : see(processes, event);

	if (event->op != OP_EXEC)
		return at;
	if (event->outcome) {
		if (at != INDEX_NONE && event_failed(event))
			take_failure(processes, at, event);
		return at;
	}
	if (launcher)
		start_command(processes, event);
	else if (strstr(event->call, "exec") == NULL)
		start(processes, at, event);
	else if (at != INDEX_NONE && processes->items[at].pid == event->pid)
		replace(processes, at, event);
	return at;
}

void processes_finish(struct processes *processes)
{
	for (uint32_t at = processes->count; at-- > 0;) {
		const struct process *child = &processes->items[at];

		if (child->parent == INDEX_NONE)
			continue;
		if (child->end > processes->items[child->parent].end)
			processes->items[child->parent].end = child->end;
	}
}

uint32_t processes_walk(const struct processes *processes, uint32_t at, int *depth)
{
	const struct process *items = processes->items;

	if (at == INDEX_NONE)
		return processes->first;
	if (items[at].first != INDEX_NONE) {
		++*depth;
		return items[at].first;
	}
	while (at != INDEX_NONE && items[at].next == INDEX_NONE) {
		at = items[at].parent;
		--*depth;
	}
	return at == INDEX_NONE ? INDEX_NONE : items[at].next;
}
