/* SPDX-License-Identifier: MIT */
/*
 * Build tool: reads and checks the built-in profiles and prints C that holds their settings. Not part of bridle. Linked
 * with the compiled rules, so it leaves out what a start leaves out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/embedded.h"
#include "policy/policy.h"

#define PROFILES_MAX 16

const struct embedded_settings embedded_settings[] = {{NULL, NULL, NULL}};

static void print_text(const char *text)
{
	if (!text) {
		fputs("0", stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\' || byte == '?')
			printf("\\%03o", byte);
		else
			putchar(byte);
	}
	putchar('"');
}

/* Members come right behind their parent, each with its own members: a member's index follows from the sizes. */
static size_t size_of(const struct setting *setting)
{
	size_t size = 1;

	SETTING_EACH(member, setting)
	size += size_of(member);
	return size;
}

static void print_link(const char *profile, const struct setting *to, size_t index)
{
	if (to)
		printf(", &settings_%s[%zu]", profile, index);
	else
		fputs(", 0", stdout);
}

static void print_one(const char *profile, const struct setting *setting, size_t index)
{
	size_t last = index + 1;

	SETTING_EACH(member, setting)
	if (member->next)
		last += size_of(member);
	printf("\t{%d, ", setting->kind);
	print_text(setting->name);
	fputs(", ", stdout);
	print_text(setting->file);
	printf(", %" PRIu32 ", ", setting->line);
	print_text(setting->text);
	printf(", %" PRId64 ", %a", setting->integer, setting->real);
	print_link(profile, setting->first, index + 1);
	print_link(profile, setting->last, last);
	print_link(profile, setting->next, index + size_of(setting));
	puts("},");
	index++;
	SETTING_EACH(member, setting)
	{
		print_one(profile, member, index);
		index += size_of(member);
	}
}

int main(int argc, char **argv)
{
	struct policy *policy[PROFILES_MAX];
	int count = argc - 1 < PROFILES_MAX ? argc - 1 : PROFILES_MAX;

	printf("/* Made by launcher/profiles/embed_settings.c. */\n#include \"policy/embedded.h\"\n");
	for (int i = 0; i < count; i++) {
		struct policy_choice choice = {.profile = argv[i + 1], .root = "/"};
		struct failure failure = {""};
		const struct setting *top;

		policy[i] = policy_load(&choice, &failure);
		if (!policy[i]) {
			fprintf(stderr, "%s\n", failure.text);
			return 1;
		}
		top = policy_settings(policy[i]);
		printf("static struct setting settings_%s[%zu] = {\n", argv[i + 1], size_of(top));
		print_one(argv[i + 1], top, 0);
		puts("};");
	}
	puts("const struct embedded_settings embedded_settings[] = {");
	for (int i = 0; i < count; i++) {
		printf("\t{\"%s\", ", argv[i + 1]);
		print_text(policy_rules(policy[i]));
		printf(", settings_%s},\n", argv[i + 1]);
		policy_free(policy[i]);
	}
	puts("\t{0, 0, 0}};");
	return 0;
}
