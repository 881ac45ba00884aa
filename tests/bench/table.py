#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""table.py [--check] [--peers] [--rounds N] [--only WORDS] BUILD: what bridle costs beside the bare command and its peers.

Each row of rows.py is measured in rounds: bare, then each tool, then the next round, so that the machine's other work meets
all alike; a single run is the quickest of many slices. A figure is the median of the rounds' figures with its quartiles.
--check: what misses its budget is measured on, and the status is 1 when a budget is missed by more than the spread. Beside a
row stands its floor, what the kernel alone takes for the calls that any guard needs (least.c). A ratio that leaves less above it
than the budget of the guard's own work is held to the floor and that work instead: a row that needs it says so.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import data
import rows
from rows import CALL, COMMAND, COST, PEAK, PLAIN, PRIVATE, RATIO, START, WORK

QUIET = ["-q", "--report", "/dev/null", "--set", "limits.wall_seconds=0", "--set", "limits.cpu_seconds=0"]
COLUMNS = {"bare": "bare", "shim": "shim only", "all": "everything"}
FLOORS = {"shim": "floor of shim", "all": "floor of all"}


class Bench:
    def __init__(self, build, peers):
        self.build = os.path.abspath(build)
        self.top = tempfile.mkdtemp(prefix="bench-")
        self.root = os.path.join(self.top, "root")
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}
        self.filter = [os.path.join(self.build, "bench-floor")]
        peers_of_all = {"empty filter": self.filter, **rows.PEERS} if peers else {}
        self.peers = {name: argv for name, argv in peers_of_all.items() if self.works(argv)}

    @staticmethod
    def works(argv):
        return shutil.which(argv[0]) and subprocess.run([*argv, "true"], check=False, capture_output=True).returncode == 0

    def guard(self, backstop, settings=(), bridle="bridle"):
        argv = [os.path.join(self.build, bridle), "run", *QUIET, "--root", self.root, "--set", f"coverage.backstop={backstop}"]
        for setting in settings:
            argv += ["--set", setting]
        return argv

    def tools(self, settings):
        """The command line that stands in front of the measured one, by the name of the column."""
        guards = {"bare": [], "shim": [*self.guard("off", settings), "--"], "all": [*self.guard("auto", settings), "--"]}
        return {**guards, **self.peers}

    def output(self, argv):
        done = subprocess.run(argv, cwd=self.root, env=self.environment, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"table: {' '.join(argv)}: status {done.returncode}\n{done.stderr[-2000:]}")
        return [float(word) for word in done.stdout.split()]

    def wall(self, argv, environment):
        """Milliseconds of a whole command."""
        nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_DUP2, 1, 2)]
        began = time.perf_counter()
        child = os.posix_spawnp(argv[0], argv, {**self.environment, **environment}, file_actions=nowhere)
        if os.waitpid(child, 0)[1]:
            raise SystemExit(f"table: {' '.join(argv)} failed")
        return (time.perf_counter() - began) * 1e3

    def peak(self, argv):
        """MiB that the started process held at most, its children left out."""
        process, peak = subprocess.Popen(argv, cwd=self.root, env=self.environment, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL), 0
        while process.poll() is None:
            with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
                for line in status:
                    if line.startswith("VmHWM:"):
                        peak = int(line.split()[1]) / 1024
            time.sleep(0.0005)
        return peak

    def once(self, row, name, prefix):
        """One run of a row in one column; None where the row has no such column."""
        if row.kind == COMMAND:
            return self.output([*prefix, "./timer", str(row.uses), *row.argv])[0] / 1e6
        if name in FLOORS.values():
            return self.output([*prefix, "./least", *row.argv[1:], str(row.uses)])[0] / 1e3
        if row.kind in (CALL, COST):
            return self.output([*prefix, "./" + row.argv[0], *row.argv[1:], str(row.uses)])[0] / 1e3
        if row.kind == PRIVATE:
            return self.output([*prefix, "./" + row.argv[0], *row.argv[1:], str(row.uses)])[0]
        if row.kind == START:
            bare = name == "bare" or name in self.peers
            backstop = ["--set", "coverage.backstop=off"] if name == "shim" else []
            own = prefix if bare else [os.path.join(self.build, "bridle"), "run", *backstop, "--"]
            return self.wall([*own, *row.argv], row.environment)
        if row.kind == PEAK and name in ("shim", "all"):
            return self.peak([*prefix[:-1], "--json", "--", "./" + row.argv[0], *row.argv[1:], str(row.uses)])
        if name != "shim":
            return None
        if row.kind == WORK:
            guard = self.guard("off", bridle="still/bridle")
            return self.output([*guard, *row.argv[2:], "--", "./" + row.argv[0], row.argv[1], str(row.uses)])[0]
        numbers = self.output([os.path.join(self.build, "bench-" + row.argv[0]), *row.argv[1:]])
        return numbers[1] / numbers[0] if row.kind == RATIO else numbers[0]


