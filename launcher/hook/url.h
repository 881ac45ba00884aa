/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_HOOK_URL_H
#define BRIDLE_HOOK_URL_H

#include <stdbool.h>

#include "decision.h"
#include "image.h"
#include "request.h"

/* Whom a URL leads to. */
struct hook_peer {
	char host[256];         /* lower case, without brackets; longer ones are cut and fit no rule */
	struct address address; /* family 0: host is a name */
};

/* The next http, https, ws, wss or ftp URL in the text, which moves on behind it; false when there is none. Pure. */
bool url_next(const char **text, struct hook_peer *ret_peer);

/* May it be fetched? A name that is allowed is judged without asking for its addresses. Pure. */
struct decision url_judge(const struct image *image, const struct hook_peer *peer);

#endif
