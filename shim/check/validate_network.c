/* SPDX-License-Identifier: MIT */
/* The records of the network rules. */
#include "check/validate.h"

bool valid_network(const struct image *image)
{
	const struct image_network *network = image_network(image);

	return image->network.count == 1 && network->connect_allowed <= 1 && network->resolve_allowed <= 1 &&
	       network->bind <= IMAGE_BIND_ALLOW && valid_origin(image, network->connect_origin) &&
	       valid_origin(image, network->resolve_origin) && valid_origin(image, network->bind_origin);
}

bool valid_network_addresses(const struct image *image)
{
	const struct image_network_address *rule = image_network_addresses(image);

	for (uint32_t i = 0; i < image->network_addresses.count; i++) {
		if (rule[i].version != 4 && rule[i].version != 6)
			return false;
		if (rule[i].prefix > (rule[i].version == 4 ? 32 : 128))
			return false;
		if (!valid_origin(image, rule[i].origin))
			return false;
	}
	return true;
}

bool valid_network_hosts(const struct image *image)
{
	const struct image_network_host *rule = image_network_hosts(image);

	for (uint32_t i = 0; i < image->network_hosts.count; i++)
		if (!valid_string(image, rule[i].pattern) || !valid_origin(image, rule[i].origin))
			return false;
	return true;
}
