/* SPDX-License-Identifier: MIT */
/* Addresses and names. A unix socket in the file system is a path like any other. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "describe/address.h"
#include "describe/memory.h"
#include "describe/names.h"
#include "describe/path.h"
#include "guard.h"
#include "report/error.h"

#include "forbid.h"

/* A socket's path is at most 107 bytes: short rooms do, and what leads further cannot be reached either. */
#define ROOM 1024

/* error: NULL: the request is judged; else what became of it is told. */
static long settle(const struct start *start, const struct request *request, const char *error)
{
	struct judgement judgement;

	if (error) {
		guard_outcome(start, request, error);
		return GUARD_GO;
	}
	guard_judge(start, request, NULL, &judgement);
	return guard_settle(start, request, &judgement);
}

static __attribute__((noinline)) long judge_path(const struct start *start, struct request *request, const char *path,
						 const char *outcome)
{
	char text[ROOM], rest[ROOM / 2];
	struct path_room room = {text, sizeof(text)};
	struct path_lead lead;
	long error = path_follow(room, (struct path_room){rest, sizeof(rest)}, AT_FDCWD, path,
				 PATH_FOLLOW_LAST | PATH_WANT_WRITE, &lead);

	if (error && error != -ENOENT && error != -ENAMETOOLONG)
		return error;
	if (!error && lead.error && request->op != OP_BIND)
		return GUARD_GO; /* nobody listens there: the kernel's own answer */
	request->subject = path;
	request->path = text;
	request->path_length = error ? 0 : lead.length;
	text[request->path_length] = '\0';
	return settle(start, request, outcome);
}

/* An abstract name lives in the network namespace, beside the file system: judged by its name, as "/@name". */
static long judge_name(const struct start *start, struct request *request, const char *name, const char *outcome)
{
	char path[ADDRESS_NAME_SIZE + 1] = "/";
	size_t length = strlen(name);

	memcpy(path + 1, name, length + 1);
	request->subject = name;
	request->path = path;
	request->path_length = length + 1;
	return settle(start, request, outcome);
}

static __attribute__((noinline)) long judge_inet(const struct start *start, struct request *request,
						 struct address *address, const char *outcome)
{
	char host[NAMES_HOST_SIZE];

	if (names_find(host, address))
		address->host = host;
	request->address = address;
	return settle(start, request, outcome);
}

static long take_address(const char *name, enum op op, const struct sockaddr *address, socklen_t size,
			 const char *outcome)
{
	const struct start *sessions = start();
	struct sockaddr_storage copy = {0};
	struct address described;
	struct request request = {.op = op, .call = name};
	char text[ADDRESS_NAME_SIZE];

	if (sessions->state == START_INERT || !address || size < sizeof(sa_family_t) || size > sizeof(copy))
		return GUARD_GO;
	if (sessions->state == START_BROKEN)
		return -EACCES;
	if (!memory_readable(address, size))
		return GUARD_GO; /* EFAULT, or what the kernel finds wrong before */
	memcpy(&copy, address, size);
	switch (address_describe(&described, text, &copy, size)) {
	case ADDRESS_INET:
		return judge_inet(sessions, &request, &described, outcome);
	case ADDRESS_PATH:
		return judge_path(sessions, &request, text, outcome);
	case ADDRESS_NAME:
		return judge_name(sessions, &request, text, outcome);
	case ADDRESS_OTHER:
		break;
	}
	return GUARD_GO;
}

long guard_address(const char *name, enum op op, const struct sockaddr *address, socklen_t size)
{
	return take_address(name, op, address, size, NULL);
}

/* Is the call only under way, or was it interrupted? */
static bool is_pending(int error)
{
	return error == EINPROGRESS || error == EALREADY || error == EINTR || error == EISCONN || error == EAGAIN;
}

void guard_address_failed(const char *name, enum op op, const struct sockaddr *address, socklen_t size, int error)
{
	if (start_tells && !is_pending(error))
		take_address(name, op, address, size, report_error(error));
}

/* A number is no name: nothing is looked up. */
static bool is_numeric(const char *host)
{
	bool digits = true;

	for (const char *at = host; *at; at++) {
		if (*at == ':')
			return true;
		digits = digits && ((*at >= '0' && *at <= '9') || *at == '.');
	}
	return digits;
}

static long take_host(const char *name, const char *host, const char *outcome)
{
	const struct start *sessions = start();
	struct request request = {.op = OP_RESOLVE, .call = name, .subject = host};

	if (sessions->state == START_INERT || !host)
		return GUARD_GO;
	if (sessions->state == START_BROKEN)
		return -EACCES;
	if (!memory_string_readable(host) || is_numeric(host))
		return GUARD_GO;
	return settle(sessions, &request, outcome);
}

long guard_resolve(const char *name, const char *host)
{
	return take_host(name, host, NULL);
}

void guard_resolve_failed(const char *name, const char *host, const char *error)
{
	if (start_tells)
		take_host(name, host, error);
}
