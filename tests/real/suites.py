#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Suites of others, run against the installed programs, compared test by test with and without bridle: git, bash and Perl, and
with --all those of userland.py and runtimes.py as well.

    suites.py [--all] [--backstop auto|off] [--as UID] [--sources FOLDER] [BUILD] [SUITE[/SCRIPT]]...

A SUITE alone is all of it that --all runs.

Their sources come from the Debian mirror that apt knows, once, into FOLDER (default BUILD/sources); a suite that cannot be
had is skipped, and said so. Prints a line a suite, what differs in it, and last 'N passed, N failed, N skipped'.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import difference
import runtimes
import sources
import userland

SCRIPT_SECONDS = 300
# TAP: "ok 3 - what it does # SKIP why"
TAP = re.compile(r"^(ok|not ok)\s+(\d+)\b[^#\n]*(?:# *(SKIP|TODO))?", re.M | re.I)
HELPERS = "recho zecho printenv xcase".split()


class Git:
    """t/ of git, with GIT_TEST_INSTALLED; only its helper is built."""
    package = "git"
    whole = ("t000[1-9]*", "t002*", "t00[3-9]*", "t1*", "t3200*", "t34*", "t7*")
    quick = ("t0001*", "t0003*", "t0008*", "t0021*", "t0060*", "t1006*", "t1300*", "t1400*", "t1450*", "t1500*", "t1510*",
             "t3200*", "t3400*", "t3415*", "t7001*", "t7003*", "t7004*", "t7060*", "t7300*", "t7400*", "t7500*", "t7502*",
             "t7600*", "t7810*")

    def prepare(self, source):
        self.folder = os.path.join(source, "t")
        if not shutil.which("git") or not shutil.which("make"):
            return "no git or make"
        words = ["make", "-j2", "NO_CURL=1", "NO_EXPAT=1", "NO_GETTEXT=1", "NO_TCLTK=1", "NO_OPENSSL=1", "NO_PYTHON=1",
                 "CFLAGS=-O0", "t/helper/test-tool", "GIT-BUILD-OPTIONS"]
        if not sources.done(source, "built", [words, ["make", "-C", "templates"]]):
            return "its test helper cannot be built"
        return None

    def scripts(self):
        return [os.path.basename(path) for path in glob.glob(os.path.join(self.folder, "t[0-9]*.sh"))]

    def command(self, script, scratch):
        root = os.path.join(scratch, "trash")
        env = {"GIT_TEST_INSTALLED": os.path.dirname(shutil.which("git")), "TEST_OUTPUT_DIRECTORY": scratch}
        return ["sh", "./" + script, "--root=" + root], self.folder, env

    def outcomes(self, output, status):
        return tap(output, status)


class Bash:
    """tests/ of bash: each script prints how its output differs from what bash's authors expect, and every line counts."""
    package = "bash"
    whole = quick = ("run-*",)

    def prepare(self, source):
        self.source, self.folder = source, os.path.join(source, "tests")
        flags = ["-w", "-I.", "-Iinclude", "-DHAVE_STRING_H", "-DHAVE_STDLIB_H", "-DHAVE_UNISTD_H", "-DPREFER_STDARG"]
        build = [["cc", *flags, "-o", "tests/" + name, "support/%s.c" % name] for name in HELPERS]
        return None if sources.done(source, "built", build) else "its helpers cannot be built"

    def scripts(self):
        names = [os.path.basename(path) for path in glob.glob(os.path.join(self.folder, "run-*"))]
        return [name for name in names if name not in ("run-all", "run-minimal", "run-gprof")]

    def command(self, script, scratch):
        folder = os.path.join(scratch, "tests")
        shutil.copytree(self.folder, folder, symlinks=True)
        env = {"THIS_SH": shutil.which("bash"), "BUILD_DIR": scratch, "BASH_TSTOUT": os.path.join(scratch, "out"),
               "PATH": ".:" + os.environ["PATH"], "TMPDIR": scratch}
        return ["sh", script], folder, env

    def outcomes(self, output, status):
        lines = collections.Counter(re.sub(r"\d{5,}|(?<=\()\d+(?=\))", "N", line) for line in output.splitlines())  # process numbers, times
        return {"": str(status), **{": " + line: "%d times" % number for line, number in lines.items()}}


