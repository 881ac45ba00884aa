#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
outcomes.py BRIDLE [SEED]...: a trace tells what happened, not what was asked for: random calls on files, whose true outcomes the
program writes down itself, compared with the report's lines and with what the folder looks like afterwards. Without a SEED
the same few are taken each time; 0 is one by chance.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(sys.argv[1])
CALLS = 400
SEEDS = [1, 2, 3]

PROGRAM = r"""
import ctypes, errno, json, os, random, sys
random.seed(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
names = ["n%d" % number for number in range(6)] + ["d/n%d" % number for number in range(6)] + ["none/n"]
told = []

def creat(path):
    fd = libc.creat(path.encode(), 0o644)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "creat")
    os.close(fd)

def raw_unlink(path):  # by number, as a runtime of its own would
    if libc.syscall(263, -100, path.encode(), 0) < 0:
        raise OSError(ctypes.get_errno(), "unlinkat")

def temporary(path):
    name = ctypes.create_string_buffer(((os.path.dirname(path) or ".") + "/tXXXXXX.s").encode())
    fd = libc.mkstemps(name, 2)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "mkstemps")
    os.close(fd)

OPS = [lambda a, b: os.close(os.open(a, os.O_RDONLY)), lambda a, b: open(a, "w").close(), lambda a, b: open(a, "a").close(),
       lambda a, b: open(a, "x").close(), lambda a, b: os.unlink(a), lambda a, b: os.rename(a, b),
       lambda a, b: os.link(a, b), lambda a, b: os.symlink(b, a), lambda a, b: os.mkdir(a), lambda a, b: os.rmdir(a),
       lambda a, b: os.truncate(a, 0), lambda a, b: os.chmod(a, 0o644), lambda a, b: creat(a),
       lambda a, b: raw_unlink(a), lambda a, b: temporary(a)]
for turn in range(int(sys.argv[2])):
    op = random.randrange(len(OPS))
    try:
        OPS[op](random.choice(names), random.choice(names))
        told.append(None)
    except OSError as error:
        told.append(errno.errorcode[error.errno])
print(json.dumps(told))
"""


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def inside(folder):
    return {os.path.join(top, name) for top, folders, files in os.walk(folder) for name in folders + files}


