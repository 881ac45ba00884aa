#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A descendant of root's that becomes another user stays guarded, is allowed and refused the right things, and reports.

    other_user.py [--only PART] [BUILD]

Needs root, skips otherwise. Prints a line for each check that fails and, last, 'N passed, N failed, N skipped'.
"""
import argparse
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile

NOBODY = 65534
POLICY = '''extends = "none"; mode = "enforce";
paths: { write = [ "/" ]; deny = [ "%s" ]; tmp = "private"; };
network: { connect = "allow"; bind = "allow"; resolve = "allow"; };
argv: { inline = "allow"; }; names: { deny = [ "dd" ]; };
structure: { metachars = "off"; }; environment: { inherit = [ "*" ]; };
coverage: { uncovered = "allow"; backstop = "%s"; };
'''
# Becomes nobody without exec: one open that is allowed, one that is not, and one that the other user may not.
DROP = '''import os
os.setgid({0}); os.setuid({0})
for path in ("{1}", "{2}", "/etc/shadow"):
    try:
        print(open(path).read().strip())
    except OSError as error:
        print(error.errno)
'''
AS_NOBODY = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups"]


class World:
    def __init__(self, build, backstop):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="other-user-", dir="/var/tmp"))
        os.chmod(self.top, 0o755)
        self.open, self.shut = os.path.join(self.top, "open"), os.path.join(self.top, "shut")
        for path, text in ((self.open, "readable"), (self.shut, "secret")):
            self.write(path, text)
        self.policy = self.write(os.path.join(self.top, "policy.cfg"), POLICY % (self.shut, backstop))
        self.drop = self.write(os.path.join(self.top, "drop.py"), DROP.format(NOBODY, self.open, self.shut))
        self.both = self.write(os.path.join(self.top, "both.sh"), "cat %s %s\n" % (self.open, self.shut))
        self.tmp = os.path.join(self.top, "tmp")
        os.mkdir(self.tmp)
        os.chmod(self.tmp, 0o1777)
        self.bridle = os.path.join(self.top, "bin", "bridle")  # where everybody may go, wherever the build is
        os.mkdir(os.path.dirname(self.bridle))
        for name in ("bridle", "libbridle.so"):
            shutil.copy(os.path.join(build, name), os.path.dirname(self.bridle))

    def write(self, path, text):
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o644)
        return path

    def run(self, *command, before=(), policy=None):
        """(output, stderr, report lines)"""
        report = os.path.join(self.top, "report")
        environment = dict(os.environ, TMPDIR=self.tmp)
        for name in ("BRIDLE_SESSION", "LD_PRELOAD"):
            environment.pop(name, None)
        if before:
            report = os.path.join(self.tmp, "report")
        done = subprocess.run([*before, self.bridle, "run", "-q", "-p", policy or self.policy, "-r", "/", "--report", report,
                               "--", *command], cwd="/", env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300)
        with open(report) as file:
            lines = [json.loads(line) for line in file]
        os.unlink(report)
        return done.stdout.decode(), done.stderr.decode(), lines

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)


def expect(got, wanted, what=""):
    if got != wanted:
        raise AssertionError("%s: wanted %r, got %r" % (what or "value", wanted, got))


def denied(lines, path):
    return [line for line in lines if line["verdict"] == "deny" and line.get("path") == path]


def check_without_exec(world):
    out, err, lines = world.run("/usr/bin/python3", world.drop)
    expect(out.split(), ["readable", "13", "13"], err)
    expect(len(denied(lines, world.shut)), 1, "lines")
    expect(denied(lines, "/etc/shadow"), [], "what the kernel refuses is no violation")
    expect(lines[-1]["lost"], 0, "lost")


def check_after_exec(world):
    out, err, lines = world.run(*AS_NOBODY, "sh", "-c", "id -u; cat %s; cat %s; dd </dev/null; true" % (world.open, world.shut))
    expect(out.split(), [str(NOBODY), "readable"], err)
    expect("ld.so" in err, False, err)
    expect([line["via"] for line in denied(lines, world.shut)], ["shim"], "lines")
    expect([line["rule"] for line in lines if line.get("op") == "exec" and line["verdict"] == "deny"], ["name.denylist"])
    expect(lines[-1]["lost"], 0, "lost")


def check_without_environment(world):
    out, err, lines = world.run(*AS_NOBODY, "env", "-i", "/bin/sh", world.both)
    expect(out, "readable", err)
    expect([line["via"] for line in denied(lines, world.shut)], ["shim"], "lines")


def check_what_it_does_is_counted(world):
    reads = "import os\nfor i in range(500): os.close(os.open('%s', 0))" % world.open
    checked = world.run(*AS_NOBODY, "/usr/bin/python3", "-c", reads)[2][-1]["checked"]
    expect(checked >= 500, True, "%d calls checked" % checked)


def check_private_folder_is_for_all(world):
    out, err, _ = world.run(*AS_NOBODY, "sh", "-c", "echo text > $TMPDIR/file && cat $TMPDIR/file")
    expect(out, "text\n", err)


def check_it_may_not_change_the_rules(world):
    line = "for f in session report counters; do (echo x > ${LD_PRELOAD%/*}/$f) 2>/dev/null && echo wrote; done; true"
    expect(world.run(*AS_NOBODY, "sh", "-c", line)[0], "")


def check_strangers_do_not_learn_the_name(world):
    child = subprocess.Popen([world.bridle, "run", "-q", "-p", world.policy, "-r", "/", "--", "cat"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, env=dict(os.environ, TMPDIR=world.tmp), cwd="/")
    child.stdin.write(b"x")
    child.stdin.flush()
    child.stdout.read(1)
    around = os.path.join(world.tmp, ".bridle")
    folder = os.path.join(around, os.listdir(around)[0])
    modes = {name: oct(stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode))
             for name in (".", "session", "report", "counters", "tmp", "..")}
    listed = subprocess.run([*AS_NOBODY, "ls", around], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.communicate()
    expect(modes, {".": "0o711", "session": "0o644", "report": "0o666", "counters": "0o666", "tmp": "0o1777", "..": "0o711"})
    expect((listed.returncode != 0, listed.stdout), (True, b""), "ls as nobody")
    # In a folder that is everybody's, as /tmp, the one around root's sessions stays for the next; empty, and shut.
    expect(os.listdir(world.tmp), [".bridle"], "left over")
    expect(os.listdir(around), [], "left over around the session")


def check_library_where_only_root_goes(world):
    os.chmod(os.path.dirname(world.bridle), 0o700)
    try:
        check_after_exec(world)
    finally:
        os.chmod(os.path.dirname(world.bridle), 0o755)


def check_name_taken_by_a_stranger(world):
    around = os.path.join(world.tmp, ".bridle")
    os.mkdir(around)
    os.chown(around, NOBODY, NOBODY)
    try:
        out, err, lines = world.run("sh", world.both)
        expect(out, "readable", err)
        expect(len(denied(lines, world.shut)), 1, "lines")
        expect(os.listdir(around), [], "sessions in a stranger's folder")
    finally:
        os.rmdir(around)


def check_a_session_inside(world):
    out, err, lines = world.run(*AS_NOBODY, world.bridle, "run", "-q", "-p", world.policy, "-r", "/", "--", "sh", world.both)
    expect(out, "readable", err)
    expect(bool(denied(lines, world.shut)), True, "the outer session's lines")


def check_of_ordinary_users_nothing_is_shared(world):
    out, err, _ = world.run("sh", "-c", "stat -c %a ${LD_PRELOAD%/*} $TMPDIR; echo $LD_PRELOAD", before=AS_NOBODY)
    modes, path = out.split()[:-1], out.split()[-1]
    expect(os.path.dirname(os.path.dirname(path)), world.tmp, err)
    expect([mode for mode in modes if mode != "700"], [], "modes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a part of a check's name")
    parser.add_argument("build", nargs="?", default="build")
    options = parser.parse_args()
    checks = [(name, check) for name, check in globals().items() if name.startswith("check_") and options.only in name]
    if os.geteuid() or not shutil.which("setpriv"):
        print("skip: needs root and setpriv\n0 passed, 0 failed, %d skipped" % (2 * len(checks)))
        return 0
    os.umask(0o022)  # others are to reach what is made here
    counts = {"passed": 0, "failed": 0}
    for backstop in ("off", "auto"):
        for name, check in checks:
            world = World(os.path.abspath(options.build), backstop)
            try:
                check(world)
                counts["passed"] += 1
            except Exception as error:
                counts["failed"] += 1
                print("FAIL %s (backstop %s): %s: %s" % (name, backstop, type(error).__name__, error))
            finally:
                world.close()
    print("%(passed)d passed, %(failed)d failed, 0 skipped" % counts)
    return counts["failed"] != 0


if __name__ == "__main__":
    sys.exit(main())
