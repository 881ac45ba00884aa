/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_REPORT_ERROR_H
#define BRIDLE_REPORT_ERROR_H

/* "ENOENT" for ENOENT (or -ENOENT); NULL for 0; "EUNKNOWN" for what has no name. Pure. */
const char *report_error(long error);

#endif
