/* SPDX-License-Identifier: MIT */
/* The keys of a policy as one table, and the check of a file against it. */
#include "policy/schema.h"

#include <stdio.h>
#include <string.h>

#include "compile/tool_entry.h"
#include "policy/values.h"

#define WORDS(key, words)                                  \
	{                                                  \
		key, SCHEMA_WORD, 0, 0, words, NULL, false \
	}
#define PLAIN(key, type)                           \
	{                                          \
		key, type, 0, 0, NULL, NULL, false \
	}
#define RANGE(key, type, low, high)                     \
	{                                               \
		key, type, low, high, NULL, NULL, false \
	}
#define CHECKED(key, type, wrong)                   \
	{                                           \
		key, type, 0, 0, NULL, wrong, false \
	}
#define NEEDED(key, type, wrong)                   \
	{                                          \
		key, type, 0, 0, NULL, wrong, true \
	}

/* What an entry about a tool may say: one grammar for all the lists (launcher/compile/tool_entry.c reads it). */
#define TOOLS(list)                                                                                      \
	PLAIN(list, SCHEMA_GROUPS), NEEDED(list "[].name", SCHEMA_TEXT, wrong_tool_name),                \
		PLAIN(list "[].values", SCHEMA_TEXTS), PLAIN(list "[].optional", SCHEMA_TEXTS),          \
		PLAIN(list "[].plain", SCHEMA_TEXTS), PLAIN(list "[].info", SCHEMA_TEXTS),               \
		PLAIN(list "[].read", SCHEMA_TEXTS), PLAIN(list "[].write", SCHEMA_TEXTS),               \
		PLAIN(list "[].at", SCHEMA_TEXTS), PLAIN(list "[].variable", SCHEMA_TEXTS),              \
		PLAIN(list "[].edit", SCHEMA_TEXTS), PLAIN(list "[].actions", SCHEMA_TEXTS),             \
		PLAIN(list "[].source", SCHEMA_TEXTS), PLAIN(list "[].module", SCHEMA_TEXTS),            \
		PLAIN(list "[].exec", SCHEMA_TEXTS), PLAIN(list "[].command", SCHEMA_TEXTS),             \
		PLAIN(list "[].split", SCHEMA_TEXTS), PLAIN(list "[].door", SCHEMA_TEXTS),               \
		PLAIN(list "[].code", SCHEMA_TEXTS), PLAIN(list "[].first", SCHEMA_TEXTS),               \
		PLAIN(list "[].in_place", SCHEMA_TEXTS), PLAIN(list "[].symbolic", SCHEMA_TEXTS),        \
		PLAIN(list "[].enters", SCHEMA_TEXTS), PLAIN(list "[].stays", SCHEMA_TEXTS),             \
		PLAIN(list "[].target", SCHEMA_TEXTS),                                                   \
		PLAIN(list "[].roles", SCHEMA_TEXTS), PLAIN(list "[].last", SCHEMA_TEXT),                \
		PLAIN(list "[].as", SCHEMA_TEXT), PLAIN(list "[].refuse", SCHEMA_PATTERNS),              \
		PLAIN(list "[].allow", SCHEMA_PATTERNS), PLAIN(list "[].allow_at_run", SCHEMA_PATTERNS), \
		PLAIN(list "[].stdin", SCHEMA_BOOLEAN), PLAIN(list "[].clusters", SCHEMA_BOOLEAN),       \
		PLAIN(list "[].plus", SCHEMA_BOOLEAN), PLAIN(list "[].dashless", SCHEMA_BOOLEAN),        \
		PLAIN(list "[].assigns", SCHEMA_BOOLEAN), PLAIN(list "[].global", SCHEMA_BOOLEAN),       \
		PLAIN(list "[].shell", SCHEMA_BOOLEAN), PLAIN(list "[].joined", SCHEMA_BOOLEAN),         \
		PLAIN(list "[].reason", SCHEMA_TEXT), PLAIN(list "[].match", SCHEMA_VECTORS),            \
		PLAIN(list "[].not_match", SCHEMA_VECTORS)

