/* SPDX-License-Identifier: MIT */
/* The result object: its keys, their order and their types. */
#include "run/result.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *built(const struct result *result)
{
	json_t *object = result_build(result);
	char *text = json_dumps(object, JSON_COMPACT);

	json_decref(object);
	return text;
}

Test(result, of_a_command_that_ended)
{
	struct outcome outcome = {.kind = OUTCOME_ENDED, .wait_status = 3 << 8, .duration_ms = 12};
	struct capture output = {.file = -1}, error = {.file = -1};
	struct result result = {.outcome = &outcome, .output = &output, .error = &error, .session = "0123"};
	char *text;

	capture_add(&output, "hi\n", 3);
	text = built(&result);
	cr_expect_str_eq(text, "{\"exit_code\":3,\"stdout\":\"hi\\n\",\"stderr\":\"\",\"truncated\":false,"
			       "\"timed_out\":false,\"denied\":false,\"reason\":null,\"duration_ms\":12,\"rule\":null,"
			       "\"signal\":null,\"violations\":[],\"violation_count\":0,\"session\":\"0123\"}");
	free(text);
	capture_close(&output);
}

Test(result, of_a_refusal)
{
	struct outcome outcome = {.kind = OUTCOME_DENIED, .rule = RULE_NAME_DENYLIST};
	json_t *violations = json_pack("[{s:s}]", "verdict", "deny");
	struct result result = {.outcome = &outcome,
				.reason = "name.denylist: no \xff",
				.violations = violations,
				.violation_count = 1,
				.session = "0123"};
	char *text = built(&result);

	cr_expect(strstr(text, "\"exit_code\":-100,"));
	cr_expect(strstr(text, "\"denied\":true,\"reason\":\"name.denylist: no \xef\xbf\xbd\","));
	cr_expect(strstr(text, "\"rule\":\"name.denylist\",\"signal\":null,"
			       "\"violations\":[{\"verdict\":\"deny\"}],\"violation_count\":1,"));
	free(text);
	json_decref(violations);
}

Test(result, of_a_timeout_with_cut_output)
{
	struct outcome outcome = {.kind = OUTCOME_TIMED_OUT, .wait_status = 15, .rule = RULE_LIMIT_TIME};
	struct capture output = {.file = -1, .limit = 2};
	struct result result = {.outcome = &outcome, .output = &output, .session = "0123"};
	char *text;

	capture_add(&output, "abc", 3);
	text = built(&result);
	cr_expect(strstr(text, "\"exit_code\":-101,\"stdout\":\"ab\\n[bridle: output truncated at 2 bytes]\","));
	cr_expect(strstr(text, "\"truncated\":true,\"timed_out\":true,\"denied\":false,"));
	cr_expect(strstr(text, "\"rule\":\"limit.time\",\"signal\":15,"));
	free(text);
	capture_close(&output);
}

Test(result, is_one_line)
{
	json_t *object = json_pack("{s:s}", "stdout", "a\nb\n");
	char text[64] = "";
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert(result_write(object, ends[1]));
	close(ends[1]);
	cr_assert_gt(read(ends[0], text, sizeof(text) - 1), 0);
	cr_expect_str_eq(text, "{\"stdout\":\"a\\nb\\n\"}\n");
	close(ends[0]);
	json_decref(object);
}
