#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
trace.py BRIDLE [ROUNDS]: what a trace costs beside the bare command and beside strace: git status among 5,000 files, and
make -j2 of 100. The three take turns; medians of wall and processor time, the launcher's own start (a trace of `true`)
taken off.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

TRACE = [os.path.abspath(sys.argv[1]), "trace", "-q", "-P", "agent", "--"]
STRACE = ["strace", "-f", "-o", "/dev/null", "-e", "trace=openat,execve,connect"]
MAKEFILE = """OBJECTS := $(patsubst %.c,%.o,$(wildcard *.c))
all: $(OBJECTS)
%.o: %.c
	/usr/bin/gcc -O0 -c -o $@ $<
"""


def run(command, folder):
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cost(command, folder, before):
    """Wall and processor time in milliseconds."""
    if before:
        run(before, folder)
    used, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run(command, folder)
    wall, now = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * wall, 1000 * (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)


def row(name, command, folder, before, rounds):
    turns = {"bare": command, "trace": TRACE + command, "strace": STRACE + command, "start": TRACE + ["true"],
             "true": ["true"]}
    costs = {key: [] for key in turns}
    for _ in range(rounds):
        for key, line in turns.items():
            costs[key].append(cost(line, folder, before if key in ("bare", "trace", "strace") else None))
    for column, what in enumerate(("wall", "processor")):
        middle = {key: statistics.median(pair[column] for pair in pairs) for key, pairs in costs.items()}
        trace = middle["trace"] - middle["start"] + middle["true"]
        print("%-12s %-9s  bare %7.1f ms  trace %7.1f ms  strace %7.1f ms   trace/bare %.2f  strace/trace %.2f"
              % (name, what, middle["bare"], trace, middle["strace"], trace / middle["bare"], middle["strace"] / trace))


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    with tempfile.TemporaryDirectory() as top:
        tree, work = os.path.join(top, "tree"), os.path.join(top, "work")
        for number in range(5000):
            folder = os.path.join(tree, "d%d" % (number % 50), "e%d" % (number % 7))
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "f%d" % number), "w", encoding="utf-8") as file:
                file.write("%d\n" % number)
        for line in (["init", "-q"], ["add", "."],
                     ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x"]):
            run(["git", *line], tree)
        os.mkdir(work)
        for number in range(100):
            with open(os.path.join(work, "f%d.c" % number), "w", encoding="utf-8") as file:
                file.write("#include <stdio.h>\nint f%d(int x) { return printf(\"%%d\", x); }\n" % number)
        with open(os.path.join(work, "Makefile"), "w", encoding="utf-8") as file:
            file.write(MAKEFILE)
        row("git status", ["git", "status"], tree, None, rounds)
        row("make -j2", ["make", "-j2", "-s"], work, ["sh", "-c", "rm -f *.o"], max(1, rounds // 5))


if __name__ == "__main__":
    main()