static const struct schema_row rows[] = {
	PLAIN("extends", SCHEMA_TEXT),
	PLAIN("root", SCHEMA_TEXT),
	WORDS("mode", "enforce|audit"),

	PLAIN("names", SCHEMA_GROUP),
	CHECKED("names.deny", SCHEMA_TEXTS, wrong_glob),

	PLAIN("argv", SCHEMA_GROUP),
	TOOLS("argv.deny"),
	PLAIN("argv.deny[].flags", SCHEMA_TEXTS),
	PLAIN("argv.deny[].without", SCHEMA_TEXTS),
	PLAIN("argv.deny[].operands", SCHEMA_TEXTS),
	RANGE("argv.deny[].least", SCHEMA_INTEGER, 0, 100),
	PLAIN("argv.deny[].chosen", SCHEMA_TEXTS),
	PLAIN("argv.deny[].implied", SCHEMA_TEXT),
	WORDS("argv.deny[].where", "any|broad|direct|outside"),
	WORDS("argv.inline", "deny|allow"),
	TOOLS("argv.interpreters"),
	TOOLS("argv.wrappers"),
	RANGE("argv.wrappers[].skip", SCHEMA_INTEGER, 0, 3),
	TOOLS("argv.doors"),
	TOOLS("argv.variables"),
	CHECKED("argv.trusted_callers", SCHEMA_TEXTS, wrong_glob),

	PLAIN("structure", SCHEMA_GROUP),
	WORDS("structure.metachars", "any|operators|off"),

	PLAIN("paths", SCHEMA_GROUP),
	CHECKED("paths.list", SCHEMA_TEXTS, wrong_single_path),
	CHECKED("paths.read", SCHEMA_TEXTS, wrong_path),
	CHECKED("paths.write", SCHEMA_TEXTS, wrong_path),
	CHECKED("paths.hide", SCHEMA_TEXTS, wrong_single_path),
	CHECKED("paths.deny", SCHEMA_TEXTS, wrong_path),
	WORDS("paths.tmp", "private|shared"),

	PLAIN("network", SCHEMA_GROUP),
	WORDS("network.connect", "deny|allow"),
	CHECKED("network.allow", SCHEMA_TEXTS, wrong_network),
	CHECKED("network.deny", SCHEMA_TEXTS, wrong_network),
	WORDS("network.bind", "loopback|deny|allow"),
	WORDS("network.resolve", "allow|deny"),

	PLAIN("limits", SCHEMA_GROUP),
	RANGE("limits.wall_seconds", SCHEMA_NUMBER, 0, 31536000),
	RANGE("limits.grace_seconds", SCHEMA_NUMBER, 0, 3600),
	RANGE("limits.cpu_seconds", SCHEMA_INTEGER, 0, 31536000),
	RANGE("limits.memory_mb", SCHEMA_INTEGER, 0, 1 << 30),
	RANGE("limits.file_size_mb", SCHEMA_INTEGER, 0, 1 << 30),
	RANGE("limits.open_files", SCHEMA_INTEGER, 0, 1 << 20),
	RANGE("limits.processes", SCHEMA_INTEGER, 0, 1 << 22),
	RANGE("limits.output_bytes", SCHEMA_INTEGER, 0, 1 << 30),

	PLAIN("environment", SCHEMA_GROUP),
	CHECKED("environment.inherit", SCHEMA_TEXTS, wrong_variable),
	PLAIN("environment.set", SCHEMA_GROUPS),
	NEEDED("environment.set[].name", SCHEMA_TEXT, wrong_variable),
	{"environment.set[].value", SCHEMA_WORD, 0, 0, NULL, NULL, true}, /* any string, the empty one too */

	PLAIN("start", SCHEMA_GROUP),
	WORDS("start.directory", "given|private"),
	WORDS("start.stdin", "given|empty"),
	PLAIN("start.insert", SCHEMA_GROUPS),
	NEEDED("start.insert[].name", SCHEMA_TEXT, wrong_glob),
	NEEDED("start.insert[].arguments", SCHEMA_TEXTS, NULL),

	PLAIN("coverage", SCHEMA_GROUP),
	WORDS("coverage.uncovered", "report|deny|allow"),
	WORDS("coverage.backstop", "auto|on|off"),
	WORDS("coverage.libc", "trusted|judged"),
	WORDS("coverage.landlock", "off|on"),

	PLAIN("integrity", SCHEMA_GROUP),
	PLAIN("integrity.pins", SCHEMA_GROUPS),
	NEEDED("integrity.pins[].path", SCHEMA_TEXT, NULL),
	NEEDED("integrity.pins[].sha256", SCHEMA_TEXT, wrong_sha256),

	PLAIN("report", SCHEMA_GROUP),
	WORDS("report.level", "violations|all"),
	PLAIN("report.content", SCHEMA_BOOLEAN),
	CHECKED("report.redact", SCHEMA_TEXTS, wrong_regex),
	WORDS("report.explain", "off|stderr"),
	RANGE("report.max_mb", SCHEMA_INTEGER, 0, 1 << 20),
	PLAIN("report.drop", SCHEMA_BOOLEAN),
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

#define SLOTS 1024 /* a power of two, well above ROWS */

static size_t key_slot(const char *key)
{
	uint32_t hash = 2166136261u;

	for (; *key; key++)
		hash = (hash ^ (unsigned char)*key) * 16777619u;
	return (hash ^ hash >> 15) % SLOTS;
}

/* Policies have thousands of keys: a table, filled when it is asked for the first time. */
const struct schema_row *schema_row(const char *key)
{
	static const struct schema_row *slots[SLOTS];
	static bool filled;
	size_t at;

	for (size_t i = 0; i < ROWS && !filled; i++) {
		for (at = key_slot(rows[i].key); slots[at]; at = (at + 1) % SLOTS)
			;
		slots[at] = &rows[i];
	}
	filled = true;
	for (at = key_slot(key); slots[at]; at = (at + 1) % SLOTS)
		if (!strcmp(slots[at]->key, key))
			return slots[at];
	return NULL;
}

const struct schema_row *schema_at(size_t index)
{
	return index < ROWS ? &rows[index] : NULL;
}

static bool complain(const struct setting *at, const char *key, const char *what, struct failure *failure)
{
	return failure_set(failure, "%s:%u: %s %s", at->file, at->line, key, what);
}

/* Is the text one of the words "a|b"? */
static bool among(const char *words, const char *text)
{
	size_t length = strlen(text);

	for (; *words; words += strcspn(words, "|"), words += *words == '|')
		if (strcspn(words, "|") == length && !strncmp(words, text, length))
			return true;
	return false;
}

static bool holds_texts(const struct schema_row *row)
{
	return row->type == SCHEMA_TEXTS || row->type == SCHEMA_PATTERNS;
}

static bool check_text(const struct setting *setting, const struct schema_row *row, struct failure *failure)
{
	/* In a list "!entry" drops an inherited one, which the merge looks up. */
	bool drops = row->type == SCHEMA_TEXTS && setting->text && setting->text[0] == '!';
	const char *wrong;

	if (setting->kind != SETTING_STRING)
		return complain(setting, row->key,
				holds_texts(row) ? "must hold strings in double quotes"
						 : "must be a string in double quotes",
				failure);
	if (!setting->text[drops] && row->type != SCHEMA_PATTERNS)
		return complain(setting, row->key, "must not be empty", failure);
	wrong = row->wrong && !drops ? row->wrong(setting->text) : NULL;
	if (wrong)
		return failure_set(failure, "%s:%u: %s: \"%s\" %s", setting->file, setting->line, row->key,
				   setting->text, wrong);
	return true;
}

static bool check_number(const struct setting *setting, const struct schema_row *row, struct failure *failure)
{
	bool whole = row->type == SCHEMA_INTEGER;

	if (setting->kind != SETTING_INTEGER && (whole || setting->kind != SETTING_REAL))
		return complain(setting, row->key, whole ? "must be a whole number" : "must be a number", failure);
	if (setting->real >= row->low && setting->real <= row->high)
		return true;
	return failure_set(failure, "%s:%u: %s must be from %.0f to %.0f, not %g", setting->file, setting->line,
			   row->key, row->low, row->high, setting->real);
}

static bool check_word(const struct setting *setting, const struct schema_row *row, struct failure *failure)
{
	if (setting->kind != SETTING_STRING)
		return complain(setting, row->key, "must be a string in double quotes", failure);
	if (!row->words || among(row->words, setting->text))
		return true;
	return failure_set(failure, "%s:%u: %s must be one of %s, not \"%s\"", setting->file, setting->line,
			   row->key, row->words, setting->text);
}

static bool check_vectors(const struct setting *setting, const struct schema_row *row, struct failure *failure)
{
	SETTING_EACH(vector, setting)
	{
		if (vector->kind != SETTING_LIST || !vector->first)
			return complain(vector, row->key, "must hold lists of strings: ( [ \"rm\", \"x\" ] )",
					failure);
		SETTING_EACH(word, vector)
		if (word->kind != SETTING_STRING)
			return complain(word, row->key, "must hold lists of strings", failure);
	}
	return true;
}

static bool check_group(const struct setting *group, const char *prefix, struct failure *failure);

static bool check_required(const struct setting *group, const char *prefix, struct failure *failure)
{
	size_t length = strlen(prefix);

	for (size_t i = 0; i < ROWS; i++) {
		const char *name = rows[i].key + length;

		if (!rows[i].required || strncmp(rows[i].key, prefix, length) || strchr(name, '.'))
			continue;
		if (!setting_member(group, name))
			return failure_set(failure, "%s:%u: an entry of this list needs \"%s\" (%s)", group->file,
					   group->line, name, rows[i].key);
	}
	return true;
}

static bool check_list(const struct setting *setting, const struct schema_row *row, struct failure *failure)
{
	char prefix[96];

	if (setting->kind != SETTING_LIST)
		return complain(setting, row->key,
				holds_texts(row) ? "must be a list: [ \"a\", \"b\" ]"
						 : "must be a list of groups: ( { ... }, { ... } )",
				failure);
	if (row->type == SCHEMA_VECTORS)
		return check_vectors(setting, row, failure);
	snprintf(prefix, sizeof(prefix), "%s[].", row->key);
	SETTING_EACH(entry, setting)
	{
		if (holds_texts(row)) {
			if (!check_text(entry, row, failure))
				return false;
		} else if (entry->kind == SETTING_STRING && entry->text[0] == '!' && entry->text[1]) {
			continue;
		} else if (entry->kind != SETTING_GROUP) {
			return complain(entry, row->key, "must hold groups: ( { ... }, { ... } ), or \"!name\"",
					failure);
		} else if (!check_group(entry, prefix, failure) || !check_required(entry, prefix, failure)) {
			return false;
		}
	}
	return true;
}

static bool check_one(const struct setting *setting, const struct schema_row *row, struct failure *failure)
{
	char prefix[96];

	switch (row->type) {
	case SCHEMA_TEXT:
		return check_text(setting, row, failure);
	case SCHEMA_WORD:
		return check_word(setting, row, failure);
	case SCHEMA_BOOLEAN:
		return setting->kind == SETTING_BOOLEAN ||
		       complain(setting, row->key, "must be true or false", failure);
	case SCHEMA_INTEGER:
	case SCHEMA_NUMBER:
		return check_number(setting, row, failure);
	case SCHEMA_GROUP:
		if (setting->kind != SETTING_GROUP)
			return complain(setting, row->key, "must be a group: { ... }", failure);
		snprintf(prefix, sizeof(prefix), "%s.", row->key);
		return check_group(setting, prefix, failure);
	default:
		return check_list(setting, row, failure);
	}
}

/* The keys that may stand here, for the complaint about one that may not. */
static void known_names(const char *prefix, char *text, size_t size)
{
	size_t length = strlen(prefix), used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < ROWS && used < size; i++) {
		const char *name = rows[i].key + length;

		if (!strncmp(rows[i].key, prefix, length) && !strpbrk(name, ".["))
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
	}
}

static bool check_group(const struct setting *group, const char *prefix, struct failure *failure)
{
	char key[128], known[512];

	SETTING_EACH(member, group)
	{
		const struct schema_row *row;

		snprintf(key, sizeof(key), "%s%s", prefix, member->name);
		row = schema_row(key);
		if (!row) {
			known_names(prefix, known, sizeof(known));
			return failure_set(failure, "%s:%u: unknown key \"%s\"; known here: %s", member->file,
					   member->line, key, known);
		}
		if (!check_one(member, row, failure))
			return false;
	}
	return true;
}

bool schema_check(const struct setting *top, struct failure *failure)
{
	return check_group(top, "", failure);
}
