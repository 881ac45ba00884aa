/* SPDX-License-Identifier: MIT */
/* From the keys of an entry to options, operands and patterns of the tools that its name stands for. */
#include "compile/tool_entry.h"

#include <string.h>

#include "check/glob.h"
#include "compile/tool_shape.h"

#define NAMES_MAX 512 /* tools that one name may stand for */

struct entry {
	struct drafts *drafts;
	enum tool_list list;
	const struct setting *setting;
	struct failure *failure;
	struct draft_sheet sheet;
	uint32_t tools[NAMES_MAX];
	size_t tool_count;
};

/* key: the list of options with this role. */
struct option_key {
	const char *key;
	enum image_role role;
	enum image_arity arity;
	bool patterns; /* refuse, allow and at_run of the entry are for its values */
};

static const struct option_key option_keys[] = {
	{"values", IMAGE_ROLE_DATA, IMAGE_VALUE_NEEDED, false},
	{"optional", IMAGE_ROLE_DATA, IMAGE_VALUE_GLUED, false},
	{"plain", IMAGE_ROLE_NOTHING, IMAGE_VALUE_NONE, false},
	{"info", IMAGE_ROLE_INFO, IMAGE_VALUE_NONE, false},
	{"read", IMAGE_ROLE_READ, IMAGE_VALUE_NEEDED, false},
	{"write", IMAGE_ROLE_WRITE, IMAGE_VALUE_NEEDED, false},
	{"at", IMAGE_ROLE_AT, IMAGE_VALUE_NEEDED, false},
	{"variable", IMAGE_ROLE_VARIABLE, IMAGE_VALUE_NEEDED, false},
	{"edit", IMAGE_ROLE_EDIT, IMAGE_VALUE_NEEDED, false},
	{"actions", IMAGE_ROLE_ACTIONS, IMAGE_VALUE_NEEDED, false},
	{"source", IMAGE_ROLE_SOURCE, IMAGE_VALUE_NEEDED, false},
	{"module", IMAGE_ROLE_MODULE, IMAGE_VALUE_NEEDED, false},
	{"exec", IMAGE_ROLE_EXEC, IMAGE_VALUE_NONE, false},
	{"command", IMAGE_ROLE_LINE, IMAGE_VALUE_NEEDED, true},
	{"split", IMAGE_ROLE_SPLIT, IMAGE_VALUE_NEEDED, false},
	{"door", IMAGE_ROLE_DOOR, IMAGE_VALUE_NEEDED, true},
	{"code", IMAGE_ROLE_CODE, IMAGE_VALUE_NEEDED, true},
};

static const struct {
	const char *word;
	enum image_role role;
} role_words[] = {
	{"any", IMAGE_ROLE_ANY},
	{"data", IMAGE_ROLE_DATA},
	{"read", IMAGE_ROLE_READ},
	{"look", IMAGE_ROLE_LOOK},
	{"status", IMAGE_ROLE_STATUS},
	{"write", IMAGE_ROLE_WRITE},
	{"move", IMAGE_ROLE_MOVE},
	{"edit", IMAGE_ROLE_EDIT},
	{"actions", IMAGE_ROLE_ACTIONS},
	{"source", IMAGE_ROLE_SOURCE},
	{"script", IMAGE_ROLE_SCRIPT},
	{"code", IMAGE_ROLE_CODE},
	{"command", IMAGE_ROLE_COMMAND},
	{"line", IMAGE_ROLE_LINE},
	{"door", IMAGE_ROLE_DOOR},
	{"at", IMAGE_ROLE_AT},
	{"end", IMAGE_ROLE_END},
	{"words", IMAGE_ROLE_NOTHING},
};

static const struct {
	const char *key;
	uint32_t flag;
} flag_keys[] = {
	{"stdin", IMAGE_TOOL_STDIN},
	{"plus", IMAGE_TOOL_PLUS},
	{"dashless", IMAGE_TOOL_DASHLESS},
	{"assigns", IMAGE_TOOL_ASSIGNS},
	{"global", IMAGE_TOOL_GLOBAL},
	{"shell", IMAGE_TOOL_SHELL},
	{"joined", IMAGE_TOOL_LINE},
};

static bool complain(struct entry *entry, const struct setting *at, const char *what)
{
	return failure_set(entry->failure, "%s:%u: %s: %s", at->file, at->line, at->text ? at->text : at->name, what);
}

const char *wrong_tool_name(const char *text)
{
	bool word = false;

	for (const char *at = text; *at; at++) {
		if (*at == '/')
			return "must name programs without their folders";
		if (*at == '|' && (!word || !at[1] || at[1] == ' ' || at[1] == '|'))
			return "has an empty name beside \"|\"";
		word = *at != ' ' && *at != '|';
	}
	if (!*text || text[0] == ' ' || text[strlen(text) - 1] == ' ')
		return "must be a name, or names parted by \"|\", then sub-commands parted by blanks";
	return check_glob_is_whole(text) ? NULL : "has an open [ or a lone backslash";
}

