# SPDX-License-Identifier: MIT
"""The suites of language runtimes, as suites.py runs them: Node, Go, Tcl, Ruby and PHP test the installed programs.

Go's are static programs which make their system calls themselves: what they show is the backstop's.
"""
import collections
import glob
import os
import re
import shutil

import sources


def matching(folder, *patterns):
    return sorted({os.path.relpath(path, folder) for one in patterns for path in glob.glob(os.path.join(folder, one))})


def outcomes_by(pattern, output, status):
    """{test: outcome} of lines that say both; of a name seen twice, both. pattern has the groups name and word."""
    found = collections.defaultdict(list)
    for match in pattern.finditer(output):
        found["#" + match["name"]].append(match["word"].lower())
    return {"": str(status), **{name: " ".join(sorted(words)) for name, words in found.items()}}


class Node:
    """test/parallel of Node: a script is a test."""
    package = "nodejs"
    whole = tuple("parallel/test-%s*" % name for name in (
        "child-process", "cluster", "cwd", "dgram", "dns", "file", "fs", "http-[a-e]", "module", "net", "os", "pipe", "process",
        "require", "signal", "stdin", "stdio", "stdout", "tty", "worker-[a-f]"))
    quick = ()

    def prepare(self, source):
        self.folder = os.path.join(source, "test")
        return None if shutil.which("node") else "no node"

    def scripts(self):
        return matching(self.folder, "parallel/test-*.js", "parallel/test-*.mjs")

    def command(self, script, scratch):
        with open(os.path.join(self.folder, script), errors="replace") as file:
            flags = re.findall(r"^// Flags: (.*)$", file.read(), re.M)
        return (["node", *" ".join(flags).split(), os.path.join(self.folder, script)], scratch, {"NODE_TEST_DIR": scratch})

    def outcomes(self, output, status):
        return {"": str(status)}


class Go:
    """The tests of Go's standard library, from where Debian installs it (golang-N-src); they are built once."""
    package = "golang"
    place = "/usr/share/go-1.*/src"
    whole = ("os", "os/*", "syscall", "net", "path/filepath", "io/*", "internal/poll", "time")
    quick = ()
    result = re.compile(r"^ *--- (?P<word>PASS|FAIL|SKIP): (?P<name>\S+)", re.M)

    def prepare(self, source):
        self.source, self.built = os.path.realpath(source), os.path.join(self.kept, "golang")
        if not shutil.which("go"):
            return "no go"
        os.makedirs(self.built, exist_ok=True)
        commands = [["go", "test", "-c", "-o", os.path.join(self.built, name.replace("/", "-")), name] for name in self.scripts()]
        return None if sources.done(self.built, "built", commands) else "its tests cannot be built"

    def scripts(self):
        return ["internal/poll", "io/fs", "io/ioutil", "net", "os", "os/exec", "os/signal", "path/filepath", "syscall", "time"]

    def command(self, script, scratch):
        # The tests look for their testdata where they are, and run with others' packages beside them.
        return ([os.path.join(self.built, script.replace("/", "-")), "-test.v", "-test.short"], os.path.join(self.source, script),
                {"TMPDIR": scratch, "GOCACHE": os.path.join(scratch, "cache")})

    def outcomes(self, output, status):
        return outcomes_by(self.result, output, status)


class Tcl:
    """tests/*.test of Tcl that deal with files, programs, channels and sockets."""
    package = "tcl8.6"
    whole = tuple(name + ".test" for name in (
        "basic", "chan*", "cmdAH", "event", "exec", "exit", "fCmd", "fileName", "fileSystem", "http*", "io", "ioCmd", "ioTrans",
        "iogt", "load", "package", "pid", "pkg*", "safe*", "socket", "source", "tcltest", "tm", "unix*", "unload"))
    quick = ()
    result = re.compile(r"^(?:\+\+\+\+|====) (?P<name>\S+?)(?: .*)? (?P<word>PASSED|FAILED|SKIPPED)", re.M)

    def prepare(self, source):
        self.folder = os.path.join(source, "tests")
        return None if shutil.which("tclsh8.6") else "no tclsh8.6"

    def scripts(self):
        return matching(self.folder, "*.test")

    def command(self, script, scratch):
        # Some write beside the script.
        folder = os.path.join(scratch, "tests")
        shutil.copytree(self.folder, folder)
        return ["tclsh8.6", script, "-verbose", "pass skip body error", "-tmpdir", scratch], folder, {"TMPDIR": scratch}

    def outcomes(self, output, status):
        return outcomes_by(self.result, output, status)


