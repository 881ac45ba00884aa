/* SPDX-License-Identifier: MIT */
/* The words of rules and addresses, alike in lines and reasons. Pure. */
#ifndef BRIDLE_REPORT_RULES_H
#define BRIDLE_REPORT_RULES_H

#include "decision.h"
#include "report/text.h"
#include "request.h"

/* Address families by their Linux numbers: the pure layers know no sockets. */
#define REPORT_UNIX 1
#define REPORT_INET 2
#define REPORT_INET6 10

/* "path.jail"; "" for RULE_NONE. */
const char *report_rule_word(uint8_t rule);

/* 127.0.0.1, or 2001:db8::1 as RFC 5952 writes it. */
void report_address(struct text *text, const struct address *address);

#endif
