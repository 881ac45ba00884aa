/* SPDX-License-Identifier: MIT */
/* event_parse: what is read from a report line, and what is not taken for one. */
#include "report/event.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static struct event event;

static enum event_result parse(const char *line)
{
	return event_parse(&event, line, strlen(line));
}

Test(report_event, reads_every_key)
{
	cr_assert_eq(parse("{\"v\":1,\"ts\":1764521055.123456,\"session\":\"5e\",\"pid\":7,\"ppid\":6,\"tid\":8,"
			   "\"exe\":\"/bin/x\",\"via\":\"shim\",\"call\":\"connect\",\"op\":\"connect\","
			   "\"path\":\"p\",\"target\":\"/p\",\"argv\":[\"a\",\"b c\"],\"addr\":\"::1\",\"port\":443,"
			   "\"family\":\"inet6\",\"host\":\"h\",\"verdict\":\"deny\",\"enforced\":false,"
			   "\"rule\":\"network.connect\",\"reason\":\"no\",\"errno\":\"EACCES\",\"cut\":true}"),
		     EVENT_GOOD);
	cr_expect_eq(event.time, 1764521055123456);
	cr_expect(event.pid == 7 && event.ppid == 6 && event.tid == 8 && event.port == 443);
	cr_expect_eq(event.op, OP_CONNECT);
	cr_expect_eq(event.verdict, EVENT_DENY);
	cr_expect(!event.enforced && event.cut && event_went_through(&event));
	cr_expect_str_eq(event.session, "5e");
	cr_expect_str_eq(event.exe, "/bin/x");
	cr_expect_str_eq(event.call, "connect");
	cr_expect_str_eq(event.path, "p");
	cr_expect_str_eq(event_file(&event), "/p");
	cr_expect_str_eq(event.addr, "::1");
	cr_expect_str_eq(event.host, "h");
	cr_expect_str_eq(event.rule, "network.connect");
	cr_expect_str_eq(event.error, "EACCES");
	cr_assert_eq(event.argc, 2);
	cr_expect_str_eq(event.argv[1], "b c");
}

Test(report_event, leaves_nothing_of_the_line_before)
{
	parse("{\"v\":1,\"op\":\"exec\",\"argv\":[\"a\"],\"rule\":\"r\",\"verdict\":\"deny\",\"enforced\":false}");
	cr_assert_eq(parse("{\"v\":1,\"op\":\"read\"}"), EVENT_GOOD);
	cr_expect_eq(event.argc, 0);
	cr_expect_str_eq(event.rule, "");
	cr_expect_eq(event.verdict, EVENT_NOTICE);
	cr_expect(event.enforced);
	cr_expect_eq(event.exit_code, EVENT_NO_EXIT);
}

static const struct {
	const char *line;
	enum event_result result;
} results[] = {
	{"{\"v\":1,\"op\":\"read\"}", EVENT_GOOD},
	{" { \"v\" : 1 , \"op\" : \"read\" } \r", EVENT_GOOD},
	{"{\"v\":1,\"op\":\"flying\"}", EVENT_GOOD},
	{"{\"v\":1,\"op\":\"read\",\"new\":{\"a\":[1,{\"b\":null}],\"c\":true}}", EVENT_GOOD},
	{"{\"v\":1,\"op\":\"read\",\"pid\":\"seven\",\"argv\":7,\"path\":[\"x\"],\"cut\":null}", EVENT_GOOD},
	{"{\"v\":1,\"op\":\"exec\",\"argv\":[\"a\",3,null,[\"b\"]]}", EVENT_GOOD},
	{"", EVENT_BLANK},
	{" \t", EVENT_BLANK},
	{"{\"v\":2,\"op\":\"read\"}", EVENT_NEWER},
	{"{}", EVENT_FOREIGN},
	{"{\"op\":\"read\"}", EVENT_FOREIGN},
	{"{\"v\":1}", EVENT_FOREIGN},
	{"[]", EVENT_BROKEN},
	{"x", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"read\"", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"read\"}}", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"read\",}", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"read", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"a\tb\"}", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"\\x\"}", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"\\u12g4\"}", EVENT_BROKEN},
	{"{\"v\":01,\"op\":\"read\"}", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"read\",\"x\":tru}", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"read\",\"x\":[1 2]}", EVENT_BROKEN},
	{"{\"v\":1,\"op\":\"read\",\"x\":[1}", EVENT_BROKEN},
};

Test(report_event, tells_good_lines_from_others)
{
	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		cr_expect_eq(parse(results[i].line), results[i].result, "%s", results[i].line);
}

