/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_SCAN_H
#define BRIDLE_CHECK_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "check/tools.h"
#include "check/words.h"
#include "image.h"

enum scan_event {
	SCAN_END,
	SCAN_OPTION,  /* option (NULL: not known), name, value */
	SCAN_OPERAND, /* value */
	SCAN_DASHES   /* "--": only operands follow; option where the tables name it */
};

/*
 * Reads the words behind a program's name as getopt and its relatives do: clusters (-xyz), glued and separate values, long
 * options with "=", abbreviated long options, single-dash long options, "+x", options that are no options by their dash
 * ("of="). It borrows image, tools and argv. A plain value: a copy is a place to come back to.
 */
struct scan {
	const struct image *image;
	const struct tools *tools;
	struct words words; /* what is still to be read */
	struct span rest;   /* letters of a cluster still to be read */
	bool plus;          /* of a "+x" cluster */
	bool dashless;      /* of a cluster without a dash */
	bool dashes;        /* "--" was seen */
	bool begun;         /* a word was read */

	/* The event. */
	const struct image_option *option;
	struct span name;  /* of an option: "--long" without value, or the one letter */
	struct span value; /* text NULL: none */
	struct span word;  /* the whole word that the operand or value stands in */
	size_t element;    /* of argv, where the option or operand stands */
	size_t value_element;
	struct span second; /* of an option with two values; text NULL: none */
	size_t second_element;
};

/* words: behind the program's (or sub-command's) own word. Pure: any thread, signal handler, after vfork. */
void scan_start(struct scan *scan, const struct image *image, const struct tools *tools,
		const struct words *words);
enum scan_event scan_next(struct scan *scan);

/*
 * Behind an option of role IMAGE_ROLE_EXEC: *ret_words becomes the command that follows it, and the scan goes on behind
 * the ";" or "{} +" that ends it. Returns the element of that ending, or SIZE_MAX where the command runs to the end.
 */
size_t scan_command(struct scan *scan, struct words *ret_words);

#endif
