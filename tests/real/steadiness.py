#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tests/real/difference.py calls a difference: what bridle changes is one, what nobody can rely on is none and is named.

Invented suites of one test. Last it prints 'N passed, N failed'.
"""
import sys

import difference

STEADY = ["ok"]
# What, how the test comes out in the whole suite bare and under bridle, how alone (None: as in the whole), and what it is. The
# last outcome of a list is that of every further try.
CASES = (
    ("alike", STEADY, STEADY, None, None, "alike"),
    ("always otherwise", STEADY, ["fail"], None, None, "differs"),
    ("never there", STEADY, ["absent"], None, None, "differs"),
    ("there for the first time", ["absent"], ["fail"], None, None, "differs"),
    ("a crash in place of what varies bare", ["ok", "fail", "ok", "fail", "ok"], ["died"], None, None, "differs"),
    ("mostly otherwise", STEADY, ["fail", "fail", "ok", "fail", "fail", "fail", "ok"], None, None, "differs"),
    ("in one way and the other, never as bare", STEADY, ["fail", "died", "fail", "died"], None, None, "differs"),
    ("only in the whole suite", STEADY, ["fail"], STEADY, STEADY, "differs"),
    ("only in the whole suite, where it has no run of its own", ["error"], ["absent"], ["absent"], ["absent"], "differs"),
    ("only alone, and seen by chance", STEADY, ["fail", "ok"], STEADY, ["fail"], "differs"),
    ("unsteady bare", ["ok", "fail", "ok"], ["fail", "ok", "ok"], None, None, "unsteady"),
    ("the same unlucky outcome twice, and bare once alone", STEADY, ["fail", "fail", "ok"], ["ok", "fail", "ok"], ["fail"], "unsteady"),
    ("always otherwise in the whole suite, and bare once alone", STEADY, ["fail"], ["fail", "ok"], STEADY, "unsteady"),
    ("never twice the same", list("abcdefghij"), list("klmnopqrst"), None, None, "unsteady"),
    ("one of many", list("abcdefabcd"), list("fedcbafedc"), None, None, "unsteady"),
    ("one of three, and strange", list("abcabcabca"), list("xyzxyzxyzx"), None, None, "differs"),
    ("unlucky once in the whole and once alone", STEADY, ["fail", "ok"], STEADY, ["fail", "ok"], "unsteady"),
    ("unlucky once", STEADY, ["fail", "ok"], None, None, "unsteady"),
    ("unlucky every time, and bare once later", ["ok"] * 9 + ["fail", "ok"], ["fail"], None, None, "unsteady"),
    ("unlucky twice", STEADY, ["fail", "fail", "ok"], None, None, "unsteady"),
    ("unlucky bare", ["late", "ok"], STEADY, None, None, "unsteady"),
    ("unlucky twice in the whole", STEADY, ["fail", "fail", "ok", "ok"], STEADY, STEADY, "unsteady"),
)


def suite(bare, guarded, alone_bare, alone_guarded):
    """run(guarded, names), as difference.compare wants it."""
    left = {(False, False): list(bare), (True, False): list(guarded)}
    left[False, True] = left[False, False] if alone_bare is None else list(alone_bare)
    left[True, True] = left[True, False] if alone_guarded is None else list(alone_guarded)

    def run(guarded, names):
        outcomes = left[guarded, names is not None]
        outcome = outcomes.pop(0) if len(outcomes) > 1 else outcomes[0]
        return {"other": "ok"} if outcome == "absent" else {"other": "ok", "test": outcome}
    return run


def verdict(compared):
    """By its groups, and whether the suite failed as it says."""
    found = {title for title, group in compared.groups if "test" in group}
    if "other" in compared.details() or compared.good() == ("DIFFERS" in found):
        return "muddled"
    return {"DIFFERS": "differs", "unsteady": "unsteady", "known": "known"}[found.pop()] if found else "alike"


def main():
    counts = [0, 0]
    for what, bare, guarded, alone_bare, alone_guarded, wanted in CASES:
        for listed in ({}, {"test": "why"}):
            got = verdict(difference.compare(suite(bare, guarded, alone_bare, alone_guarded), listed))
            good = got == ("known" if listed and wanted == "differs" else wanted)
            counts[not good] += 1
            if not good:
                print("FAIL %s: is %s, and not %s" % (what, got, wanted))
    print("%d passed, %d failed" % tuple(counts))
    return counts[1] != 0


if __name__ == "__main__":
    sys.exit(main())
