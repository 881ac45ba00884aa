/* SPDX-License-Identifier: MIT */
/* check_network and check_resolve: which rule wins. */
#include "check/network.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "policy_image.h"

struct row {
	enum op op;
	const char *address;
	uint16_t port;
	const char *host;
	bool allowed;
};

static struct address address_of(const struct row *row)
{
	struct address address = {.port = row->port, .host = row->host};

	address.family = strchr(row->address, ':') ? AF_INET6 : AF_INET;
	cr_assert_eq(inet_pton(address.family, row->address, address.bytes), 1, "%s", row->address);
	return address;
}

static void try(const char *text, const struct row *rows, size_t count)
{
	struct image *image = test_image(text, NULL);

	for (size_t i = 0; i < count; i++) {
		struct address address = address_of(&rows[i]);
		struct decision decision = check_network(image, rows[i].op, &address);

		cr_expect_eq(!decision.denied, rows[i].allowed, "op %d of %s port %u (%s)", rows[i].op,
			     rows[i].address, rows[i].port, rows[i].host ? rows[i].host : "no name");
		if (decision.denied)
			cr_expect_eq(decision.rule, rows[i].op == OP_BIND ? RULE_NETWORK_BIND
									  : RULE_NETWORK_CONNECT);
	}
	free(image);
}

#define TRY(text, ...)                                           \
	do {                                                     \
		static const struct row rows[] = {__VA_ARGS__};  \
		try(text, rows, sizeof(rows) / sizeof(rows[0])); \
	} while (0)

#define NETWORK(text) "extends = \"none\"; network: {" text "};"

Test(check_network, addresses)
{
	TRY(NETWORK("connect = \"deny\"; allow = [ \"127.0.0.0/8\", \"[::1]\", \"10.1.2.3\", \"192.168.0.0/23:80-90\","
		    " \"fd00::/8\", \"[2001:db8::]/33:443\", \"172.16.0.0/12\" ];"
		    " deny = [ \"172.16.5.0/24\", \"10.0.0.0/8\" ];"),
	    {OP_CONNECT, "127.0.0.1", 1, NULL, true}, {OP_CONNECT, "127.255.0.9", 65535, NULL, true},
	    {OP_CONNECT, "128.0.0.1", 1, NULL, false}, {OP_CONNECT, "::1", 80, NULL, true},
	    {OP_CONNECT, "::2", 80, NULL, false}, {OP_CONNECT, "10.1.2.3", 5, NULL, true},
	    {OP_CONNECT, "10.1.2.4", 5, NULL, false}, {OP_CONNECT, "192.168.1.255", 85, NULL, true},
	    {OP_CONNECT, "192.168.1.255", 91, NULL, false}, {OP_CONNECT, "192.168.2.0", 85, NULL, false},
	    {OP_CONNECT, "fd12::1", 1, NULL, true}, {OP_CONNECT, "2001:db8:7fff::1", 443, NULL, true},
	    {OP_CONNECT, "2001:db8:8000::1", 443, NULL, false}, {OP_CONNECT, "2001:db8::1", 80, NULL, false},
	    {OP_CONNECT, "172.16.4.1", 1, NULL, true}, {OP_CONNECT, "172.16.5.1", 1, NULL, false});
}

Test(check_network, the_longest_prefix_wins_and_at_a_tie_deny)
{
	TRY(NETWORK("connect = \"allow\"; allow = [ \"10.0.0.0/16\", \"10.1.0.0/16\", \"10.2.0.0/16:80\" ];"
		    " deny = [ \"10.0.0.0/8\", \"10.1.0.0/16\", \"10.2.0.0/16\" ];"),
	    {OP_CONNECT, "10.0.9.9", 1, NULL, true}, {OP_CONNECT, "10.1.9.9", 1, NULL, false},
	    {OP_CONNECT, "10.9.9.9", 1, NULL, false}, {OP_CONNECT, "11.0.0.1", 1, NULL, true},
	    {OP_CONNECT, "10.2.0.1", 80, NULL, true}, {OP_CONNECT, "10.2.0.1", 81, NULL, false});
}

