# SPDX-License-Identifier: MIT
"""What may differ between a suite run bare and the same suite under bridle, and what counts as a difference.

A suite is anything with run(guarded, names) -> {test: outcome}, names being None for all of them. A test that came out
otherwise under bridle is tried again: the whole suite once more both ways, then, if it did not differ in the same way
again, alone TRIES times both ways. It is a difference when it differs in the same way twice, or in any try alone. What
came out alike then is named as unsteady; it is never left out silently.
"""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
TRIES = 3
POLICY = os.path.join(HERE, "..", "policies", "open.cfg")


def bridled(bridle, options=()):
    """The words before a command that run it under bridle, everything allowed and everything checked."""
    return [bridle, "run", "-q", "-p", POLICY, "-r", "/", "-t", "3600", *options, "--"]


def known():
    """Name -> reason, of the differences that tests/real/known.txt lists."""
    with open(os.path.join(HERE, "known.txt")) as file:
        lines = [line.rstrip("\n").split("\t", 1) for line in file if line.strip() and not line.startswith("#")]
    return {name: reason for name, reason in lines}


def differing(bare, guarded):
    return {name: (bare.get(name, "absent"), guarded.get(name, "absent"))
            for name in bare.keys() | guarded.keys() if bare.get(name) != guarded.get(name)}


def settle(run, bare, guarded):
    """(differences, unsteady tests), each {test: (bare, guarded)}."""
    first = differing(bare, guarded)
    if not first:
        return {}, {}
    again = differing(run(False, None), run(True, None))
    differences = {name: how for name, how in first.items() if again.get(name) == how}
    unsteady = {name: how for name, how in {**again, **first}.items() if name not in differences}
    for _ in range(TRIES if unsteady else 0):
        alone = differing(run(False, sorted(unsteady)), run(True, sorted(unsteady)))
        for name, how in alone.items():
            if name in unsteady:
                differences[name] = how
                del unsteady[name]
        if not unsteady:
            break
    return differences, unsteady


def compare(run, listed):
    """(good, words) of one suite: good is None when nothing ran at all."""
    bare, guarded = run(False, None), run(True, None)
    if not bare:
        return None, "no test ran"
    differences, unsteady = settle(run, bare, guarded)
    unknown = {name: how for name, how in differences.items() if name not in listed}
    words = "%d tests bare, %d guarded, %d alike" % (
        len(bare), len(guarded), len(bare.keys() | guarded.keys()) - len(differences) - len(unsteady))
    for title, group in (("known", {k: v for k, v in differences.items() if k in listed}), ("DIFFERS", unknown),
                         ("unsteady", unsteady)):
        words += "".join("\n    %s %s: bare %s, guarded %s" % (title, name, *how) for name, how in sorted(group.items()))
    return not unknown, words
