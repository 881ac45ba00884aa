# SPDX-License-Identifier: MIT
"""What may differ between a suite run bare and the same suite under bridle, and what counts as a difference.

A suite is anything with run(guarded, names) -> {test: outcome}, names being None for all of them. A test that came out
otherwise under bridle is tried again: the whole suite once more both ways, then, if it did not differ in the same way
again, alone TRIES times both ways. It is a difference when it differs in the same way twice, or in any try alone. What
came out alike then is named as unsteady; it is never left out silently.
"""
import collections
import os
import signal
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TRIES = 3
STEADY_HASHES = {"PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0", "PYTHONHASHSEED": "0"}  # or lists come in another order
POLICY = os.path.join(HERE, "..", "policies", "open.cfg")


def add_options(parser):
    parser.add_argument("--backstop", default="auto", help="auto or off")
    parser.add_argument("--as", dest="uid", type=int, default=0, help="run both sides as that user (root only)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("build", nargs="?", default="build")


def read_options(parser):
    options = parser.parse_args()
    options.bridle = os.path.join(os.path.abspath(options.build), "bridle")
    return options


def as_user(uid):
    return ["setpriv", "--reuid=%d" % uid, "--regid=%d" % uid, "--clear-groups"] if uid else []


def bridled(bridle, backstop):
    """The words before a command that run it under bridle, everything allowed and everything checked."""
    return [bridle, "run", "-q", "-p", POLICY, "-r", "/", "-t", "3600", "--set", "coverage.backstop=" + backstop, "--"]


def end_group(process):
    """Whatever the command left; bridle takes its own along when it is asked to end."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def run_bounded(command, folder, env, seconds):
    """(output, status) of a command that is ended after so many seconds, with all that it started. Status as shells say it."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            status = process.wait(seconds)
            status = 128 - status if status < 0 else status
        except subprocess.TimeoutExpired:
            status = "late"
        end_group(process)
        log.seek(0)
        return log.read().decode(errors="replace"), status


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


class Compared:
    """How one suite came out both ways."""

    def __init__(self, bare, guarded, differences, unsteady, listed):
        self.guarded = guarded
        self.tests = len(bare.keys() | guarded.keys())
        self.alike = self.tests - len(differences.keys() | unsteady.keys())
        self.groups = (("known", {name: how for name, how in differences.items() if name in listed}),
                       ("DIFFERS", {name: how for name, how in differences.items() if name not in listed}),
                       ("unsteady", unsteady))

    def good(self):
        """None: nothing ran at all."""
        return None if not self.tests else not self.groups[1][1]

    def summary(self):
        outcomes = collections.Counter(self.guarded.values()).most_common(6)
        return "%d tests, %d alike (%s)" % (self.tests, self.alike, ", ".join("%d %s" % (n, word) for word, n in outcomes))

    def details(self):
        return "".join("\n       %s %s: bare %s, guarded %s" % (title, name, *how)
                       for title, group in self.groups for name, how in sorted(group.items()))


def compare(run, listed):
    bare, guarded = run(False, None), run(True, None)
    return Compared(bare, guarded, *settle(run, bare, guarded), listed)
