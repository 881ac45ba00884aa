/* SPDX-License-Identifier: MIT */
/* The process tree, from pids and exec lines. */
#include "report/process.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_case.h"

#define READ(pid, ppid, exe)                                                                                    \
	"{\"ts\":1,\"pid\":" #pid ",\"ppid\":" #ppid ",\"exe\":\"" exe "\",\"via\":\"shim\",\"call\":\"open\"," \
	"\"op\":\"read\",\"path\":\"/x\",\"verdict\":\"allow\"}"
#define EXEC(pid, ppid, exe, call, target, argument, more)                                                          \
	"{\"ts\":2,\"pid\":" #pid ",\"ppid\":" #ppid ",\"exe\":\"" exe "\",\"via\":\"shim\",\"call\":\"" call "\"," \
	"\"op\":\"exec\",\"path\":\"" target "\",\"argv\":[\"" target "\",\"" argument "\"]," more "}"
#define ALLOW "\"verdict\":\"allow\""
#define DENY "\"verdict\":\"deny\",\"rule\":\"r\""
#define AUDIT DENY ",\"enforced\":false"

/* The tree on one line: "a(b c)"; a command line, else the program, then ! refused, ? unheard of, + let through. */
static void draw(const struct processes *processes, uint32_t at, char *text, size_t size)
{
	for (; at != INDEX_NONE; at = processes->items[at].next) {
		const struct process *process = &processes->items[at];

		snprintf(text + strlen(text), size - strlen(text), "%s%s%s",
			 text[0] && text[strlen(text) - 1] != '(' ? ", " : "",
			 process->command[0] ? process->command : process->exe,
			 process->stopped ? "!" : !process->ran ? "?"
					  : process->refused[0] ? "+"
								: "");
		if (process->first == INDEX_NONE)
			continue;
		strcat(text, "(");
		draw(processes, process->first, text, size);
		strcat(text, ")");
	}
}

static void expect(const char *const *lines, const char *wanted)
{
	struct summary *summary = test_summary(lines);
	char text[4096] = "";
	int depth = 0, steps = 0;

	draw(&summary->processes, summary->processes.first, text, sizeof(text));
	cr_expect_str_eq(text, wanted);
	for (uint32_t at = INDEX_NONE;
	     (at = processes_walk(&summary->processes, at, &depth)) != INDEX_NONE;)
		steps++;
	cr_expect_eq(steps, (int)summary->processes.count, "the walk visits each once");
	summary_free(summary);
}

#define EXPECT(wanted, ...) expect((const char *const[]){__VA_ARGS__, NULL}, wanted)

Test(report_process, exec_replaces_and_fork_adds)
{
	EXPECT("/sh", READ(2, 1, "/sh"));
	EXPECT("/sh(/cc c)", READ(2, 1, "/sh"), EXEC(3, 2, "/sh", "execve", "/cc", "c", ALLOW));
	EXPECT("/sh(/cc c)", READ(2, 1, "/sh"), EXEC(3, 2, "/sh", "execve", "/cc", "c", ALLOW),
	       READ(3, 2, "/cc"));
	EXPECT("/sh(/sh)", READ(2, 1, "/sh"), READ(3, 2, "/sh"));
	EXPECT("/b y", EXEC(2, 1, "/sh", "execve", "/a", "x", ALLOW), EXEC(2, 1, "/a", "execvp", "/b", "y", ALLOW));
}

Test(report_process, spawned_children_are_known_by_their_program)
{
	EXPECT("/py(/cc c?)", READ(2, 1, "/py"), EXEC(2, 1, "/py", "posix_spawn", "/cc", "c", ALLOW));
	EXPECT("/py(/cc c)", READ(2, 1, "/py"), EXEC(2, 1, "/py", "posix_spawn", "/cc", "c", ALLOW),
	       READ(3, 2, "/cc"));
	EXPECT("/py(/cc c, /ld l)", READ(2, 1, "/py"), EXEC(2, 1, "/py", "posix_spawn", "/cc", "c", ALLOW),
	       EXEC(2, 1, "/py", "system", "/ld", "l", ALLOW), READ(4, 2, "/ld"), READ(3, 2, "/cc"));
	/* a script runs its interpreter; a fork of the parent is no spawned child */
	EXPECT("/py(/t.sh s)", READ(2, 1, "/py"), EXEC(2, 1, "/py", "posix_spawn", "/t.sh", "s", ALLOW),
	       READ(3, 2, "/sh"));
	EXPECT("/py(/cc c?, /py)", READ(2, 1, "/py"), EXEC(2, 1, "/py", "posix_spawn", "/cc", "c", ALLOW),
	       READ(3, 2, "/py"));
}

