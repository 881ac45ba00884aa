#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real agents on loopback, with a stand-in for their model that asks for harmless and harmful commands.

    check.py BUILD AGENTS       AGENTS: a folder in which npm has installed the agents (make check-agents)

Each is tried with bridle's hook installed by `bridle init --agent`, and wrapped as a whole by `bridle run`.
Last it prints 'N passed, N failed, N skipped'.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BRIDLE = os.path.abspath(os.path.join(sys.argv[1], "bridle"))
PROGRAMS = os.path.abspath(os.path.join(sys.argv[2], "node_modules", ".bin"))
POLICIES = os.path.join(HERE, "..", "..", "..", "examples", "agents")
TOP = os.path.realpath(tempfile.mkdtemp(prefix="agents-", dir="/var/tmp"))
COMMANDS = ["echo harmless > made.txt; cat made.txt", "./sudo id", "sh peek.sh"]
counts = {"passed": 0, "failed": 0, "skipped": 0}


def expect(good, what, *seen):
    counts["passed" if good else "failed"] += 1
    if not good:
        print("FAIL", what, *[str(part)[-1500:] for part in seen])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def claude(port):
    return ([os.path.join(PROGRAMS, "claude"), "-p", "go", "--output-format", "json"],
            {"ANTHROPIC_BASE_URL": "http://127.0.0.1:%d" % port, "ANTHROPIC_API_KEY": "x", "IS_SANDBOX": "1",
             "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}, ["--dangerously-skip-permissions"])


def codex(port):
    provider = 'model_providers.l={name="l",base_url="http://127.0.0.1:%d/v1",wire_api="responses",env_key="OPENAI_API_KEY"}'
    return ([os.path.join(PROGRAMS, "codex"), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust",
             "--dangerously-bypass-approvals-and-sandbox", "-m", "m", "-c", "model_provider=l", "-c", provider % port, "go"],
            {"OPENAI_API_KEY": "x"}, [])


AGENTS = {"claude-code": ("claude", claude), "codex": ("codex", codex)}


class World:
    """A project and a home of its own, and a model that listens."""

    def __init__(self, agent, how):
        self.agent, self.port = agent, free_port()
        self.home, self.project = os.path.join(TOP, agent, how, "home"), os.path.join(TOP, agent, how, "project")
        self.log = os.path.join(TOP, agent, how, "model.log")
        self.report = os.path.join(TOP, agent, how, "report.jsonl")
        os.makedirs(self.project)
        os.makedirs(os.path.join(self.home, ".codex"))
        os.makedirs(os.path.join(self.home, ".claude"))
        with open(os.path.join(self.home, ".codex", "config.toml"), "w") as file:
            file.write('[projects."%s"]\ntrust_level = "trusted"\n' % self.project)
        with open(os.path.join(self.project, "peek.sh"), "w") as file:
            file.write("cat /etc/shadow\n")
        with open(os.path.join(self.project, "sudo"), "w") as file:
            file.write("#!/bin/sh\necho I am root\n")
            os.fchmod(file.fileno(), 0o755)
        self.environment = {name: value for name, value in os.environ.items()
                            if "proxy" not in name.lower() and not name.startswith(("BRIDLE", "LD_PRELOAD", "CLAUDE"))}
        self.environment["HOME"] = self.home
        self.model = subprocess.Popen([sys.executable, os.path.join(HERE, "model.py"), str(self.port), *COMMANDS],
                                      env=dict(self.environment, MODEL_LOG=self.log))
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.05)

    def run(self, command, **more):
        return subprocess.run(command, cwd=self.project, env=dict(self.environment, **more), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)

    def told(self):
        """Everything that the model was told, as one text."""
        with open(self.log, encoding="utf-8") as file:
            return json.dumps([line for line in file])

    def close(self):
        self.model.terminate()
        self.model.wait()


def same_in_both(world, done, explained=True):
    told = world.told()
    expect(done.returncode == 0 and "done" in done.stdout, world.agent, "ends well", done)
    made = os.path.join(world.project, "made.txt")
    expect(os.path.exists(made) and open(made).read() == "harmless\n", world.agent, "does the harmless work")
    expect("daemon:" not in told and "I am root" not in told, world.agent, "gets nothing that is shut", told)
    if explained:
        expect("name.denylist" in told and "path.deny" in told, world.agent, "is told the rules", told)


def hooked(agent, program):
    world = World(agent, "hook")
    try:
        done = world.run([BRIDLE, "init", "--agent", agent])
        expect(done.returncode == 0, agent, "init", done)
        command, environment, _ = program(world.port)
        same_in_both(world, world.run(command, **environment))
    finally:
        world.close()


def wrapped(agent, program):
    world = World(agent, "wrap")
    try:
        command, environment, more = program(world.port)
        done = world.run([BRIDLE, "run", "-p", os.path.join(POLICIES, agent + ".cfg"), "-r", world.project, "--report",
                          world.report, "--", *command, *more], **environment)
        # Claude Code gives its commands a file for stderr, where the shim does not write: the report has the words.
        same_in_both(world, done, explained=agent != "claude-code")
        with open(world.report, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        denied = [line for line in lines if line.get("verdict") == "deny"]
        expect(any(line["rule"] == "path.deny" and line["exe"].endswith("/cat") for line in denied) and
               any(line["rule"] == "name.denylist" for line in denied), agent,
               "the report names the child", denied)
    finally:
        world.close()


try:
    for name, (executable, start) in AGENTS.items():
        if not os.path.exists(os.path.join(PROGRAMS, executable)):
            counts["skipped"] += 1
            print("SKIP", name, "is not installed")
            continue
        hooked(name, start)
        wrapped(name, start)
finally:
    shutil.rmtree(TOP, ignore_errors=True)
print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
sys.exit(counts["failed"] > 0)