class Figures:
    """What the rounds of one row gave, by column."""

    def __init__(self, row):
        self.row, self.values = row, {}

    def add(self, bench, rounds):
        tools = bench.tools(self.row.settings)
        if self.row.paths:
            tools.update({FLOORS["shim"]: [], FLOORS["all"]: bench.filter})
        for _ in range(rounds):
            for name, prefix in tools.items():
                value = bench.once(self.row, name, prefix)
                if value is not None:
                    self.values.setdefault(name, []).append(value)

    def quartiles(self, name):
        """Lower quartile, median, upper quartile of the column's figure."""
        values = self.values[name]
        if self.row.kind in (CALL, COMMAND):
            values = [value / bare for value, bare in zip(values, self.values["bare"])]
        elif self.row.kind in (START, PRIVATE):
            values = [value - bare for value, bare in zip(values, self.values["bare"])]
        ordered = sorted(values)
        return ordered[len(ordered) // 4], statistics.median(ordered), ordered[-1 - len(ordered) // 4]

    def bare(self):
        return statistics.median(self.values["bare"])

    def floor(self, name):
        """What no guard is below in this column; None where it was not measured."""
        return self.quartiles(FLOORS[name])[1] if FLOORS.get(name) in self.values else None

    def ratio(self, name):
        return {"shim": self.row.shim, "all": self.row.everything}.get(name)

    def budget(self, name):
        if self.floor(name) is None:
            return self.ratio(name)
        return max(self.ratio(name), self.floor(name) + rows.OWN_WORK * self.row.paths / self.bare())

    def over_ratio(self):
        """The columns that keep their budget only as the floor and the guard's own work."""
        return [name for name in FLOORS
                if self.floor(name) is not None and self.ratio(name) < self.quartiles(name)[0] <= self.budget(name)]

    def missed(self):
        """The columns that miss their budget by more than the spread."""
        return [name for name in COLUMNS if self.budget(name) and self.quartiles(name)[0] > self.budget(name)]


UNITS = {CALL: "us", COMMAND: "ms", COST: "us", PRIVATE: "KiB", START: "ms", WORK: "ns", PLAIN: "ns", RATIO: "", PEAK: "MiB"}


def cell(figures, name):
    if name not in figures.values:
        return ""
    digits = 2 if figures.row.kind in (CALL, COMMAND, RATIO, START, COST, PEAK) else 0
    low, middle, high = figures.quartiles(name)
    return f"{middle:.{digits}f} ({low:.{digits}f}-{high:.{digits}f})"


def show(figures, columns):
    row = figures.row
    bare = f"{figures.bare():.2f} {UNITS[row.kind]}" if "bare" in figures.values else UNITS[row.kind]
    limits = " / ".join("-" if limit is None else f"{limit:g}" for limit in (row.shim, row.everything))
    words = [f"floor {figures.floor('shim'):.2f} / {figures.floor('all'):.2f}"] if row.paths else []
    words += [f"{COLUMNS[name]} over {figures.ratio(name):g}, held to floor and own work {figures.budget(name):.2f}"
              for name in figures.over_ratio()]
    words += [f"{COLUMNS[name]} missed" for name in figures.missed()]
    print(f"{row.what:27}{bare:>12} " + "".join(f"{cell(figures, name):>20}" for name in columns if name != "bare") +
          f"  {limits if limits != '- / -' else '':11} {', '.join(words)}", flush=True)


def rounds_of(row, rounds):
    """Whole commands take seconds, starts milliseconds."""
    return max(5, rounds // 2) if row.kind == COMMAND else 5 * rounds if row.kind == START else rounds


def measure(bench, options):
    columns = list(bench.tools(()))
    print(f"{'':27}{'bare':>12} " + "".join(f"{COLUMNS.get(name, name):>20}" for name in columns if name != "bare") + "  budgets")
    missed = 0
    for row in rows.ROWS:
        if options.only and not any(word in row.what for word in options.only):
            continue
        figures = Figures(row)
        figures.add(bench, rounds_of(row, options.rounds))
        if options.check and figures.missed():
            figures.add(bench, 2 * rounds_of(row, options.rounds))
        show(figures, columns)
        missed += len(figures.missed())
    return missed


def main():
    parser = argparse.ArgumentParser(description="what bridle costs")
    parser.add_argument("--check", action="store_true", help="status 1 when a budget is missed by more than the spread")
    parser.add_argument("--peers", action="store_true", help="also measure the guards and tracers that are installed")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", action="append", help="only rows whose name holds these words; may be repeated")
    parser.add_argument("build")
    options = parser.parse_args()
    bench = Bench(options.build, options.peers)
    try:
        programs = ("bench-calls", "bench-calls-static", "bench-timer", "bench-work", "bench-least")
        data.make(bench.root, [os.path.join(bench.build, program) for program in programs])
        os.chdir(bench.root)
        missed = measure(bench, options)
    finally:
        os.chdir("/")
        shutil.rmtree(bench.top)
    if missed:
        print(f"{missed} budgets missed by more than the spread")
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
