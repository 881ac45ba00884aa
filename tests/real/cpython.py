#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPython's own regression suite (Debian: libpython3-testsuite), compared test by test with and without bridle.

    cpython.py [--quick | --all] [--backstop auto|off] [--as UID] [--keep FOLDER] [BUILD] [MODULE]...

--as runs both sides as that user (root only). Prints a line a module, then what differs in it, and last
'N passed, N failed, N skipped'. tests/real/known.txt names the differences that are known, and why.
"""
import argparse
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import difference

RUNNER = os.path.join(difference.HERE, "cpython_runner.py")
QUICK = "test_os test_posix test_fileio test_tempfile test_glob test_shutil test_popen test_pty test_runpy test_mmap".split()
WHOLE = QUICK + ("test_subprocess test_io test_pathlib test_socket test_asyncio test_multiprocessing_fork test_threading "
                 "test_signal test_zipfile test_tarfile test_import test_venv test_selectors test_ctypes test_posixpath").split()
TEST_SECONDS = 120  # one test
MODULE_SECONDS = 1500
RESUMES = 8  # a module goes on behind a test that hung or crashed, so often


def read_record(path):
    outcomes = {}
    ended = False
    with open(path) as file:
        for line in file:
            word, _, test = line.strip().partition(" ")
            ended = ended or word == "end"
            if test:
                outcomes[test] = "died" if word == "begin" else word
    return outcomes, ended


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def run_once(command, folder, log, seconds):
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                               env=dict(os.environ, TMPDIR=folder), start_new_session=True)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        pass
    if process.poll() is None:  # bridle takes its command along
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            pass
    end_group(process)


def make_run(options, python, module):
    """run(guarded, names) for difference.compare."""
    def run(guarded, names):
        folder = tempfile.mkdtemp(prefix="cpython-")
        os.chmod(folder, 0o777)
        record = os.path.join(folder, "record")
        open(record, "w").close()
        os.chmod(record, 0o666)
        command = ["setpriv", "--reuid=%d" % options.uid, "--regid=%d" % options.uid, "--clear-groups"] if options.uid else []
        command += difference.bridled(options.bridle, ["--set", "coverage.backstop=" + options.backstop]) if guarded else []
        command += [python, RUNNER, record, str(TEST_SECONDS), module, *(names or [])]
        try:
            with open(os.path.join(folder, "log"), "w") as log:
                for _ in range(RESUMES):
                    run_once(command, folder, log, MODULE_SECONDS)
                    outcomes, ended = read_record(record)
                    if ended:
                        break
            if options.keep:
                name = "%s-%s%s" % (module, "guarded" if guarded else "bare", "-again" if names else "")
                shutil.copy(os.path.join(folder, "log"), os.path.join(options.keep, name + ".log"))
                shutil.copy(record, os.path.join(options.keep, name + ".record"))
            return outcomes
        finally:
            subprocess.run(["rm", "-rf", folder], check=False)
    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--backstop", default="auto")
    parser.add_argument("--as", dest="uid", type=int, default=0)
    parser.add_argument("--keep", help="a folder for the logs and records")
    parser.add_argument("build", nargs="?", default="build")
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    options.bridle = os.path.join(os.path.abspath(options.build), "bridle")
    counts = {True: 0, False: 0, None: 0}
    listed = difference.known()
    for module in options.modules or (WHOLE if options.all else QUICK):
        found = glob.glob("/usr/lib/python3.*/test/%s*" % module)
        good, words = None, "CPython's suite is not installed (libpython3-testsuite)"
        if found:
            python = "/usr/bin/" + found[0].split("/")[3]
            good, words = difference.compare(make_run(options, python, module), listed)
        counts[good] += 1
        print("%-4s %s: %s" % ({True: "ok", False: "FAIL", None: "skip"}[good], module, words), flush=True)
    print("%d passed, %d failed, %d skipped" % (counts[True], counts[False], counts[None]))
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
