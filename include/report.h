/* SPDX-License-Identifier: MIT */
/*
 * The report line: JSON Lines, UTF-8, one write() of at most REPORT_LINE_MAX bytes, newline included, so that the
 * lines of many processes never mix in the FIFO (pipe(7): writes up to PIPE_BUF are atomic). What does not fit is
 * cut inside its field and the line says "cut":true.
 *
 * Keys and their order: v ts session pid ppid tid exe via call op change path target argv addr port family host verdict
 * enforced rule reason errno outcome cut. A key without a value is left out.
 *
 * A trace says how calls ended: errno in a line of an allowed call means that the call failed by itself, and change
 * ("create", "remove", "none") what became of the file. The shim writes the line of a call on a file when the call has
 * come back. What may not come back (exec), may take its time (connect, bind, a look-up) or is against the policy has
 * its line before; "outcome":true marks a second line about the same call, which says how it ended: always when the policy
 * was not enforced, else when it failed. It is no call of its own. Of the backstop's calls the end is not known.
 *
 * To add a field: name it here, write it in shim/report/line.c, test it in tests/unit, name it in README and in
 * examples/report.schema.json; bump REPORT_VERSION only when a field's meaning changes or one is removed.
 */
#ifndef BRIDLE_REPORT_H
#define BRIDLE_REPORT_H

#define REPORT_VERSION 1
#define REPORT_LINE_MAX 4096

#define VIA_LAUNCHER "launcher"
#define VIA_SHIM "shim"
#define VIA_BACKSTOP "backstop"

#endif
