#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A day of work with programs that nobody here wrote: each task ends alike with and without bridle.

    transparent.py [--backstop auto|off] [--as UID] [--only PART] [BUILD]

The policy allows everything (tests/policies/open.cfg, enforced), so every call takes the checked path. A task is a file in
tests/real/tasks, run by bash in a folder of its own with hello.c in it; what it prints and its status are compared. Its first
line names what it needs: programs, and files by their path. Differences are failures unless tests/real/known.txt names them;
difference.py says what is one. Prints a line a task and, last, 'N passed, N failed, N skipped'.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import difference

HELLO = '#include <stdio.h>\nint main(void)\n{\n\tputs("hello");\n\treturn 0;\n}\n'

TASKS = os.path.join(difference.HERE, "tasks")


def tasks(part):
    """[(name, what it needs, path)]"""
    found = []
    for path in sorted(glob.glob(os.path.join(TASKS, "*.task"))):
        name = os.path.basename(path)[:-len(".task")].replace("_", " ")
        with open(path) as file:
            needs = file.readline().partition("# needs:")[2].split()
        if part in name:
            found.append((name, needs, path))
    return found


def mask(text):
    """What differs from run to run: process numbers, times, addresses, temporary names; and the two variables of bridle's."""
    text = re.sub(r"^(LD_PRELOAD=\S*/libbridle\.so|BRIDLE_SESSION=\S*)\n", "", text, flags=re.M)
    text = re.sub(r"0x[0-9a-f]+|\b\d{4,}\b|SHA256:\S+", "N", text)
    return re.sub(r"/tmp/\S+", "/tmp/X", text)


def environment(folder):
    env = dict(os.environ, HOME=folder, GIT_CONFIG_NOSYSTEM="1", LC_ALL="C", TZ="UTC", NPM_CONFIG_UPDATE_NOTIFIER="false")
    env.update(difference.STEADY_HASHES)
    env.setdefault("RUSTUP_HOME", os.path.expanduser("~/.rustup"))
    for who in ("AUTHOR", "COMMITTER"):
        env.update({"GIT_%s_NAME" % who: "n", "GIT_%s_EMAIL" % who: "a@b", "GIT_%s_DATE" % who: "2001-01-01T00:00:00Z"})
    return env


def run_task(options, path, guarded):
    """Its status and output, as one text."""
    folder = tempfile.mkdtemp(prefix="transparent-")
    shutil.copy(path, os.path.join(folder, "task.sh"))
    with open(os.path.join(folder, "hello.c"), "w") as file:
        file.write(HELLO)
    command = difference.as_user(options.uid)
    for name in (".", "hello.c", "task.sh") if options.uid else ():
        os.chown(os.path.join(folder, name), options.uid, options.uid)
    if guarded:
        command += difference.bridled(options)
    try:
        done = subprocess.run(command + ["bash", "task.sh"], cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        return "status %d\n%s" % (done.returncode, mask(done.stdout.decode(errors="replace").replace(folder, "HERE")))
    except subprocess.TimeoutExpired:
        return "late"
    finally:
        subprocess.run(["rm", "-rf", folder], check=False)


def compare_task(options, name, path, listed):
    """(ok, words)"""
    compared = difference.compare(lambda guarded, _: {name: run_task(options, path, guarded)}, listed)
    return compared.good(), compared.details() or ("\n    " + compared.guarded[name] if options.show else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    difference.add_options(parser)
    parser.add_argument("--only", default="", help="a part of a task's name")
    parser.add_argument("--show", action="store_true", help="what each task prints")
    options = difference.read_options(parser)
    listed = difference.known()
    counts = {"ok": 0, "FAIL": 0, "skip": 0}

    def outcome(task):
        name, needs, path = task
        missing = [one for one in needs if not (glob.glob(one) if "/" in one else shutil.which(one))]
        if missing:
            return "skip", name, "no " + " ".join(missing)
        good, words = compare_task(options, name, path, listed)
        return "ok" if good else "FAIL", name, words

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for word, name, words in pool.map(outcome, tasks(options.only)):
            counts[word] += 1
            print("%-4s %s: %s" % (word, name, words), flush=True)
    print("%(ok)d passed, %(FAIL)d failed, %(skip)d skipped" % counts)
    return counts["FAIL"] != 0


if __name__ == "__main__":
    sys.exit(main())
