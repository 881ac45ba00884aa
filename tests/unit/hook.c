/* SPDX-License-Identifier: MIT */
/* What the hooks read in an event, and whom a URL leads to. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "hook/answer.h"
#include "hook/pattern.h"
#include "hook/url.h"
#include "policy_image.h"

static void expect_peer(const char *text, const char *host, unsigned port, unsigned family)
{
	struct hook_peer peer;
	const char *rest = text;

	cr_assert(url_next(&rest, &peer), "%s", text);
	cr_expect_str_eq(peer.host, host, "%s: %s", text, peer.host);
	cr_expect_eq(peer.address.port, port, "%s: %u", text, peer.address.port);
	cr_expect_eq(peer.address.family, family, "%s: %u", text, peer.address.family);
}

Test(hook, reads_whom_a_url_leads_to)
{
	expect_peer("http://example.org", "example.org", 80, 0);
	expect_peer("see HTTPS://Example.ORG:8443/x?y", "example.org", 8443, 0);
	expect_peer("https://a@b:c@example.org/@other", "example.org", 443, 0);
	expect_peer("http://example.org\\@other.org/", "example.org", 80, 0);
	expect_peer("ws://10.1.2.3#x", "10.1.2.3", 80, AF_INET);
	expect_peer("http://0x7f.1/", "0x7f.1", 80, AF_INET);
	expect_peer("http://[::1]:9/", "::1", 9, AF_INET6);
	expect_peer("http://[::ffff:10.0.0.1]/", "::ffff:10.0.0.1", 80, AF_INET);
}

Test(hook, finds_every_url_of_a_text)
{
	const char *text = "a http://one.org and (ftp://two.org/x), no.org";
	struct hook_peer peer;

	cr_assert(url_next(&text, &peer));
	cr_expect_str_eq(peer.host, "one.org");
	cr_assert(url_next(&text, &peer));
	cr_expect_str_eq(peer.host, "two.org");
	cr_expect_eq(peer.address.port, 21);
	cr_expect_not(url_next(&text, &peer));
}

static bool denied(const struct image *image, const char *url)
{
	struct hook_peer peer;

	cr_assert(url_next(&url, &peer));
	return url_judge(image, &peer).denied;
}

Test(hook, judges_urls_by_the_network_rules)
{
	size_t size;
	struct image *image = test_image("extends = \"none\"; network: { connect = \"deny\"; resolve = \"deny\";"
					 " allow = [ \"*.example.org:443\", \"127.0.0.0/8\", \"10.1.0.0/16\" ];"
					 " deny = [ \"10.1.1.1\", \"bad.example.org\" ]; };",
					 &size);

	cr_expect_not(denied(image, "https://www.example.org/"));
	cr_expect(denied(image, "http://www.example.org/"), "the port counts");
	cr_expect(denied(image, "https://bad.example.org/"));
	cr_expect(denied(image, "https://example.com/"));
	cr_expect_not(denied(image, "http://localhost:3000/"));
	cr_expect_not(denied(image, "http://10.1.2.3/"));
	cr_expect(denied(image, "http://10.1.1.1/"));
	cr_expect(denied(image, "http://167837953/"), "10.1.1.1 as one number");
	free(image);
}

Test(hook, knows_its_agents)
{
	cr_expect_eq(hook_agent_of("claude-code"), HOOK_CLAUDE_CODE);
	cr_expect_eq(hook_agent_of("cursor"), HOOK_CURSOR);
	cr_expect_eq(hook_agent_of("claude"), HOOK_AGENTS);
}

Test(hook, every_agent_has_a_shell_tool_and_whole_rows)
{
	bool shell[HOOK_AGENTS] = {false};
	const struct hook_tool *tool;

	for (size_t i = 0; (tool = hook_tool_at(i)) != NULL; i++) {
		shell[tool->agent] |= tool->act == HOOK_SHELL;
		/* A patch may come as it is, without a key; what is to be rewritten needs one. */
		cr_expect(*tool->name && (*tool->keys || tool->act == HOOK_PATCH), "row %zu", i);
	}
	for (int agent = 0; agent < HOOK_AGENTS; agent++)
		cr_expect(shell[agent], "%s", hook_agent_name(agent));
}

Test(hook, takes_the_project_only_where_the_event_is_inside)
{
	static const char text[] = "{\"tool_name\":\"Bash\",\"tool_input\":{},\"cwd\":\"/a/bc\"}";
	struct hook_event event;
	struct failure failure;

	setenv("CLAUDE_PROJECT_DIR", "/a/b", 1);
	cr_assert(hook_event_read(HOOK_CLAUDE_CODE, text, strlen(text), &event, &failure));
	cr_expect_null(event.project);
	hook_event_free(&event);
	setenv("CLAUDE_PROJECT_DIR", "/a/", 1);
	cr_assert(hook_event_read(HOOK_CLAUDE_CODE, text, strlen(text), &event, &failure));
	cr_expect_str_eq(event.project, "/a/");
	hook_event_free(&event);
}

static bool append(void *context, const char *pattern)
{
	strcat(strcat(context, pattern), " ");
	return !strcmp(pattern, "stop");
}

static void expect_patterns(const char *text, bool parted, const char *patterns)
{
	char seen[512] = "";

	cr_expect_eq(pattern_each(text, parted, append, seen), strstr(patterns, "stop") != NULL, "%s", text);
	cr_expect_str_eq(seen, patterns, "%s: %s", text, seen);
}

Test(hook, parts_patterns_and_expands_their_braces)
{
	expect_patterns("a b", false, "a b ");
	expect_patterns("a b,c", true, "a b c ");
	expect_patterns("*.{c,h}", true, "*.c *.h ");
	expect_patterns("{a,b}/{c,{d,e}},f", true, "a/c a/d a/e b/c b/d b/e f ");
	expect_patterns("x{,y}", false, "x xy ");
	expect_patterns("{a}{b,c", false, "{a}{b,c ");
	expect_patterns("{a}{b,c}", false, "{a}b {a}c ");
	expect_patterns("a,stop,b", true, "a stop ");
	expect_patterns("{a,stop,b}", false, "a stop ");
	expect_patterns(" , ", true, "");
}

static bool count_one(void *context, const char *pattern)
{
	(void)pattern;
	return ++*(unsigned *)context > 10 * PATTERNS_MAX;
}

Test(hook, bounds_what_braces_make)
{
	unsigned count = 0;

	cr_expect_not(pattern_each("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", false, count_one,
				   &count));
	cr_expect_leq(count, 2 * PATTERNS_MAX, "%u", count);
}
