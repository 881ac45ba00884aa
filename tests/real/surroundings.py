#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bridle where the ground is thin: a full disk, a folder that is gone, few descriptors, a small stack.

    surroundings.py [BUILD]

Last it prints 'N passed, N failed'."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "bridle"))
TOP = os.path.realpath(tempfile.mkdtemp(prefix="surroundings-", dir="/var/tmp"))
OWN = os.path.join(TOP, "bridle")  # in a folder that is ours alone: a session of root's holds a copy of its library
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD")}
counts = [0, 0]


def expect(good, what, *seen):
    counts[not good] += 1
    if not good:
        print("FAIL", what, *seen)


def bridle(*words, cwd=TOP, program=BRIDLE, **more):
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("env", ENVIRONMENT)
    return subprocess.run([program, *words], cwd=cwd, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          timeout=300, **more)


def commands():
    """The names in `bridle --help`."""
    lines = bridle("--help").stdout.splitlines()
    return [line.split()[1] for line in lines if line.startswith("  bridle ") and line.split()[1].isalpha()
            and line.split()[1].islower()]


def full():
    """Whatever prints says that it could not, and does not end well."""
    names = commands()
    expect(len(names) > 8 and "serve" in names, "commands", names)
    calls = [["--help"], ["--version"], *([name, "--help"] for name in names), ["policy", "show"], ["policy", "show", "-P", "tool"],
             ["policy", "check"], ["policy", "trust", "--help"], ["policy", "learn", "--help"], ["policy", "learn", "/dev/null"],
             ["policy", "test", "cases.jsonl"], ["run", "--json", "true"], ["check", "ls"], ["check", "--json", "ls"],
             ["report", "/dev/null"], ["report", "--json", "/dev/null"], ["report", "--html", "-", "/dev/null"],
             ["report", "diff", "--help"], ["doctor", "--symbols"],
             ["completion", "bash"], ["hook", "cursor"], ["init", "--agent", "cursor", "--undo"]]
    for call in calls:
        with open("/dev/full", "w") as nowhere:
            done = bridle(*call, stdout=nowhere)
        said = [line for line in done.stderr.splitlines() if "cannot write" in line]
        failed = 2 if call[0] in ("check", "report") or call[:2] in (["policy", "check"], ["policy", "test"]) else 125
        if call[-1] == "--help" and call[0] != "report":
            failed = 125
        elif call[0] == "hook":
            failed = 2  # which blocks the tool
        expect(done.returncode == failed and len(said) == 1, "full", call, done)


def gone():
    """A folder that was removed is no reason to fail where others are named."""
    folder = os.path.join(TOP, "gone")

    def inside(*words):
        os.mkdir(folder)
        return subprocess.run(["sh", "-c", 'cd "$1" && shift && rmdir "$PWD" && exec "$@"', "sh", folder, BRIDLE, *words],
                              env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)

    for words in (["run", "-r", TOP, "-C", TOP, "pwd"], ["run", "-p", TOP + "/own.cfg", "-C", TOP, "pwd"]):
        done = inside(*words)
        expect(done.returncode == 0 and done.stdout == TOP + "\n", "gone", words, done)
    done = inside("check", "-r", TOP, "-C", TOP, "true")
    expect(done.returncode == 0, "gone: check", done)
    for words in (["run", "true"], ["policy", "show"], ["serve"]):
        done = inside(*words)
        expect(done.returncode == 125 and "was removed" in done.stderr and "--root" in done.stderr, "gone: says so", words, done)


def descriptors():
    def limit(soft, hard):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    done = bridle("run", "true", preexec_fn=limit(12, 12))
    expect(done.returncode == 125 and "ulimit -n" in done.stderr, "too few descriptors", done)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    for words in (["run", "sh", "limit.sh"], ["run", "--json", "sh", "limit.sh"]):
        done = bridle(*words, preexec_fn=limit(12, hard))
        expect(done.returncode == 0 and "12" in done.stdout, "few, and more allowed: the command has as many as before", done)
    done = bridle("run", "--json", "true", preexec_fn=limit(24, 24))
    expect(done.returncode == 0, "just enough", done)


def stack():
    """Of a small one the environment takes a part, up to eight KB are lost by chance, and where a path leads is asked folder by
    folder: a deep root, some tries and a larger environment."""
    deep = os.path.join(TOP, *"abcdefghijklmnopqrst")
    os.makedirs(deep)
    shutil.copy(TOP + "/limit.sh", deep)
    environment = dict(ENVIRONMENT, LARGE="x" * 6000)

    def small():
        resource.setrlimit(resource.RLIMIT_STACK, (64 << 10, 64 << 10))
    for words in (["run", "true"], ["run", "--json", "sh", "limit.sh"], ["check", "ls", "-l"], ["policy", "show"], ["trace", "true"],
                  ["run", "--shell", "echo a | cat"], ["check", "--shell", "for i in a b; do echo $i; done"], ["report", "/dev/null"],
                  ["hook", "codex"]):
        for program in (BRIDLE, OWN, BRIDLE, OWN):
            done = bridle(*words, preexec_fn=small, program=program, cwd=TOP if program == BRIDLE else deep, env=environment)
            expect(done.returncode == 0, "a stack of 64 KB", words, program, done)
    for program in (BRIDLE, OWN):
        done = subprocess.run([program, "serve"], cwd=TOP, env=ENVIRONMENT, input='{"id": 1, "argv": ["echo", "a"]}\n', text=True,
                              capture_output=True, preexec_fn=small, timeout=300)
        expect('"stdout":"a\\n"' in done.stdout, "a stack of 64 KB: serve", done)


def room():
    """A full disk below TMPDIR: what is missing and what helps. Whoever may not mount one tries nothing."""
    disk = os.path.join(TOP, "disk")
    os.mkdir(disk)
    inside = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=64k none "$1" && shift && exec "$@"', "sh", disk]
    if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode:
        print("no disk of an own can be mounted here: 1 skipped")
        return
    for program in (BRIDLE, OWN):
        done = subprocess.run([*inside, program, "run", "true"], cwd=TOP, env=dict(ENVIRONMENT, TMPDIR=disk), capture_output=True,
                              text=True, timeout=300, check=False)
        expect(done.returncode == 125 and "No space left" in done.stderr and "set TMPDIR" in done.stderr, "a full disk", done)


for name in ("bridle", "libbridle.so"):
    shutil.copy(os.path.join(os.path.dirname(BRIDLE), name), TOP)
with open(os.path.join(TOP, "limit.sh"), "w") as script:
    script.write("ulimit -Sn\n")
with open(os.path.join(TOP, "own.cfg"), "w") as policy:
    policy.write('extends = "tool";\n')
with open(os.path.join(TOP, "cases.jsonl"), "w") as cases:
    cases.write('{"argv": ["ls"], "expect": "allow"}\n')
try:
    full()
    gone()
    descriptors()
    stack()
    room()
finally:
    shutil.rmtree(TOP)
print("%d passed, %d failed" % tuple(counts))
sys.exit(counts[1] > 0)
