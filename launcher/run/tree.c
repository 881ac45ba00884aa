/* SPDX-License-Identifier: MIT */
/* Finds all descendants in /proc, which knows them whatever session or group they moved to. */
#include "run/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process {
	pid_t pid, parent;
	bool alive, ours;
};

struct processes {
	struct process *list;
	size_t count, room;
};

static bool add(struct processes *all, const struct process *one)
{
	if (all->count == all->room) {
		size_t room = all->room ? 2 * all->room : 256;
		struct process *list = realloc(all->list, room * sizeof(*list));

		if (!list)
			return false;
		all->list = list;
		all->room = room;
	}
	all->list[all->count++] = *one;
	return true;
}

/* "PID (NAME) STATE PARENT ...", where NAME may hold anything, brackets too. */
static bool read_process(int folder, const char *name, struct process *ret)
{
	char path[64], text[512], state, *end;
	ssize_t got;
	int file, parent;

	snprintf(path, sizeof(path), "%s/stat", name);
	file = openat(folder, path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	got = read(file, text, sizeof(text) - 1);
	close(file);
	if (got <= 0)
		return false;
	text[got] = '\0';
	end = strrchr(text, ')');
	if (!end || sscanf(end + 1, " %c %d", &state, &parent) != 2)
		return false;
	*ret = (struct process){.pid = atoi(name), .parent = parent, .alive = !strchr("ZXx", state)};
	return true;
}

static void read_all(struct processes *all)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	struct process one;

	while (folder && (entry = readdir(folder)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    read_process(dirfd(folder), entry->d_name, &one) && !add(all, &one))
			break;
	if (folder)
		closedir(folder);
}

static int by_pid(const void *a, const void *b)
{
	const struct process *first = a, *second = b;

	return (first->pid > second->pid) - (first->pid < second->pid);
}

/* Marks the children of what is marked until nothing is added. */
static void mark(struct processes *all, pid_t top)
{
	bool grown = all->count > 0;

	if (grown)
		qsort(all->list, all->count, sizeof(*all->list), by_pid);
	while (grown) {
		grown = false;
		for (size_t i = 0; i < all->count; i++) {
			struct process *one = &all->list[i], key = {.pid = one->parent}, *parent;

			if (one->ours)
				continue;
			parent = bsearch(&key, all->list, all->count, sizeof(key), by_pid);
			if (one->parent == top || (parent && parent->ours))
				one->ours = grown = true;
		}
	}
}

size_t tree_signal(int signal)
{
	struct processes all = {0};
	size_t living = 0;

	read_all(&all);
	mark(&all, getpid());
	for (size_t i = 0; i < all.count; i++) {
		if (!all.list[i].ours || !all.list[i].alive)
			continue;
		living++;
		kill(all.list[i].pid, signal);
	}
	free(all.list);
	return living;
}
