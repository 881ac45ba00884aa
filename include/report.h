/* SPDX-License-Identifier: MIT */
/*
 * The report line: JSON Lines, UTF-8, one write() of at most REPORT_LINE_MAX bytes, newline included, so that the
 * lines of many processes never mix in the FIFO (pipe(7): writes up to PIPE_BUF are atomic). What does not fit is
 * cut inside its field and the line says "cut":true.
 *
 * Keys and their order: v ts session pid ppid tid exe via call op path target argv addr port family host verdict
 * enforced rule reason errno cut. A key without a value is left out. To add a field: name it here, write it in
 * shim/report/line.c, test it in tests/unit, name it in README; bump REPORT_VERSION only when a field's meaning
 * changes or one is removed.
 */
#ifndef BRIDLE_REPORT_H
#define BRIDLE_REPORT_H

#define REPORT_VERSION 1
#define REPORT_LINE_MAX 4096

#define VIA_LAUNCHER "launcher"
#define VIA_SHIM "shim"
#define VIA_BACKSTOP "backstop"

#endif
