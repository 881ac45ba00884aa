/* SPDX-License-Identifier: MIT */
/*
 * Report files from anywhere: whatever is in one, the summary stays inside its bounds, what people see holds no byte that acts,
 * the page holds no markup but its own, and masking leaves good lines good.
 */
#include "target.h"

#include "report/format.h"
#include "report/redact.h"

static struct event event;

/* The page's own markup holds these and no others. */
static void require_inert(const char *page, bool html)
{
	for (const char *at = page; *at != '\0'; at++)
		require((unsigned char)*at >= 0x20 || *at == '\n');
	if (!html)
		return;
	require(strstr(page, "<img") == NULL && strstr(page, "<script>") == NULL);
	require(strstr(page, "onerror=\"") == NULL);
}

static char *written(void (*format)(FILE *, const struct format_input *), const struct format_input *input)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	require(out != NULL);
	format(out, input);
	require(fclose(out) == 0);
	return text;
}

static void masked_is_still_good(const char *line, size_t length)
{
	static struct redact *redact;
	static struct event again;
	struct failure failure;
	char *buffer = malloc(REDACT_SIZE(length));
	size_t masked;

	if (redact == NULL)
		redact = redact_new(NULL, &failure);
	require(redact != NULL && buffer != NULL);
	masked = redact_line(redact, line, length, buffer);
	require(masked <= REDACT_SIZE(length));
	require(event_parse(&again, buffer, masked) == EVENT_GOOD);
	require(again.op == event.op || event.op == OP_COUNT);
	require(again.pid == event.pid && again.argc == event.argc);
	free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct summary *summary = summary_new();
	struct format_source source = {"fuzz\x1b", 0, 0, 0};
	struct format_input input = {summary, &source, 1};
	const char *at = (const char *)data, *end = at + size;
	char *page;

	require(summary != NULL);
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = newline ? (size_t)(newline - at) : (size_t)(end - at);

		source.lines++;
		if (length <= EVENT_LINE_MAX && event_parse(&event, at, length) == EVENT_GOOD) {
			masked_is_still_good(at, length);
			summary_take(summary, &event);
			source.good++;
		}
		at += length + 1;
	}
	summary_finish(summary);
	require(summary->lines == source.good);
	page = written(format_text, &input);
	require_inert(page, false);
	free(page);
	page = written(format_html, &input);
	require_inert(page, true);
	free(page);
	summary_free(summary);
	return 0;
}
