#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
report_sessions.py BRIDLE: reports of real sessions (bash, git, python, node) in every form, and what is learnt from them: a
policy under which the same work goes through without one violation.
"""

import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(sys.argv[1])
PYTHON = "/usr/bin/python3"
SECRET = "sk-" + "aB3dEfGh1jKlMnOpQrSt" * 2

WORK = r"""#!/bin/bash
set -e
git init -q .
git config user.email me@example.org
git config user.name Me
git add work.sh
git commit -q -m 'begin: <b>it'"'"'s</b>'
/usr/bin/python3 work.py
if command -v node >/dev/null; then node work.js; fi
cat ../data/sub/one.txt > copied.txt
mkdir -p build && touch build/x build/y && rm build/y
"""
WORK_PY = r"""
import os, subprocess, tempfile
print(open("../data/two.txt").read())
os.makedirs("../store/cache", exist_ok=True)
open("../store/cache/result", "w").write("done")
with tempfile.TemporaryDirectory() as folder:
    open(os.path.join(folder, "scratch"), "w").close()
subprocess.run(["git", "log", "--oneline"], check=True, stdout=subprocess.DEVNULL)
"""
WORK_JS = r"""
const fs = require('fs');
fs.writeFileSync('from-node.txt', fs.readFileSync('../data/two.txt'));
require('child_process').execFileSync('git', ['status', '--short']);
"""


class World:
    """A project with data and a store beside it."""

    def __init__(self, folder):
        self.folder = folder
        self.root = os.path.join(folder, "project")
        for name in ("project", "data/sub", "home"):
            os.makedirs(os.path.join(folder, name))
        for name, text in (("data/two.txt", "two"), ("data/sub/one.txt", "one"), ("project/work.sh", WORK),
                           ("project/work.py", WORK_PY), ("project/work.js", WORK_JS),
                           ("project/peek.sh", "cat ../data/two.txt\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)

    def bridle(self, *arguments, **more):
        environment = dict(os.environ, HOME=os.path.join(self.folder, "home"), TMPDIR="/var/tmp")
        environment.pop("BRIDLE_POLICY", None)
        environment.update(more.pop("env", {}))
        done = subprocess.run([BRIDLE, *arguments], cwd=self.root, env=environment, capture_output=True, text=True,
                              timeout=300, check=False, **more)
        return done

    def clean(self):
        for name in ("project/.git", "project/build", "store"):
            shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)

    def report(self, name):
        return os.path.join(self.folder, name)


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def denied(path):
    return [(line["rule"], line.get("path"), line.get("target"), line.get("argv"))
            for line in lines_of(path) if line.get("verdict") == "deny"]


def traced(world, *options):
    report = world.report("trace.jsonl")
    if os.path.exists(report):
        os.unlink(report)
    world.clean()
    done = world.bridle("trace", *options, "--report", report, "--", "bash", "work.sh")
    assert done.returncode == 0, done.stderr[-2000:]
    return report, done


def trace_tells_what_was_done(world):
    report, done = traced(world)
    assert os.stat(report).st_mode & 0o777 == 0o600
    for part in ("git commit -q -m 'begin: <b>it'\\''s</b>'", "/usr/bin/python3 work.py", "/store/cache/result",
                 "/data/two.txt", "would be denied: path.jail"):
        assert part in done.stderr, "%s is missing from %s" % (part, done.stderr[-3000:])
    assert "two" in done.stdout
    document = json.loads(world.bridle("report", "--json", report).stdout)
    commands = {process["command"]: process for process in document["processes"]}
    shell = commands["bash work.sh"]
    for command in ("git init -q .", "git add work.sh", "/usr/bin/python3 work.py"):
        assert commands[command]["parent"] == shell["id"], (command, commands[command])
    assert commands["git log --oneline"]["parent"] == commands["/usr/bin/python3 work.py"]["id"]
    written = {row["path"]: row for row in document["files_written"]}
    assert written[world.root + "/build/y"]["removed"]
    assert world.folder + "/store/cache/result" in written
    assert not any(path.startswith("/dev/") for path in written)
    assert document["sessions"][0]["exit_code"] == 0 and document["sessions"][0]["lost"] == 0
    assert document["sessions"][0]["command"] == "bash work.sh"


def every_form_is_written(world):
    report, _ = traced(world)
    page, sarif, spans = world.report("page.html"), world.report("x.sarif"), world.report("spans.jsonl")
    done = world.bridle("report", "--html", page, "--sarif", sarif, "--otlp", spans, report)
    assert done.returncode == 0 and not done.stdout, done.stderr
    with open(page, encoding="utf-8") as file:
        text = file.read()
    assert "begin: &lt;b&gt;it" in text and "<b>it" not in text
    results = json.load(open(sarif, encoding="utf-8"))["runs"][0]["results"]
    assert {result["ruleId"] for result in results} >= {"path.jail"}
    names = [span["name"] for request in lines_of(spans)
             for span in request["resourceSpans"][0]["scopeSpans"][0]["spans"]]
    assert "execute_tool bash" in names and "git" in names


def the_same_work_shows_nothing_new(world):
    first, _ = traced(world)
    kept = world.report("first.jsonl")
    os.rename(first, kept)
    second, _ = traced(world)
    done = world.bridle("report", "diff", kept, second)
    lines = [line for line in done.stdout.splitlines() if "/.git/objects/" not in line and "/var/tmp/" not in line]
    assert not [line for line in lines if not re.search(r"\.git/|bridle-[0-9a-f]{8}", line)], done.stdout
    with open(os.path.join(world.root, "work.sh"), "a", encoding="utf-8") as file:
        file.write("ls ../data/sub >/dev/null; date > later.txt\n")
    second, _ = traced(world)
    done = world.bridle("report", "diff", kept, second)
    assert done.returncode == 1
    assert re.search(r"^\+ program  .*/ls$", done.stdout, re.M) and "later.txt" in done.stdout, done.stdout


def what_is_learnt_lets_the_work_through(world):
    policy = os.path.join(world.root, "bridle.cfg")
    for base in ("tool", "agent", "none"):
        if os.path.exists(policy):
            os.unlink(policy)
        report, _ = traced(world, "-P", "tool" if base == "none" else base)
        learnt = world.bridle("policy", "learn", "--base", base, report)
        assert learnt.returncode == 0, learnt.stderr
        with open(policy, "w", encoding="utf-8") as file:
            file.write(learnt.stdout)
        assert world.bridle("policy", "check", policy).returncode == 0
        assert world.bridle("policy", "trust", policy).returncode == 0
        again = world.report("again-%s.jsonl" % base)
        world.clean()
        done = world.bridle("run", "--report", again, "--", "bash", "work.sh")
        assert done.returncode == 0, (base, done.stderr[-2000:], learnt.stdout)
        assert denied(again) == [], (base, denied(again), learnt.stdout)
    os.unlink(policy)


def an_updated_policy_lets_the_work_through(world):
    policy = os.path.join(world.root, "bridle.cfg")
    text = "// ours\nextends = \"tool\";\npaths: { read = [ \"/opt\" ]; }; // kept\n"
    report, _ = traced(world)
    with open(policy, "w", encoding="utf-8") as file:
        file.write(text)
    done = world.bridle("policy", "learn", "--update", policy, report)
    assert done.returncode == 0, done.stderr
    with open(policy, encoding="utf-8") as file:
        after = file.read()
    assert world.bridle("policy", "trust").returncode == 0
    assert after.startswith("// ours\n") and "// kept" in after and "// learnt 2" in after
    again = world.report("updated.jsonl")
    world.clean()
    done = world.bridle("run", "--report", again, "--", "bash", "work.sh")
    assert done.returncode == 0 and denied(again) == [], (denied(again), after)
    assert "0 entries added" in world.bridle("policy", "learn", "--update", policy, report).stdout
    os.unlink(policy)


def is_static(program):
    """A 64-bit ELF file without PT_INTERP."""
    with open(program, "rb") as file:
        start = file.read(65536)
    begin, size, count = struct.unpack_from("<Q", start, 32)[0], *struct.unpack_from("<HH", start, 54)
    return all(struct.unpack_from("<I", start, begin + i * size)[0] != 3 for i in range(count))


def of_a_static_program_nothing_is_claimed(world):
    """Its calls are known by the backstop alone, which does not see how they end."""
    busybox = shutil.which("busybox")
    if not busybox or not is_static(busybox):
        print("report_sessions: no static busybox here, its calls are not looked at")
        return
    for name in ("there", "twice"):
        open(os.path.join(world.root, name), "w", encoding="utf-8").close()
    report, page, sarif = world.report("static.jsonl"), world.report("static.html"), world.report("static.sarif")
    lines = ["rm missing", "rm there", "touch new", "touch twice", "mkdir fresh", "mkdir .", "rm ../data/two.txt"]
    done = world.bridle("trace", "-P", "tool", "--report", report, "--", "busybox", "sh", "-c",
                        "; ".join("busybox " + line for line in lines) + "; /bin/rm twice; true")
    assert "coverage.static" in done.stderr, done.stderr[-3000:]
    document = json.loads(world.bridle("report", "--json", "--html", page, "--sarif", sarif, report).stdout)
    if not document["calls"]["end_unknown"]:
        assert document["sessions"][0]["lost"] == 0 and "backstop" not in open(report, encoding="utf-8").read()
        print("report_sessions: no backstop here, its calls are not seen")
        return
    files = {row["path"]: row for row in document["files_written"]}
    asked = {os.path.relpath(path, world.root): row["asked"] for path, row in files.items() if row["asked"]}
    assert asked == {"there": ["remove"], "new": ["write"], "twice": ["write"], "fresh": ["create"],
                     "../data/two.txt": ["remove"]}, asked
    for path, row in files.items():
        known = path == world.root + "/twice"
        assert not row["created"] and not row["written"] and (row["removed"] or row["gone"]) == known, row
    tree = {process["command"]: process for process in document["processes"]}
    shell = [process for command, process in tree.items() if command.startswith("busybox sh -c")]
    assert len(shell) == 1 and tree["busybox rm there"]["parent"] == shell[0]["id"], document["processes"]
    for text in (done.stderr, open(page, encoding="utf-8").read()):
        assert "ended is not known" in text and "temporary" not in text, text
    results = json.load(open(sarif, encoding="utf-8"))["runs"][0]["results"]
    assert {"path.jail", "coverage.static"} <= {result["ruleId"] for result in results}
    learnt = world.bridle("policy", "learn", "--base", "tool", report).stdout
    assert world.folder + "/data" in learnt, learnt


def enforce_and_filters(world):
    world.clean()
    done = world.bridle("trace", "--enforce", "--", "bash", "peek.sh")
    assert done.returncode == 1 and "denied: path.jail" in done.stderr and "would be" not in done.stderr, done.stderr
    done = world.bridle("trace", "--only", "exec", "--", "bash", "-c", "cat work.py >/dev/null; ls")
    calls = done.stderr.split("\n\n")[0].splitlines()
    assert len(calls) == 3 and all(re.match(r"\d+ \S+ exec ", line) for line in calls), calls
    done = world.bridle("trace", "--json", "--only", "denied", "--", "bash", "peek.sh")
    lines = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert [line["rule"] for line in lines] == ["path.jail"] and done.stdout == "two", done
    assert world.bridle("run", "--only", "exec", "--", "true").returncode == 125
    assert world.bridle("trace", "--only", "fly", "--", "true").returncode == 125


def filters_by_program_and_path(world):
    command = ["--", "bash", "-c", "cat ../data/two.txt work.py >/dev/null; ls >/dev/null; touch x; rm x"]

    def calls(*options):
        return re.findall(r"^\d+ .*", world.bridle("trace", *options, *command).stderr, re.M)

    everything = calls()
    assert any(line.endswith(" (unlinkat)") for line in everything), everything
    only_cat = calls("--program", "c?t")
    assert len(only_cat) >= 2 and all(re.match(r"\d+ cat read ", line) for line in only_cat), only_cat
    assert calls("--program", "/*/cat") and not calls("--program", "/*/dog")
    data = calls("--path", world.folder + "/data/*")
    assert len(data) == 1 and "two.txt" in data[0] and "would be denied: path.jail" in data[0], data
    assert calls("--only", "read", "--program", "cat", "--path", "*/two.txt") != []
    assert calls("--only", "connect") == []
    written = calls("--only", "write", "--path", "x")
    assert len(written) == 2, written


def on_a_terminal(world, **environment):
    """What a trace shows on a terminal of its own."""
    out = []
    pid, terminal = pty.fork()
    if not pid:
        os.chdir(world.root)
        os.environ.pop("NO_COLOR", None)
        os.environ.update(environment)
        os.execv(BRIDLE, [BRIDLE, "trace", "--", "bash", "peek.sh"])
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        out.append(piece)
    os.close(terminal)
    os.waitpid(pid, 0)
    return b"".join(out).decode()


def colour_only_where_it_is_wanted(world):
    coloured = on_a_terminal(world, TERM="xterm")
    assert "\x1b[33m  would be denied" in coloured, coloured
    # What cat prints has no end of line, and may stand in front of one of the two.
    assert re.search(r"^  +\x1b\[2m(bash|cat)", coloured, re.M), "indented by process: " + coloured
    for plain in (on_a_terminal(world, TERM="xterm", NO_COLOR="1"), on_a_terminal(world, TERM="dumb"),
                  world.bridle("trace", "--", "bash", "peek.sh", env={"TERM": "xterm"}).stderr):
        assert "\x1b" not in plain and "would be denied" in plain, plain


def secrets_never_leave(world):
    report = world.report("secret.jsonl")
    world.bridle("run", "--set", "report.redact=[\"corp-[0-9]+\"]", "--set", "report.content=true", "--report", report,
                 "--", "cat", "../" + SECRET, "/corp-1234567890")
    done = world.bridle("trace", "--report", report, "--", "ls", "../" + SECRET, "--password=hunter22hunter")
    with open(report, encoding="utf-8") as file:
        text = file.read()
    assert SECRET not in text and "[redacted]" in text and "corp-1234567890" not in text, text
    assert "hunter22hunter" not in text and SECRET not in done.stderr


def the_reader_of_stderr_is_told(world):
    done = world.bridle("run", "--report", world.report("e.jsonl"), "--", "bash", "peek.sh")
    assert done.stderr.count("bridle: denied open") == 1 and "path.jail" in done.stderr, done.stderr
    done = world.bridle("run", "--", "bash", "peek.sh")
    assert done.stderr.count("outside of the allowed folders") == 1, "said once, not twice: " + done.stderr
    result = json.loads(world.bridle("run", "--json", "--", "bash", "peek.sh").stdout)
    assert "bridle: denied open" in result["stderr"]
    done = world.bridle("run", "--set", "report.explain=off", "--report", world.report("e.jsonl"), "--", "bash",
                        "peek.sh")
    assert "bridle: denied open" not in done.stderr


def into_file(world, how, *more, script="peek.sh"):
    """What stands in a file that is the stdout, the stderr or both of a refused program."""
    path = os.path.join(world.root, "err")
    with open(path, "wb" if "w" in how else "ab", buffering=0) as file:
        file.write(b"data\n")
        kept = {name: file for name in ("stdout", "stderr") if name in how}
        subprocess.run([BRIDLE, "run", *more, "--", "bash", script], cwd=world.root, check=False,
                       **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **kept})
    with open(path, encoding="utf-8") as file:
        text = file.read()
    os.remove(path)
    return text


def a_file_is_told_where_it_gathers_what_is_said(world):
    report = ["--report", world.report("e.jsonl")]
    for how in ("w stdout stderr", "w stderr", "a stderr"):
        assert "bridle: denied open" not in into_file(world, how, *report), how
    text = into_file(world, "a stdout stderr", *report)
    assert text.startswith("data\n") and text.count("bridle: denied open") == 1, text
    text = into_file(world, "a stdout stderr", "--set", "report.explain=off", *report)
    assert "bridle: denied open" not in text, text
    text = into_file(world, "a stdout stderr")
    assert text.count("outside of the allowed folders") == 1, "said once, by one of the two: " + text
    with open(os.path.join(world.root, "part.sh"), "w", encoding="utf-8") as file:
        file.write("bash peek.sh > /dev/null\n")
    text = into_file(world, "a stdout stderr", *report, script="part.sh")
    assert "bridle: denied open" not in text, "whose output goes elsewhere may have anything on 2: " + text


def a_file_that_is_full_kills_nobody(world):
    with open(os.path.join(world.root, "full.py"), "w", encoding="utf-8") as file:
        file.write("import signal, sys\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\ntry:\n    open('/etc/shadow')\n"
                   "except PermissionError:\n    sys.exit(7)\n")
    path = os.path.join(world.root, "full")
    with open(path, "ab", buffering=0) as file:
        file.write(b"x" * (1 << 20))
        done = subprocess.run([BRIDLE, "run", "-q", "--set", "limits.file_size_mb=1", "--", PYTHON, "full.py"], cwd=world.root,
                              stdout=file, stderr=file, check=False)
    assert done.returncode == 7 and os.path.getsize(path) == 1 << 20, (done, os.path.getsize(path))


def a_terminal_of_its_own_is_left_alone(world):
    out = []

    def read(fd):
        data = os.read(fd, 4096)
        out.append(data)
        return data

    with open(os.path.join(world.root, "both.sh"), "w", encoding="utf-8") as file:
        file.write("bash peek.sh; bash peek.sh 2> /dev/tty; bash peek.sh 2>&1 | cat > t.txt; %s own.py\n" % PYTHON)
    with open(os.path.join(world.root, "own.py"), "w", encoding="utf-8") as file:
        file.write("import os, pty\nkept = open('own.txt', 'wb', 0)\ndef read(fd):\n    data = os.read(fd, 4096)\n"
                   "    kept.write(data)\n    return b' ' * len(data)\npty.spawn(['bash', 'peek.sh'], read)\n")
    here, stdout = os.getcwd(), os.dup(1)
    os.chdir(world.root)
    with open(os.devnull, "w", encoding="utf-8") as null:
        os.dup2(null.fileno(), 1)
        try:
            pty.spawn([BRIDLE, "run", "--report", world.report("t.jsonl"), "--", "bash", "both.sh"], read,
                      lambda fd: b"")
        finally:
            os.dup2(stdout, 1)
            os.chdir(here)
    assert b"bridle: denied open" not in b"".join(out), out
    with open(os.path.join(world.root, "t.txt"), encoding="utf-8") as file:
        assert file.read().count("bridle: denied open") == 1, "a pipe below it is no terminal"
    with open(os.path.join(world.root, "own.txt"), encoding="utf-8") as file:
        assert file.read().count("bridle: denied open") == 1, "a terminal below it is another one"


def the_trace_context_is_passed_on(world):
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    spans = world.report("run-spans.jsonl")
    done = world.bridle("run", "--otlp", spans, "--", "printenv", "TRACEPARENT", env={"TRACEPARENT": parent})
    inner = done.stdout.strip().split("-")
    span = lines_of(spans)[0]["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    assert inner[1] == span["traceId"] == parent.split("-")[1]
    assert inner[2] == span["spanId"] and span["parentSpanId"] == parent.split("-")[2]
    assert span["name"] == "execute_tool printenv"
    done = world.bridle("run", "--otlp", "http://127.0.0.1:1", "--", "echo", "fine")
    assert done.returncode == 0 and done.stdout == "fine\n" and "127.0.0.1:1" in done.stderr


TESTS = [trace_tells_what_was_done, every_form_is_written, the_same_work_shows_nothing_new,
         what_is_learnt_lets_the_work_through, of_a_static_program_nothing_is_claimed,
         an_updated_policy_lets_the_work_through, enforce_and_filters, filters_by_program_and_path, colour_only_where_it_is_wanted, secrets_never_leave, the_reader_of_stderr_is_told,
         a_file_is_told_where_it_gathers_what_is_said, a_file_that_is_full_kills_nobody, a_terminal_of_its_own_is_left_alone,
         the_trace_context_is_passed_on]


def main():
    failed = 0
    wanted = sys.argv[2:]
    tests = [test for test in TESTS if not wanted or test.__name__ in wanted]
    for test in tests:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            try:
                test(World(os.path.realpath(folder)))
            except (AssertionError, KeyError, IndexError, ValueError, subprocess.TimeoutExpired) as error:
                failed += 1
                print("FAILED: report_sessions: %s: %s: %s" % (test.__name__, type(error).__name__, error))
    print("report_sessions: %d passed, %d failed" % (len(tests) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
