/* SPDX-License-Identifier: MIT */
/* Addresses: connect, bind, and the sends that carry one. Unix sockets are paths. */
#include <errno.h>
#include <linux/net.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "backstop/question.h"
#include "check/network.h"
#include "check/path.h"

#define MESSAGES_MAX 1024 /* sendmmsg takes no more at once */

static void describe_ip(struct address *address, const struct sockaddr_storage *from)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

	if (from->ss_family == AF_INET) {
		const struct sockaddr_in *in = (const struct sockaddr_in *)from;

		address->family = AF_INET;
		address->port = ntohs(in->sin_port);
		memcpy(address->bytes, &in->sin_addr, 4);
	} else {
		const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)from;
		bool four = !memcmp(&in6->sin6_addr, mapped, sizeof(mapped));

		address->family = four ? AF_INET : AF_INET6;
		address->port = ntohs(in6->sin6_port);
		memcpy(address->bytes, (const uint8_t *)&in6->sin6_addr + (four ? 12 : 0), four ? 4 : 16);
	}
}

/* A name in the network namespace, beside the file system: judged as "/@name". */
static int judge_abstract(struct question *question, struct request *request, const char *name, size_t size)
{
	char path[sizeof(struct sockaddr_un) + 3] = "/@";
	struct decision decision;

	memcpy(path + 2, name, size);
	request->subject = path + 1;
	request->path = path;
	request->path_length = strlen(path);
	decision = check_path(question->rules->image, OP_WRITE, path, request->path_length);
	return decision.denied ? answer_deny(question, request, &decision) : answer_allow(question, request);
}

static int judge_unix(struct question *question, struct request *request, const struct sockaddr_storage *from,
		      size_t size)
{
	const struct sockaddr_un *un = (const struct sockaddr_un *)from;
	char path[sizeof(un->sun_path) + 1] = "";
	bool binds = request->op == OP_BIND;
	struct decision decision;
	struct resolved found;
	int error = 0;

	if (size <= offsetof(struct sockaddr_un, sun_path))
		return 0; /* unnamed */
	memcpy(path, un->sun_path, size - offsetof(struct sockaddr_un, sun_path));
	if (!path[0])
		return judge_abstract(question, request, path + 1, size - offsetof(struct sockaddr_un, sun_path) - 1);
	request->subject = path;
	resolve_caller_path(&question->caller, RESOLVE_HERE, path, !binds, !binds, &found);
	if (found.state == RESOLVE_UNKNOWN) {
		error = answer_unknown(question, request, found.error);
	} else if (found.state == RESOLVE_FOUND || (found.state == RESOLVE_MISSING && binds)) {
		request->path = found.path;
		request->path_length = found.length;
		decision = check_path(question->rules->image, OP_WRITE, found.path, found.length);
		error = decision.denied ? answer_deny(question, request, &decision) : answer_allow(question, request);
	}
	resolve_close(&found);
	return error;
}

static int judge_address(struct question *question, enum op op, uint64_t pointer, uint64_t size)
{
	struct request request = {.op = op, .call = question->call->name};
	struct sockaddr_storage from = {0};
	struct address address = {0};
	struct decision decision;
	int error;

	if (!pointer || size < sizeof(sa_family_t) || size > sizeof(from))
		return 0; /* EFAULT or EINVAL, from the kernel itself, or a connected socket's send */
	error = memory_read(&question->memory, pointer, &from, size);
	if (error)
		return answer_unknown(question, &request, error);
	/* udp's send takes an address without a family for an IPv4 one */
	if (from.ss_family == AF_UNSPEC && op == OP_CONNECT && question->call->shape != SHAPE_CONNECT)
		from.ss_family = AF_INET;
	if (from.ss_family == AF_UNIX)
		return size > sizeof(struct sockaddr_un) ? 0 : judge_unix(question, &request, &from, size);
	if (!(from.ss_family == AF_INET && size >= sizeof(struct sockaddr_in)) &&
	    !(from.ss_family == AF_INET6 && size >= offsetof(struct sockaddr_in6, sin6_scope_id)))
		return 0;
	describe_ip(&address, &from);
	request.address = &address;
	decision = check_network(question->rules->image, op, &address);
	return decision.denied ? answer_deny(question, &request, &decision) : answer_allow(question, &request);
}

/* The name of one struct msghdr. */
static int judge_message(struct question *question, uint64_t header)
{
	struct request request = {.op = OP_CONNECT, .call = question->call->name};
	struct {
		uint64_t name;
		uint32_t size;
	} wide;
	uint32_t narrow[2];
	int error;

	if (question->wide)
		error = memory_read(&question->memory, header, &wide, 12);
	else
		error = memory_read(&question->memory, header, narrow, sizeof(narrow));
	if (error)
		return answer_unknown(question, &request, error);
	if (question->wide)
		return judge_address(question, OP_CONNECT, wide.name, wide.size);
	return judge_address(question, OP_CONNECT, narrow[0], narrow[1]);
}

static int judge_messages(struct question *question, uint64_t vector, uint64_t count)
{
	uint64_t step = question->wide ? 64 : 32;
	int error = 0;

	if (count > MESSAGES_MAX)
		count = MESSAGES_MAX;
	for (uint64_t i = 0; !error && i < count; i++)
		error = judge_message(question, vector + i * step);
	return error;
}

/* i386's one door for all: a subcall and a vector of 32-bit arguments. */
static int judge_socketcall(struct question *question, const uint64_t *args)
{
	struct request request = {.op = OP_CONNECT, .call = question->call->name};
	uint64_t subcall = args[0];
	uint32_t inner[6] = {0};
	int error = memory_read(&question->memory, args[1], inner,
				(subcall == SYS_SENDTO ? 6 : subcall == SYS_SENDMMSG ? 4
										     : 3) *
					sizeof(inner[0]));

	if (error)
		return answer_unknown(question, &request, error);
	switch (subcall) {
	case SYS_CONNECT:
		return judge_address(question, OP_CONNECT, inner[1], inner[2]);
	case SYS_BIND:
		return judge_address(question, OP_BIND, inner[1], inner[2]);
	case SYS_SENDTO:
		return judge_address(question, OP_CONNECT, inner[4], inner[5]);
	case SYS_SENDMSG:
		return judge_message(question, inner[1]);
	case SYS_SENDMMSG:
		return judge_messages(question, inner[1], inner[2]);
	default:
		return 0;
	}
}

int judge_network(struct question *question)
{
	uint64_t args[6];

	for (int i = 0; i < 6; i++) {
		args[i] = question->notification->data.args[i];
		if (!question->wide)
			args[i] = (uint32_t)args[i];
	}
	switch ((enum shape)question->call->shape) {
	case SHAPE_CONNECT:
		return judge_address(question, OP_CONNECT, args[1], (uint32_t)args[2]);
	case SHAPE_BIND:
		return judge_address(question, OP_BIND, args[1], (uint32_t)args[2]);
	case SHAPE_SENDTO:
		return judge_address(question, OP_CONNECT, args[4], (uint32_t)args[5]);
	case SHAPE_SENDMSG:
		return judge_message(question, args[1]);
	case SHAPE_SENDMMSG:
		return judge_messages(question, args[1], (uint32_t)args[2]);
	case SHAPE_SOCKETCALL:
		return judge_socketcall(question, args);
	default:
		return ENOSYS;
	}
}
