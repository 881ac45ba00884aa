#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The life of a session as its caller sees it: signals, time, what is left over, the terminal, the report's targets.

    session.py [--only PART] [BUILD]

Prints a line for each check that fails and, last, 'N passed, N failed'.
"""
import argparse
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# A sleep that only this run uses, so that what is left of it can be found.
SECONDS = "%d.%d" % (3000 + os.getpid() % 100, os.getpid())
PATIENCE = 120  # seconds for what happens at once, on a machine that has much else to do: only what fails takes so long


class World:
    def __init__(self, bridle):
        self.bridle = bridle
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="session-", dir="/var/tmp"))
        self.environment = dict(os.environ, TMPDIR=os.path.join(self.top, "tmp"))
        for name in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD"):
            self.environment.pop(name, None)
        os.mkdir(os.path.join(self.top, "tmp"))
        os.mkdir(os.path.join(self.top, "work"))
        self.work = os.path.join(self.top, "work")

    def write(self, name, text):
        with open(os.path.join(self.work, name), "w") as file:
            file.write(text)
        return os.path.join(self.work, name)

    def start(self, *words, **more):
        settings = dict(cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
        settings.update(more)
        return subprocess.Popen([self.bridle] + list(words), **settings)

    def run(self, *words, **more):
        child = self.start(*words, **more)
        out, err = child.communicate(timeout=PATIENCE)
        return child.returncode, (out or b"").decode(), (err or b"").decode()

    def result(self, *words):
        return json.loads(self.run("run", "--json", *words)[1])

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)


def expect(got, wanted, what=""):
    if got != wanted:
        raise AssertionError("%s: wanted %r, got %r" % (what or "value", wanted, got))


def sleeping():
    """The processes that still run our sleep."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                found += [pid] if file.read() == ("sleep\0%s\0" % SECONDS).encode() else []
        except OSError:
            pass
    return found


def sleepers():
    return len(sleeping())


def in_front():
    """Our one sleep runs, is not stopped, and has the terminal: the next key is for it."""
    for pid in sleeping():
        try:
            with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as file:
                state, _, group, _, _, front = file.read().rpartition(")")[2].split()[:6]
        except OSError:
            return False
        return state == "S" and group == front
    return False


