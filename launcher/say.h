/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_SAY_H
#define BRIDLE_SAY_H

/* One line on stderr, "bridle: " before it, in one write. errno is kept. A closed stderr is no error. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
