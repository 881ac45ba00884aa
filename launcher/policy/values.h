/* SPDX-License-Identifier: MIT */
/*
 * What a single value of a policy may look like. Each wrong_* says what is wrong with the text, in words that end a
 * message, or NULL. Pure.
 */
#ifndef BRIDLE_POLICY_VALUES_H
#define BRIDLE_POLICY_VALUES_H

#include <stdbool.h>

#include "image.h"

const char *wrong_glob(const char *text);        /* a glob over a name: no slash */
const char *wrong_path(const char *text);        /* an entry of paths.read, write, deny */
const char *wrong_single_path(const char *text); /* an entry of paths.list, hide */
const char *wrong_network(const char *text);     /* an entry of network.allow, deny */
const char *wrong_sha256(const char *text);
const char *wrong_regex(const char *text);
const char *wrong_variable(const char *text); /* the name of an environment variable */

/*
 * An entry of network.allow or deny: ADDRESS[/BITS][:PORT[-PORT]], IPv6 in [ ], or HOST-GLOB[:PORT[-PORT]]. On success
 * either version is 4 or 6 and address, prefix hold, or version is 0 and host holds the glob in lower case (at most
 * 255 bytes); ports are 0..65535 where none is given. Returns NULL, or what is wrong in words.
 */
struct network_entry {
	uint8_t version, prefix;
	uint8_t bytes[16];
	char host[256];
	uint16_t port_low, port_high;
};
const char *network_read(const char *text, struct network_entry *ret_entry);

/* Is an entry of paths.read, write, deny a name that stands for any file called so? */
bool path_is_basename(const char *text);

#endif
