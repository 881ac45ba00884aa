/* SPDX-License-Identifier: MIT */
/*
 * One decision as one JSON line. Every field has room of its own, and what closes the line has room kept for it: a
 * long path or argv is cut inside its field and never costs the verdict or the rule.
 */
#include "report/line.h"

#include <string.h>

#include "check/operands.h"
#include "report.h"
#include "report/rules.h"
#include "report/sha256.h"
#include "report/text.h"

#define KEPT_FOR_VERDICT 640 /* bytes: verdict, enforced, rule, reason, errno, outcome, cut */
#define REASON_SIZE 400
#define ENDING ",\"cut\":true}\n"
#define ERRNO_ROOM 56   /* errno and outcome */
#define ADDRESS_ROOM 96 /* addr, port and family, each as long as it can be */

/* The line being written; limit is where the present part must end. */
struct line {
	struct text text;
	bool cut;
};

static const char *const op_words[OP_COUNT] = {
#define OP(name, word) [OP_##name] = word,
#include "ops.def"
#undef OP
};

static const char *const change_words[CHANGE_COUNT] = {
	[CHANGE_CREATE] = "create",
	[CHANGE_REMOVE] = "remove",
	[CHANGE_NONE] = "none",
};

static size_t space(const struct line *line)
{
	return (size_t)(line->text.end - line->text.at);
}

static void settle(struct line *line)
{
	line->cut = line->cut || line->text.cut;
	line->text.cut = false;
}

#define WORD(number) #number
#define WORD_OF(number) WORD(number)
#define VERSION WORD_OF(REPORT_VERSION)

/* A field's name, a literal, and what stands around it. */
#define KEY(name) ",\"" name "\":"

/* What stands between quotes, in at most `most` bytes with both of them; the first one is written. */
static void quoted_rest(struct line *line, const char *bytes, size_t size, size_t most)
{
	char *end = line->text.end;

	if (most > space(line) + 1)
		most = space(line) + 1;
	line->text.end = line->text.at + most - 2;
	text_json(&line->text, bytes, size);
	settle(line);
	line->text.end = end;
	text_add(&line->text, "\"");
}

/* A string between quotes in at most `most` bytes. */
static void quoted(struct line *line, const char *bytes, size_t size, size_t most)
{
	text_add(&line->text, "\"");
	quoted_rest(line, bytes, size, most);
}

/* Inline, as what opens a field is a literal of known size. */
static inline __attribute__((always_inline)) void named(struct line *line, const char *opening, size_t opening_size,
							const char *value, size_t most)
{
	if (!value)
		return;
	if (space(line) < opening_size + 20) {
		line->cut = true;
		return;
	}
	text_bytes(&line->text, opening, opening_size);
	quoted_rest(line, value, strlen(value), most);
}

/* field(line, "name", value, most): nothing where value is NULL. */
#define field(line, name, value, most) named(line, KEY(name) "\"", sizeof(KEY(name) "\"") - 1, value, most)

/* One of our own words, in which nothing is to be escaped; for NULL nothing. */
static inline __attribute__((always_inline)) void named_word(struct line *line, const char *opening, size_t opening_size,
							     const char *word)
{
	size_t size = word ? strlen(word) : 0;

	if (!word)
		return;
	if (space(line) < opening_size + size + 1) {
		line->cut = true;
		return;
	}
	text_bytes(&line->text, opening, opening_size);
	text_bytes(&line->text, word, size);
	text_add(&line->text, "\"");
}

#define word_field(line, name, word) named_word(line, KEY(name) "\"", sizeof(KEY(name) "\"") - 1, word)

#define number_field(line, name, value) (text_add(&(line)->text, KEY(name)), text_number(&(line)->text, value))

static void write_who(struct line *line, const struct report_context *context)
{
	text_add(&line->text, "{\"v\":" VERSION);
	number_field(line, "ts", context->seconds);
	text_add(&line->text, ".");
	text_digits(&line->text, (uint32_t)context->microseconds, 6);
	field(line, "session", context->session, 140);
	number_field(line, "pid", context->pid);
	number_field(line, "ppid", context->ppid);
	number_field(line, "tid", context->tid);
	field(line, "exe", context->exe, space(line) / 4);
	word_field(line, "via", context->via);
}

