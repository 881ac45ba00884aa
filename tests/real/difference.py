# SPDX-License-Identifier: MIT
"""What may differ between a suite run bare and the same suite under bridle, and what counts as a difference.

A suite is anything with run(guarded, names) -> {test: outcome}, names being None for all of them. A test that came out
otherwise under bridle is tried again: the whole suite once more both ways, then alone ALONE times both ways. It is a difference
when most of its tries under bridle came out as no bare try ever did, alone or, once more tried, in the whole suite, and neither
do FURTHER bare tries. What is none, since it is unsteady when bare as well or differed only now and then, is named as unsteady:
it is never left out silently.
"""
import atexit
import collections
import os
import shutil
import signal
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ALONE = 5
FURTHER = 15
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
    options.policy, options.runner = POLICY, os.path.join(HERE, "cpython_runner.py")
    if options.uid:
        publish(options)
    return options


def publish(options):
    """Copies of what that user runs, in a folder where everybody may go: the checkout may lie in root's home."""
    folder = tempfile.mkdtemp(prefix="difference-", dir="/var/tmp")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = os.path.join(os.path.dirname(options.bridle), "libbridle.so")
    for path in (options.bridle, library, options.policy, options.runner):
        copy = shutil.copy(path, folder)
        os.chmod(copy, 0o755)
    os.chmod(folder, 0o755)
    options.bridle, options.policy, options.runner = (os.path.join(folder, os.path.basename(path))
                                                      for path in (options.bridle, options.policy, options.runner))


def as_user(uid):
    return ["setpriv", "--reuid=%d" % uid, "--regid=%d" % uid, "--clear-groups"] if uid else []


def bridled(options):
    """The words before a command that run it under bridle, everything allowed and everything checked."""
    return [options.bridle, "run", "-q", "-p", options.policy, "-r", "/", "-t", "3600", "--set",
            "coverage.backstop=" + options.backstop, "--"]


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


def bares(name, tries, others):
    """Every outcome without bridle. In the others it may be absent: it has no run of its own, or only such."""
    return [pair[0].get(name, "absent") for pair in tries] + [pair[0][name] for pair in others if name in pair[0]]


def strange(name, tries, others):
    """Of how many tries the outcome under bridle never is one without; tries and others: [(bare, guarded)]."""
    ever = bares(name, tries, others)
    return sum(guarded.get(name, "absent") not in ever for _, guarded in tries)


def is_different(name, tries, others):
    """Most came out strangely, and not only as each try without bridle comes out in another way than the rest."""
    counts = collections.Counter(bares(name, tries, others))
    single = sum(number == 1 for number in counts.values())
    return strange(name, tries, others) / len(tries) > 1 / 2 + single / sum(counts.values())


def told(name, pairs):
    """(bare, guarded): every outcome that there was."""
    outcomes = ({str(pair[side].get(name, "absent")) for pair in pairs} for side in (0, 1))
    return tuple(" or ".join(repr(one) if "\n" in one else one for one in sorted(seen)) for seen in outcomes)


def settle(run, bare, guarded):
    """(differences, unsteady tests), each {test: (bare, guarded)}."""
    if not differing(bare, guarded):
        return {}, {}
    whole, alone = [(bare, guarded), (run(False, None), run(True, None))], []
    suspects = sorted(differing(*whole[0]).keys() | differing(*whole[1]).keys())

    def is_open(name):  # whether another try alone can change what is said of it
        odd = strange(name, alone, whole)
        return len(alone) - odd <= ALONE / 2 and not (odd > ALONE / 2 and is_different(name, alone, whole))

    while len(alone) < ALONE and any(is_open(name) for name in suspects):
        alone.append((run(False, suspects), run(True, suspects)))
    differences = {name for name in suspects if is_different(name, alone, whole)}
    rest = [name for name in suspects if name not in differences and strange(name, whole, alone) == len(whole)]
    if rest:  # as the whole suite goes, and not alone
        whole += [(run(False, None), run(True, None)) for _ in range(2)]
        differences |= {name for name in rest if is_different(name, whole, alone)}
    doubtful = sorted(differences)
    further = [(run(False, doubtful), {}) for _ in range(FURTHER if doubtful else 0)]  # what else may come of it without bridle?
    differences -= {name for name in doubtful
                    if not is_different(name, alone, whole + further) and not is_different(name, whole, alone + further)}
    return tuple({name: told(name, whole + alone) for name in suspects if (name in differences) == wanted} for wanted in (True, False))


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