class Ruby:
    """test/ of Ruby; not ruby/test_require_lib.rb, which draws by chance what it tests."""
    package = "ruby3.1"
    whole = ("fileutils/*", "io/*/*", "logger/*", "pathname/*", "socket/*", "ruby/test_dir.rb", "ruby/test_env.rb", "ruby/test_file*",
             "ruby/test_io*", "ruby/test_process.rb", "ruby/test_require.rb", "ruby/test_rubyoptions.rb", "ruby/test_signal.rb",
             "ruby/test_sleep.rb", "ruby/test_system.rb", "test_find.rb", "test_open3.rb", "test_pstore.rb", "test_pty.rb",
             "test_tempfile.rb", "test_tmpdir.rb")
    quick = ()
    result = re.compile(r"^\[ *\d+/\d+\] (?P<name>\S+) = [\d.]+ s ?(?P<word>\w*)$", re.M)
    worse = re.compile(r"^ *\d+\) (?P<word>Failure|Error|Skipped):\n(?P<name>[^\s:\[]+)", re.M)

    def prepare(self, source):
        self.folder = os.path.join(source, "test")
        return None if shutil.which("ruby3.1") else "no ruby3.1"

    def scripts(self):
        return matching(self.folder, "test_*.rb", "*/test_*.rb", "*/*/test_*.rb")

    def command(self, script, scratch):
        runner = os.path.join(self.folder, "runner.rb")
        return ["ruby3.1", runner, "-v", "--tty=no", os.path.join(self.folder, script)], scratch, {"TMPDIR": scratch}

    def outcomes(self, output, status):
        ended = re.search(r"^\d+ tests, \d+ assertions", output, re.M)  # the status only says that some test failed
        found = outcomes_by(self.result, output, "ended" if ended else status)
        found.update({"#" + match["name"]: match["word"].lower() for match in self.worse.finditer(output)})
        return {name: outcome or "ok" for name, outcome in found.items()}


class Php:
    """The .phpt files of PHP's functions for files, folders, streams, programs and sockets; a script is a folder of them."""
    package = "php8.2"
    whole = ("ext/standard/tests/dir", "ext/standard/tests/file", "ext/standard/tests/general_functions",
             "ext/standard/tests/network", "ext/standard/tests/streams", "ext/posix/tests", "ext/sockets/tests", "tests/basic",
             "tests/output")
    quick = ()
    result = re.compile(r"\b(?P<word>PASS|FAIL|SKIP|WARN|XFAIL|BORK)\b[^\n]*\[(?P<name>\S+\.phpt)\]", re.M)

    def prepare(self, source):
        self.source = source
        return None if shutil.which("php8.2") else "no php8.2"

    def scripts(self):
        return sorted(self.whole)

    def command(self, script, scratch):
        # The runner writes each test beside its .phpt.
        shutil.copytree(os.path.join(self.source, script), os.path.join(scratch, script))
        shutil.copy(os.path.join(self.source, "run-tests.php"), scratch)
        return (["php8.2", "run-tests.php", "-q", "-p", shutil.which("php8.2"), "--no-color", "--no-progress", script], scratch,
                {"TMPDIR": scratch, "SKIP_ONLINE_TESTS": "1", "SKIP_SLOW_TESTS": "1"})

    def outcomes(self, output, status):
        return outcomes_by(self.result, output, status)
