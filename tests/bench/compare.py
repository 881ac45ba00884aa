#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py [--check] [--rounds N] [--peers] BRIDLE CALLS: what bridle costs beside the bare command and its peers.

Every row is measured in rounds: bare, then each tool, then the next round, so that the machine's other work meets all
alike. A figure is the median of the rounds' ratios to bare, with its spread (a quarter of the rounds below, a quarter
above). --check: status 1 when a budget is missed by more than the spread.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# what, case of calls.c, uses, budget of the shim alone, budget of everything
CALLS = (
    ("open+close, absolute", "open-absolute", 20000, 1.10, 1.15),
    ("open+close, relative", "open-relative", 20000, 1.12, 1.18),
    ("openat by descriptor", "open-directory", 20000, 1.25, 1.30),
    ("open, missing file", "open-missing", 20000, 1.20, 1.30),
    ("open through a link", "open-link", 10000, None, None),
    ("open to write", "open-create", 20000, None, None),
    ("fopen+fclose", "fopen", 20000, 1.12, 1.20),
    ("stat, a control", "stat", 20000, None, None),
    ("create+unlink", "unlink", 3000, 1.30, 1.40),
    ("rename, there and back", "rename", 3000, 1.30, 1.40),
    ("connect TCP, loopback", "connect", 2000, 1.10, 1.15),
    ("posix_spawn /bin/true", "spawn", 60, 1.12, 1.20),
)
# what, argv, budgets; in the folder with the data
COMMANDS = (
    ("git status, 5,000 files", ["git", "-C", "tree", "status", "--short"], 1.10, 1.15),
    ("grep -r, 5,000 files", ["grep", "-r", "-c", "int", "tree"], 1.10, 1.15),
    ("make -j2, 100 files", ["make", "-s", "-j2", "-B", "-C", "made"], 1.08, 1.15),
    ("script of 500 processes", ["sh", "many.sh"], 1.12, 1.20),
)
PEERS = {
    "strace": ["strace", "-f", "-qq", "-e", "trace=openat,execve,connect", "-o", "/dev/null"],
    "bwrap": ["bwrap", "--dev-bind", "/", "/"],
    "firejail": ["firejail", "--quiet", "--noprofile"],
    "fakechroot": ["fakechroot"],
    "proot": ["proot"],
}
FILES = 5000
COMPILER = "/usr/bin/cc"  # itself: a wrapper with a cache does not do the same work in both worlds


