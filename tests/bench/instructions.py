#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""instructions.py STILL_BRIDLE WORK [-v]: the instructions that the shim itself spends, counted by callgrind.

A gate without noise. Each case of work.c runs twice with different counts under a shim whose openat2 is answered in place
(still.h); the difference is what one call costs between the door named here and its return, kernel excluded.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

FEW, MANY = 100, 1100
RULES = 10000

# what, case of work.c, the function that is counted with all it calls, rules, the budget; 0: the budget is in nanoseconds
ROWS = (
    ("open absolute", "absolute", "open", "tool", 1000),
    ("open relative", "relative", "open", "tool", 1000),
    ("open with dots", "dots", "open", "tool", 1000),
    ("open of a new path", "fresh", "open", "tool", 1000),
    ("open by descriptor", "below", "openat", "tool", 1000),
    ("open by descriptor, new name", "below-fresh", "openat", "tool", 1000),
    ("open absolute, many rules", "absolute", "open", "many", 1000),
    ("open of a new path, many", "fresh", "open", "many", 1000),
    ("exec decision", "spawn", "guard_exec", "tool", 0),
    ("report line", "outside", "report_line", "tool", 0),
)

# What each may not exceed, which is less than its budget: these numbers only ever fall; a new path costs 30 more since the
# profile tool shuts a name in every folder (.env), which each component is compared with. The rest is left to compilers and fixes.
CEILINGS = {
    "open absolute": 435,
    "open relative": 400,
    "open with dots": 420,
    "open of a new path": 900,
    "open by descriptor": 540,
    "open by descriptor, new name": 950,
    "open absolute, many rules": 435,
    "open of a new path, many": 900,
    "exec decision": 14400,
    "report line": 3520,
}


def write_policy(file):
    trees = ", ".join(f'"/data/part{number}/set{number % 97}"' for number in range(RULES))
    with open(file, "w", encoding="utf-8") as policy:
        policy.write(f'extends = "tool";\npaths: {{ read = [ {trees} ]; }};\n')


class World:
    def __init__(self, bridle, work):
        self.bridle = os.path.abspath(bridle)
        self.top = tempfile.mkdtemp(prefix="instructions-", dir="/tmp")  # always of one length
        self.root = os.path.join(self.top, "root")
        os.makedirs(os.path.join(self.root, "a/b/c"))
        shutil.copy(work, os.path.join(self.root, "work"))
        open(os.path.join(self.top, "outside"), "w", encoding="utf-8").close()
        self.policies = {"tool": ["--profile", "tool"], "many": ["--policy", os.path.join(self.top, "many.cfg")]}
        write_policy(os.path.join(self.top, "many.cfg"))

    def count(self, case, door, policy, uses):
        counts = os.path.join(self.root, "counts")
        argv = [self.bridle, "run", "-q", "--root", self.root, *self.policies[policy], "--report", "/dev/null", "--set",
                "coverage.backstop=off", "--set", "limits.cpu_seconds=0", "--set", "report.explain=off", "--", "valgrind",
                "--tool=callgrind", "--callgrind-out-file=" + counts, "--collect-atstart=no", "--toggle-collect=" + door,
                "./work", case, str(uses)]
        done = subprocess.run(argv, cwd=self.root, check=False, timeout=300, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{case}: status {done.returncode}\n{done.stderr}")
        with open(counts, encoding="utf-8") as lines:
            return int(re.search(r"^totals: (\d+)", lines.read(), re.MULTILINE)[1])

    def cost(self, case, door, policy):
        few, many = (FEW, MANY) if case != "spawn" else (5, 15)
        return (self.count(case, door, policy, many) - self.count(case, door, policy, few)) / (many - few)


def main():
    if not shutil.which("valgrind"):
        print("instructions are not counted: there is no valgrind\n0 passed, 0 failed, 1 skipped")
        return 0
    world, failed = World(sys.argv[1], sys.argv[2]), 0
    try:
        for what, case, door, policy, budget in ROWS:
            cost, limit = world.cost(case, door, policy), CEILINGS[what]
            over = not 0 < cost <= limit
            failed += over
            if over or "-v" in sys.argv:
                word = "OVER" if over else ""
                print(f"instructions: {what:28} {cost:8.0f}  budget {budget or '-':>5}  at most {limit:5}  {word}")
    finally:
        shutil.rmtree(world.top)
    print(f"{len(ROWS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
