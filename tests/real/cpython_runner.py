# SPDX-License-Identifier: MIT
"""Runs one module of CPython's own suite and writes down what became of each test, as it becomes known.

    cpython_runner.py RECORD SECONDS MODULE [TEST]...

A line a test in RECORD: "begin TEST", then "OUTCOME TEST". A test that takes longer than SECONDS ends the process; called
again with the same RECORD, the runner goes on behind it, so whoever calls it goes on until it says "end".
"""
import faulthandler
import os
import sys
import tempfile
import unittest

if __name__ == "__main__":
    os.chdir(tempfile.mkdtemp(dir="."))  # before os_helper looks where it is

import test.support


class Recorder(unittest.TextTestResult):
    """Outcomes by test, the worst of its subtests first; flushed at once, for a test may take the process with it."""

    def __init__(self, *args):
        super().__init__(*args)
        self.worst = None

    def write(self, word, test):
        record.write("%s %s\n" % (word, test.id()))
        record.flush()

    def startTest(self, test):
        super().startTest(test)
        self.worst = "ok"
        self.write("begin", test)
        faulthandler.dump_traceback_later(seconds, exit=True)

    def stopTest(self, test):
        faulthandler.cancel_dump_traceback_later()
        self.write(self.worst, test)
        super().stopTest(test)

    def addError(self, test, error):
        super().addError(test, error)
        self.worst = "error"
        if not isinstance(test, unittest.TestCase):  # a class or module that cannot be set up
            self.write("error", test)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.worst = "fail"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.worst = "skip"
        if not isinstance(test, unittest.TestCase):
            self.write("skip", test)

    def addExpectedFailure(self, test, error):
        super().addExpectedFailure(test, error)
        self.worst = "expected"

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.worst = "unexpected"

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            self.worst = "fail"


def tests_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        else:
            yield test


def main():
    with open(record_path) as file:
        seen = {line.split(None, 1)[1].strip() for line in file if " " in line}
    test.support.use_resources = []  # neither the network nor gigabytes
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromName("test." + module)
    chosen = [one for one in tests_of(suite) if one.id() not in seen and (not names or one.id() in names)]
    unittest.TextTestRunner(resultclass=Recorder, verbosity=2).run(unittest.TestSuite(chosen))
    record.write("end\n")
    record.flush()


if __name__ == "__main__":
    record_path, module, names = sys.argv[1], sys.argv[3], set(sys.argv[4:])
    seconds = float(sys.argv[2])
    record = open(record_path, "a")
    sys.argv[1:] = []
    main()
    os._exit(0)  # threads that a test left behind do not count
