/* SPDX-License-Identifier: MIT */
/* Finds whom a URL leads to, as the programs read it that fetch it. */
#include "hook/url.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "check/network.h"

static const struct {
	const char *start;
	uint16_t port;
} schemes[] = {{"http://", 80}, {"https://", 443}, {"ws://", 80}, {"wss://", 443}, {"ftp://", 21}};

/* v4-mapped addresses are IPv4, as everywhere; so are 2130706433, 0x7f.1 and their like, which inet_aton reads. */
static void read_address(struct hook_peer *peer)
{
	static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
	struct address *address = &peer->address;
	struct in_addr plain;

	if (inet_aton(peer->host, &plain)) {
		address->family = AF_INET;
		memcpy(address->bytes, &plain, sizeof(plain));
	} else if (inet_pton(AF_INET6, peer->host, address->bytes) == 1) {
		address->family = AF_INET6;
		if (!memcmp(address->bytes, mapped, sizeof(mapped))) {
			address->family = AF_INET;
			memmove(address->bytes, address->bytes + sizeof(mapped), 4);
			memset(address->bytes + 4, 0, sizeof(mapped));
		}
	}
}

static void read_peer(const char *text, size_t length, uint16_t port, struct hook_peer *ret_peer)
{
	const char *at = memrchr(text, '@', length), *end = text + length, *colon, *close;
	size_t size;

	*ret_peer = (struct hook_peer){.address.port = port};
	if (at)
		text = at + 1;
	close = *text == '[' ? memchr(text, ']', end - text) : NULL;
	if (close) {
		colon = close + 1 < end && close[1] == ':' ? close + 1 : NULL;
		text++;
		size = close - text;
	} else {
		colon = memchr(text, ':', end - text);
		size = (colon ? colon : end) - text;
	}
	if (colon && colon + 1 < end)
		ret_peer->address.port = (uint16_t)strtoul(colon + 1, NULL, 10);
	if (size >= sizeof(ret_peer->host))
		size = sizeof(ret_peer->host) - 1;
	for (size_t i = 0; i < size; i++)
		ret_peer->host[i] = (char)tolower((unsigned char)text[i]);
	read_address(ret_peer);
}

bool url_next(const char **text, struct hook_peer *ret_peer)
{
	for (const char *at = *text; *at; at++)
		for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
			size_t start = strlen(schemes[i].start);

			if (strncasecmp(at, schemes[i].start, start))
				continue;
			at += start;
			*text = at + strcspn(at, "/\\?# \t\r\n\"'<>");
			read_peer(at, *text - at, schemes[i].port, ret_peer);
			return true;
		}
	return false;
}

/* Names of the own machine stand for its address. */
static bool is_own(const char *host)
{
	size_t length = strlen(host);

	return !strcmp(host, "localhost") || (length > 10 && !strcmp(host + length - 10, ".localhost"));
}

struct decision url_judge(const struct image *image, const struct hook_peer *peer)
{
	struct address address = peer->address;
	struct decision decision;

	if (!address.family && !is_own(peer->host)) {
		decision = check_resolve(image, peer->host);
		if (decision.denied)
			return decision;
		/* 0.0.0.0/8 fits no sensible rule: what is left are the rules on the name, and the default. */
		address.family = AF_INET;
	} else if (!address.family) {
		address.family = AF_INET;
		memcpy(address.bytes, (uint8_t[]){127, 0, 0, 1}, 4);
	}
	address.host = peer->host;
	return check_network(image, OP_CONNECT, &address);
}
