#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPython's own regression suite (Debian: libpython3.N-testsuite), compared test by test with and without bridle.

    cpython.py [--all] [--backstop auto|off] [--as UID] [--keep FOLDER] [BUILD] [MODULE]...

--as runs both sides as that user (root only). Prints a line a module, then what differs in it, and last
'N passed, N failed, N skipped'. tests/real/known.txt names the differences that are known, and why.
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

import difference

QUICK = ("test_os test_posix test_posixpath test_fileio test_tempfile test_glob test_shutil test_popen test_pty test_runpy "
         "test_mmap test_import test_pathlib test_selectors test_tarfile test_threading test_subprocess").split()
WHOLE = QUICK + ("test_io test_socket test_asyncio test_multiprocessing_fork test_signal test_zipfile test_venv "
                 "test_ctypes").split()
TEST_SECONDS = 60  # one test
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


def make_run(options, python, module):
    """run(guarded, names) for difference.compare."""
    def run(guarded, names):
        folder = tempfile.mkdtemp(prefix="cpython-")
        os.chmod(folder, 0o777)
        record = os.path.join(folder, "record")
        open(record, "w").close()
        os.chmod(record, 0o666)
        command = difference.as_user(options.uid) + (difference.bridled(options) if guarded else [])
        env = dict(os.environ, TMPDIR=folder, **difference.STEADY_HASHES)
        command += [python, options.runner, record, str(TEST_SECONDS), module, *(names or [])]
        try:
            log = ""
            for _ in range(RESUMES):
                log += difference.run_bounded(command, folder, env, MODULE_SECONDS)[0]
                outcomes, ended = read_record(record)
                if ended:
                    break
            if options.keep:
                name = "%s-%s%s" % (module, "guarded" if guarded else "bare", "-again" if names else "")
                shutil.copy(record, os.path.join(options.keep, name + ".record"))
                with open(os.path.join(options.keep, name + ".log"), "w") as file:
                    file.write(log)
            return outcomes
        finally:
            subprocess.run(["rm", "-rf", folder], check=False)
    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--keep", help="a folder for the logs and records")
    difference.add_options(parser)
    parser.add_argument("modules", nargs="*")
    options = difference.read_options(parser)
    counts = {True: 0, False: 0, None: 0}
    listed = difference.known()
    for module in options.modules or (WHOLE if options.all else QUICK):
        found = glob.glob("/usr/lib/python3.*/test/%s*" % module)
        good, words = None, "CPython's suite is not installed (libpython3.N-testsuite)"
        if found:
            compared = difference.compare(make_run(options, "/usr/bin/" + found[0].split("/")[3], module), listed)
            good, words = compared.good(), compared.summary() + compared.details()
        counts[good] += 1
        print("%-4s %s: %s" % ({True: "ok", False: "FAIL", None: "skip"}[good], module, words), flush=True)
    print("%d passed, %d failed, %d skipped" % (counts[True], counts[False], counts[None]))
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
