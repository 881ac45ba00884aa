#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
report_damaged.py BRIDLE: report files that are cut short, mixed, foreign or hostile, in every form that reads one: each bad
line is named by its number and the rest summarised, nothing is executed, and nothing that would act is shown raw.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(sys.argv[1])
SHOWN = 20  # warnings; the rest is counted


def line(**more):
    parts = {"v": 1, "ts": 1764521055.5, "session": "5e55", "pid": 7, "ppid": 6, "tid": 7, "exe": "/bin/x", "via": "shim",
             "call": "open", "op": "write", "path": "/work/file", "verdict": "allow", **more}
    return json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


GOOD = line() + line(op="read", path="/work/other") + line(op="exec", path="/bin/y", argv=["y", "z"], call="execve") + \
    line(op="connect", path="", addr="192.0.2.1", port=80, call="connect", verdict="deny", rule="network.connect")
HOSTILE = line(path="<script>alert(1)</script>", target="/a/<script>alert(1)</script>") + \
    line(path="\x1b]0;owned\x07\x1b[2J", target="/a/\x1b[2J") + line(path="/a/\u202egpj.exe") + \
    line(exe="/bin/\"'><img src=x onerror=alert(1)>", verdict="deny", rule="path.jail", reason="</td><script>alert(1)") + \
    line(op="exec", argv=["</script><script>alert(1)</script>", "\x1b[31m"], call="execve") + \
    line().replace(b'"path": "', b'"path": "\xff\xfe\xc3(', 1) + line(session="${x}`id`$(id)", rule="a\nb", verdict="deny")
HUGE = line(ts=1e300) + line(ts=-1e300) + line(pid=10 ** 30, ppid=-10 ** 30, port=10 ** 40) + \
    line(op="session", event="close", via="launcher", checked=1e999, denied=-1e300, lost=10 ** 25).replace(
        b"Infinity", b"1e999") + \
    line(ts="x", pid="y", argv={"a": 1}, path=[1], verdict=3, rule=None)
DEEP = b'{"v":1,"op":"read","x":' + b"[" * 30000 + b"]" * 30000 + b"}\n"
LONG = b'{"v":1,"op":"read","path":"' + b"a" * (1 << 20) + b'"}\n'
LOOP = line(pid=5, ppid=5) + line(pid=6, ppid=7) + line(pid=7, ppid=6) + line(pid=0, ppid=0)

# What is in the file, which lines are bad (None: all, however many), and whether it says anything at all.
CASES = {
    "good": (GOOD, [], True),
    "truncated": (GOOD[:-30], [4], True),
    "no end of line": (GOOD[:-1], [], True),
    "other JSON": (GOOD + b'{"a":1}\n[1,2]\n"x"\n42\nnull\n{"level":"info","v":1}\n' + GOOD, list(range(5, 11)), True),
    "log between": (GOOD + b"2026-01-01 12:00:00 INFO started\n\n" + GOOD, [5], True),
    "torn in the middle": (GOOD[:100] + GOOD + b'{"v":1,"op":\n' + GOOD, [1, 5], True),
    "NUL bytes": (GOOD + b"\0\0\0\n" + GOOD, [5], True),
    "binary": (GOOD + bytes(range(11, 256)) * 20 + b"\n" + GOOD, [5], True),
    "byte order mark": (b"\xef\xbb\xbf" + GOOD, [], True),
    "CRLF": (GOOD.replace(b"\n", b"\r\n"), [], True),
    "another version": (GOOD + line(v=2), [5], True),
    "UTF-16": (GOOD.decode().encode("utf-16"), None, False),
    "gzip": (gzip.compress(GOOD * 50), None, False),
    "hostile": (HOSTILE + GOOD, [], True),
    "huge numbers": (HUGE + GOOD, [], True),
    "nested": (DEEP + GOOD + DEEP, [1, 6], True),
    "a line of 1 MiB": (GOOD + LONG + GOOD, [5], True),
    "nothing but bad": (b"x\n" * 1000, None, False),
    "processes in a circle": (LOOP + GOOD, [], True),
    "empty": (b"", [], False),
    "empty lines": (b"\n\n \n\t\n", [], False),
}
FORMS = [["report"], ["report", "--json"], ["report", "--html", "-"], ["report", "--sarif", "-"],
         ["report", "diff", "GOOD"], ["report", "diff", "--json", "GOOD"], ["policy", "learn"]]


