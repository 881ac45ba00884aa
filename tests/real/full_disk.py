#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""full_disk.py [BUILD]: on a disk without room, and on one without names, a program gets the same errors with bridle as without,
and of the report that lies there too nothing is lost in silence. Whoever may not mount a disk of an own tries nothing."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "bridle"))
TOP = os.path.realpath(tempfile.mkdtemp(prefix="full-disk-", dir="/var/tmp"))
DISK = os.path.join(TOP, "disk")
TRIES = 30  # refused opens
counts = [0, 0]

# What a program does on the disk: each line says what came of it.
PROGRAM = r"""
import errno, os, subprocess, sys, tempfile
os.chdir(sys.argv[1])

def tell(what, call):
    try:
        result = call()
        print(what, "ok" if not isinstance(result, bytes) else result)
    except OSError as error:
        print(what, errno.errorcode[error.errno])

def put(name, flags, size):
    fd = os.open(name, flags, 0o600)
    try:
        while size:
            size -= os.write(fd, b"x" * size)
    finally:
        os.close(fd)

def stream():
    with open("stream", "w") as file:
        file.write("y" * 70000)

def temporary(folder):
    fd, path = tempfile.mkstemp(dir=folder)
    os.write(fd, b"z" * 9000)
    os.close(fd)

def unnamed():
    fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
    os.write(fd, b"z" * 9000)
    os.close(fd)

tell("create", lambda: put("new", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0))
tell("create and write", lambda: put("new2", os.O_CREAT | os.O_WRONLY, 9000))
tell("append", lambda: put("there", os.O_APPEND | os.O_WRONLY, 9000))
tell("read", lambda: open("there", "rb").read(4))
tell("stream", stream)
tell("mkdir", lambda: os.mkdir("folder"))
tell("symlink", lambda: os.symlink("there", "sym"))
tell("long symlink", lambda: os.symlink("t" * 3000, "longsym"))
tell("link", lambda: os.link("there", "hard"))
tell("fifo", lambda: os.mkfifo("fifo"))
tell("rename", lambda: os.rename("other", "renamed"))
tell("rename over", lambda: os.replace("renamed", "other"))
tell("truncate", lambda: os.truncate("there", 1 << 20))
tell("fallocate", lambda: (lambda fd: os.posix_fallocate(fd, 0, 1 << 20))(os.open("there", os.O_RDWR)))
tell("temporary", lambda: temporary("."))
tell("temporary folder", lambda: tempfile.mkdtemp(dir="."))
tell("unnamed", unnamed)
tell("attribute", lambda: os.setxattr("there", "user.x", b"v" * 60000))
tell("by a shell", lambda: subprocess.run("echo much > by-shell; cp other copy; mv other moved; rm -f moved", shell=True,
                                          stderr=subprocess.DEVNULL))
print(sorted(os.listdir(".")))
tell("remove", lambda: os.unlink("there"))
tell("room again", lambda: put("new3", os.O_CREAT | os.O_WRONLY, 100))
for _ in range(int(sys.argv[2])):
    try:
        os.open("/etc/shadow", os.O_RDONLY)
        print("opened")
    except PermissionError:
        pass
"""

POLICY = f"""
extends = "none"; root = "{TOP}";
paths: {{ write = [ ".", "/dev/null" ]; read = [ "/" ]; deny = [ "/etc/shadow" ]; tmp = "shared"; }};
environment: {{ inherit = [ "*" ]; }};
"""


def expect(good, what, *seen):
    counts[not good] += 1
    if not good:
        print("FAIL", what, *seen)


def on_disk(options, prepare, *command):
    """Runs a command where a small disk is mounted on DISK; prepare: a shell line in there, before."""
    script = f'mount -t tmpfs -o {options} none "$1" && (cd "$1" && {prepare}) && disk=$1 && shift && "$@"; ended=$?; ' \
             'cat "$disk/report" >"$disk/../report" 2>/dev/null; exit $ended'
    environment = {name: value for name, value in os.environ.items() if name not in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD")}
    return subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", DISK, *command], cwd=TOP, text=True, timeout=300, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, env=dict(environment, TMPDIR=TOP, PYTHONDONTWRITEBYTECODE="1"))


def plain(text):
    """Names that mkstemp makes up differ, their number does not."""
    return re.sub(r"tmp[a-z0-9_]{8}", "tmp", text)


def check_lines(what, done, total):
    """Whole lines, and with those that the closing words count as lost all of them."""
    with open(os.path.join(TOP, "report"), encoding="utf-8") as file:
        text = file.read()
    try:
        lines = [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return expect(False, what + ": a line is not whole", text[-300:])
    denied = sum(line.get("verdict") == "deny" for line in lines)
    lost = re.search(r"(\d+) report lines? (?:was|were) lost", done.stderr)
    expect(not text or text.endswith("\n"), what + ": the last line is not whole", text[-300:])
    expect(denied + (int(lost[1]) if lost else 0) >= total, what + ": lines are gone", denied, lost and lost[0], done.stderr[-500:])
    expect(f"{total} calls denied" in done.stderr, what + ": the closing words count all", done.stderr[-500:])
    expect(lost or denied == total, what + ": nothing is said of lost lines", done.stderr[-500:])


FILL = "head -c 9000 /dev/zero >there; echo o >other; : >report; "
DISKS = [
    ("no room", "size=128k,nr_inodes=200", FILL + "cat /dev/zero >fill 2>/dev/null; true"),
    ("no names", "size=4m,nr_inodes=12", FILL + "i=0; while (: >fill$i) 2>/dev/null; do i=$((i+1)); done; true"),
    ("neither", "size=64k,nr_inodes=9", FILL + "cat /dev/zero >fill 2>/dev/null; i=0; while (: >fill$i) 2>/dev/null; do i=$((i+1)); done; true"),
    ("room", "size=64m", FILL + "true"),
]


def compare(what, options, prepare):
    program = [sys.executable, os.path.join(TOP, "program.py"), DISK]
    bare = on_disk(options, prepare, *program, "0")
    for backstop in ("off", "auto"):
        name = f"{what}, backstop {backstop}"
        guarded = on_disk(options, prepare, BRIDLE, "run", "-p", os.path.join(TOP, "policy.cfg"), "--set", "coverage.backstop=" + backstop,
                          "--report", DISK + "/report", "--", *program, str(TRIES))
        expect(bare.returncode == guarded.returncode == 0, name, bare, guarded)
        expect(plain(bare.stdout) == plain(guarded.stdout), name, "\n", bare.stdout, guarded.stdout, guarded.stderr)
        check_lines(name, guarded, TRIES)
    expect(("ENOSPC" in bare.stdout) == (what != "room"), what + ": the disk is as full as it is to be", bare.stdout)


def main():
    os.mkdir(DISK)
    for name, text in (("program.py", PROGRAM), ("policy.cfg", POLICY)):
        with open(os.path.join(TOP, name), "w", encoding="utf-8") as file:
            file.write(text)
    if on_disk("size=64k", "true", "true").returncode:
        print("no disk of an own can be mounted here: nothing of a full disk is tried\n0 passed, 0 failed, 1 skipped")
        return 0
    for what, options, prepare in DISKS:
        compare(what, options, prepare)
    print("%d passed, %d failed" % tuple(counts))
    return counts[1] > 0


try:
    status = main()
finally:
    shutil.rmtree(TOP)
sys.exit(status)
