/* SPDX-License-Identifier: MIT */
/* Why a call was refused, in words that a person or a model can act on: what, which rule, from where, what to do. */
#include <string.h>

#include "check/operands.h"
#include "check/path.h"
#include "report/line.h"
#include "report/rules.h"
#include "report/text.h"

struct words {
	const char *id, *why, *hint;
};

#define RULE(name, word) [RULE_##name] = {.id = word},
static const struct words ids[RULE_COUNT] = {
#include "rules.def"
};
#undef RULE

/* why follows the subject: `"sudo" is a program that may not be started`. */
static const struct words explanations[RULE_COUNT] = {
	[RULE_NAME_DENYLIST] = {.why = "may not be started",
				.hint = "do it another way, or ask the user, who can take it out of names.deny"},
	[RULE_ARGV_INLINE] = {.why = "is given code to run on its command line",
			      .hint = "write the code to a file inside the root and run that file"},
	[RULE_ARGV_SHAPE] = {.why = "is a dangerous call", .hint = "use a narrower command, or ask the user"},
	[RULE_PATH_JAIL] = {.why = "is outside of the allowed folders",
			    .hint = "stay inside the project's root, or ask for it in paths."},
	[RULE_PATH_DENY] = {.why = "is shut by the policy",
			    .hint = "work without it, or ask the user, who can take it out of paths.deny"},
	[RULE_PATH_UNRESOLVED] = {.why = "leads to a place that cannot be determined",
				  .hint = "use an absolute path"},
	[RULE_STRUCTURE_METACHAR] = {.why = "holds characters that a shell would act on",
				     .hint = "give one plain command without ; | & < > ` $( )"},
	[RULE_STRUCTURE_DYNAMIC] = {.why = "starts a program whose name is only known when it runs",
				    .hint = "name the program plainly"},
	[RULE_STRUCTURE_MALFORMED] = {.why = "is not a well-formed command", .hint = "check the quoting"},
	[RULE_NETWORK_CONNECT] = {.why = "may not be connected to",
				  .hint = "use another address, or ask the user, who can add it to network.allow"},
	[RULE_NETWORK_BIND] = {.why = "may not be listened on",
			       .hint = "bind 127.0.0.1 or ::1, or ask the user, who can set network.bind"},
	[RULE_NETWORK_RESOLVE] = {.why = "may not be looked up",
				  .hint = "use another host, or ask the user, who can add it to network.allow"},
	[RULE_COVERAGE_STATIC] = {.why = "is a static program that cannot be guarded from inside",
				  .hint = "use a dynamically linked one"},
	[RULE_COVERAGE_SETID] = {.why = "runs with other rights than its caller and drops the guard",
				 .hint = "do it without set-id programs"},
	[RULE_COVERAGE_FOREIGN] = {.why = "is built for another system and cannot load the guard",
				   .hint = "use a native build"},
	[RULE_COVERAGE_UNLOADED] = {.why = "did not load the guard", .hint = "see `bridle doctor`"},
	[RULE_COVERAGE_RAW] = {.why = "goes around the guard", .hint = "use the ordinary way"},
	[RULE_INTEGRITY_PIN] = {.why = "is not the file that the policy pins", .hint = "restore it"},
	[RULE_LIMIT_TIME] = {.why = "ran out of time", .hint = "split the work, or raise limits.wall_seconds"},
	[RULE_LIMIT_OUTPUT] = {.why = "printed too much", .hint = "print less, or raise limits.output_bytes"},
	[RULE_LIMIT_CPU] = {.why = "used up its processor time", .hint = "raise limits.cpu_seconds"},
	[RULE_LIMIT_MEMORY] = {.why = "used up its memory", .hint = "raise limits.memory_mb"},
	[RULE_LIMIT_FILE_SIZE] = {.why = "wrote too large a file", .hint = "raise limits.file_size_mb"},
	[RULE_LIMIT_PROCESSES] = {.why = "started too many processes", .hint = "raise limits.processes"},
};

/* Where what was to be written lies in a folder that may be read. */
static const struct words read_only = {.why = "may be read but not written",
				       .hint = "write to another place, or ask for it in paths."};

#define SUBJECT_MOST 120 /* bytes of the subject that are repeated in the words */

const char *report_rule_word(uint8_t rule)
{
	return rule < RULE_COUNT ? ids[rule].id : "";
}

static void add_cut(struct text *text, const char *string)
{
	size_t size = strlen(string);

	text_bytes(text, string, size < SUBJECT_MOST ? size : SUBJECT_MOST);
	if (size > SUBJECT_MOST)
		text_add(text, "...");
}

