/* SPDX-License-Identifier: MIT */
/*
 * Build tool: compiles the rules that the built-in profiles include, checks their examples, and prints C that holds the
 * images. Not part of bridle. The rules do not depend on the machine: what does is added at run time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/commands.h"
#include "compile/compile.h"
#include "compile/rules.h"
#include "policy/embedded.h"
#include "policy/source.h"

const struct rules_image rules_images[] = {{NULL, NULL, 0}};
const struct embedded_settings embedded_settings[] = {{NULL, NULL, NULL}};

static void print_bytes(const char *name, const unsigned char *bytes, size_t size)
{
	printf("static const unsigned char rules_%s[] __attribute__((aligned(8))) = {", name);
	for (size_t i = 0; i < size; i++)
		printf(i % 24 ? "%u," : "\n\t%u,", bytes[i]);
	printf("\n};\n");
}

/* The profile's rules as an image; exits with the words of what is wrong. */
static size_t compile(const char *profile)
{
	struct policy_choice choice = {.profile = profile, .root = "/", .whole = true};
	struct failure failure = {""};
	struct policy *policy = policy_load(&choice, &failure);
	struct compile_context context = {.home = "/root", .tmpdir = "/tmp", .path = ""};
	size_t size = 0, whole_size = 0, examples;
	void *image = NULL, *whole = NULL;

	if (!policy || !compile_rules(policy, &image, &size, &failure) ||
	    !compile_image(policy, &context, &whole, &whole_size, &failure) ||
	    !compile_examples(policy, whole, whole_size, &examples, &failure)) {
		fprintf(stderr, "%s\n", failure.text);
		exit(1);
	}
	free(whole);
	print_bytes(profile, image, size);
	free(image);
	policy_free(policy);
	return size;
}

int main(int argc, char **argv)
{
	size_t size[16];

	printf("/* Made by launcher/profiles/embed_rules.c. */\n#include \"compile/rules.h\"\n");
	for (int i = 1; i < argc && i < 16; i++)
		size[i] = compile(argv[i]);
	printf("const struct rules_image rules_images[] = {\n");
	for (int i = 1; i < argc && i < 16; i++)
		printf("\t{\"rules/%s.cfg\", rules_%s, %zu},\n", argv[i], argv[i], size[i]);
	printf("\t{0, 0, 0}};\n");
	return 0;
}
