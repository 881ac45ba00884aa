#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cages.py [BUILD]: sandboxes started from a guarded shell (bwrap, firejail) work as without bridle, and what runs in them is guarded
where it sees the session's folder, writable or not; where it does not, the backstop guards it."""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
TOP = os.path.realpath(tempfile.mkdtemp(prefix="cages-", dir="/var/tmp"))
INSIDE, OUTSIDE, TMP = (os.path.join(TOP, name) for name in ("in", "out", "tmp"))
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD")}
ENVIRONMENT["TMPDIR"] = TMP
LOOK = "cat ../out/f || echo not read; cat f; echo more > made && cat made; echo end"
ALL = "--bind / / --dev /dev --proc /proc"
counts = {"passed": 0, "failed": 0, "skipped": 0}

POLICY = f"""
extends = "none"; root = "{INSIDE}";
paths: {{ write = [ "/" ]; deny = [ "DENIED" ]; tmp = "shared"; }};
environment: {{ inherit = [ "*" ]; }};
coverage: {{ uncovered = "allow"; }};
"""

# What, the cage, whether files can be made in it, and whether the library can be loaded in it.
CAGES = [
    ("everything is shown", f"bwrap {ALL}", True, True),
    ("everything is shown read-only", "bwrap --ro-bind / / --dev /dev --proc /proc", False, True),
    ("processes of its own", f"bwrap {ALL} --unshare-pid --unshare-ipc --unshare-uts", True, True),
    ("users of its own", f"bwrap {ALL} --unshare-user", True, True),
    ("no /proc", "bwrap --bind / / --dev /dev --tmpfs /proc", True, True),
    ("no folder of the session", f"bwrap {ALL} --tmpfs {TMP}", True, False),
]


def expect(good, what, *seen):
    counts["passed" if good else "failed"] += 1
    if not good:
        print("FAIL", what, *seen)


def skip(why):
    counts["skipped"] += 1
    print("skipped:", why)


def run(*command):
    for name in ("made", "report"):
        if os.path.exists(os.path.join(INSIDE if name == "made" else TOP, name)):
            os.remove(os.path.join(INSIDE if name == "made" else TOP, name))
    return subprocess.run(command, cwd=INSIDE, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                          check=False)


def guarded(backstop, script, deny=OUTSIDE):
    with open(TOP + "/policy.cfg", "w", encoding="utf-8") as file:
        file.write(POLICY.replace("DENIED", deny))
    with open(os.path.join(INSIDE, "cage.sh"), "w", encoding="utf-8") as file:
        file.write(script + "\n")
    done = run(BUILD + "/bridle", "run", "-q", "-p", TOP + "/policy.cfg", "--report", TOP + "/report", "--set",
               "coverage.backstop=" + backstop, "--", "sh", "cage.sh")
    with open(os.path.join(TOP, "report"), encoding="utf-8") as file:
        return done, [json.loads(line) for line in file]


def try_cage(what, cage, writes, loads):
    script = f"{cage} sh -c '{LOOK}'"
    bare = run("sh", "-c", script)
    if "end" not in bare.stdout:
        skip(f"{what}: {cage.split()[0]} may not make that here: {bare.stderr.strip()[:100]}")
        return
    expect(bare.stdout == "secret\ntext\n" + ("more\n" if writes else "") + "end\n", what + ": bare", bare)
    for backstop in ("auto", "off"):
        done, lines = guarded(backstop, script)
        on = lines[0]["backstop"] == "on"
        seen = on or loads
        denied = [line for line in lines if line.get("verdict") == "deny"]
        expect(done.stdout == bare.stdout.replace("secret", "not read" if seen else "secret"), what, backstop, done, denied)
        expect(len(denied) == seen and all(line["path"].endswith("out/f") for line in denied), what + ": one line", backstop, denied)
        expect(loads or "LD_PRELOAD" in done.stderr, what + ": the loader says so", done.stderr)


def try_syslog():
    """libc connects by itself to where it logs: only the backstop sees that."""
    script = (f"bwrap {ALL} --bind {TOP}/log /dev/log " + sys.executable +
              """ -c 'import syslog; syslog.openlog("cage"); syslog.syslog("words"); print("end")'""")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
        log.bind(TOP + "/log")
        log.settimeout(0.3)

        def heard():
            try:
                return b"words" in log.recv(4096)
            except TimeoutError:
                return False

        bare = run("sh", "-c", script)
        if "end" not in bare.stdout or not heard():
            return skip("syslog: bwrap may not make that here: " + bare.stderr.strip()[:100])
        for backstop in ("auto", "off"):
            done, lines = guarded(backstop, script, deny="/dev/log")
            on = lines[0]["backstop"] == "on"
            denied = [line for line in lines if line.get("verdict") == "deny"]
            expect(done.stdout == "end\n", "syslog", backstop, done)
            expect(heard() != on, "syslog: heard", backstop, denied)
            expect(bool(denied) == on and all(line["path"] == "/dev/log" for line in denied), "syslog: told", backstop, denied)
    return None


def try_firejail():
    script = "firejail --noprofile --quiet sh -c 'cat /etc/hostname; echo end'"
    bare = run("sh", "-c", script)
    if "end" not in bare.stdout:
        return skip("firejail may not make a sandbox here: " + bare.stderr.strip()[:100])
    for backstop in ("auto", "off"):
        done, lines = guarded(backstop, script)
        expect((done.returncode, done.stdout) == (bare.returncode, bare.stdout), "firejail", backstop, done, lines[-3:])
    return None


def main():
    for path in (INSIDE, OUTSIDE, TMP):
        os.mkdir(path)
    for path, text in ((OUTSIDE + "/f", "secret\n"), (INSIDE + "/f", "text\n")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    if shutil.which("bwrap"):
        for cage in CAGES:
            try_cage(*cage)
        try_syslog()
    else:
        skip("there is no bwrap")
    if shutil.which("firejail"):
        try_firejail()
    else:
        skip("there is no firejail")
    print(", ".join(f"{number} {what}" for what, number in counts.items()))
    return counts["failed"] > 0


try:
    status = main()
finally:
    shutil.rmtree(TOP)
sys.exit(status)
