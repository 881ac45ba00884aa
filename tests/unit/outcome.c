/* SPDX-License-Identifier: MIT */
/* Outcomes as statuses, and which limit a status tells of. */
#include "run/outcome.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>

#include "run/limits.h"

/* As wait() encodes them. */
#define EXITED(status) ((status) << 8)
#define KILLED(signal) (signal)

Test(outcome, has_statuses)
{
	static const struct {
		struct outcome outcome;
		int status, exit_code, signal;
	} rows[] = {
		{{.kind = OUTCOME_ENDED, .wait_status = EXITED(0)}, 0, 0, 0},
		{{.kind = OUTCOME_ENDED, .wait_status = EXITED(7)}, 7, 7, 0},
		{{.kind = OUTCOME_ENDED, .wait_status = EXITED(255)}, 255, 255, 0},
		{{.kind = OUTCOME_ENDED, .wait_status = KILLED(SIGKILL)}, 137, 137, SIGKILL},
		{{.kind = OUTCOME_ENDED, .wait_status = KILLED(SIGSEGV) | 0x80}, 139, 139, SIGSEGV},
		{{.kind = OUTCOME_DENIED}, 126, -100, 0},
		{{.kind = OUTCOME_TIMED_OUT, .wait_status = KILLED(SIGTERM)}, 124, -101, SIGTERM},
		{{.kind = OUTCOME_TIMED_OUT, .wait_status = EXITED(0)}, 124, -101, 0},
		{{.kind = OUTCOME_UNSTARTED, .error = ENOENT}, 127, 127, 0},
		{{.kind = OUTCOME_UNSTARTED, .error = EACCES}, 126, 126, 0},
		{{.kind = OUTCOME_UNSTARTED, .error = EAGAIN}, 125, 125, 0},
		{{.kind = OUTCOME_UNGUARDED, .wait_status = KILLED(SIGKILL)}, 125, 125, SIGKILL},
		{{.kind = OUTCOME_FAILED}, 125, 125, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_eq(outcome_status(&rows[i].outcome), rows[i].status, "row %zu", i);
		cr_expect_eq(outcome_exit_code(&rows[i].outcome), rows[i].exit_code, "row %zu", i);
		cr_expect_eq(outcome_signal(&rows[i].outcome), rows[i].signal, "row %zu", i);
	}
}

Test(outcome, tells_which_limit_ended_it)
{
	static const struct {
		struct policy_limits limits;
		int status;
		double used;
		enum rule rule;
	} rows[] = {
		{{.cpu_seconds = 1}, KILLED(SIGXCPU), 1.0, RULE_LIMIT_CPU},
		{{.cpu_seconds = 1}, EXITED(128 + SIGXCPU), 0.1, RULE_LIMIT_CPU},
		{{.cpu_seconds = 1}, KILLED(SIGKILL), 2.0, RULE_LIMIT_CPU},
		{{.cpu_seconds = 5}, KILLED(SIGKILL), 2.0, RULE_NONE},
		{{.cpu_seconds = 0}, KILLED(SIGXCPU), 9.0, RULE_NONE},
		{{.file_size_mb = 1}, KILLED(SIGXFSZ), 0, RULE_LIMIT_FILE_SIZE},
		{{.file_size_mb = 0}, KILLED(SIGXFSZ), 0, RULE_NONE},
		{{.cpu_seconds = 1, .file_size_mb = 1}, EXITED(0), 0.5, RULE_NONE},
		{{.cpu_seconds = 1}, EXITED(24), 0.5, RULE_NONE},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(limits_verdict(&rows[i].limits, rows[i].status, rows[i].used), rows[i].rule, "row %zu", i);
}
