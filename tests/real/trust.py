#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A policy that is found counts once it is trusted: trust.py [BUILD]. Last it prints 'N passed, N failed'."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "bridle"))
TOP = os.path.realpath(tempfile.mkdtemp(prefix="trust-", dir="/var/tmp"))
HOME, ROOT = os.path.join(TOP, "home"), os.path.join(TOP, "home", "work", "project")
counts = [0, 0]


def expect(good, what, *seen):
    counts[not good] += 1
    if not good:
        print("FAIL", what, *seen)


def bridle(*arguments, cwd=ROOT, **env):
    clean = {name: value for name, value in os.environ.items()
             if name not in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD")}
    return subprocess.run([BRIDLE, *arguments], cwd=cwd, env=dict(clean, HOME=HOME, **env), capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=300)


def write(text, name="bridle.cfg"):
    with open(os.path.join(ROOT, name), "w") as file:
        file.write(text)


LOOSE = 'extends = "none";\npaths: { read = [ "/" ]; write = [ "/" ]; };\n'


def strangers_policy_does_not_count():
    write(LOOSE)
    for cwd in (ROOT, os.path.join(ROOT, "sub")):
        done = bridle("run", "--", "cat", os.path.join(TOP, "secret"), cwd=cwd)
        expect(done.returncode == 126 and "path.jail" in done.stderr, "profile tool holds", done)
        expect("is not trusted" in done.stderr and "bridle policy trust" in done.stderr, "says so", done.stderr)
    done = bridle("run", "--json", "--", "cat", os.path.join(TOP, "secret"))
    expect(json.loads(done.stdout)["denied"] and "is not trusted" in done.stderr, "with --json as well", done)
    event = {"hook_event_name": "PreToolUse", "cwd": ROOT, "tool_name": "Read", "tool_input": {"file_path": TOP + "/secret"}}
    done = subprocess.run([BRIDLE, "hook", "claude-code"], input=json.dumps(event), env=dict(os.environ, HOME=HOME),
                          capture_output=True, text=True)
    expect("deny" in done.stdout and "is not trusted" in done.stderr, "and for hooks", done)


def a_named_policy_needs_no_trust():
    for done in (bridle("run", "-p", "bridle.cfg", "--", "cat", TOP + "/secret"),
                 bridle("run", "--", "cat", TOP + "/secret", BRIDLE_POLICY=ROOT + "/bridle.cfg")):
        expect(done.returncode == 0 and "trusted" not in done.stderr, "named", done)


def trust_holds_for_this_text():
    done = bridle("policy", "trust", cwd=os.path.join(ROOT, "sub"))
    expect(done.returncode == 0 and ROOT + "/bridle.cfg" in done.stdout, "trust finds it from below", done)
    expect(bridle("run", "--", "cat", TOP + "/secret").returncode == 0, "trusted")
    expect(os.stat(HOME + "/.config/bridle/trusted").st_mode & 0o777 == 0o600, "the list is private")
    write(LOOSE + "// changed\n")
    expect(bridle("run", "--", "cat", TOP + "/secret").returncode == 126, "a change is not trusted")
    write(LOOSE)
    expect(bridle("run", "--", "cat", TOP + "/secret").returncode == 0, "the text that was trusted is")
    shutil.copytree(ROOT, ROOT + "-copy")
    expect(bridle("run", "--", "cat", TOP + "/secret", cwd=ROOT + "-copy").returncode == 126, "elsewhere it is not")
    for _ in range(3):
        bridle("policy", "trust")
    expect(open(HOME + "/.config/bridle/trusted").read().count("\n") == 1, "one line a path")


def a_link_is_trusted_where_it_stands():
    """What a stranger's link leads to may be trusted elsewhere, for another project."""
    write(LOOSE)
    bridle("policy", "trust")
    stranger, moved = os.path.join(TOP, "home", "stranger"), os.path.join(TOP, "home", "moved")
    os.makedirs(stranger)
    os.symlink(ROOT + "/bridle.cfg", stranger + "/bridle.cfg")
    done = bridle("run", "--", "cat", TOP + "/secret", cwd=stranger)
    expect(done.returncode == 126 and "is not trusted" in done.stderr, "a link to a trusted policy", done)
    done = bridle("policy", "trust", cwd=stranger)
    expect(done.returncode == 0 and stranger + "/bridle.cfg" in done.stdout, "trusts the link", done)
    expect(bridle("run", "--", "cat", TOP + "/secret", cwd=stranger).returncode == 0, "is trusted then")
    write(LOOSE + "// later\n")
    expect(bridle("run", "--", "cat", TOP + "/secret", cwd=stranger).returncode == 126, "until its target changes")
    write(LOOSE)
    os.rename(stranger, moved)
    done = bridle("run", "--", "cat", TOP + "/secret", cwd=moved)
    expect(done.returncode == 126 and "is not trusted" in done.stderr, "a folder that moved asks again", done)
    os.symlink(ROOT, os.path.join(TOP, "home", "alias"))
    expect(bridle("run", "--", "cat", TOP + "/secret", cwd=TOP + "/home/alias").returncode == 0, "a link to the folder is the folder")
    done = bridle("policy", "trust", TOP + "/home/alias/bridle.cfg")
    expect(ROOT + "/bridle.cfg" in done.stdout, "also by name", done)


def includes_belong_to_the_text():
    write(LOOSE, "part.cfg")
    write('@include "part.cfg"\n')
    expect(bridle("policy", "trust").returncode == 0 and bridle("run", "--", "cat", TOP + "/secret").returncode == 0, "part")
    write(LOOSE + "// more\n", "part.cfg")
    expect(bridle("run", "--", "cat", TOP + "/secret").returncode == 126, "a changed part is a change")


def what_is_only_stricter_needs_no_trust():
    write('names: { deny = [ "uptime" ]; };\npaths: { deny = [ "*.key" ]; };\n')
    done = bridle("check", "uptime")
    expect(done.returncode == 1 and "name.denylist" in done.stdout and "trusted" not in done.stderr, "stricter", done)
    expect(bridle("check", "uptime", cwd=ROOT + "/sub").returncode == 0, "but it does not move the root")
    for text in ('names: { deny = [ "!sudo" ]; };', 'extends = "agent";', 'root = "..";', 'mode = "audit";',
                 'paths: { deny = [ "x" ]; read = [ "/" ]; };', 'limits: { wall_seconds = 0; };', 'not a policy'):
        write('names: { deny = [ "uptime" ]; };\n' + text if text.startswith("r") or "=" in text and "names" not in text else text)
        done = bridle("check", "sudo")
        expect(done.returncode == 1 and "is not trusted" in done.stderr, "looser", text, done)


def a_bad_policy_is_not_trusted():
    write("nonsense = 1;\n")
    done = bridle("policy", "trust")
    expect(done.returncode == 125 and "bridle.cfg:1" in done.stderr, "bad", done)
    expect(bridle("policy", "trust", "none.cfg").returncode == 125, "missing")
    done = bridle("policy", "trust", cwd="/")
    expect(done.returncode == 125 and "no bridle.cfg" in done.stderr, "nothing there", done)
    done = bridle("policy", "check")
    expect(done.returncode == 1 and "bridle.cfg:1" in done.stderr, "check reads what is not trusted", done)


def a_session_cannot_trust():
    """Though its root is the home itself."""
    write("extends = \"agent\";\n")
    for command in ("%s policy trust %s/bridle.cfg" % (BRIDLE, ROOT), "echo x >> %s/.config/bridle/trusted" % HOME,
                    "mv %s/.config/bridle %s/away" % (HOME, HOME), "mv new %s/.config/bridle/trusted" % HOME):
        before = open(HOME + "/.config/bridle/trusted").read()
        done = bridle("run", "-P", "agent", "-r", HOME, "-s", "--", command)
        expect(done.returncode != 0 and os.path.exists(HOME + "/.config/bridle/trusted") and
               open(HOME + "/.config/bridle/trusted").read() == before, "inside", command, done)


def init_trusts_what_it_writes():
    folder = os.path.join(TOP, "home", "fresh")
    os.mkdir(folder)
    done = bridle("init", cwd=folder)
    expect(done.returncode == 0, "init", done)
    done = bridle("run", "-v", "--", "true", cwd=folder)
    expect(done.returncode == 0 and "trusted" not in done.stderr and "policy bridle.cfg" in done.stderr, "is used", done)


os.makedirs(os.path.join(ROOT, "sub"))
with open(os.path.join(TOP, "secret"), "w") as secret:
    secret.write("x\n")
try:
    strangers_policy_does_not_count()
    a_named_policy_needs_no_trust()
    trust_holds_for_this_text()
    a_link_is_trusted_where_it_stands()
    includes_belong_to_the_text()
    what_is_only_stricter_needs_no_trust()
    a_bad_policy_is_not_trusted()
    a_session_cannot_trust()
    init_trusts_what_it_writes()
finally:
    shutil.rmtree(TOP)
print("%d passed, %d failed" % tuple(counts))
sys.exit(counts[1] > 0)