Test(report_event, refuses_nesting_without_end)
{
	char line[4096] = "{\"v\":1,\"op\":\"read\",\"x\":";
	size_t length = strlen(line);

	memset(line + length, '[', sizeof(line) - length);
	cr_expect_eq(event_parse(&event, line, sizeof(line)), EVENT_BROKEN);
}

static const struct {
	const char *json, *text;
} strings[] = {
	{"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t"},
	{"\\u00e9\\u20ac", "é€"},
	{"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
	{"\\ud83dx", "\xef\xbf\xbdx"},
	{"\\ud83d\\u0041", "\xef\xbf\xbd"
			   "A"},
	{"\\ude00", "\xef\xbf\xbd"},
	{"a\\u0000b", "a\xef\xbf\xbd"
		      "b"},
	{"\xff\xc3", "\xef\xbf\xbd\xef\xbf\xbd"},
	{"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
	{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
};

Test(report_event, decodes_strings)
{
	char line[256];

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		snprintf(line, sizeof(line), "{\"v\":1,\"op\":\"read\",\"path\":\"%s\"}", strings[i].json);
		cr_assert_eq(parse(line), EVENT_GOOD, "%s", line);
		cr_expect_str_eq(event.path, strings[i].text, "%s", line);
	}
}

static const struct {
	const char *json;
	int64_t time;
} times[] = {
	{"0", 0},
	{"1.5", 1500000},
	{"1.1234567", 1123456},
	{"1e3", 1000000000},
	{"-2.5", 0},
	{"253402300799", 253402300799000000},
	{"1764521055.000001", 1764521055000001},
	{"1e300", 0},
	{"99999999999999999999999", 0},
};

Test(report_event, reads_numbers)
{
	char line[256];

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		snprintf(line, sizeof(line), "{\"v\":1,\"op\":\"read\",\"ts\":%s}", times[i].json);
		cr_assert_eq(parse(line), EVENT_GOOD, "%s", line);
		cr_expect_eq(event.time, times[i].time, "%s", line);
	}
	cr_assert_eq(parse("{\"v\":1,\"op\":\"read\",\"pid\":1e30,\"ppid\":-7,\"port\":65536,\"lost\":1e300,\"status\":-2}"),
		     EVENT_GOOD);
	cr_expect(event.pid == 0 && event.ppid == 0 && event.port == 0);
	cr_expect(event.lost == INT64_MAX / 1000000 && event.exit_code == -2);
}

/* A string of what makes JSON strings hard, by a fixed sequence. */
static json_t *difficult_string(uint32_t *state)
{
	static const uint32_t points[] = {'a', '"', '\\', '\n', 1, 0x7f, 0xe9, 0x20ac, 0x1f600, '/'};
	char text[256];
	size_t length = 0, count = *state % 40;

	for (size_t i = 0; i < count; i++) {
		*state = *state * 1664525 + 1013904223;
		uint32_t code = points[(*state >> 16) % 10];

		length += code < 0x80 ? 1 : code < 0x800 ? 2
				    : code < 0x10000     ? 3
							 : 4;
		if (code < 0x80)
			text[length - 1] = (char)code;
		else if (code == 0xe9)
			memcpy(text + length - 2, "é", 2);
		else if (code == 0x20ac)
			memcpy(text + length - 3, "€", 3);
		else
			memcpy(text + length - 4, "\xf0\x9f\x98\x80", 4);
	}
	*state = *state * 1664525 + 1013904223;
	return json_stringn(text, length);
}

Test(report_event, agrees_with_another_json_library)
{
	uint32_t state = 1;

	for (int i = 0; i < 2000; i++) {
		json_t *path = difficult_string(&state);
		json_t *line = json_pack("{si ss so sf si}", "v", 1, "op", "read", "path", path, "x", 1.25e-3,
					 "pid", (int)(state >> 8));
		char *text = json_dumps(line, (state & 1024 ? JSON_ENSURE_ASCII : 0) | (state & 2048 ? JSON_INDENT(1) : 0));

		cr_assert_eq(parse(text), EVENT_GOOD, "%s", text);
		cr_assert_str_eq(event.path, json_string_value(path), "%s", text);
		cr_assert_eq(event.pid, json_integer_value(json_object_get(line, "pid")));
		for (size_t cut = 0; cut < strlen(text); cut++)
			cr_assert_neq(event_parse(&event, text, cut), EVENT_GOOD, "%.*s", (int)cut, text);
		free(text);
		json_decref(line);
	}
}
