# SPDX-License-Identifier: MIT
"""The rows of the table and their budgets: data only. table.py measures and prints them."""
from collections import namedtuple

# kind: what table.py does with argv
#   CALL     a program of the data folder that prints nanoseconds; the figure is its ratio to the bare one
#   COMMAND  a command line, run `uses` times by timer.c below the guard; the ratio of its quickest run to the bare one
#   COST     like CALL; the figure is the guarded run itself, in microseconds
#   PRIVATE  like CALL; the figure is the difference to the bare run, in KiB
#   START    the whole of `bridle run true`; the difference to `true`, in milliseconds
#   WORK     what the shim itself does for one call, the kernel left out (work.c, still.h), in nanoseconds
#   RATIO    a program of the build folder that prints two numbers; the figure is the second over the first
#   PLAIN    a program of the build folder that prints nanoseconds
#   PEAK     the most memory of the launcher while 200 MiB are printed to it, in MiB
# paths: how many a CALL with a floor names. least.c then does the same case with the fewest system calls that any guard needs,
#   bare and below an empty filter. The ratios were set where a system call takes 1 microsecond and an open 3; where it takes a
#   third of that the guard's own work weighs three times as much, and what holds is its own budget: the floor and OWN_WORK for
#   each path, if that is more than the ratio.
Row = namedtuple("Row", "kind what argv uses shim everything settings environment paths", defaults=(None, None, (), {}, 0))

OWN_WORK = 0.150  # microseconds: the budget of the own work of an allowed open

CALL, COMMAND, COST, PRIVATE, START, WORK, RATIO, PLAIN, PEAK = (
    "CALL", "COMMAND", "COST", "PRIVATE", "START", "WORK", "RATIO", "PLAIN", "PEAK")

ROWS = (
    Row(CALL, "open+close, absolute", ["calls", "open-absolute"], 6000, 1.10, 1.15, paths=1),
    Row(CALL, "open+close, relative", ["calls", "open-relative"], 6000, 1.12, 1.18, paths=1),
    Row(CALL, "openat by descriptor", ["calls", "open-directory"], 6000, 1.25, 1.30, paths=1),
    Row(CALL, "open, missing file", ["calls", "open-missing"], 6000, 1.20, 1.30, paths=1),
    Row(CALL, "open through a link", ["calls", "open-link"], 4000),
    Row(CALL, "open to write", ["calls", "open-create"], 6000),
    Row(CALL, "fopen+fclose", ["calls", "fopen"], 6000, 1.12, 1.20, paths=1),
    Row(CALL, "stat, a control", ["calls", "stat"], 6000, 1.50, 1.50),
    Row(CALL, "create+unlink", ["calls", "unlink"], 2000, 1.30, 1.40),
    Row(CALL, "rename in one folder", ["calls", "rename-beside"], 2000, 1.30, 1.40, paths=4),
    Row(CALL, "rename between folders", ["calls", "rename"], 2000, 1.30, 1.40, paths=4),
    Row(CALL, "mkdir+rmdir", ["calls", "mkdir"], 2000, 1.50, 1.50),
    Row(CALL, "connect TCP, loopback", ["calls", "connect"], 600, 1.10, 1.15),
    Row(CALL, "connect unix", ["calls", "connect-unix"], 1000),
    Row(CALL, "posix_spawn /bin/true", ["calls", "spawn"], 40, 1.12, 1.20),
    Row(CALL, "fork+exec /bin/true", ["calls", "fork"], 40),
    Row(CALL, "popen /bin/true", ["calls", "popen"], 30, settings=("argv.inline=allow",)),
    Row(CALL, "static: open+close", ["calls-static", "open-absolute"], 3000, None, 8),
    Row(COST, "denied open, line written", ["calls", "open-outside"], 600, 12, 12),
    Row(WORK, "own work: open", ["work", "absolute"], 50000, 150),
    Row(WORK, "own work: open, new path", ["work", "fresh"], 50000, 150),
    Row(WORK, "own work: 10,000 rules", ["work", "fresh", "--policy", "many.cfg"], 50000, 300),
    Row(PLAIN, "own work: exec decision", ["command", "quick"], None, 5000),
    Row(PLAIN, "own work: report line", ["check", "line"], None, 300),
    Row(PLAIN, "own work: allowed line", ["check", "allowed-line"], None, 300),
    Row(RATIO, "10 rules, 10,000 rules", ["check", "10", "10000"], None, 1.05),
    Row(START, "start: bridle run true", ["true"], None, 3, 5),
    Row(START, "start, TMPDIR in memory", ["true"], None, 3, 5, environment={"TMPDIR": "/dev/shm"}),
    Row(PRIVATE, "memory of a process", ["calls", "private"], 1, 200, 200),
    Row(PEAK, "launcher, 200 MiB printed", ["calls", "print"], 200, 8, 8),
    Row(COMMAND, "git status, 5,000 files", ["git", "-C", "tree", "status", "--short"], 10, 1.10, 1.15),
    Row(COMMAND, "find+grep -r, 20,000 files", ["sh", "search.sh"], 3, 1.10, 1.15),
    Row(COMMAND, "make -j2, 100 files", ["make", "-s", "-j2", "-B", "-C", "made"], 1, 1.08, 1.15),
    Row(COMMAND, "script of 500 processes", ["sh", "many.sh"], 1, 1.12, 1.20),
    Row(COMMAND, "python3, many imports", ["/usr/bin/python3", "imports.py"], 3),
    Row(COMMAND, "node, a dozen modules", ["node", "modules.js"], 5),
)

PEERS = {
    "strace": ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=openat,execve,connect", "-o", "/dev/null"],
    "bwrap": ["bwrap", "--dev-bind", "/", "/"],
    "firejail": ["firejail", "--quiet", "--noprofile"],
    "fakechroot": ["fakechroot"],
    "proot": ["proot"],
}