Test(report_process, refused_programs_are_shown_once)
{
	EXPECT("/py(/su x!)", READ(2, 1, "/py"), EXEC(3, 2, "/py", "execve", "/su", "x", DENY));
	EXPECT("/py(/su x!)", READ(2, 1, "/py"), EXEC(2, 1, "/py", "posix_spawn", "/su", "x", DENY),
	       EXEC(2, 1, "/py", "posix_spawn", "/su", "x", DENY));
	EXPECT("/py(/ok y)", READ(2, 1, "/py"), EXEC(3, 2, "/py", "execve", "/su", "x", DENY),
	       EXEC(3, 2, "/py", "execve", "/ok", "y", ALLOW));
	EXPECT("/py(/su x+)", READ(2, 1, "/py"), EXEC(3, 2, "/py", "execve", "/su", "x", AUDIT));
}

#define LAUNCH(target, argument, more)                                                                 \
	"{\"ts\":1,\"pid\":1,\"ppid\":0,\"exe\":\"/bridle\",\"via\":\"launcher\",\"call\":\"execve\"," \
	"\"op\":\"exec\",\"path\":\"" target "\",\"argv\":[\"" target "\",\"" argument "\"]," more "}"

Test(report_process, a_silent_command_has_its_descendants_beneath_it)
{
	/* a static shell forks without a line of its own, and may speak last */
	EXPECT("/sh s(/cc c)", LAUNCH("/sh", "s", ALLOW), EXEC(3, 2, "/sh", "execve", "/cc", "c", ALLOW),
	       READ(2, 1, "/sh"));
	EXPECT("/sh s?(/cc c)", LAUNCH("/sh", "s", ALLOW), EXEC(3, 2, "/sh", "execve", "/cc", "c", ALLOW));
	EXPECT("/sh s(/cc c)", LAUNCH("/sh", "s", ALLOW), READ(2, 1, "/sh"), EXEC(3, 2, "/sh", "execve", "/cc", "c", ALLOW));
	/* what is refused in the command is a part of it */
	EXPECT("/sh s+", LAUNCH("/su", "x", AUDIT), LAUNCH("/sh", "s", ALLOW), READ(2, 1, "/sh"));
}

Test(report_process, a_chain_of_programs_keeps_its_first)
{
	struct summary *summary = test_summary((const char *const[]){
		EXEC(2, 1, "/sh", "execve", "/a", "x", AUDIT), EXEC(2, 1, "/a", "execve", "/b", "y", ALLOW),
		EXEC(2, 1, "/b", "execve", "/c", "z", ALLOW), EXEC(2, 1, "/c", "execve", "/no", "n", ALLOW),
		EXEC(2, 1, "/c", "execve", "/no", "n", ALLOW ",\"errno\":\"ENOENT\",\"outcome\":true"), NULL});
	const struct process *process = &summary->processes.items[0];

	cr_expect_str_eq(process->earlier, "/a x");
	cr_expect_str_eq(process->command, "/c z");
	cr_expect_str_eq(process->refused, "r");
	summary_free(summary);
}

Test(report_process, a_pid_may_come_again)
{
	/* with another living parent it is another process; under a reaper it is still the same */
	EXPECT("/a(/x), /b(/x)", READ(2, 1, "/a"), READ(3, 1, "/b"), READ(9, 2, "/x"), READ(9, 3, "/x"));
	EXPECT("/a(/x)", READ(2, 1, "/a"), READ(9, 2, "/x"), READ(9, 1, "/x"));
}

Test(report_process, stays_bounded)
{
	struct summary *summary = summary_new();
	struct event *event = malloc(sizeof(*event));
	char line[256];
	uint64_t calls = 0;

	for (int pid = 2; pid < 100000; pid++) {
		snprintf(line, sizeof(line),
			 "{\"v\":1,\"op\":\"read\",\"path\":\"/x\",\"pid\":%d,\"ppid\":%d,\"exe\":\"/x%d\","
			 "\"verdict\":\"allow\"}",
			 pid, pid / 2, pid);
		cr_assert_eq(event_parse(event, line, strlen(line)), EVENT_GOOD);
		summary_take(summary, event);
	}
	summary_finish(summary);
	cr_expect_eq(summary->processes.count, PROCESSES_MAX);
	for (uint32_t i = 0; i < summary->processes.count; i++)
		calls += summary->processes.items[i].calls;
	cr_expect_gt(calls, PROCESSES_MAX, "what found no room of its own is counted at its parent");
	cr_expect_eq(summary->allowed, 99998);
	free(event);
	summary_free(summary);
}