/* The tools of one word of a name under each of the parents found so far. */
static bool add_word(struct entry *entry, const uint32_t *parent, size_t parents, const char *word, size_t length)
{
	entry->tool_count = 0;
	for (size_t p = 0; p < parents; p++) {
		for (const char *at = word; at < word + length;) {
			const char *bar = memchr(at, '|', (size_t)(word + length - at));
			size_t size = bar ? (size_t)(bar - at) : (size_t)(word + length - at);

			if (entry->tool_count == NAMES_MAX)
				return complain(entry, entry->setting, "its name stands for too many tools");
			entry->tools[entry->tool_count++] = drafts_tool(entry->drafts, parent[p], at, size);
			at += size + 1;
		}
	}
	return true;
}

static bool find_tools(struct entry *entry)
{
	const char *name = setting_text(entry->setting, "name", "");
	uint32_t parent[NAMES_MAX];
	size_t parents = 1;

	parent[0] = entry->list == TOOL_LIST_VARIABLES ? IMAGE_TOOL_VARIABLE : IMAGE_TOOL_PROGRAM;
	while (*name) {
		size_t length = strcspn(name, " ");

		if (!add_word(entry, parent, parents, name, length))
			return false;
		memcpy(parent, entry->tools, entry->tool_count * sizeof(*parent));
		parents = entry->tool_count;
		name += length;
		name += strspn(name, " ");
	}
	return true;
}

static void add_patterns(struct entry *entry, struct draft_list *patterns, bool refusing)
{
	static const struct {
		const char *key;
		uint32_t verdict;
	} keys[] = {
		{"refuse", IMAGE_PATTERN_REFUSE},
		{"allow", IMAGE_PATTERN_ALLOW},
		{"allow_at_run", IMAGE_PATTERN_ALLOW_AT_RUN},
	};

	for (size_t i = refusing ? 0 : 1; i < sizeof(keys) / sizeof(keys[0]); i++)
		SETTING_EACH(pattern, setting_member(entry->setting, keys[i].key))
	*(struct image_pattern *)draft_list_add(patterns, sizeof(struct image_pattern)) =
		(struct image_pattern){builder_string(entry->drafts->builder, pattern->text),
				       keys[i].verdict};
}

/* An option's name, behind it "?" where the value is only ever glued, "!" where there is none, "+" where there are two. */
static size_t name_length(const char *spec, size_t length, enum image_arity *arity)
{
	if (length > 2 && spec[length - 1] == '?')
		*arity = IMAGE_VALUE_GLUED;
	else if (length > 2 && spec[length - 1] == '!')
		*arity = IMAGE_VALUE_NONE;
	else if (length > 2 && spec[length - 1] == '+')
		*arity = IMAGE_VALUE_TWO;
	else
		return length;
	return length - 1;
}

/* Code is always refused; only what the entry allows is not, unless that is meant for its doors and commands. */
static void add_option_patterns(struct entry *entry, const struct option_key *key, struct draft_option *option)
{
	bool code = key->role == IMAGE_ROLE_CODE;

	if (key->patterns && !(code && (setting_member(entry->setting, "door") ||
					setting_member(entry->setting, "command"))))
		add_patterns(entry, &option->patterns, !code);
}

static void set_option(struct entry *entry, const char *name, size_t length, const struct option_key *key,
		       enum image_arity arity)
{
	struct draft_option *option = draft_option(entry->drafts->builder, &entry->sheet, name, length);

	option->record.role = (uint8_t)key->role;
	option->record.arity = (uint8_t)arity;
	option->record.origin = entry->sheet.record.origin;
	option->record.reason = entry->sheet.record.reason;
	add_option_patterns(entry, key, option);
}

static bool add_option(struct entry *entry, const struct option_key *key, const struct setting *spec)
{
	bool shell = key->role == IMAGE_ROLE_CODE && setting_boolean(entry->setting, "shell", false);
	const char *at = spec->text;

	do {
		enum image_arity arity = shell ? IMAGE_VALUE_NONE : key->arity;
		size_t size = strcspn(at, "|"), length = name_length(at, size, &arity);

		if (!size || size > 200)
			return complain(entry, spec, "is not an option's name, or several with \"|\" between them");
		set_option(entry, at, length, key, arity);
		at += size;
	} while (*at++);
	return true;
}

static bool add_options(struct entry *entry)
{
	for (size_t i = 0; i < sizeof(option_keys) / sizeof(option_keys[0]); i++)
		SETTING_EACH(spec, setting_member(entry->setting, option_keys[i].key))
	if (!add_option(entry, &option_keys[i], spec))
		return false;
	return true;
}

