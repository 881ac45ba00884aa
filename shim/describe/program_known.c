/* SPDX-License-Identifier: MIT */
/* What programs say of themselves, remembered in places of whole words. */
#include "describe/program.h"
#include "sequence.h"
#include "start.h"

#include "forbid.h"

#define PLACES 16

struct record {
	uint64_t print;
	struct program_known known;
};
#define WORDS (sizeof(struct record) / sizeof(uint64_t))
_Static_assert(sizeof(struct record) % sizeof(uint64_t) == 0, "records are copied in words");

static struct place {
	unsigned sequence;
	uint64_t words[WORDS];
} places[PLACES];

/* Most processes start one program: the table is for who starts more, and no page is touched for it before. */
static bool started_one START_HOT;

bool program_recall(uint64_t print, struct program_known *ret)
{
	struct place *place = &places[print / 2 % PLACES];
	if (!__atomic_load_n(&started_one, __ATOMIC_RELAXED))
		return false;

	uint64_t words[WORDS];
	struct record record;
	unsigned began;

	if (!sequence_read(&place->sequence, &began) || __atomic_load_n(&place->words[0], __ATOMIC_RELAXED) != print)
		return false;
	sequence_load(words, place->words, WORDS);
	__builtin_memcpy(&record, words, sizeof(words));
	*ret = record.known;
	return record.print == print && sequence_held(&place->sequence, began);
}

/* A script's line is read anew each time. */
static bool is_script(const struct program *program)
{
	return program->head_size >= 2 && program->head[0] == '#' && program->head[1] == '!';
}

bool program_is_worth_it(const struct program *program)
{
	return __atomic_exchange_n(&started_one, true, __ATOMIC_RELAXED) && program->seconds < start()->since &&
	       !is_script(program);
}

void program_remember(uint64_t print, const struct program *program, const struct program_links *links)
{
	struct place *place = &places[print / 2 % PLACES];
	struct record record = {
		.print = print,
		.known = {
			.device = program->device,
			.inode = program->inode,
			.seconds = program->seconds,
			.nanoseconds = program->nanoseconds,
			.facts = program->facts,
			.links = *links,
		},
	};
	uint64_t words[WORDS];

	if (!sequence_lock(&place->sequence))
		return;
	__builtin_memcpy(words, &record, sizeof(words));
	sequence_store(place->words, words, WORDS);
	sequence_unlock(&place->sequence);
}