class Perl:
    """t/ of Perl below a lib/ made of the installed modules."""
    package = "perl"
    whole = ("base/*", "cmd/*", "comp/*", "io/*", "op/*", "re/*", "uni/*", "mro/*", "lib/*", "run/*", "class/*")
    quick = ("io/*", "run/*", "op/[e-g]*", "op/magic*", "op/readline*", "op/require*", "op/stat*", "op/sysio*")

    def prepare(self, source):
        self.folder = os.path.join(source, "t")
        lib = os.path.join(source, "installed")
        paths = subprocess.run(["perl", "-MConfig", "-e", 'print "@Config{qw(privlib archlib)}"'], stdout=subprocess.PIPE)
        places = paths.stdout.decode().split() + glob.glob("/usr/lib/*/perl-base")
        copies = [["mkdir", lib], *(["cp", "-rL", place + "/.", lib] for place in reversed(places)), ["mv", "lib", "its-lib"],
                  ["mv", lib, "lib"], ["ln", "-s", shutil.which("perl"), "perl"], ["ln", "-s", shutil.which("perl"), "t/perl"]]
        return None if sources.done(source, "laid-out", copies) else "it cannot be laid out"

    def scripts(self):
        return [os.path.relpath(path, self.folder) for path in glob.glob(os.path.join(self.folder, "*", "*.t"))]

    def command(self, script, scratch):
        # The tests write where they are: a tree of their own, with the big folders linked.
        folder = os.path.join(scratch, "perl")
        os.mkdir(folder)
        source = os.path.dirname(self.folder)
        for name in os.listdir(source):
            if name != "t":
                os.symlink(os.path.join(source, name), os.path.join(folder, name))
        shutil.copytree(self.folder, os.path.join(folder, "t"), symlinks=True)
        with open(os.path.join(self.folder, script), errors="replace") as file:
            switches = re.findall(r"\s(-[A-Za-z]+)", file.readline())
        return ["./perl", *switches, "-I../lib", script], os.path.join(folder, "t"), {"PERL_CORE": "1"}

    def outcomes(self, output, status):
        return tap(output, status)


SUITES = (Git(), Bash(), Perl(), userland.Coreutils(), userland.Busybox(), runtimes.Node(), runtimes.Go(), runtimes.Tcl(),
          runtimes.Ruby(), runtimes.Php())


def tap(output, status):
    found = {}
    for word, number, note in TAP.findall(output):
        found["#" + number] = note.lower() if note else word
    found["status"] = str(status)
    return found


def run_script(options, suite, script, guarded):
    scratch = tempfile.mkdtemp(prefix="suite-")
    os.chmod(scratch, 0o711)  # a test may become somebody else in there
    words, folder, more = suite.command(script, scratch)
    env = dict(os.environ, HOME=scratch, LC_ALL="C", **difference.STEADY_HASHES, **more)
    command = difference.as_user(options.uid)
    if options.uid:
        subprocess.run(["chown", "-R", "%d:%d" % (options.uid, options.uid), scratch], check=True)
    command += difference.bridled(options) if guarded else []
    output, status = difference.run_bounded(command + words, folder, env, SCRIPT_SECONDS)
    subprocess.run(["rm", "-rf", scratch], check=False)
    return {script + name: outcome for name, outcome in suite.outcomes(output.replace(scratch, "HERE"), status).items()}


def compare_suite(options, suite, patterns, listed):
    """(good, words)"""
    scripts = sorted(name for name in suite.scripts() if any(fnmatch.fnmatch(name, pattern) for pattern in patterns))
    tests = alike = bad = 0

    def compare(script):
        return difference.compare(lambda guarded, _: run_script(options, suite, script, guarded), listed)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for script, compared in zip(scripts, pool.map(compare, scripts)):
            tests += compared.tests
            alike += compared.alike
            bad += compared.good() is False
            if compared.details() or options.show:
                print("     %s/%s: %s%s" % (suite.package, script, compared.summary(), compared.details()), flush=True)
    return not bad, "%d scripts, %d tests, %d alike" % (len(scripts), tests, alike)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    difference.add_options(parser)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--show", action="store_true", help="a line a script")
    parser.add_argument("--sources", help="where the sources are kept")
    parser.add_argument("chosen", nargs="*", metavar="SUITE[/SCRIPT]")
    options = difference.read_options(parser)
    top = os.path.abspath(options.sources or os.path.join(options.build, "sources"))
    listed = difference.known()
    counts = {"ok": 0, "FAIL": 0, "skip": 0}
    for suite in SUITES:
        chosen = [one.partition("/")[2] for one in options.chosen if one.partition("/")[0] == suite.package]
        if options.chosen and not chosen:
            continue
        patterns = [one for one in chosen if one] or (suite.whole if options.all or chosen else suite.quick)
        if not patterns:
            continue
        suite.kept = top
        source, words = sources.fetch(suite.package, top, getattr(suite, "place", None))
        if getattr(suite, "ordinary", False) and not options.uid and not os.geteuid():
            words = words or "not as root: it mounts things (--as UID)"
        words = words or suite.prepare(source)
        word = "skip"
        if not words:
            good, words = compare_suite(options, suite, patterns, listed)
            word = "ok" if good else "FAIL"
        counts[word] += 1
        print("%-4s %s: %s" % (word, suite.package, words), flush=True)
    print("%(ok)d passed, %(FAIL)d failed, %(skip)d skipped" % counts)
    return counts["FAIL"] != 0


if __name__ == "__main__":
    sys.exit(main())
