#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A day of work in the hands of a guarded agent: it gets done, and nothing is refused on the way.

    day.py [BUILD]      once by an agent that is wrapped as a whole, once call by call under profile tool

What is not installed is left out. Prints a line for each check that fails and, last, 'N passed, N failed'.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

from world import AGENTS, POLICIES, World

BRIDLE = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "bridle"))
PYTHON = "/usr/bin/python3"
FILES = {
    "lib/package.json": '{"name": "lib", "version": "1.0.0", "main": "index.js"}\n', "lib/index.js": "module.exports = 7;\n",
    "package.json": '{"name": "day", "version": "1.0.0", "private": true, "scripts": {"test": "node --test test/", '
                    '"build": "mkdir -p dist && cp lib/index.js dist/", "clean": "rm -rf dist"}}\n',
    "test/lib.test.js": "require('node:test')('lib', () => require('node:assert').equal(require('lib'), 7));\n",
    "main.c": "int main(void)\n{\n\treturn 0;\n}\n",
    "Makefile": "out/main: main.c\n\tmkdir -p out\n\tcc -o $@ $<\nclean:\n\trm -rf out\n\tfind test -name '*.o' -delete\n",
    "test_it.py": "import subprocess\n\n\ndef test_it(tmp_path):\n    (tmp_path / 'x').write_text('1')\n"
                  "    assert subprocess.run('echo 1', shell=True, capture_output=True).stdout == b'1\\n'\n",
    ".gitignore": "node_modules/\nout/\ndist/\n__pycache__/\n.pytest_cache/\n.aider*\n",
}
GIT = ["git", "-c", "user.name=Dev", "-c", "user.email=dev@example.org"]
WORK = [  # what each needs, and what is done
    ("git", ["git", "init", "-q"]), ("npm", ["npm", "install", "--no-audit", "--no-fund", "--offline", "./lib"]),
    ("npm", ["npm", "test"]), ("npm", ["npm", "run", "build"]), ("npm", ["npm", "run", "clean"]),
    ("cc", ["make"]), ("cc", ["./out/main"]), ("cc", ["make", "clean"]), (PYTHON, [PYTHON, "-m", "pytest", "-q", "test_it.py"]),
    ("git", ["git", "add", "-A"]), ("git", [*GIT, "commit", "-q", "-m", "Work: done"]), ("git", ["git", "log", "--oneline"]),
    ("git", ["git", "switch", "-q", "-c", "topic"]), ("git", ["git", "mv", "main.c", "start.c"]),
    ("git", ["git", "status", "--short"]), ("git", [*GIT, "stash", "-q"]), ("git", ["git", "worktree", "list"]),
]
counts = [0, 0]


def expect(good, *what):
    counts[not good] += 1
    if not good:
        print("FAIL", *what)


def is_there(need):
    if need == PYTHON:
        return subprocess.run([PYTHON, "-c", "import pytest"], capture_output=True, check=False).returncode == 0
    return shutil.which(need) is not None and (need != "cc" or shutil.which("make") is not None)


def fill(world):
    for name, text in FILES.items():
        world.write(world.project, name, text)


def what_came_of_it(world, how):
    expect(not os.path.exists(os.path.join(world.project, "out")) and not os.path.exists(os.path.join(world.project, "dist")),
           how, "has cleaned up")
    if is_there("git"):
        log = world.run(["git", "log", "--format=%s"]).stdout
        expect(log == "Work: done\n", how, "has committed", log)


def wrapped(agent, work):
    lines = [shlex.join(argv) for argv in work]
    with World(agent, "", [*lines, "ps -e > all.txt", "true | sort | head -n 1 && test -d . || exit 9"]) as world:
        fill(world)
        done = world.run([BRIDLE, "run", "-p", os.path.join(POLICIES, "aider.cfg"), "-r", world.project, "--report", world.report,
                          "--", *world.program, "go"], 300)
        expect(done.returncode == 0 and done.stdout == "done\n", "the agent ends well", done)
        status = re.findall(r"call_\d+: status (\d+)", world.told())
        expect(len(status) == len(lines) + 2 and set(status) == {"0"}, "the model is told that each went well", world.told())
        denied = [line for line in world.reported() if line.get("verdict") == "deny"]
        expect(not denied, "wrapped: nothing is refused", *denied)
        what_came_of_it(world, "wrapped")


def call_by_call(agent, work):
    with World(agent, "", []) as world:
        fill(world)
        for argv in work:
            done = world.run([BRIDLE, "run", "-P", "tool", "-r", world.project, "--json", "--", *argv])
            result = json.loads(done.stdout)
            expect(result["exit_code"] == 0 and not result["violation_count"], "tool:", shlex.join(argv), result)
        what_came_of_it(world, "call by call")


for one in AGENTS:
    if one.name == "aider":
        todo = [argv for need, argv in WORK if is_there(need)]
        wrapped(one, todo)
        call_by_call(one, todo)
print("%d passed, %d failed" % tuple(counts))
sys.exit(counts[1] > 0)