/* Options that change what operands are; another key of the entry says what they are themselves. */
static bool add_turns(struct entry *entry)
{
	static const struct {
		const char *key;
		uint32_t flag;
	} keys[] = {
		{"first", IMAGE_OPTION_FIRST},
		{"in_place", IMAGE_OPTION_CHANGES},
		{"symbolic", IMAGE_OPTION_LINKS},
		{"enters", IMAGE_OPTION_ENTERS},
		{"stays", IMAGE_OPTION_STAYS},
		{"target", IMAGE_OPTION_TARGET},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		SETTING_EACH(spec, setting_member(entry->setting, keys[i].key))
	for (const char *at = spec->text; *at;) {
		size_t size = strcspn(at, "|");

		if (!size)
			return complain(entry, spec, "has an empty name beside \"|\"");
		draft_option(entry->drafts->builder, &entry->sheet, at, size)->record.flags |= keys[i].flag;
		at += size;
		at += *at == '|';
	}
	return true;
}

/* `as`: behind "--" stand arguments for that program. */
static void add_as(struct entry *entry)
{
	const char *program = setting_text(entry->setting, "as", NULL);
	struct draft_option *option;

	if (!program)
		return;
	option = draft_option(entry->drafts->builder, &entry->sheet, "--", 2);
	option->record.role = IMAGE_ROLE_AS;
	option->patterns.count = 0;
	*(struct image_pattern *)draft_list_add(&option->patterns, sizeof(struct image_pattern)) =
		(struct image_pattern){builder_string(entry->drafts->builder, program), IMAGE_PATTERN_REFUSE};
}

static bool role_of(struct entry *entry, const struct setting *word, uint8_t *ret_role)
{
	for (size_t i = 0; i < sizeof(role_words) / sizeof(role_words[0]); i++) {
		if (!strcmp(role_words[i].word, word->text)) {
			*ret_role = (uint8_t)role_words[i].role;
			return true;
		}
	}
	return complain(entry, word, "is not a role of an operand (any data read write at edit actions source script "
				     "code command line door end words)");
}

/* The roles of the operands: spelt out, or what the list and `skip` say. */
static bool add_roles(struct entry *entry)
{
	const struct setting *given = setting_member(entry->setting, "roles");
	const struct setting *last = setting_member(entry->setting, "last");
	int64_t skip = setting_integer(entry->setting, "skip", 0);
	struct image_sheet *record = &entry->sheet.record;

	if (last && !role_of(entry, last, &record->role_final))
		return false;
	SETTING_EACH(word, given)
	{
		if (record->role_count == IMAGE_TOOL_ROLES)
			return complain(entry, word, "at most four roles can be told apart");
		if (!role_of(entry, word, &record->role[record->role_count++]))
			return false;
	}
	if (last && !given)
		record->role_count = 1; /* all but the last are whatever they look like */
	if (given || last || (entry->list != TOOL_LIST_INTERPRETERS && entry->list != TOOL_LIST_WRAPPERS))
		return true;
	while (skip-- > 0)
		record->role[record->role_count++] = IMAGE_ROLE_DATA;
	record->role[record->role_count++] =
		entry->list == TOOL_LIST_WRAPPERS ? IMAGE_ROLE_COMMAND : IMAGE_ROLE_SCRIPT;
	return true;
}

static void add_flags(struct entry *entry)
{
	struct image_sheet *record = &entry->sheet.record;

	for (size_t i = 0; i < sizeof(flag_keys) / sizeof(flag_keys[0]); i++)
		if (setting_boolean(entry->setting, flag_keys[i].key, false))
			record->flags |= flag_keys[i].flag;
	if (!setting_boolean(entry->setting, "clusters", true))
		record->flags |= IMAGE_TOOL_WHOLE;
	if (entry->list == TOOL_LIST_VARIABLES)
		add_patterns(entry, &entry->sheet.patterns, true);
	else if (record->role_count)
		add_patterns(entry, &entry->sheet.patterns, !(record->flags & IMAGE_TOOL_SHELL));
}

static bool read_sheet(struct entry *entry)
{
	if (!add_options(entry) || !add_turns(entry))
		return false;
	add_as(entry);
	if (entry->list != TOOL_LIST_VARIABLES && !add_roles(entry))
		return false;
	add_flags(entry);
	return entry->list != TOOL_LIST_DENY ||
	       compile_tool_shape(entry->drafts->builder, &entry->sheet, entry->setting, entry->failure);
}

bool compile_tool_entry(struct drafts *drafts, enum tool_list list, const struct setting *setting,
			struct failure *failure)
{
	struct entry entry = {.drafts = drafts, .list = list, .setting = setting, .failure = failure};
	bool good;
	uint32_t sheet;

	entry.sheet.record.origin = builder_origin(drafts->builder, setting->file, setting->line);
	entry.sheet.record.reason = builder_string(drafts->builder, setting_text(setting, "reason", NULL));
	good = find_tools(&entry) && read_sheet(&entry);
	sheet = draft_sheet_put(drafts->builder, &entry.sheet);
	for (size_t i = 0; good && i < entry.tool_count; i++)
		drafts_add_sheet(drafts, entry.tools[i], sheet, entry.sheet.record.flags);
	return good;
}
