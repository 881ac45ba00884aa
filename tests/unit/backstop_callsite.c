/* SPDX-License-Identifier: MIT */
/* The places from which libc reads for itself, against what a program started here is seen to do. */
