/* SPDX-License-Identifier: MIT */
/* From the policy's network entries to sorted records. */
#include "compile/network.h"

#include <stdlib.h>
#include <string.h>

#include "policy/setting.h"
#include "policy/values.h"

static int by_ports(uint16_t one_low, uint16_t one_high, uint16_t other_low, uint16_t other_high)
{
	int one = one_high - one_low, other = other_high - other_low;

	return (one > other) - (one < other);
}

static int by_address(const void *left, const void *right)
{
	const struct image_network_address *one = left, *other = right;
	int order;

	if (one->version != other->version)
		return one->version < other->version ? -1 : 1;
	if (one->prefix != other->prefix)
		return one->prefix > other->prefix ? -1 : 1;
	order = by_ports(one->port_low, one->port_high, other->port_low, other->port_high);
	if (order)
		return order;
	if (one->denied != other->denied)
		return one->denied ? -1 : 1;
	order = memcmp(one->bytes, other->bytes, sizeof(one->bytes));
	return order ? order : (one->origin > other->origin) - (one->origin < other->origin);
}

/* A record and how much of its pattern is literal, which the record need not hold. */
struct host {
	struct image_network_host record;
	size_t literal;
};

static int by_host(const void *left, const void *right)
{
	const struct host *one = left, *other = right;
	int order;

	if (one->literal != other->literal)
		return one->literal > other->literal ? -1 : 1;
	order = by_ports(one->record.port_low, one->record.port_high, other->record.port_low,
			 other->record.port_high);
	if (order)
		return order;
	if (one->record.denied != other->record.denied)
		return one->record.denied ? -1 : 1;
	return (one->record.origin > other->record.origin) - (one->record.origin < other->record.origin);
}

struct lists {
	struct image_network_address *addresses;
	struct host *hosts;
	size_t address_count, host_count;
};

static void add_address(struct lists *lists, const struct network_entry *entry, bool denied, uint32_t origin)
{
	static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
	struct image_network_address *rule = &lists->addresses[lists->address_count++];
	bool is_mapped = entry->version == 6 && entry->prefix >= 96 && !memcmp(entry->bytes, mapped, 12);

	memset(rule, 0, sizeof(*rule));
	memcpy(rule->bytes, entry->bytes + (is_mapped ? 12 : 0), is_mapped ? 4 : 16);
	rule->version = is_mapped ? 4 : entry->version;
	rule->prefix = (uint8_t)(entry->prefix - (is_mapped ? 96 : 0));
	for (unsigned int bit = rule->prefix; bit < 128; bit++)
		rule->bytes[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
	rule->denied = denied;
	rule->port_low = entry->port_low;
	rule->port_high = entry->port_high;
	rule->origin = origin;
}

static size_t literal_bytes(const char *pattern)
{
	size_t count = 0;

	for (; *pattern; pattern++)
		count += *pattern != '*' && *pattern != '?';
	return count;
}

/* A host's name; "localhost" and "*" are also the addresses that they mean, for connects whose name is not known. */
static void add_host(struct builder *builder, struct lists *lists, const struct network_entry *entry, bool denied,
		     uint32_t origin)
{
	struct host *host = &lists->hosts[lists->host_count++];
	struct network_entry address = *entry;
	bool local = !strcmp(entry->host, "localhost");

	host->literal = literal_bytes(entry->host);
	host->record = (struct image_network_host){builder_string(builder, entry->host), entry->port_low,
						   entry->port_high, denied, origin};
	if (!local && strcmp(entry->host, "*"))
		return;
	address.version = 4;
	address.prefix = local ? 8 : 0;
	memset(address.bytes, 0, sizeof(address.bytes));
	address.bytes[0] = local ? 127 : 0;
	add_address(lists, &address, denied, origin);
	address.version = 6;
	address.prefix = local ? 128 : 0;
	address.bytes[0] = 0;
	address.bytes[15] = local;
	add_address(lists, &address, denied, origin);
}

static size_t count_of(const struct setting *list)
{
	size_t count = 0;

	SETTING_EACH(entry, list)
	count++;
	return count;
}

static bool add_list(struct builder *builder, struct lists *lists, const struct setting *list, bool denied,
		     struct failure *failure)
{
	SETTING_EACH(setting, list)
	{
		uint32_t origin = builder_origin(builder, setting->file, setting->line);
		struct network_entry entry;
		const char *wrong = network_read(setting->text, &entry);

		if (wrong)
			return failure_set(failure, "%s:%u: \"%s\" %s", setting->file, setting->line, setting->text,
					   wrong);
		if (entry.version)
			add_address(lists, &entry, denied, origin);
		else
			add_host(builder, lists, &entry, denied, origin);
	}
	return true;
}

static uint32_t origin_of(struct builder *builder, const struct setting *group, const char *name)
{
	const struct setting *member = setting_member(group, name);

	return member ? builder_origin(builder, member->file, member->line) : 0;
}

static void add_defaults(struct builder *builder, const struct setting *group)
{
	const char *bind = setting_text(group, "bind", "deny");
	struct image_network record = {
		.connect_allowed = *setting_text(group, "connect", "deny") == 'a',
		.resolve_allowed = *setting_text(group, "resolve", "deny") == 'a',
		.bind = *bind == 'a' ? IMAGE_BIND_ALLOW : *bind == 'l' ? IMAGE_BIND_LOOPBACK
								       : IMAGE_BIND_DENY,
		.connect_origin = origin_of(builder, group, "connect"),
		.resolve_origin = origin_of(builder, group, "resolve"),
		.bind_origin = origin_of(builder, group, "bind"),
	};

	BUILDER_APPEND(builder, network, &record);
}

bool compile_network(struct builder *builder, const struct policy *policy, const struct compile_context *context,
		     struct failure *failure)
{
	const struct setting *group = setting_member(policy_settings(policy), "network");
	const struct setting *allow = setting_member(group, "allow"), *deny = setting_member(group, "deny");
	size_t room = count_of(allow) + count_of(deny) + 1;
	struct lists lists = {calloc(room * 2, sizeof(*lists.addresses)), calloc(room, sizeof(*lists.hosts)), 0, 0};
	bool good;

	(void)context;
	if (!lists.addresses || !lists.hosts)
		abort();
	add_defaults(builder, group);
	good = add_list(builder, &lists, allow, false, failure) && add_list(builder, &lists, deny, true, failure);
	qsort(lists.addresses, lists.address_count, sizeof(*lists.addresses), by_address);
	qsort(lists.hosts, lists.host_count, sizeof(*lists.hosts), by_host);
	BUILDER_APPEND_MANY(builder, network_addresses, lists.addresses, lists.address_count);
	for (size_t i = 0; i < lists.host_count; i++)
		BUILDER_APPEND(builder, network_hosts, &lists.hosts[i].record);
	free(lists.addresses);
	free(lists.hosts);
	return good;
}