/* What stands in place of inline code. */
static void hidden(struct line *line, const char *code)
{
	char hash[SHA256_TEXT];
	size_t size = strlen(code);

	sha256_text(hash, code, size);
	text_add(&line->text, "[");
	text_number(&line->text, (int64_t)size);
	text_add(&line->text, " bytes, sha256 ");
	text_add(&line->text, hash);
	text_add(&line->text, "]");
}

#define CODES 8
#define LONG_WORD 256 /* bytes: what is longer and neither a program nor a path may be anything, a letter or a key */

/* Where argv holds code: "-c" "CODE", "-cCODE", "--eval=CODE", a line for a shell. Long words are hidden like code. */
struct codes {
	struct {
		size_t element, start, length;
	} at[CODES];
	size_t count;
	size_t paths[CODES]; /* elements that are long and known to name a file */
	size_t path_count;
	char *const *argv;
	bool shown; /* content = true: nothing is hidden */
};

static bool note_code(void *context, const struct operand *operand)
{
	struct codes *codes = context;
	bool file = operand->kind == OPERAND_PROGRAM || operand->kind == OPERAND_READ || operand->kind == OPERAND_LOOK ||
		    operand->kind == OPERAND_STATUS || operand->kind == OPERAND_WRITE || operand->kind == OPERAND_MOVE;

	if (file && operand->length > LONG_WORD / 2 && codes->path_count < CODES)
		codes->paths[codes->path_count++] = operand->element;
	if (operand->kind != OPERAND_CODE && operand->kind != OPERAND_SHELL)
		return true;
	codes->at[codes->count].element = operand->element;
	codes->at[codes->count].start = (size_t)(operand->text - codes->argv[operand->element]);
	codes->at[codes->count].length = operand->length;
	return ++codes->count < CODES;
}

static bool is_path(const struct codes *codes, size_t index)
{
	for (size_t i = 0; i < codes->path_count; i++)
		if (codes->paths[i] == index)
			return true;
	return false;
}

/* Bytes of an element that names no file and may be shown: all of a short one; of a long one the option's name. */
static size_t shown_of_word(const char *element, size_t size)
{
	const char *equals;

	if (size <= LONG_WORD)
		return size;
	equals = element[0] == '-' ? memchr(element, '=', LONG_WORD) : NULL;
	return equals ? (size_t)(equals - element) + 1 : 0;
}

/*
 * The element as it may be shown: up to where code starts, and after it. When there is more code than we keep track of,
 * everything behind the last piece that we know counts as code.
 */
static void write_element(struct line *line, const struct request *request, const struct codes *codes, size_t index)
{
	const char *element = request->argv[index];
	size_t size = strlen(element), start = size;
	bool lost_track = codes->count == CODES && index > codes->at[CODES - 1].element;

	for (size_t i = 0; i < codes->count && start == size; i++)
		if (codes->at[i].element == index && codes->at[i].start <= size)
			start = codes->at[i].start;
	if (start == size && !codes->shown && !is_path(codes, index))
		start = shown_of_word(element, size);
	start = lost_track ? 0 : start;
	quoted(line, element, start, space(line) - 1);
	if (start == size)
		return;
	line->text.at--; /* the closing quote comes after the hash */
	hidden(line, element + start);
	text_add(&line->text, "\"");
}

static void write_argv(struct line *line, const struct image *image, const struct request *request)
{
	struct codes codes = {.argv = request->argv, .shown = image->flags & IMAGE_CONTENT};

	if (!request->argv)
		return;
	if (!codes.shown)
		check_operands(image, request->argv, request->argc, note_code, &codes);
	text_add(&line->text, KEY("argv") "[");
	for (size_t i = 0; i < request->argc && !line->cut; i++) {
		if (space(line) < 128) {
			line->cut = true;
			break;
		}
		if (i)
			text_add(&line->text, ",");
		write_element(line, request, &codes, i);
	}
	text_add(&line->text, "]");
}

