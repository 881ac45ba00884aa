/* SPDX-License-Identifier: MIT */
/* Violations and coverage gaps as SARIF 2.1.0, for code-scanning tools. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "report/json_text.h"

static const char *const rule_words[] = {
#define RULE(name, words) words,
#include "rules.def"
#undef RULE
};

struct sarif {
	const struct summary *summary;
	json_t *rules, *results;
	bool good;
};

/* The index of a rule in the driver's list; rules that this version does not know are added as they come. */
static json_int_t rule_index(struct sarif *sarif, const char *rule)
{
	size_t i, count = json_array_size(sarif->rules);

	for (i = 0; i < count; i++)
		if (strcmp(json_string_value(json_object_get(json_array_get(sarif->rules, i), "id")),
			   rule) ==
		    0)
			return (json_int_t)i;
	if (json_array_append_new(sarif->rules,
				  json_pack("{so s{so} s{ss}}", "id", json_text(rule),
					    "shortDescription", "text", json_text(rule),
					    "defaultConfiguration", "level", "error")) !=
	    0)
		sarif->good = false;
	return (json_int_t)i;
}

/* A path as a URI: percent-encoded but for what a path may hold. */
static json_t *path_uri(const char *path)
{
	static const char hexadecimal[] = "0123456789ABCDEF";
	char *uri = malloc(3 * strlen(path) + 1), *at = uri;
	json_t *value;

	if (uri == NULL)
		return NULL;
	for (; *path != '\0'; path++) {
		unsigned char byte = (unsigned char)*path;

		if (isalnum(byte) || strchr("-._~/!$&'()*+,;=@", byte) != NULL) {
			*at++ = (char)byte;
		} else {
			*at++ = '%';
			*at++ = hexadecimal[byte >> 4];
			*at++ = hexadecimal[byte & 15];
		}
	}
	*at = '\0';
	value = json_string(uri);
	free(uri);
	return value;
}

/*
 * Where a result is: the file that was touched, relative to the session's root when it lies inside, else the program
 * that asked. Tools show results that have a file in the repository; the others need a location all the same.
 */
static json_t *location(const struct sarif *sarif, const struct summary_violation *violation)
{
	const char *file = violation->target[0] == '/'    ? violation->target
			   : violation->subject[0] == '/' ? violation->subject
							  : violation->exe;
	json_t *artifact = json_object();

	for (uint32_t i = 0; i < table_count(&sarif->summary->sessions); i++) {
		const struct summary_session *session = table_at(&sarif->summary->sessions, i);
		size_t length = strlen(session->root);

		if (session->id != violation->session || length < 2 ||
		    strncmp(file, session->root, length) != 0 || file[length] != '/')
			continue;
		json_object_set_new(artifact, "uri", path_uri(file + length + 1));
		json_object_set_new(artifact, "uriBaseId", json_string("ROOT"));
		return json_pack("{s{so}}", "physicalLocation", "artifactLocation", artifact);
	}
	if (file[0] == '/') {
		json_t *path = path_uri(file);

		json_object_set_new(artifact, "uri",
				    json_sprintf("file://%s", path ? json_string_value(path) : ""));
		json_decref(path);
	} else {
		json_object_set_new(artifact, "uri", path_uri(file[0] ? file : "unknown"));
	}
	return json_pack("{s{so}}", "physicalLocation", "artifactLocation", artifact);
}

static json_t *message(const char *call, const char *subject, const char *reason)
{
	char *text = NULL;
	size_t size;
	json_t *value;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		return NULL;
	fprintf(out, "%s%s%s%s%s", call, call[0] ? " " : "", subject, reason[0] ? ": " : "", reason);
	value = fclose(out) == 0 ? json_text(text) : NULL;
	free(text);
	return value;
}

static void add(struct sarif *sarif, json_t *result)
{
	if (json_array_append_new(sarif->results, result) != 0)
		sarif->good = false;
}

static void add_violation(struct sarif *sarif, const struct summary_violation *violation)
{
	add(sarif,
	    json_pack("{so sI ss ss s{so} s[o] so s{so so sI sb so}}", "ruleId",
		      json_text(violation->rule), "ruleIndex", rule_index(sarif, violation->rule), "level",
		      violation->enforced ? "error" : "warning", "kind", "fail", "message", "text",
		      message(violation->call, violation->subject, violation->reason), "locations",
		      location(sarif, violation), "occurrenceCount", json_count(violation->count),
		      "properties", "program", json_text(violation->exe), "session",
		      json_text(violation->session), "pid", (json_int_t)violation->pid, "enforced",
		      violation->enforced, "time", json_time(violation->first)));
}

static void add_gap(struct sarif *sarif, const struct summary_gap *gap)
{
	json_t *uri = path_uri(gap->subject[0] ? gap->subject : "unknown");

	add(sarif, json_pack("{so sI ss ss s{so} s[{s{s{so}}}] so}", "ruleId", json_text(gap->rule),
			     "ruleIndex", rule_index(sarif, gap->rule), "level", "note", "kind", "fail",
			     "message", "text", message("not covered:", gap->subject, gap->reason),
			     "locations", "physicalLocation", "artifactLocation", "uri", uri,
			     "occurrenceCount", json_count(gap->count)));
}

bool format_sarif(FILE *out, const struct format_input *input)
{
	struct sarif sarif = {input->summary, json_array(), json_array(), true};
	uint32_t *order, count = summary_violations(input->summary, &order);
	json_t *document;

	for (size_t i = 1; i < sizeof(rule_words) / sizeof(rule_words[0]); i++)
		rule_index(&sarif, rule_words[i]);
	for (uint32_t i = 0; i < count; i++)
		add_violation(&sarif, table_at(&input->summary->violations, order[i]));
	for (uint32_t i = 0; i < table_count(&input->summary->gaps); i++)
		add_gap(&sarif, table_at(&input->summary->gaps, i));
	free(order);
	document = json_pack("{ss ss s[{s{s{ss so}} so ss}]}", "$schema",
			     "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
			     "runs", "tool", "driver", "name", "bridle", "rules", sarif.rules, "results",
			     sarif.results, "columnKind", "unicodeCodePoints");
	sarif.good = sarif.good && document != NULL && json_write(out, document, 0);
	json_decref(document);
	if (sarif.good)
		fputc('\n', out);
	return sarif.good;
}
