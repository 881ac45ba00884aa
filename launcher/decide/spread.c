/* SPDX-License-Identifier: MIT */
/* Judges the files that the patterns in a command's words find. */
#include <stdlib.h>

#include "decide/decide.h"
#include "decide/matches.h"

/* argv with what its patterns find in their place. */
struct spread {
	char **argv;
	bool *matched;
	int *element; /* of the argv that it is made of */
	size_t argc, room;
};

static void spread_add(struct spread *spread, char *word, bool matched, size_t element)
{
	if (spread->argc == spread->room)
		return;
	spread->argv[spread->argc] = word;
	spread->matched[spread->argc] = matched;
	spread->element[spread->argc++] = (int)element;
}

static size_t room_of(const struct matches *found, size_t count)
{
	size_t room = count;

	for (size_t i = 0; i < count; i++)
		room += found[i].count;
	return room;
}

bool decide_spread(const struct question *question, const struct matches *found, char *const *words, size_t count,
		   struct place place, struct verdict *verdict)
{
	size_t room = room_of(found, count);
	struct spread spread = {calloc(room + 1, sizeof(char *)), calloc(room + 1, sizeof(bool)),
				calloc(room + 1, sizeof(int)), 0, room};
	bool refused = false;

	place.matched = true;
	if (spread.argv && spread.matched && spread.element) {
		for (size_t i = 0; i < count; i++) {
			for (size_t k = 0; k < found[i].count; k++)
				spread_add(&spread, found[i].names[k], true, i);
			if (!found[i].count)
				spread_add(&spread, words[i], false, i);
		}
		refused = decide_operands(question, spread.argv, spread.argc, spread.matched, place, verdict);
		if (refused)
			verdict->decision.element = spread.element[verdict->decision.element];
	}
	free(spread.argv);
	free(spread.matched);
	free(spread.element);
	return refused;
}
