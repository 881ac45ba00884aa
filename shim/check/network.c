/* SPDX-License-Identifier: MIT */
/*
 * The network rules. By address the first record that fits decides (they are sorted, the most specific first), by host
 * name likewise; a deny by either refuses, an allow by either allows, else the policy's default holds.
 */
#include "check/network.h"

#include <string.h>
#include <sys/socket.h>

#include "check/glob.h"

#define HOST_MAX 256 /* longer names are no host names and fit no rule */

enum verdict {
	NONE,
	ALLOWED,
	DENIED
};

struct finding {
	enum verdict verdict;
	uint32_t origin;
};

static struct decision answer(bool denied, enum rule rule, uint32_t origin)
{
	struct decision decision = denied ? DECISION_DENY(rule) : DECISION_ALLOW;

	decision.origin = origin;
	return decision;
}

static bool same_prefix(const uint8_t *one, const uint8_t *other, unsigned int bits)
{
	unsigned int whole = bits / 8, rest = bits % 8;

	for (unsigned int i = 0; i < whole; i++)
		if (one[i] != other[i])
			return false;
	return !rest || !((one[whole] ^ other[whole]) >> (8 - rest));
}

static struct finding by_address(const struct image *image, const struct address *address)
{
	const struct image_network_address *rule = image_network_addresses(image);
	unsigned int version = address->family == AF_INET ? 4 : 6;

	for (uint32_t i = 0; i < image->network_addresses.count; i++)
		if (rule[i].version == version && rule[i].port_low <= address->port &&
		    address->port <= rule[i].port_high &&
		    same_prefix(rule[i].bytes, address->bytes, rule[i].prefix))
			return (struct finding){rule[i].denied ? DENIED : ALLOWED, rule[i].origin};
	return (struct finding){NONE, 0};
}

/* The name in lower case, without the dot that may end it; its length, 0 where it is too long. */
static size_t lower_case(const char *host, char *ret_host)
{
	size_t length = 0;

	for (; host[length]; length++) {
		unsigned char byte = (unsigned char)host[length];

		if (length == HOST_MAX)
			return 0;
		ret_host[length] = (char)(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
	}
	return length - (length > 1 && ret_host[length - 1] == '.');
}

/* port: -1 where only the name counts; then a deny for some ports denies nothing. */
static struct finding by_host(const struct image *image, const char *host, int port)
{
	const struct image_network_host *rule = image_network_hosts(image);
	char name[HOST_MAX];
	size_t length = image->network_hosts.count ? lower_case(host, name) : 0;

	for (uint32_t i = 0; length && i < image->network_hosts.count; i++) {
		bool whole = rule[i].port_low == 0 && rule[i].port_high == 65535;

		if (port < 0 ? rule[i].denied && !whole : port < rule[i].port_low || port > rule[i].port_high)
			continue;
		if (check_glob(image_string(image, rule[i].pattern), name, length))
			return (struct finding){rule[i].denied ? DENIED : ALLOWED, rule[i].origin};
	}
	return (struct finding){NONE, 0};
}

static bool is_loopback(const struct address *address)
{
	static const uint8_t local[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

	return address->family == AF_INET ? address->bytes[0] == 127 : same_prefix(address->bytes, local, 128);
}

static struct decision check_bind(const struct image *image, const struct address *address)
{
	const struct image_network *network = image_network(image);
	bool allowed = network->bind == IMAGE_BIND_ALLOW ||
		       (network->bind == IMAGE_BIND_LOOPBACK && is_loopback(address));

	return answer(!allowed, RULE_NETWORK_BIND, network->bind_origin);
}

struct decision check_network(const struct image *image, enum op op, const struct address *address)
{
	const struct image_network *network = image_network(image);
	struct finding found, named = {NONE, 0};

	if (address->family != AF_INET && address->family != AF_INET6)
		return DECISION_ALLOW;
	if (op == OP_BIND)
		return check_bind(image, address);
	found = by_address(image, address);
	if (address->host)
		named = by_host(image, address->host, address->port);
	if (found.verdict == NONE || (named.verdict == DENIED && found.verdict != DENIED))
		found = named;
	if (found.verdict == NONE)
		return answer(!network->connect_allowed, RULE_NETWORK_CONNECT, network->connect_origin);
	return answer(found.verdict == DENIED, RULE_NETWORK_CONNECT, found.origin);
}

/* Nothing is looked up for an address, an empty name, or the own machine. */
static bool needs_no_lookup(const char *host)
{
	return !*host || strchr(host, ':') || host[strspn(host, "0123456789.")] == '\0' || !strcmp(host, "localhost");
}

struct decision check_resolve(const struct image *image, const char *host)
{
	const struct image_network *network = image_network(image);
	struct finding named;

	if (needs_no_lookup(host))
		return DECISION_ALLOW;
	named = by_host(image, host, -1);
	if (named.verdict != NONE)
		return answer(named.verdict == DENIED, RULE_NETWORK_RESOLVE, named.origin);
	return answer(!network->resolve_allowed, RULE_NETWORK_RESOLVE, network->resolve_origin);
}
