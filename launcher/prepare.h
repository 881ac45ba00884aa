/* SPDX-License-Identifier: MIT */
/* What run, check and trace do alike before they judge a command: read the policy, compile it, build the environment. */
#ifndef BRIDLE_PREPARE_H
#define BRIDLE_PREPARE_H

#include "decide/decide.h"
#include "options.h"
#include "session/session.h"

struct preparation {
	struct policy *policy;
	const struct image *image; /* the session's, where there is one; the server's; else own_image */
	struct image *own_image;   /* from malloc */
	char **environment;        /* the command's, but for the handoff where there is no session */
	const char *directory;     /* where it starts, absolute; NULL: here */
	char *directory_text;
	struct question question;
	bool policy_shared; /* it is another's */
};

/* A policy that is read and compiled once, for all the sessions of a server. */
struct ready_policy {
	struct policy *policy;
	struct image *image;
	size_t image_size;
	struct session session; /* the image is compiled for it; nothing ever runs in it */
};

/* False with the reason in failure; ready_policy_free in either case. */
bool ready_policy_make(const struct policy_choice *choice, struct ready_policy *ret_ready, struct failure *failure);
void ready_policy_free(struct ready_policy *ready);

/*
 * Fills the preparation up to the question, whose verdict is still open. session NULL: only to judge. trace: refuse nothing,
 * report all. False with the reason in failure; preparation_free in either case.
 */
bool prepare(const struct options *options, struct session *session, bool trace,
	     struct preparation *ret_preparation, struct failure *failure);

/*
 * Judges the directory where the command starts (--chdir, else this one) and goes there, but where it is refused in enforce
 * mode. False with the reason in failure when it cannot be entered. verdict_free in either case.
 */
bool prepare_directory(const struct options *options, const struct preparation *preparation,
		       struct verdict *ret_verdict, struct failure *failure);

void preparation_free(struct preparation *preparation);

/* Says on stderr, where a policy was found and is not used for want of trust, what to do. */
void say_untrusted(const struct policy *policy);

#endif
