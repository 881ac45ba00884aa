/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_SERVE_REQUEST_H
#define BRIDLE_SERVE_REQUEST_H

#include <jansson.h>
#include <stdbool.h>

#include "failure.h"

/* Is it a request that can be run, and says nothing that we do not know? warm: there are workers. False with the reason. */
bool request_check(const json_t *request, bool warm, struct failure *failure);

/* Seconds that it may take; -1: it does not say. */
double request_timeout(const json_t *request);

#endif
