/* SPDX-License-Identifier: MIT */
/*
 * Enough of JSON Schema to hold our own documents to theirs: type, const, enum, required, properties,
 * additionalProperties, items, minimum, pattern (POSIX), $ref into $defs. An unknown keyword fails the test, so nothing in a
 * schema goes unchecked.
 */
#include <criterion/criterion.h>
#include <regex.h>
#include <string.h>

#include "report_case.h"

struct place {
	const json_t *root;
	const char *name;
	char path[512];
};

static void check(struct place *place, const json_t *schema, const json_t *value);

static bool has_type(const json_t *value, const char *type)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return strcmp(type, "object") == 0;
	case JSON_ARRAY:
		return strcmp(type, "array") == 0;
	case JSON_STRING:
		return strcmp(type, "string") == 0;
	case JSON_INTEGER:
		return strcmp(type, "integer") == 0 || strcmp(type, "number") == 0;
	case JSON_REAL:
		return strcmp(type, "number") == 0;
	case JSON_NULL:
		return strcmp(type, "null") == 0;
	default:
		return strcmp(type, "boolean") == 0;
	}
}

static void check_type(struct place *place, const json_t *wanted, const json_t *value)
{
	bool good = json_is_string(wanted) && has_type(value, json_string_value(wanted));
	size_t i;
	json_t *type;

	json_array_foreach(wanted, i, type)
		good = good || has_type(value, json_string_value(type));
	cr_assert(good, "%s: %s has the wrong type", place->name, place->path);
}

static void check_members(struct place *place, const json_t *schema, const json_t *value)
{
	const json_t *properties = json_object_get(schema, "properties");
	const json_t *others = json_object_get(schema, "additionalProperties");
	size_t length = strlen(place->path);
	const char *key;
	json_t *member;

	json_object_foreach((json_t *)(uintptr_t)value, key, member)
	{
		const json_t *known = json_object_get(properties, key);

		snprintf(place->path + length, sizeof(place->path) - length, ".%s", key);
		cr_assert(known != NULL || !json_is_false(others), "%s: %s is not foreseen",
			  place->name, place->path);
		if (known != NULL || json_is_object(others))
			check(place, known ? known : others, member);
		place->path[length] = '\0';
	}
}

static void check_items(struct place *place, const json_t *items, const json_t *value)
{
	size_t length = strlen(place->path), i;
	json_t *item;

	json_array_foreach((json_t *)(uintptr_t)value, i, item)
	{
		snprintf(place->path + length, sizeof(place->path) - length, "[%zu]", i);
		check(place, items, item);
		place->path[length] = '\0';
	}
}

static void check_required(struct place *place, const json_t *required, const json_t *value)
{
	size_t i;
	json_t *key;

	json_array_foreach((json_t *)(uintptr_t)required, i, key)
		cr_assert_not_null(json_object_get(value, json_string_value(key)), "%s: %s lacks %s",
				   place->name, place->path, json_string_value(key));
}

static void check_pattern(struct place *place, const char *pattern, const json_t *value)
{
	regex_t compiled;

	if (!json_is_string(value))
		return;
	cr_assert_eq(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
	cr_assert_eq(regexec(&compiled, json_string_value(value), 0, NULL, 0), 0,
		     "%s: %s: \"%s\" does not match %s", place->name, place->path,
		     json_string_value(value), pattern);
	regfree(&compiled);
}

static void check_keyword(struct place *place, const json_t *schema, const char *keyword,
			  const json_t *content, const json_t *value)
{
	bool found = false;
	size_t i;
	json_t *choice;

	if (strcmp(keyword, "type") == 0) {
		check_type(place, content, value);
	} else if (strcmp(keyword, "const") == 0) {
		cr_assert(json_equal(content, value), "%s: %s", place->name, place->path);
	} else if (strcmp(keyword, "enum") == 0) {
		json_array_foreach((json_t *)(uintptr_t)content, i, choice)
			found = found || json_equal(choice, value);
		cr_assert(found, "%s: %s is none of the foreseen values", place->name, place->path);
	} else if (strcmp(keyword, "required") == 0) {
		check_required(place, content, value);
	} else if (strcmp(keyword, "properties") == 0) {
		check_members(place, schema, value);
	} else if (strcmp(keyword, "items") == 0) {
		check_items(place, content, value);
	} else if (strcmp(keyword, "minimum") == 0) {
		cr_assert(!json_is_number(value) ||
				  json_number_value(value) >= json_number_value(content),
			  "%s: %s is too small", place->name, place->path);
	} else if (strcmp(keyword, "pattern") == 0) {
		check_pattern(place, json_string_value(content), value);
	} else if (strcmp(keyword, "$ref") == 0) {
		cr_assert_eq(strncmp(json_string_value(content), "#/$defs/", 8), 0);
		check(place,
		      json_object_get(json_object_get(place->root, "$defs"),
				      json_string_value(content) + 8),
		      value);
	} else {
		cr_assert(keyword[0] == '$' || strcmp(keyword, "title") == 0 ||
				  strcmp(keyword, "description") == 0 ||
				  strcmp(keyword, "additionalProperties") == 0,
			  "%s: keyword %s is not checked", place->name, keyword);
	}
}

static void check(struct place *place, const json_t *schema, const json_t *value)
{
	const char *keyword;
	json_t *content;

	cr_assert(json_is_object(schema), "%s: no schema for %s", place->name, place->path);
	json_object_foreach((json_t *)(uintptr_t)schema, keyword, content)
		check_keyword(place, schema, keyword, content, value);
	if (json_object_get(schema, "properties") == NULL && json_is_object(value))
		check_members(place, schema, value);
}

void test_schema(const char *name, const json_t *value)
{
	json_error_t error;
	json_t *root = json_load_file(name, JSON_REJECT_DUPLICATES, &error);
	struct place place = {.root = root, .name = name, .path = "$"};

	cr_assert_not_null(root, "%s:%d: %s", name, error.line, error.text);
	check(&place, root, value);
	json_decref(root);
}