static void write_hex_group(struct text *text, unsigned value)
{
	char digits[4];
	size_t count = 0;

	for (int shift = 12; shift >= 0; shift -= 4)
		if (value >> shift || shift == 0)
			digits[count++] = "0123456789abcdef"[value >> shift & 0xf];
	text_bytes(text, digits, count);
}

void report_address(struct text *text, const struct address *address)
{
	const uint8_t *bytes = address->bytes;
	unsigned best = 8, longest = 1;

	if (address->family == REPORT_INET) {
		for (unsigned i = 0; i < 4; i++) {
			text_add(text, i ? "." : "");
			text_number(text, bytes[i]);
		}
		return;
	}
	for (unsigned i = 0; i < 8; i++) {
		unsigned run = 0;

		while (i + run < 8 && !bytes[2 * (i + run)] && !bytes[2 * (i + run) + 1])
			run++;
		if (run > longest) {
			best = i;
			longest = run;
		}
	}
	for (unsigned i = 0; i < 8; i++) {
		if (i == best) {
			text_add(text, "::");
			i += longest - 1;
			continue;
		}
		if (i && i != best + longest)
			text_add(text, ":");
		write_hex_group(text, (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1]);
	}
}

static void write_address(struct line *line, const struct address *address)
{
	const char *family = address->family == REPORT_INET    ? "inet"
			     : address->family == REPORT_INET6 ? "inet6"
							       : "other";

	if (space(line) < ADDRESS_ROOM) {
		line->cut = true;
		return;
	}
	if (address->family == REPORT_INET || address->family == REPORT_INET6) {
		text_add(&line->text, KEY("addr") "\"");
		report_address(&line->text, address);
		text_add(&line->text, "\"");
		number_field(line, "port", address->port);
	}
	word_field(line, "family", family);
	field(line, "host", address->host, 280);
}

static void write_subject(struct line *line, const struct image *image, const struct request *request)
{
	const char *subject = request->subject, *path = request->path;
	bool differs = path && (!subject || strcmp(subject, path) != 0);

	word_field(line, "call", request->call);
	word_field(line, "op", op_words[request->op]);
	word_field(line, "change", change_words[request->change]);
	if (request->op == OP_RESOLVE) {
		field(line, "host", subject, 280);
		return;
	}
	field(line, "path", subject ? subject : path, space(line) / (differs || request->argv ? 3 : 1));
	if (differs && subject)
		field(line, "target", path, space(line) / (request->argv ? 2 : 1));
	write_argv(line, image, request);
	if (request->address)
		write_address(line, request->address);
}

static void write_verdict(struct line *line, const struct image *image, const struct request *request,
			  const struct decision *decision, const struct report_context *context)
{
	char reason[REASON_SIZE];

	word_field(line, "verdict", decision->denied ? "deny" : "allow");
	if (decision->denied && !context->enforced)
		text_add(&line->text, ",\"enforced\":false");
	if (decision->rule != RULE_NONE) {
		word_field(line, "rule", report_rule_word(decision->rule));
		report_reason(reason, sizeof(reason), image, request, decision);
		field(line, "reason", reason, space(line) - ERRNO_ROOM);
	}
	word_field(line, "errno", context->errno_name);
	if (context->outcome)
		text_add(&line->text, ",\"outcome\":true");
}

size_t report_line(char *buffer, size_t size, const struct image *image, const struct request *request,
		   const struct decision *decision, const struct report_context *context)
{
	char *closing = buffer + size - (sizeof(ENDING) - 1);
	struct line line = {.text = {.at = buffer, .end = closing - KEPT_FOR_VERDICT}};

	write_who(&line, context);
	write_subject(&line, image, request);
	settle(&line);
	line.text.end = closing;
	write_verdict(&line, image, request, decision, context);
	settle(&line);
	line.text.end = buffer + size;
	text_add(&line.text, line.cut ? ENDING : "}\n");
	return (size_t)(line.text.at - buffer);
}