def make_data(top):
    tree = os.path.join(top, "tree")
    for number in range(FILES):
        folder = os.path.join(tree, f"d{number % 50}", f"e{number % 7}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"f{number}.c"), "w", encoding="utf-8") as file:
            file.write(f"int f{number};\n" * 20)
    for argv in (["init", "-q"], ["add", "."],
                 ["-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-q", "-m", "all"]):
        subprocess.run(["git", "-C", tree, *argv], check=True, stdout=subprocess.DEVNULL)
    os.mkdir(os.path.join(top, "made"))
    names = [f"u{number}" for number in range(100)]
    with open(os.path.join(top, "made", "Makefile"), "w", encoding="utf-8") as makefile:
        makefile.write(f"all: {' '.join(name + '.o' for name in names)}\n%.o: %.c\n\t{COMPILER} -c -o $@ $<\n")
    for name in names:
        with open(os.path.join(top, "made", name + ".c"), "w", encoding="utf-8") as file:
            file.write(f"#include <stdio.h>\nint {name}(void) {{ return puts(\"{name}\"); }}\n")
    with open(os.path.join(top, "many.sh"), "w", encoding="utf-8") as script:
        script.write("i=0\nwhile [ $i -lt 500 ]; do /bin/true; i=$((i+1)); done\n")
    os.makedirs(os.path.join(top, "a/b/c"))
    open(os.path.join(top, "a/b/c/file"), "w", encoding="utf-8").close()
    os.symlink("b/c/file", os.path.join(top, "a/link"))


class Tools:
    def __init__(self, bridle, peers):
        run = [os.path.abspath(bridle), "run", "-q", "--report", "/dev/null", "--set", "limits.wall_seconds=0", "--set",
               "limits.cpu_seconds=0", "--set"]
        self.argv = {"bare": [], "shim": run + ["coverage.backstop=off", "--"], "all": run + ["coverage.backstop=auto", "--"]}
        if peers:
            for name, argv in PEERS.items():
                if shutil.which(argv[0]) and self.works(argv):
                    self.argv[name] = argv

    @staticmethod
    def works(argv):
        return subprocess.run([*argv, "true"], check=False, capture_output=True).returncode == 0


def call_time(argv, top):
    out = subprocess.run(argv, cwd=top, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return float(out.stdout.split()[0]) / 1e3  # microseconds


def wall_time(argv, top):
    began = time.perf_counter()
    subprocess.run(argv, cwd=top, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1e3  # milliseconds


def measure(tools, rounds, once, top):
    """Median of bare, and for each tool the rounds' figures in order."""
    figures = {name: [] for name in tools.argv}
    for _ in range(rounds):
        for name, prefix in tools.argv.items():
            figures[name].append(once(prefix, top))
    return figures


def quartiles(values):
    return statistics.quantiles(values, n=4) if len(values) > 2 else [min(values), statistics.median(values), max(values)]


class Table:
    def __init__(self, tools):
        self.tools, self.missed = tools, []
        print(f"{'':26}{'bare':>11}" + "".join(f"{name:>19}" for name in tools.argv if name != "bare") + "  budgets")

    def row(self, what, figures, unit, budgets, start=None):
        """start: what a tool's own start takes, not counted; budgets are of ratios, or of a difference without start."""
        bare, cells = figures["bare"], []
        for name, values in figures.items():
            if name == "bare":
                continue
            own = start[name] if start else 0
            changes = [(value - own) / base for value, base in zip(values, bare)] if budgets[2] else \
                [value - base for value, base in zip(values, bare)]
            low, middle, high = quartiles(changes)
            cells.append(f"{middle:7.2f} ({low:.2f}-{high:.2f})".rjust(19))
            budget = {"shim": budgets[0], "all": budgets[1]}.get(name)
            if budget and low > budget:
                self.missed.append(f"{what}, {name}: {middle:.2f} ({low:.2f}-{high:.2f}) for {budget}")
        limits = f"  {budgets[0]} / {budgets[1]}" if budgets[0] else ""
        print(f"{what:26}{statistics.median(bare):8.2f} {unit}" + "".join(cells) + limits, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("bridle")
    parser.add_argument("calls")
    options = parser.parse_args()
    top = tempfile.mkdtemp(prefix="bench-")
    try:
        make_data(top)
        shutil.copy(options.calls, os.path.join(top, "calls"))
        tools = Tools(options.bridle, options.peers)
        table = Table(tools)
        for what, case, uses, shim, everything in CALLS:
            figures = measure(tools, options.rounds,
                              lambda prefix, here: call_time([*prefix, "./calls", case, str(uses)], here), top)
            table.row(what, figures, "us", (shim, everything, True))
        figures = measure(tools, 3 * options.rounds, lambda prefix, here: wall_time([*prefix, "true"], here), top)
        table.row("start of true: + ms", figures, "ms", (3, 5, False))
        start = {name: statistics.median(values) - statistics.median(figures["bare"]) for name, values in figures.items()}
        for what, argv, shim, everything in COMMANDS:
            figures = measure(tools, options.rounds, lambda prefix, here: wall_time([*prefix, *argv], here), top)
            table.row(what, figures, "ms", (shim, everything, True), start)
    finally:
        shutil.rmtree(top)
    for missed in table.missed:
        print(f"over its budget: {missed}")
    return 1 if options.check and table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
