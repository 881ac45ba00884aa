/* SPDX-License-Identifier: MIT */
/* A session inside other sessions: every one of them goes on denying by itself, the outermost link loads the shim. */
#include "session/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Can this folder be extended? Its file is only looked at: we may be inside that session, whose rules shut it, and our
 * child's shim, which reads it, denies all when it is damaged or of another version.
 */
static bool is_session(const char *folder, struct failure *failure)
{
	char file[SESSION_FOLDER_MAX + sizeof(SESSION_FILE) + 1];
	struct stat status;

	snprintf(file, sizeof(file), "%s/" SESSION_FILE, folder);
	if (stat(file, &status))
		return failure_set(failure, HANDOFF_SESSION " names the session '%s', which cannot be read: %s; it has "
							    "ended, or belongs to someone else: unset " HANDOFF_SESSION,
				   folder, strerror(errno));
	/* Root's may be the one that we came from as another user. */
	if (!S_ISREG(status.st_mode) || (status.st_uid != geteuid() && status.st_uid != 0) ||
	    status.st_size <= SESSION_IMAGE_OFFSET)
		return failure_set(failure, "the session '%s' in " HANDOFF_SESSION " is damaged or belongs to someone "
					    "else: unset " HANDOFF_SESSION,
				   folder);
	return true;
}

bool session_nest(struct session *session, const char *outer, struct failure *failure)
{
	const char *from = outer ? outer : "";
	char folder[SESSION_FOLDER_MAX];
	size_t used = 0, length;
	int depth = 0;

	snprintf(session->preload, sizeof(session->preload), "%s/" SESSION_LIBRARY, session->folder);
	while (*from) {
		length = strcspn(from, ":");
		if (length >= sizeof(folder) || from[0] != '/')
			return failure_set(failure, HANDOFF_SESSION "='%s' is not a list of session folders: "
								    "unset it",
					   outer);
		if (++depth >= HANDOFF_NESTING)
			return failure_set(failure, "this would be a session inside %d others, and %d are the "
						    "most: start fewer bridles inside bridle",
					   depth, HANDOFF_NESTING - 1);
		memcpy(folder, from, length);
		folder[length] = '\0';
		if (!is_session(folder, failure))
			return false;
		if (!used)
			snprintf(session->preload, sizeof(session->preload), "%s/" SESSION_LIBRARY, folder);
		used += snprintf(session->chain + used, sizeof(session->chain) - used, "%s:", folder);
		from += length + (from[length] == ':');
	}
	snprintf(session->chain + used, sizeof(session->chain) - used, "%s", session->folder);
	return true;
}