def bridle(arguments, folder, **more):
    return subprocess.run([BRIDLE, *arguments], cwd=folder, capture_output=True, timeout=300, check=False, **more)


def expect_inert(form, output, name):
    text = output.decode("utf-8")
    assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), (name, form, "acts on a terminal")
    if "--html" in form:
        assert text.count("<script") == 1 and "<img" not in text and "</td><script" not in text, (name, form)
    if "--json" in form or "--sarif" in form:
        json.loads(text)


def one(form, name, folder, path):
    _, bad, says = CASES[name]
    done = bridle([path if part == "FILE" else part for part in form], folder)
    new = "diff" in form and says and name in ("hostile", "huge numbers", "processes in a circle")
    assert done.returncode in ((0, 1) if new else (0,)), (name, form, done.returncode, done.stderr[-500:])
    expect_inert(form, done.stdout, name)
    expect_inert([], done.stderr, name)
    named = [int(number) for number in re.findall(rb":(\d+): skipped: ", done.stderr)]
    if bad is None:
        assert named and named == list(range(1, len(named) + 1)) and len(named) <= SHOWN, (name, form, named)
    else:
        assert named == bad, (name, form, named, bad)
    return done


def every_form_goes_on(folder):
    good = os.path.join(folder, "GOOD")
    with open(good, "wb") as file:
        file.write(GOOD)
    for name, (content, _, says) in CASES.items():
        path = os.path.join(folder, "report")
        with open(path, "wb") as file:
            file.write(content)
        for form in FORMS:
            done = one([*form, "FILE"], name, folder, path)
            if form == ["report"]:
                assert (b"/work/file" in done.stdout) == says, (name, done.stdout)
        spans = bridle(["report", "--otlp", os.path.join(folder, "spans"), path], folder)
        assert spans.returncode == 0, (name, spans.stderr)
    with open(os.path.join(folder, "spans"), encoding="utf-8") as file:
        for text in file:
            json.loads(text)


def what_would_help_is_said(folder):
    for name, words in (("gzip", b"zcat"), ("UTF-16", b"iconv")):
        path = os.path.join(folder, "report")
        with open(path, "wb") as file:
            file.write(CASES[name][0])
        assert words in bridle(["report", path], folder).stderr, name


def streams_are_as_good_as_files(folder):
    path = os.path.join(folder, "report")
    with open(path, "wb") as file:
        file.write(GOOD + b"x\n")
    for form in (["report"], ["policy", "learn"]):
        whole = bridle([*form, path], folder)
        piped = bridle([*form, "-"], folder, input=GOOD + b"x\n")
        names = re.compile(re.escape(path).encode() + b"|standard input|from -")
        assert names.sub(b"", piped.stdout) == names.sub(b"", whole.stdout).replace(b"from  (", b" ("), (form, piped)
        assert piped.returncode == 0 and b":5: skipped" in piped.stderr, (form, piped.stderr)


def what_cannot_be_read_is_an_error(folder):
    for path in (os.path.join(folder, "missing"), folder, "/proc/self/mem"):
        for form, status in ((["report"], 2), (["report", "--json"], 2), (["report", "diff", path], 2),
                             (["policy", "learn"], 125)):
            done = bridle([*form, path], folder)
            assert done.returncode == status and path.encode() in done.stderr, (form, path, done)
    good = os.path.join(folder, "good")
    with open(good, "wb") as file:
        file.write(GOOD)
    done = bridle(["report", good, folder], folder)
    assert done.returncode == 2 and b"/work/file" in done.stdout, "the rest is summarised all the same"


TESTS = [every_form_goes_on, what_would_help_is_said, streams_are_as_good_as_files, what_cannot_be_read_is_an_error]


def main():
    failed = 0
    for test in TESTS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(os.path.realpath(folder))
            except (AssertionError, UnicodeDecodeError, ValueError, subprocess.TimeoutExpired) as error:
                failed += 1
                print("FAILED: report_damaged: %s: %s: %s" % (test.__name__, type(error).__name__, str(error)[:1500]))
    print("report_damaged: %d passed, %d failed" % (len(TESTS) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
