/* SPDX-License-Identifier: MIT */
/* Pinned files must be what the policy's author saw, or nothing starts. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "decide/decide.h"
#include "digest.h"

static bool refuse(const struct question *question, const struct policy_pin *pin, const char *found,
		   struct verdict *verdict)
{
	verdict->decision = DECISION_DENY(RULE_INTEGRITY_PIN);
	verdict->line = pin->line;
	verdict->request.op = OP_READ;
	verdict->request.subject = pin->path;
	verdict->request.path = pin->path;
	verdict->request.path_length = strlen(pin->path);
	snprintf(verdict->reason, sizeof(verdict->reason),
		 "'%s' is not the file that the policy pins, %s (rule integrity.pin, %s:%u): look at what changed, "
		 "then restore it or write its new SHA-256 into the policy",
		 pin->path, found, policy_name(question->policy), pin->line);
	return decide_refuse(question, verdict);
}

bool decide_pins(const struct question *question, struct verdict *verdict)
{
	size_t count;
	const struct policy_pin *pins = policy_pins(question->policy, &count);

	for (size_t i = 0; i < count; i++) {
		char hex[SHA256_TEXT], found[128];
		int file = open(pins[i].path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		bool read = file >= 0 && digest_file(file, hex);
		int error = errno;

		if (file >= 0)
			close(file);
		if (read && !strcasecmp(hex, pins[i].sha256))
			continue;
		snprintf(found, sizeof(found), "%s%s", read ? "its SHA-256 is " : "",
			 read ? hex : strerror(error));
		return refuse(question, &pins[i], found, verdict);
	}
	return false;
}