static const char *element_of(const struct request *request, const struct decision *decision)
{
	size_t element = (size_t)decision->element;

	return request->argv && decision->element >= 0 && element < request->argc ? request->argv[element] : NULL;
}

/* The program that the rule is about, behind its wrappers. */
static const char *program_of(const struct image *image, const struct request *request)
{
	if (!request->argv || !request->argc)
		return request->subject;
	return request->argv[image ? check_unwrap(image, request->argv, request->argc) : 0];
}

static const char *subject_of(const struct image *image, const struct request *request,
			      const struct decision *decision)
{
	const char *element = element_of(request, decision);

	switch (decision->rule) {
	case RULE_NAME_DENYLIST:
	case RULE_STRUCTURE_METACHAR:
	case RULE_STRUCTURE_MALFORMED:
		if (element)
			return element;
		break;
	case RULE_ARGV_SHAPE:
	case RULE_ARGV_INLINE: /* never the code */
		return program_of(image, request);
	}
	if (request->path && decision->rule != RULE_NAME_DENYLIST)
		return request->path;
	return request->subject ? request->subject : request->argv && request->argc ? request->argv[0]
										    : NULL;
}

static void add_quoted(struct text *text, const char *string)
{
	text_add(text, "\"");
	add_cut(text, string ? string : "");
	text_add(text, "\"");
}

static void add_subject(struct text *text, const struct image *image, const struct request *request,
			const struct decision *decision)
{
	const struct address *address = request->address;
	const char *subject = subject_of(image, request, decision), *element = element_of(request, decision);

	if (address && (address->family == REPORT_INET || address->family == REPORT_INET6)) {
		bool six = address->family == REPORT_INET6;

		text_add(text, six ? "[" : "");
		report_address(text, address);
		text_add(text, six ? "]:" : ":");
		text_number(text, address->port);
		if (address->host) {
			text_add(text, " (");
			add_cut(text, address->host);
			text_add(text, ")");
		}
		return;
	}
	add_quoted(text, subject);
	if (decision->rule == RULE_ARGV_SHAPE && element && element != subject) {
		text_add(text, " with ");
		add_quoted(text, element);
	}
}

/* `"/a" may not be moved or replaced as a whole, as a rule on "/a/b" lies below it` */
static void add_why(struct text *text, const struct image *image, const struct words *words,
		    const struct decision *decision)
{
	if (!decision->below || !image) {
		text_add(text, words->why ? words->why : "is refused");
		return;
	}
	text_add(text, "may not be moved or replaced as a whole: a rule on ");
	add_quoted(text, image_string(image, decision->reason));
	text_add(text, " lies below it");
}

static const char *hint_of(const struct image *image, const struct words *words, const struct decision *decision)
{
	if (decision->below)
		return "move what else lies in it one by one, or ask the user, who can change that rule";
	if (image && decision->reason)
		return image_string(image, decision->reason);
	return words->hint ? words->hint : "ask the user";
}

static void add_origin(struct text *text, const struct image *image, const struct decision *decision)
{
	const struct image_origin *origin;

	text_add(text, " (rule ");
	text_add(text, report_rule_word(decision->rule));
	if (image && decision->origin) {
		origin = &image_origins(image)[decision->origin - 1];
		text_add(text, ", ");
		add_cut(text, image_string(image, origin->file));
		text_add(text, ":");
		text_number(text, origin->line);
	}
	text_add(text, ")");
}

static const struct words *words_for(const struct image *image, const struct request *request,
				     const struct decision *decision)
{
	struct decision reading;

	if (decision->rule == RULE_PATH_JAIL && request->op == OP_WRITE && image && request->path) {
		reading = check_path(image, OP_READ, request->path, request->path_length);
		if (!reading.denied && !reading.listed)
			return &read_only;
	}
	return &explanations[decision->rule < RULE_COUNT ? decision->rule : RULE_NONE];
}

size_t report_reason(char *buffer, size_t size, const struct image *image, const struct request *request,
		     const struct decision *decision)
{
	struct text text = {.at = buffer, .end = buffer + size - 1};
	const struct words *words = words_for(image, request, decision);

	if (decision->rule != RULE_NONE) {
		add_subject(&text, image, request, decision);
		text_add(&text, " ");
		add_why(&text, image, words, decision);
		add_origin(&text, image, decision);
		text_add(&text, ": ");
		text_add(&text, hint_of(image, words, decision));
		if (decision->rule == RULE_PATH_JAIL && !decision->below)
			text_add(&text, request->op == OP_WRITE || request->op == OP_CONNECT || request->op == OP_BIND
						? "write"
						: "read");
	}
	*text.at = '\0';
	return (size_t)(text.at - buffer);
}
