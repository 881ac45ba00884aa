/* SPDX-License-Identifier: MIT */
/*
 * Which policies that were found, and not named, may be used. A bridle.cfg may come with a stranger's repository: it counts
 * once its user has said so of this very text. The list is ~/.config/bridle/trusted, lines of "SHA-256  PATH".
 */
#ifndef BRIDLE_POLICY_TRUST_H
#define BRIDLE_POLICY_TRUST_H

#include "failure.h"
#include "policy/setting.h"
#include "policy/source.h"

#define TRUST_FOLDER ".config/bridle"
#define TRUST_LIST TRUST_FOLDER "/trusted"

/* Is this text, with all that it includes, trusted at this path (absolute, symlinks followed but for the last)? */
bool trust_holds(const char *path, const struct source *source);

/*
 * Needs it no trust? Entries that only deny more, in a policy that stands in the working directory (`here`), extends the
 * profile tool and is one file. Settings must have passed the schema.
 */
bool trust_is_needless(const struct setting *top, const struct source *source, bool here);

/* Records the text for the path, in place of what was recorded for it. */
bool trust_record(const char *path, const struct source *source, struct failure *failure);

#endif
