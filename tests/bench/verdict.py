#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""verdict.py: what table.py says of figures that are made up: when a budget is kept, missed, or below the floor."""
import sys

import rows
import table

# name: budgets, paths, figures by column in microseconds, what is missed, what is over its ratio and held to floor and own work
CASES = {
    "kept": ((1.10, 1.15), 0, {"bare": 1, "shim": 1.09, "all": 1.14}, [], []),
    "missed by both": ((1.10, 1.15), 0, {"bare": 1, "shim": 1.11, "all": 1.16}, ["shim", "all"], []),
    "missed by one": ((1.10, 1.15), 0, {"bare": 1, "shim": 1.09, "all": 1.16}, ["all"], []),
    "no budget": ((None, None), 0, {"bare": 1, "shim": 9, "all": 9}, [], []),
    "a call so long that the ratio is more than the own work":
        ((1.10, 1.15), 1, {"bare": 10, "shim": 11.1, "all": 11.6, "floor of shim": 10.1, "floor of all": 10.2},
         ["shim", "all"], []),
    "a short call within floor and own work":
        ((1.10, 1.15), 1, {"bare": 1, "shim": 1.16, "all": 1.24, "floor of shim": 1.02, "floor of all": 1.1},
         [], ["shim", "all"]),
    "a short call beyond them":
        ((1.10, 1.15), 1, {"bare": 1, "shim": 1.18, "all": 1.26, "floor of shim": 1.02, "floor of all": 1.1},
         ["shim", "all"], []),
    "a floor over the ratio":
        ((1.10, 1.15), 1, {"bare": 1, "shim": 1.34, "all": 1.41, "floor of shim": 1.2, "floor of all": 1.25},
         ["all"], ["shim"]),
    "own work weighs by the path and less in a long call":
        ((1.10, 1.15), 2, {"bare": 10, "shim": 12.2, "all": 12.4, "floor of shim": 12, "floor of all": 12},
         ["all"], ["shim"]),
}


def judged(budgets, paths, columns):
    figures = table.Figures(rows.Row(rows.CALL, "made up", [], 1, *budgets, paths=paths))
    figures.values = {name: [float(value)] * 5 for name, value in columns.items()}
    return figures.missed(), figures.over_ratio()


def main():
    failed = 0
    for name, (budgets, paths, columns, *expected) in CASES.items():
        found = list(judged(budgets, paths, columns))
        if found != expected:
            failed += 1
            print(f"FAIL {name}: missed and over {found}, not {expected}")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
