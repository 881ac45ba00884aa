#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small eval harness: runs a list of tasks at once and compares how they end.

    evaluate.py [TASKS.jsonl]

A task is one line: {"name": "...", "argv": [...], "shell": false, "timeout": 5, "expect": 0, "rule": null}. `expect` is the exit
code, -100 for refused, -101 for out of time; `rule`, where it is given, the rule that must have refused it or a call of it.
Prints a table; the exit status says whether every task ended as it should.
"""
import json
import sys
from concurrent.futures import ThreadPoolExecutor

from bridle import BridleError, Sandbox

TASKS = [
    {"name": "hello", "argv": ["echo", "hello"], "expect": 0},
    {"name": "pipe", "argv": "printf 'b\\na\\n' | sort", "shell": True, "expect": 0},
    {"name": "fails", "argv": ["ls", "no-such-file"], "expect": 2},
    {"name": "endless", "argv": ["sleep", "60"], "timeout": 0.5, "expect": -101},
    {"name": "delete all", "argv": ["rm", "-rf", "/"], "expect": -100, "rule": "argv.shape"},
    {"name": "secrets", "argv": "cat ~/.ssh/id_rsa", "shell": True, "expect": -100, "rule": "path.deny"},
    {"name": "become root", "argv": ["sudo", "id"], "expect": -100, "rule": "name.denylist"},
]


def attempt(sandbox, task):
    """How the task ended, in a row of the table."""
    try:
        result = sandbox.run(task["argv"], shell=task.get("shell", False), timeout=task.get("timeout"))
    except BridleError as error:
        return False, task["name"], "-", "", str(error)
    rules = {result.rule} | {line["rule"] for line in result.violations}
    good = result.exit_code == task["expect"] and (not task.get("rule") or task["rule"] in rules)
    return good, task["name"], result.exit_code, "%d ms" % result.duration_ms, ", ".join(sorted(filter(None, rules)))


def main():
    tasks = TASKS
    if len(sys.argv) > 1:
        with open(sys.argv[1], encoding="utf-8") as file:
            tasks = [json.loads(line) for line in file if line.strip()]
    with Sandbox() as sandbox, ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda task: attempt(sandbox, task), tasks))
    for good, name, code, time, rules in rows:
        print("%-6s %-20s %5s %9s  %s" % ("ok" if good else "WRONG", name[:20], code, time, rules))
    print("%d of %d as expected" % (sum(row[0] for row in rows), len(rows)))
    sys.exit(0 if all(row[0] for row in rows) else 1)


if __name__ == "__main__":
    main()
