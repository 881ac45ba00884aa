#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real agents in a terminal (tmux), wrapped by `bridle run`: typing, a command, Ctrl-C, resizing, leaving.

    terminal.py BUILD AGENTS [NAME...]     AGENTS: a folder in which npm has installed the agents (make check-agents)

Every wait is bounded. Last it prints 'N passed, N failed, N skipped'.
"""
import os
import re
import shutil
import subprocess
import sys
import time

from world import POLICIES, World, installed

BRIDLE = os.path.abspath(os.path.join(sys.argv[1], "bridle"))
PROGRAMS = os.path.abspath(os.path.join(sys.argv[2], "node_modules", ".bin"))
# What each screen says: ready to be typed at, and that something was stopped. stop, leave: the keys for it. shows: what a
# command writes on stderr is part of it.
SCREENS = {
    "claude-code": {"ready": r"❯", "stopped": r"[Ii]nterrupted", "stop": ["C-c"], "leave": ["C-c", "C-c"]},
    "codex": {"ready": r"›.*\n(.*\n)+.*project", "stopped": r"interrupted", "stop": ["C-c"], "leave": ["C-c"]},
    "gemini": {"ready": r"Type your message", "stopped": r"[Cc]ancelled", "stop": ["C-c"], "leave": ["C-c", "C-c"]},
    "qwen-code": {"ready": r"Type your message", "stopped": r"[Cc]ancelled", "stop": ["C-c"], "leave": ["C-c", "C-c"]},
    "copilot": {"ready": r"❯ *\n", "stopped": r"cancelled by user", "stop": ["C-c"], "leave": ["C-c", "C-c"]},
    "continue": {"ready": r"Ask anything", "stopped": r"Interrupted by user", "stop": ["Escape"], "leave": ["C-c", "C-c"],
                 "shows": True},
}
STEPS = ["echo harmless > made.txt; cat made.txt", '{"say": "first answer"}',
         "cat /etc/shadow; echo went on > second.txt", '{"say": "second answer"}',
         "sh long.sh"]
UNNEEDED = "/.local/share/applications"  # Claude Code would register a handler for links there; it does without
LONG = "echo $$ > pid.txt\nfor i in 1 2 3 4 5 6 7 8 9; do sleep 5; done\necho late > late.txt\n"
counts = {"passed": 0, "failed": 0, "skipped": 0}


class Pane:
    """A terminal of its own in which a command runs."""

    def __init__(self, world, command):
        self.world = world
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", "-s", "agent", "-c", world.project,
                  "sh", "-c", 'trap : INT; "$@"; echo $? > ../status', "sh", *command, ";", "set-option", "remain-on-exit", "on")

    def tmux(self, *arguments):
        environment = dict(self.world.environment, TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8")
        return subprocess.run(["tmux", "-u", "-L", os.path.basename(self.world.top), *arguments], env=environment, timeout=20,
                              capture_output=True, text=True, check=False).stdout

    def text(self):
        return self.tmux("capture-pane", "-p", "-t", "agent")

    def status(self):
        """The exit status of the command, as a shell counts it; None while it runs."""
        status = (self.world.read("../status") or "").strip()
        return int(status) if status else None

    def processes(self):
        """What runs there, for one who wonders why."""
        pid = self.tmux("display-message", "-p", "-t", "agent", "#{pane_pid}").strip()
        return subprocess.run(["ps", "-o", "pid,ppid,stat,wchan:20,etime,args", "--sid", pid], capture_output=True, text=True,
                              check=False).stdout

    def type(self, text):
        """A line. Agents take a return that comes at once for part of what is pasted."""
        self.tmux("send-keys", "-t", "agent", "-l", text)
        wait(lambda: text in self.text(), 15)
        time.sleep(1.5)
        self.tmux("send-keys", "-t", "agent", "Enter")

    def press(self, keys):
        for key in keys:
            self.tmux("send-keys", "-t", "agent", key)
            time.sleep(0.3)


def wait(what, seconds=60):
    """Until what() is true; its last answer."""
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.2)
    return what()


def lives(pid):
    return os.path.exists("/proc/%s" % pid)


def drive(world, pane, screen, expect):
    ready = re.compile(screen["ready"])
    if not expect(wait(lambda: ready.search(pane.text())), "is ready"):
        return
    pane.type("please begin")
    expect(wait(lambda: "first answer" in pane.text()), "answers what was typed")
    expect("please begin" in pane.text(), "shows what was typed")
    expect(world.read("made.txt") == "harmless\n", "runs a command")
    pane.type("now look")
    expect(wait(lambda: "second answer" in pane.text()), "goes on after a refusal")
    expect(world.read("second.txt") == "went on\n", "runs what stands behind a refusal")
    expect("path.deny" in world.told() and "daemon:" not in world.told(), "the model is told why", world.told())
    expect("root:" not in pane.text(), "shows nothing that is shut")
    pane.tmux("resize-window", "-t", "agent", "-x", "70", "-y", "24")
    expect(wait(lambda: ready.search(pane.text()) and max(map(len, pane.text().split("\n"))) <= 70, 15), "is drawn anew when resized")
    pane.type("take your time")
    pid = wait(lambda: (world.read("pid.txt") or "").strip())
    expect(pid and lives(pid), "runs something long")
    time.sleep(1)
    pane.press(screen["stop"])
    expect(wait(lambda: re.search(screen["stopped"], pane.text()), 15), "Ctrl-C stops the turn")
    expect(pane.status() is None and wait(lambda: ready.search(pane.text()), 15), "and leaves the agent there")
    for _ in range(3):
        pane.press(screen["leave"])
        if wait(lambda: pane.status() is not None, 20):
            break
    expect(pane.status() is not None, "leaves", pane.processes())
    expect(pane.status() in (0, 130), "with its own status", pane.status())
    expect(pid and wait(lambda: not lives(pid), 10) and world.read("late.txt") is None, "nothing is left of the session")


def attempt(agent):
    with World(agent, PROGRAMS, STEPS) as world:
        world.write(world.project, "long.sh", LONG)
        pane = Pane(world, [BRIDLE, "run", "-p", os.path.join(POLICIES, agent.name + ".cfg"), "-r", world.project, "--report",
                            world.report, "--", *world.program, *agent.interactive])

        shown = []

        def expect(good, what, *seen):
            counts["passed" if good else "failed"] += 1
            if not good:
                print("FAIL", agent.name, what, *seen)
                if not shown:
                    print(pane.text())
                shown.append(what)
            return good

        try:
            drive(world, pane, SCREENS[agent.name], expect)
            denied = [line for line in world.reported() if line.get("verdict") == "deny"]
            others = [line for line in denied if line.get("path") != "/etc/shadow" and not line.get("path", "").endswith(UNNEEDED)]
            expect(denied and not others, "nothing else is refused", *others)
            expect(SCREENS[agent.name].get("shows") or "bridle: denied" not in pane.text(), "bridle leaves the screen alone")
        finally:
            pane.tmux("kill-server")


for one, there in installed(PROGRAMS, sys.argv[3:]):
    if one.name not in SCREENS:
        continue
    if not there or not shutil.which("tmux"):
        counts["skipped"] += 1
        print("SKIP", one.name, "in a terminal: it or tmux is not installed")
        continue
    attempt(one)
print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
sys.exit(counts["failed"] > 0)
