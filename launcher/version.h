/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_VERSION_H
#define BRIDLE_VERSION_H

#define BRIDLE_VERSION "0.1.0"

#endif
