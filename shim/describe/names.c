/* SPDX-License-Identifier: MIT */
/* A ring of names. Each place has a sequence number, odd while it is written; whoever meets an odd one goes on. */
#include "describe/names.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "forbid.h"

#define PLACES 64

static struct place {
	unsigned sequence;
	uint16_t family;
	uint8_t bytes[16];
	char host[NAMES_HOST_SIZE];
} places[PLACES];
static unsigned next_place;

static bool is_same(const struct place *place, const struct address *address)
{
	return place->family == address->family && memcmp(place->bytes, address->bytes, sizeof(place->bytes)) == 0;
}

static struct place *place_for(const struct address *address)
{
	for (unsigned i = 0; i < PLACES; i++)
		if (is_same(&places[i], address))
			return &places[i];
	return &places[__atomic_fetch_add(&next_place, 1, __ATOMIC_RELAXED) % PLACES];
}

void names_remember(const char *host, const struct address *address)
{
	struct place *place = place_for(address);
	unsigned sequence = __atomic_load_n(&place->sequence, __ATOMIC_RELAXED);
	size_t length = strnlen(host, NAMES_HOST_SIZE - 1);

	if ((sequence & 1) || !__atomic_compare_exchange_n(&place->sequence, &sequence, sequence + 1, false,
							   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	place->family = address->family;
	memcpy(place->bytes, address->bytes, sizeof(place->bytes));
	memcpy(place->host, host, length);
	place->host[length] = '\0';
	__atomic_store_n(&place->sequence, sequence + 2, __ATOMIC_RELEASE);
}

bool names_find(char host[NAMES_HOST_SIZE], const struct address *address)
{
	for (unsigned i = 0; i < PLACES; i++) {
		unsigned before = __atomic_load_n(&places[i].sequence, __ATOMIC_ACQUIRE);

		if (!before || (before & 1) || !is_same(&places[i], address))
			continue;
		memcpy(host, places[i].host, NAMES_HOST_SIZE);
		host[NAMES_HOST_SIZE - 1] = '\0';
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&places[i].sequence, __ATOMIC_RELAXED) == before)
			return true;
	}
	return false;
}
