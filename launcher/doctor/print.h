/* SPDX-License-Identifier: MIT */
/* The doctor's findings on stdout, for people or as one JSON object. */
#ifndef BRIDLE_DOCTOR_PRINT_H
#define BRIDLE_DOCTOR_PRINT_H

#include "doctor/doctor.h"

void print_doctor(const struct doctor *doctor, bool json);

/* What symbols_list or symbols_imports returned. */
void print_symbols(const json_t *found, bool json);

#endif
