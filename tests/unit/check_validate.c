/* SPDX-License-Identifier: MIT */
/* check_validate: a damaged image is refused, or can be used without harm. */
#include "check/validate.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "check/network.h"
#include "check/path.h"
#include "policy_image.h"

static const char policy[] =
	"extends = \"none\"; paths: { read = [ \"/usr\", \"/a/*/b\", \"*.h\", \"**/x/y\", \"/d/**/e\" ];"
	" write = [ \".\" ]; deny = [ \".env\", \"~/.ssh\" ]; };"
	" network: { allow = [ \"10.0.0.0/8:80\", \"[::1]\", \"*.org\" ]; };";

/* Every check that reads the sections; the sanitizers and the kernel say whether it stays inside. */
static void use(const struct image *image)
{
	static const char *const paths[] = {"/", "/usr/x", "/a/1/b", "/q/x/y", "/d/1/2/e/.env", "/home/dev/.ssh/x.h"};
	struct address address = {.family = AF_INET, .port = 80, .bytes = {10, 1, 2, 3}, .host = "a.org"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		check_path(image, OP_READ, paths[i], strlen(paths[i]));
		check_path(image, OP_WRITE, paths[i], strlen(paths[i]));
	}
	check_network(image, OP_CONNECT, &address);
	check_network(image, OP_BIND, &address);
	check_resolve(image, "b.org");
}

Test(check_validate, a_whole_image_is_good)
{
	size_t size;
	struct image *image = test_image(policy, &size);

	cr_expect(check_validate(image, size));
	use(image);
	free(image);
}

Test(check_validate, the_same_policy_gives_the_same_bytes)
{
	size_t size, other_size;
	struct image *image = test_image(policy, &size), *other = test_image(policy, &other_size);

	cr_assert_eq(size, other_size);
	cr_expect_eq(memcmp(image, other, size), 0);
	free(image);
	free(other);
}

Test(check_validate, every_cut_is_refused)
{
	size_t size;
	struct image *image = test_image(policy, &size);

	for (size_t length = 0; length < size; length++) {
		char *cut = malloc(length + 1);

		cr_assert_not_null(cut);
		memcpy(cut, image, length);
		cr_expect_not(check_validate(cut, length), "cut to %zu of %zu", length, size);
		free(cut);
	}
	free(image);
}

Test(check_validate, another_version_or_magic_is_refused)
{
	size_t size;
	struct image *image = test_image(policy, &size);

	image->version++;
	cr_expect_not(check_validate(image, size));
	image->version--;
	image->magic ^= 1;
	cr_expect_not(check_validate(image, size));
	free(image);
}

Test(check_validate, no_damaged_byte_does_harm)
{
	static const uint8_t masks[] = {0xff, 0x01, 0x80, 0x10};
	size_t size, accepted = 0;
	struct image *image = test_image(policy, &size);
	unsigned char *bytes = (unsigned char *)image;

	for (size_t at = 0; at < size; at++) {
		for (size_t i = 0; i < sizeof(masks); i++) {
			bytes[at] ^= masks[i];
			if (check_validate(image, size)) {
				accepted++;
				use(image);
			}
			bytes[at] ^= masks[i];
		}
	}
	cr_expect_lt(accepted, size * sizeof(masks));
	free(image);
}

Test(check_validate, no_damaged_word_does_harm)
{
	static const uint32_t values[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff8, 8, 4096};
	size_t size;
	struct image *image = test_image(policy, &size);
	uint32_t *words = (uint32_t *)(void *)image;

	for (size_t at = 0; at < size / 4; at++) {
		uint32_t kept = words[at];

		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			words[at] = values[i];
			if (check_validate(image, size))
				use(image);
		}
		words[at] = kept;
	}
	free(image);
}