def trace(folder, report, *command):
    done = subprocess.run([BRIDLE, "trace", "-q", "-P", "agent", "-r", folder, "--report", report, "--", *command],
                          cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    document = json.loads(subprocess.run([BRIDLE, "report", "--json", report], capture_output=True, text=True,
                                         check=True).stdout)
    return done, document


def what_happened_is_what_is_told(folder, seed):
    work, report = os.path.join(folder, "work"), os.path.join(folder, "report")
    os.makedirs(os.path.join(work, "d"))
    for name in ("n0", "n1", "d/n0"):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.write(name)
    before = inside(work)
    done, document = trace(work, report, "/usr/bin/python3", "-c", PROGRAM, str(seed), str(CALLS))
    after, told = inside(work), json.loads(done.stdout)
    files = {file["path"]: file for file in document["files_written"] if file["path"].startswith(work)}

    for path in after - before:
        assert path in files and files[path]["created"] and not files[path]["gone"], ("appeared", path, files.get(path))
    for path in before - after:
        assert path in files and files[path]["removed"] and files[path]["gone"], ("went", path, files.get(path))
    for path, file in files.items():
        assert file["gone"] == (path not in after), ("is told", path, file)
    failed = [line for line in lines_of(report)
              if line.get("errno") and (line.get("target") or line.get("path", "")).startswith(work)]
    wanted = sorted(error for error in told if error)
    # of two names both lines say why; the rest say it once
    got = sorted(line["errno"] for line in failed if line["call"] not in ("rename", "link"))
    both = [line["errno"] for line in failed if line["call"] in ("rename", "link")]
    assert len(told) == CALLS and len(wanted) > CALLS / 10
    for error in set(wanted):
        assert got.count(error) + both.count(error) >= wanted.count(error), (error, got.count(error), both.count(error),
                                                                             wanted.count(error))
    for error in set(got):
        assert got.count(error) <= wanted.count(error), (error, got.count(error), wanted.count(error))


def what_is_against_the_policy_keeps_its_line(folder, _seed):
    work, report, other = (os.path.join(folder, name) for name in ("work", "report", "other"))
    os.mkdir(work)
    os.mkdir(other)
    policy = os.path.join(folder, "policy")
    with open(policy, "w", encoding="utf-8") as file:
        file.write('extends = "agent"; root = "%s"; paths: { write = [ "!${TMPDIR}", "!/tmp", "!/var/tmp" ]; '
                   'deny = [ "%s" ]; };\n' % (work, other))
    script = "rmdir %s/none; touch %s/made; rm %s/made; mkdir %s/kept" % ((other,) * 4)
    done = subprocess.run([BRIDLE, "trace", "-q", "-p", policy, "--report", report, "--", "sh", "-c", script],
                          cwd=work, capture_output=True, text=True, timeout=300, check=False)
    assert os.path.isdir(os.path.join(other, "kept")), (done.returncode, done.stdout, done.stderr)
    document = json.loads(subprocess.run([BRIDLE, "report", "--json", report], capture_output=True, text=True,
                                         check=True).stdout)
    files = {os.path.basename(file["path"]): file for file in document["files_written"]}
    assert files["made"]["created"] and files["made"]["gone"] and not files["kept"]["gone"], files
    assert "none" not in files, files["none"]
    denied = [line for line in lines_of(report) if line["verdict"] == "deny"]
    outcomes = [line for line in lines_of(report) if line.get("outcome")]
    assert len(denied) >= 3 and not any("errno" in line for line in denied), denied
    assert document["calls"]["denied"] == len(denied), denied
    assert len(outcomes) == len([line for line in denied if line["via"] == "shim"]) == 3, (outcomes, denied)


STARTS = r"""
import os, socket, subprocess
with open("bad", "w") as file:
    file.write("#!/no/such/interpreter\n")
os.chmod("bad", 0o755)
for start in (lambda: subprocess.run(["./bad"]), lambda: os.posix_spawn("./bad", ["bad", "two"], os.environ)):
    try:
        start()
    except OSError:
        pass
with socket.socket() as listener, socket.socket() as one:
    listener.bind(("127.0.0.1", 0))
    try:
        one.connect(listener.getsockname())
    except OSError:
        pass
"""


def failed_starts_and_connects(folder, _seed):
    report = os.path.join(folder, "report")
    _, document = trace(folder, report, "/usr/bin/python3", "-c", STARTS)
    failed = {process["command"]: process["failed"] for process in document["processes"] if process["failed"]}
    assert failed == {"./bad": "ENOENT", "bad two": "ENOENT"}, failed
    program = [program for program in document["programs"] if program["path"].endswith("/bad")]
    assert len(program) == 1 and program[0]["runs"] == program[0]["failed"] == 2, program
    place = [place for place in document["destinations"] if place["op"] == "connect"][0]
    assert (place["allowed"], place["failed"], place["errno"]) == (1, 1, "ECONNREFUSED"), place
    assert document["calls"]["by_op"]["connect"] == {"allowed": 1, "denied": 0, "failed": 1}


TESTS = [what_happened_is_what_is_told, what_is_against_the_policy_keeps_its_line, failed_starts_and_connects]


def main():
    failed = 0
    seeds = [int(word) or random.randrange(1, 1 << 30) for word in sys.argv[2:]] or SEEDS
    tries = [(TESTS[0], seed) for seed in seeds] + [(test, 0) for test in TESTS[1:]]
    for test, seed in tries:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            try:
                test(os.path.realpath(folder), seed)
            except (AssertionError, KeyError, IndexError, ValueError, subprocess.SubprocessError) as error:
                failed += 1
                print("FAILED: outcomes: %s: seed %d: %s: %s" % (test.__name__, seed, type(error).__name__, error))
    print("outcomes: %d passed, %d failed" % (len(tries) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
