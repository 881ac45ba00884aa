/* SPDX-License-Identifier: MIT */
/* Asks the base policy about everything that a report tells. */
#include "report/learn.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "check/network.h"
#include "check/path.h"
#include "compile/compile.h"
#include "handoff.h"
#include "policy/setting.h"
#include "report/summary.h"

#define NAMES_BUDGET ((size_t)16 << 20)
#define PLACES_MAX 1024
#define QUESTIONS_MAX 512
#define PROGRAMS_MAX 4096
#define CALLERS_MAX 256
#define SECRETS_PROFILE "agent"

static bool compile(const struct policy *policy, const char *home, struct image **ret_image, struct failure *failure)
{
	const char *tmpdir = getenv("TMPDIR"), *path = getenv("PATH");
	struct compile_context context = {
		.home = home,
		.tmpdir = tmpdir ? tmpdir : "/tmp",
		.path = path ? path : "/usr/bin:/bin",
	};
	void *image;
	size_t size;

	if (!compile_image(policy, &context, &image, &size, failure))
		return false;
	*ret_image = image;
	return true;
}

bool learn_open(struct learn *learn, const struct policy *base, const char *home, struct failure *failure)
{
	const struct policy_choice secrets = {.profile = SECRETS_PROFILE, .root = policy_root(base)};

	*learn = (struct learn){.names = intern_new(NAMES_BUDGET), .home = home, .root = policy_root(base)};
	table_open(&learn->places, sizeof(struct learn_place), PLACES_MAX);
	table_open(&learn->questions, sizeof(struct learn_question), QUESTIONS_MAX);
	table_open(&learn->programs, sizeof(struct learn_program), PROGRAMS_MAX);
	table_open(&learn->callers, sizeof(const char *), CALLERS_MAX);
	if (learn->names == NULL || !paths_open(&learn->read, learn->names) ||
	    !paths_open(&learn->written, learn->names))
		return failure_set(failure, "out of memory");
	learn->private_tmp = policy_private_tmp(base);
	learn->judges_programs = policy_rules(base) != NULL ||
				 setting_find(policy_settings(base), "names") != NULL ||
				 setting_find(policy_settings(base), "argv") != NULL;
	learn->secrets = policy_load(&secrets, failure);
	return learn->secrets != NULL && compile(base, home, &learn->base, failure) &&
	       compile(learn->secrets, home, &learn->secrets_image, failure);
}

void learn_close(struct learn *learn)
{
	table_close(&learn->places);
	table_close(&learn->questions);
	table_close(&learn->programs);
	table_close(&learn->callers);
	paths_close(&learn->read);
	paths_close(&learn->written);
	policy_free(learn->secrets);
	free(learn->base);
	free(learn->secrets_image);
	intern_free(learn->names);
	*learn = (struct learn){0};
}

static const char *basename_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void learn_ask(struct learn *learn, const char *what, const char *subject, const char *caller)
{
	struct index_key key = {{INDEX_WORD(intern_text(learn->names, what)), INDEX_WORD(intern_text(learn->names, subject))}};
	struct learn_question *question;
	bool fresh;

	question = table_get(&learn->questions, &key, &fresh);
	if (question == NULL)
		return;
	question->what = intern_text(learn->names, what);
	question->subject = intern_text(learn->names, subject);
	question->caller = intern_text(learn->names, caller);
	question->count++;
}

/* A folder that a session makes for itself: its name is another one the next time. */
static bool in_session_folder(const char *path)
{
	const char *at = path;

	while ((at = strstr(at, "/" SESSION_FOLDER_PREFIX)) != NULL) {
		at += sizeof("/" SESSION_FOLDER_PREFIX) - 1;
		size_t digits = strspn(at, "0123456789abcdef");

		if (digits >= 8 && (at[digits] == '/' || at[digits] == '\0'))
			return true;
	}
	return false;
}

/* Takes ".", ".." and empty components out of an absolute path; the result fits where the path did. */
static void normalise(const char *path, char *buffer, size_t size)
{
	size_t length = 0;

	while (*path != '\0') {
		size_t part = strcspn(path, "/");

		if (part == 2 && path[0] == '.' && path[1] == '.') {
			while (length > 0 && buffer[--length] != '/')
				;
		} else if (part != 0 && !(part == 1 && path[0] == '.') && length + part + 2 < size) {
			buffer[length++] = '/';
			memcpy(buffer + length, path, part);
			length += part;
		}
		path += part + (path[part] == '/');
	}
	if (length == 0)
		buffer[length++] = '/';
	buffer[length] = '\0';
}

/* The number of a process is another one the next time: its own folder is "self", another's stands for any. */
static void forget_pid(const struct event *event, char *path, size_t size)
{
	char rest[INTERN_TEXT_MAX - 32];
	size_t digits;

	if (strncmp(path, "/proc/", 6) != 0 || (digits = strspn(path + 6, "0123456789")) == 0)
		return;
	if (path[6 + digits] != '/' && path[6 + digits] != '\0')
		return;
	snprintf(rest, sizeof(rest), "%s", path + 6 + digits);
	snprintf(path, size, "/proc/%s%s", atoll(path + 6) == event->pid ? "self" : "*", rest);
}