Test(check_network, host_names)
{
	TRY(NETWORK("connect = \"deny\"; allow = [ \"*.example.org:443\", \"Build.Local\" ];"
		    " deny = [ \"bad.example.org\", \"169.254.169.254\" ];"),
	    {OP_CONNECT, "93.1.1.1", 443, "www.example.org", true},
	    {OP_CONNECT, "93.1.1.1", 443, "WWW.Example.ORG.", true},
	    {OP_CONNECT, "93.1.1.1", 80, "www.example.org", false}, {OP_CONNECT, "93.1.1.1", 443, "example.org", false},
	    {OP_CONNECT, "93.1.1.1", 443, "www.example.org.evil", false}, {OP_CONNECT, "93.1.1.1", 443, NULL, false},
	    {OP_CONNECT, "93.1.1.1", 443, "a.b.example.org", true},
	    {OP_CONNECT, "93.1.1.1", 443, "bad.example.org", false},
	    {OP_CONNECT, "93.1.1.1", 9, "build.local", true},
	    {OP_CONNECT, "169.254.169.254", 443, "www.example.org", false});
	TRY(NETWORK("connect = \"deny\"; allow = [ \"localhost:8000-8080\", \"*:53\" ];"),
	    {OP_CONNECT, "127.0.0.1", 8000, NULL, true}, {OP_CONNECT, "::1", 8080, NULL, true},
	    {OP_CONNECT, "127.0.0.1", 8081, NULL, false}, {OP_CONNECT, "9.9.9.9", 53, NULL, true},
	    {OP_CONNECT, "2620:fe::9", 53, NULL, true}, {OP_CONNECT, "9.9.9.9", 54, NULL, false});
}

Test(check_network, mapped_rules_are_ipv4)
{
	TRY(NETWORK("connect = \"deny\"; allow = [ \"[::ffff:10.0.0.0]/104\" ];"),
	    {OP_CONNECT, "10.9.9.9", 1, NULL, true},
	    {OP_CONNECT, "11.9.9.9", 1, NULL, false});
}

Test(check_network, bind)
{
	TRY(NETWORK("connect = \"allow\"; bind = \"loopback\";"), {OP_BIND, "127.0.0.1", 0, NULL, true},
	    {OP_BIND, "::1", 80, NULL, true}, {OP_BIND, "0.0.0.0", 0, NULL, false}, {OP_BIND, "::", 0, NULL, false},
	    {OP_BIND, "10.0.0.1", 0, NULL, false});
	TRY(NETWORK("bind = \"allow\";"), {OP_BIND, "0.0.0.0", 80, NULL, true});
	TRY(NETWORK("bind = \"deny\"; allow = [ \"127.0.0.1\" ];"), {OP_BIND, "127.0.0.1", 80, NULL, false});
	TRY(NETWORK(""), {OP_BIND, "127.0.0.1", 80, NULL, false}, {OP_CONNECT, "127.0.0.1", 80, NULL, false});
}

Test(check_network, other_families_are_not_judged)
{
	struct image *image = test_image(NETWORK("connect = \"deny\";"), NULL);
	struct address address = {.family = AF_UNIX};

	cr_expect_not(check_network(image, OP_CONNECT, &address).denied);
	free(image);
}

Test(check_network, resolve)
{
	static const struct {
		const char *text, *host;
		bool allowed;
	} rows[] = {
		{NETWORK("resolve = \"allow\";"), "example.org", true},
		{NETWORK("resolve = \"deny\";"), "example.org", false},
		{NETWORK("resolve = \"deny\";"), "localhost", true},
		{NETWORK("resolve = \"deny\";"), "10.0.0.1", true},
		{NETWORK("resolve = \"deny\";"), "fe80::1", true},
		{NETWORK("resolve = \"deny\"; allow = [ \"*.example.org:443\" ];"), "a.example.org", true},
		{NETWORK("resolve = \"deny\"; allow = [ \"*.example.org:443\" ];"), "b.example.com", false},
		{NETWORK("resolve = \"allow\"; deny = [ \"bad.org\" ];"), "BAD.org.", false},
		{NETWORK("resolve = \"allow\"; deny = [ \"bad.org:80\" ];"), "bad.org", true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct image *image = test_image(rows[i].text, NULL);
		struct decision decision = check_resolve(image, rows[i].host);

		cr_expect_eq(!decision.denied, rows[i].allowed, "%s with %s", rows[i].host, rows[i].text);
		cr_expect(!decision.denied || decision.rule == RULE_NETWORK_RESOLVE);
		free(image);
	}
}

Test(check_network, a_name_of_any_length)
{
	struct image *image = test_image(NETWORK("resolve = \"deny\"; allow = [ \"a*\" ];"), NULL);
	char name[1024];

	for (size_t length = 1; length < sizeof(name); length++) {
		memset(name, 'a', length);
		name[length] = '\0';
		cr_expect_eq(check_resolve(image, name).denied, length > 256, "%zu", length);
	}
	free(image);
}
