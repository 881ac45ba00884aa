#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""verdict.py: what table.py says of figures that are made up: when a budget is kept, missed, or below the floor."""
import sys

import rows
import table

# name: budgets, paths, figures by column in microseconds, what is said to be missed
CASES = {
    "kept": ((1.10, 1.15), 0, {"bare": 1, "shim": 1.09, "all": 1.14}, []),
    "missed by both": ((1.10, 1.15), 0, {"bare": 1, "shim": 1.11, "all": 1.16}, ["shim", "all"]),
    "missed by one": ((1.10, 1.15), 0, {"bare": 1, "shim": 1.09, "all": 1.16}, ["all"]),
    "no budget": ((None, None), 0, {"bare": 1, "shim": 9, "all": 9}, []),
    "a floor below the budget changes nothing":
        ((1.10, 1.15), 1, {"bare": 1, "shim": 1.11, "all": 1.16, "floor of shim": 1.09, "floor of all": 1.14}, ["shim", "all"]),
    "a floor over the budget, kept":
        ((1.10, 1.15), 1, {"bare": 1, "shim": 1.34, "all": 1.39, "floor of shim": 1.2, "floor of all": 1.25}, []),
    "a floor over the budget, missed":
        ((1.10, 1.15), 1, {"bare": 1, "shim": 1.36, "all": 1.41, "floor of shim": 1.2, "floor of all": 1.25}, ["shim", "all"]),
    "own work weighs by the path and less in a long call":
        ((1.10, 1.15), 2, {"bare": 10, "shim": 12.2, "all": 12.4, "floor of shim": 12, "floor of all": 12}, ["all"]),
}


def missed(budgets, paths, columns):
    figures = table.Figures(rows.Row(rows.CALL, "made up", [], 1, *budgets, paths=paths))
    figures.values = {name: [float(value)] * 5 for name, value in columns.items()}
    return figures.missed()


def main():
    failed = 0
    for name, (budgets, paths, columns, expected) in CASES.items():
        found = missed(budgets, paths, columns)
        if found != expected:
            failed += 1
            print(f"FAIL {name}: missed {found}, not {expected}")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