static void take_file(struct learn *learn, const struct event *event, enum op op, const char *file)
{
	char path[INTERN_TEXT_MAX];

	if (file[0] != '/')
		return;
	normalise(file, path, sizeof(path));
	if (!check_path(learn->base, op, path, strlen(path)).denied)
		return;
	forget_pid(event, path, sizeof(path));
	if (!check_path(learn->base, op, path, strlen(path)).denied)
		return;
	if (in_session_folder(path)) {
		learn->own_folder = true;
		return;
	}
	if (check_path(learn->secrets_image, OP_READ, path, strlen(path)).denied) {
		learn_ask(learn, op == OP_WRITE ? "write" : "read", path, basename_of(event->exe));
		return;
	}
	paths_add(op == OP_WRITE ? &learn->written : &learn->read, path, op == OP_WRITE ? PATH_WRITTEN : PATH_READ);
}

static bool read_address(const struct event *event, struct address *address)
{
	*address = (struct address){.port = (uint16_t)event->port, .host = event->host[0] ? event->host : NULL};
	if (inet_pton(AF_INET, event->addr, address->bytes) == 1)
		address->family = AF_INET;
	else if (inet_pton(AF_INET6, event->addr, address->bytes) == 1)
		address->family = AF_INET6;
	return address->family != 0;
}

static void take_place(struct learn *learn, const struct event *event)
{
	struct index_key key = {{INDEX_WORD(intern_text(learn->names, event->host)),
				 event->host[0] ? 0 : INDEX_WORD(intern_text(learn->names, event->addr)),
				 (uint64_t)event->port, event->op}};
	struct address address;
	struct learn_place *place;
	bool fresh;

	if (!read_address(event, &address)) {
		take_file(learn, event, OP_WRITE, event_file(event));
		return;
	}
	if (!check_network(learn->base, event->op, &address).denied)
		return;
	if (event->op == OP_CONNECT && check_network(learn->secrets_image, event->op, &address).denied) {
		learn_ask(learn, "connect", event->host[0] ? event->host : event->addr, basename_of(event->exe));
		return;
	}
	place = table_get(&learn->places, &key, &fresh);
	if (place == NULL)
		return;
	place->op = event->op;
	place->host = intern_text(learn->names, event->host);
	place->addr = intern_text(learn->names, event->addr);
	place->port = event->port;
	place->count++;
}

static void take_program(struct learn *learn, const struct event *event)
{
	struct index_key key = {{INDEX_WORD(intern_text(learn->names, event_file(event)))}};
	struct learn_program *program;
	bool fresh;

	program = table_get(&learn->programs, &key, &fresh);
	if (program == NULL)
		return;
	program->path = intern_text(learn->names, event_file(event));
	program->count++;
}

/*
 * Inline code is let to the programs that were seen to run it, as they will again. The other rules about programs and
 * arguments say that the base thinks them dangerous: that is a person's to decide.
 */
static void take_argv_rule(struct learn *learn, const struct event *event)
{
	const char *caller = intern_text(learn->names, basename_of(event->exe));
	struct index_key key = {{INDEX_WORD(caller)}};
	char subject[INTERN_TEXT_MAX];
	const char **kept;
	bool fresh;

	if (strcmp(event->rule, "argv.inline") != 0) {
		summary_subject(event, subject, sizeof(subject));
		learn_ask(learn, event->rule, subject, caller);
	} else if (strcmp(event->via, "launcher") == 0 || caller[0] == '\0') {
		learn->inline_at_launch = true;
	} else if ((kept = table_get(&learn->callers, &key, &fresh)) != NULL) {
		*kept = caller;
	}
}

/* To look for what is not there needs no permission, and what could not be changed for want of it was not changed. */
static bool found_nothing(const struct event *event)
{
	return event_missed(event) || (event->op == OP_WRITE && event_failed(event) &&
				       (!strcmp(event->error, "ENOENT") || !strcmp(event->error, "ENOTDIR")));
}

void learn_take(struct learn *learn, const struct event *event)
{
	static const char *const axes[] = {"name.", "argv.", "structure."};

	learn->lines++;
	if (summary_is_guard(event) || event->outcome || found_nothing(event))
		return;
	if (event->op == OP_READ || event->op == OP_LOAD || event->op == OP_EXEC || event->op == OP_WRITE)
		take_file(learn, event, event->op == OP_WRITE ? OP_WRITE : OP_READ, event_file(event));
	if (event->op == OP_CONNECT || event->op == OP_BIND)
		take_place(learn, event);
	if (event->op == OP_RESOLVE && check_resolve(learn->base, event->host).denied)
		learn->resolve = true;
	if (event->op == OP_EXEC && event_went_through(event))
		take_program(learn, event);
	for (size_t i = 0; i < 3 && event->verdict == EVENT_DENY && learn->judges_programs; i++)
		if (strncmp(event->rule, axes[i], strlen(axes[i])) == 0)
			take_argv_rule(learn, event);
}
