/* SPDX-License-Identifier: MIT */
/* What a floor of trees and ports is told of a policy. "@" is the root. */
#include "backstop/floor.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "policy_image.h"

#define NONE "extends = \"none\"; "
#define PORTS 8

struct found {
	char *trees[64];
	size_t count;
};

static void take(void *data, const char *path)
{
	struct found *found = data;

	found->trees[found->count++] = strdup(path);
}

/* Is the tree among those of the policy? */
static bool has(const char *policy, const char *tree)
{
	size_t size;
	struct image *image = test_image(policy, &size);
	struct found found = {0};
	char *wanted = test_rooted(tree);
	bool there = false;

	floor_trees(image, take, &found);
	for (size_t i = 0; i < found.count; i++) {
		there |= !strcmp(found.trees[i], wanted);
		free(found.trees[i]);
	}
	free(wanted);
	free(image);
	return there;
}

Test(backstop_floor, trees)
{
	cr_expect(has(NONE "paths: { write = [ \".\", \"/srv/a b\" ]; };", "@"));
	cr_expect(has(NONE "paths: { write = [ \".\", \"/srv/a b\" ]; };", "/srv/a b"));
	cr_expect_not(has(NONE "paths: { read = [ \"/usr\" ]; write = [ \".\" ]; };", "/usr"));
	cr_expect_not(has(NONE "paths: { write = [ \"/srv\" ]; deny = [ \"/srv/shut\" ]; };", "/srv/shut"));
	cr_expect(has(NONE "paths: { write = [ \"/\" ]; };", "/"));
}

Test(backstop_floor, globs_open_what_stands_before_them)
{
	cr_expect(has(NONE "paths: { write = [ \"/srv/*/log\" ]; };", "/srv"));
	cr_expect(has(NONE "paths: { write = [ \"/srv/x/**/log\" ]; };", "/srv/x"));
	cr_expect(has(NONE "paths: { write = [ \"**/log/x\" ]; };", "/"));
}

static bool is_there(const char *policy)
{
	size_t size;
	struct image *image = test_image(policy, &size);
	bool there = floor_is_there(image);

	free(image);
	return there;
}

Test(backstop_floor, basenames_have_no_floor)
{
	cr_expect(is_there(NONE "paths: { write = [ \".\" ]; deny = [ \"*.pem\" ]; };"));
	cr_expect_not(is_there(NONE "paths: { write = [ \"*.log\" ]; };"));
}

static int ports(const char *policy, uint16_t *ret_ports)
{
	size_t size;
	struct image *image = test_image(policy, &size);
	int count = floor_ports(image, ret_ports, PORTS);

	free(image);
	return count;
}

Test(backstop_floor, ports)
{
	uint16_t list[PORTS];

	cr_expect_eq(ports(NONE "network: { connect = \"deny\"; };", list), 0);
	cr_expect_eq(ports(NONE "network: { connect = \"allow\"; };", list), -1);
	cr_expect_eq(ports(NONE "network: { connect = \"deny\"; allow = [ \"127.0.0.0/8\" ]; };", list), -1);
	cr_expect_eq(ports(NONE "network: { connect = \"deny\"; allow = [ \"10.0.0.1:443\", \"[::1]:443\", \"*.org:80\" ]; };",
			   list),
		     2);
	cr_expect((list[0] == 443 && list[1] == 80) || (list[0] == 80 && list[1] == 443));
}