def wait_for(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def folders(world):
    """Of sessions: root's lie in a folder of their own."""
    top = world.environment["TMPDIR"]
    around = os.path.join(top, ".bridle")
    return [name for folder in (top, around) if os.path.isdir(folder) for name in os.listdir(folder)
            if name.startswith("bridle-")]


# ---------------------------------------------------------------- signals and time

def check_signals_reach_the_command(world):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
        child = world.start("run", "sleep", SECONDS)
        expect(wait_for(lambda: sleepers() == 1), True, "it runs")
        child.send_signal(number)
        expect(child.wait(PATIENCE), 128 + number, "status after %s" % number.name)
    expect(folders(world), [], "folders left")


def check_a_handler_decides(world):
    world.write("polite.sh", "trap 'echo bye; exit 5' TERM\necho ready\nwhile :; do sleep 0.05; done\n")
    child = world.start("run", "sh", "polite.sh")
    expect(child.stdout.readline(), b"ready\n")
    child.terminate()
    expect(child.communicate(timeout=PATIENCE)[0], b"bye\n")
    expect(child.returncode, 5)


def check_left_over_processes_end(world):
    world.write("leave.sh", "setsid sleep %s &\n(trap '' TERM; sleep %s) &\nexit 4\n" % (SECONDS, SECONDS))
    expect(world.run("run", "--set", "limits.grace_seconds=0.2", "sh", "leave.sh")[0], 4)
    expect(sleepers(), 0, "left over")


def check_time_ends_the_whole_tree(world):
    world.write("daemon.py", "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                             "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
                             "        os.execvp('sleep', ['sleep', '%s'])\n    os._exit(0)\n"
                             "os.execvp('sleep', ['sleep', '%s'])\n" % (SECONDS, SECONDS))
    result = world.result("--set", "limits.grace_seconds=0.2", "-t", "0.5", "python3", "daemon.py")
    expect((result["exit_code"], result["timed_out"], result["rule"]), (-101, True, "limit.time"))
    expect(sleepers(), 0, "left over")


def check_too_many_processes_end_the_session(world):
    # Bounded by itself, so that a failure of this test harms nobody: 150 at most, for PATIENCE at most. It would end well then.
    world.write("crowd.py", "import os, signal, sys, time\nfor i in range(150):\n    if os.fork() == 0:\n"
                            "        signal.alarm(%d)\n        time.sleep(%d)\n        os._exit(0)\ntime.sleep(%d)\n" % ((PATIENCE,) * 3))
    result = world.result("--set", "limits.processes=40", "--", "python3", "crowd.py")
    expect((result["rule"], result["exit_code"], result["timed_out"]), ("limit.processes", 137, False), "a crowd")
    if "limits.processes" not in result["reason"] or result["duration_ms"] > PATIENCE * 500:
        raise AssertionError("reason %(reason)r after %(duration_ms)d ms" % result)
    world.write("few.sh", "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3 & done\nwait\n")
    result = world.result("--set", "limits.processes=40", "--", "sh", "few.sh")
    expect((result["rule"], result["exit_code"]), (None, 0), "a few")


def check_a_killed_launcher_takes_its_command_along(world):
    child = world.start("run", "sleep", SECONDS)
    expect(wait_for(lambda: sleepers() == 1), True, "it runs")
    child.kill()
    child.wait()
    expect(wait_for(lambda: sleepers() == 0), True, "the command ended")
    expect(len(folders(world)), 1, "what it left")
    world.run("run", "true")
    expect(folders(world), [], "what the next one left")


def check_stopping_itself_does_not_stop_the_clock(world):
    world.write("stop.sh", "kill -STOP $$\n")
    expect(world.result("-t", "0.5", "sh", "stop.sh")["timed_out"], True)


def check_on_a_terminal_without_a_shell_either(world):
    """As a harness starts it that gives each command a terminal: nobody there would continue a launcher that stopped."""
    script = world.write("stop.sh", "kill -STOP $$\n")
    child, terminal = pty.fork()
    if not child:
        os.chdir(world.work)
        os.execve(world.bridle, [world.bridle, "run", "-t", "0.5", "sh", script], world.environment)
    ended = wait_for(lambda: os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None, 30)
    if not ended:
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    os.close(terminal)
    expect((ended, os.waitstatus_to_exitcode(status)), (True, 124), "ended in time, with status")


def check_a_fifo_is_not_waited_for(world):
    """Nobody writes into it, and the launcher is deaf to signals until the command runs."""
    for name in ("fifo", "bridle.cfg"):
        os.mkfifo(os.path.join(world.work, name), 0o755)
    os.chmod(os.path.join(world.work, "fifo"), 0o755)
    world.write("policy.cfg", '@include "fifo"\n')
    for words, wanted in ((["run", "-P", "agent", "./fifo"], 126), (["check", "-P", "agent", "./fifo"], 0), (["run", "true"], 0),
                          (["run", "-p", "fifo", "true"], 125), (["run", "-p", "policy.cfg", "true"], 125)):
        child = world.start(*words)
        ended = wait_for(lambda: child.poll() is not None, 30)
        if not ended:
            child.kill()
        child.communicate()
        expect((ended, child.returncode), (True, wanted), "ended, with status, %r" % words)


# ---------------------------------------------------------------- what goes in and out

def check_descriptors_stay_with_the_launcher(world):
    reader, writer = os.pipe()
    world.write("list.sh", "ls /proc/self/fd\n")
    status, out, _ = world.run("run", "-P", "agent", "--report-fd", str(writer), "sh", "list.sh", pass_fds=(writer,))
    os.close(writer)
    os.close(reader)
    expect((status, out.split()), (0, ["0", "1", "2", "3"]), "descriptors of ls, 3 is the folder that it reads")


def check_a_result_on_its_own_descriptor(world):
    reader, writer = os.pipe()
    status, out, _ = world.run("run", "--result-fd", str(writer), "echo", "x", pass_fds=(writer,))
    os.close(writer)
    with os.fdopen(reader) as stream:
        result = json.loads(stream.read())
    expect((status, out, result["stdout"]), (0, "", "x\n"))


def check_stdin(world):
    for words, wanted in (((), ""), (("--stdin",), "given")):
        child = world.start("run", "--json", *words, "cat", stdin=subprocess.PIPE)
        expect(json.loads(child.communicate(b"given")[0])["stdout"], wanted)


def check_output_bounds(world):
    world.write("loud.sh", "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; "
                           "i=$((i+1)); done; echo end >&2; exit 3\n")
    result = world.result("--set", "limits.output_bytes=100", "sh", "loud.sh")
    expect((result["exit_code"], result["truncated"], result["stderr"]), (3, True, "end\n"))
    expect(result["stdout"].splitlines()[-1], "[bridle: output truncated at 100 bytes]")
    expect(len(result["stdout"].split("\n[bridle:")[0]), 100)


def check_a_closed_or_full_report_harms_nobody(world):
    world.write("bad.py", "for i in range(50):\n    try:\n        open('/etc/shadow')\n    except OSError:\n        pass\n"
                          "print('fine')\n")
    reader, writer = os.pipe()
    os.close(reader)
    closed = world.run("run", "--report-fd", str(writer), "python3", "bad.py", pass_fds=(writer,))
    os.close(writer)
    for status, out, err in (closed, world.run("run", "--report", "/dev/full", "python3", "bad.py")):
        expect((status, out), (0, "fine\n"))
        if not re.search(r"5[0-9] report lines were lost", err) or "50 calls denied" not in err:
            raise AssertionError("the closing lines say %r" % err[-300:])


def check_report_file_is_private_and_appended(world):
    report = os.path.join(world.top, "report")
    for _ in range(2):
        world.run("run", "--report", report, "true")
    expect(os.stat(report).st_mode & 0o777, 0o600)
    with open(report) as lines:
        sessions = [json.loads(line) for line in lines]
    expect([line["event"] for line in sessions], ["open", "close"] * 2)
    expect(len({line["digest"] for line in sessions if "digest" in line}), 1, "one policy, one digest")


def check_a_refused_line_is_reported_without_its_text(world):
    line = "ls > new; echo hunter2 > /usr/not-here"
    for words in (["-s", line], ["sh", "-c", line]):
        status, _, err = world.run("run", "-P", "agent", "--report", "report", *words)
        expect(status, 126, "status (%s)" % err)
        with open(os.path.join(world.work, "report")) as report:
            text = report.read()
        if '"path":"/usr/not-here"' not in text or "hunter2" in text:
            raise AssertionError("the report of %r says %r" % (words, text[-600:]))


def check_nothing_starts_after_bad_input(world):
    mark = os.path.join(world.work, "mark")
    world.write("touch.sh", "touch mark\n")
    for words in (["--report", "/not/there/x"], ["--report-fd", "77"], ["--result-fd", "77"], ["-C", "not-there"],
                  ["-p", "not-there.cfg"], ["-P", "nobody"], ["--set", "limits.nothing=1"], ["-t", "soon"]):
        status, _, err = world.run("run", *words, "sh", "touch.sh")
        expect(status, 125, "status with %r" % words)
        expect(os.path.exists(mark), False, "the command ran with %r" % words)
        if words[-1] not in err:
            raise AssertionError("the complaint about %r is %r" % (words, err))
    world.environment["BRIDLE_SESSION"] = "/tmp/bridle-0123456789abcdef"
    expect(world.run("run", "sh", "touch.sh")[0], 125, "status in a session that is gone")
    expect(os.path.exists(mark), False)


# ---------------------------------------------------------------- sessions in sessions

def check_nesting(world):
    inner = [world.bridle, "run", "-P", "agent", "--"]
    status, out, err = world.run("run", "-P", "agent", "--", *inner, *inner, "sh", "-c", "echo $BRIDLE_SESSION")
    expect((status, out.count("bridle-")), (0, 3), "three sessions (%s)" % err)
    status, _, err = world.run("run", "-P", "agent", "--", *inner * 4, "true")
    expect(status, 125, "a fifth session")
    world.write("peek.sh", "cat /etc/shadow\n")
    report = os.path.join(world.work, "outer")
    status, _, _ = world.run("run", "-P", "agent", "--report", report, "--", world.bridle, "run", "-P", "agent", "-m",
                             "audit", "--", "sh", "peek.sh")
    expect(status, 1, "an inner audit mode does not loosen the outer session")
    with open(report) as lines:
        bad = [json.loads(line) for line in lines if '"verdict":"deny"' in line]
    expect([line["path"] for line in bad], ["/etc/shadow"], "what the outer session reports")


# ---------------------------------------------------------------- the terminal

class Terminal:
    """A shell on a terminal of its own, typed at as a person would."""

    def __init__(self, world):
        self.pid, self.file = pty.fork()
        if not self.pid:
            os.chdir(world.work)
            os.environ.update(world.environment, PS1="outer> ", TERM="dumb", HISTFILE="")
            os.environ.pop("PROMPT_COMMAND", None)
            os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
        self.text = ""
        self.see("outer> ")

    def type(self, text):
        os.write(self.file, text.encode())

    def see(self, wanted, seconds=PATIENCE):
        """Waits for words behind what was seen before."""
        end = time.monotonic() + seconds
        while wanted not in self.text:
            if not select.select([self.file], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError("no %r in %r" % (wanted, self.text[-500:]))
            self.text += os.read(self.file, 65536).decode(errors="replace")
        self.text = self.text[self.text.index(wanted) + len(wanted):]

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.file)
        os.waitpid(self.pid, 0)


def on_terminal(check):
    def run(world):
        terminal = Terminal(world)
        try:
            check(terminal, world.bridle + " run -P agent -- ")
        finally:
            terminal.close()
    run.__name__ = check.__name__
    return run


@on_terminal
def check_keys(terminal, run):
    terminal.type(run + "sleep %s\n" % SECONDS)
    expect(wait_for(in_front), True, "it has the terminal")
    terminal.type("\x1a")
    terminal.see("Stopped")
    terminal.see("outer> ")
    terminal.type("fg\n")
    terminal.see("sleep")
    expect(wait_for(in_front), True, "it has the terminal again")
    terminal.type("\x03")
    terminal.see("outer> ")
    terminal.type("echo status $?\n")
    terminal.see("status 130\r\n")
    expect(sleepers(), 0, "left over")


@on_terminal
def check_a_loop_ends_with_the_key(terminal, run):
    terminal.type("for i in 1 2 3; do %ssleep %s; done; echo not this\n" % (run, SECONDS))
    expect(wait_for(in_front), True, "it has the terminal")
    terminal.type("\x03")
    terminal.see("outer> ")
    terminal.type("echo here\n")
    terminal.see("\nhere\r\n")
    expect(sleepers(), 0, "left over")


@on_terminal
def check_a_shell_inside(terminal, run):
    terminal.type(run + "env PS1='inner> ' bash --norc --noprofile --noediting -i\n")
    terminal.see("\ninner> ")
    terminal.type("sleep %s\n" % SECONDS)
    expect(wait_for(in_front), True, "it has the terminal")
    terminal.type("\x1a")
    terminal.see("Stopped")
    terminal.type("fg\n")
    terminal.see("sleep")
    expect(wait_for(in_front), True, "it has the terminal again")
    terminal.type("\x03")
    terminal.see("inner> ")
    terminal.type("suspend\n")
    terminal.see("Stopped")
    terminal.see("outer> ")
    terminal.type("fg\n")
    terminal.see("bash")
    terminal.type("cat /etc/shadow; echo again\n")
    terminal.see("Permission denied")
    terminal.see("\nagain\r\n")
    terminal.type("exit 3\n")
    terminal.see("1 call denied")
    terminal.see("outer> ")
    terminal.type("echo status $?\n")
    terminal.see("status 3\r\n")


@on_terminal
def check_a_pipeline_keeps_the_terminal(terminal, run):
    terminal.type(run + "echo one | (cat; read x < /dev/tty; echo got $x)\n")
    terminal.see("\none\r\n")
    terminal.type("typed\n")
    terminal.see("got typed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a part of a check's name")
    parser.add_argument("build", nargs="?", default="build")
    options = parser.parse_args()
    bridle = os.path.abspath(os.path.join(options.build, "bridle"))
    passed = failed = 0
    for name, check in list(globals().items()):
        if not name.startswith("check_") or options.only not in name:
            continue
        world = World(bridle)
        try:
            check(world)
            passed += 1
        except Exception as error:                     # a check that breaks is a check that fails
            failed += 1
            print("FAIL %s: %s: %s" % (name[6:], type(error).__name__, str(error)[:600]))
        finally:
            world.close()
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
