#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bridle init --agent: the hook goes into an agent's settings and out again: init_agent.py [BUILD]."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "bridle"))
TOP = os.path.realpath(tempfile.mkdtemp(prefix="init-", dir="/var/tmp"))
FILES = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json",
         "cursor": ".cursor/hooks.json", "qwen-code": ".qwen/settings.json", "copilot": ".github/hooks/bridle.json"}
EVENTS = {"claude-code": "PreToolUse", "codex": "PreToolUse", "gemini": "BeforeTool", "cursor": "beforeShellExecution",
          "qwen-code": "PreToolUse", "copilot": "PreToolUse"}
ENDS = {name: "hook %s%s" % (name, "" if name == "qwen-code" else " --enforce") for name in FILES}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD")}
ENVIRONMENT["HOME"] = os.path.join(TOP, "home")
os.mkdir(ENVIRONMENT["HOME"])
counts = [0, 0]


def expect(good, what, *seen):
    counts[not good] += 1
    if not good:
        print("FAIL", what, *seen)


class Project:
    number = 0

    def __init__(self, agent, text=None):
        Project.number += 1
        self.agent, self.folder = agent, os.path.join(TOP, "project%d" % Project.number)
        self.file = os.path.join(self.folder, FILES[agent])
        os.makedirs(self.folder)
        if text is not None:
            os.makedirs(os.path.dirname(self.file))
            with open(self.file, "w") as file:
                file.write(text)

    def init(self, *options):
        return subprocess.run([BRIDLE, "init", "--agent", self.agent, *options], cwd=self.folder, env=ENVIRONMENT,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)

    def text(self):
        return open(self.file).read() if os.path.exists(self.file) else None

    def commands(self):
        entries = json.loads(self.text())["hooks"][EVENTS[self.agent]]
        return [hook["command"] for entry in entries for hook in entry.get("hooks", [entry])]


def fresh(agent):
    project = Project(agent)
    done = project.init("--dry-run")
    expect(done.returncode == 0 and "+++ " + FILES[agent] in done.stdout and os.listdir(project.folder) == [], "dry", done)
    done = project.init()
    expect(done.returncode == 0 and ENDS[agent] + '"' in done.stdout, agent, "is shown", done)
    command, = project.commands()
    expect('extends = "agent"' in open(os.path.join(project.folder, "bridle.cfg")).read(), "policy")
    event = {"cwd": project.folder, "hook_event_name": EVENTS[agent]}
    change = {"claude-code": ("Write", {"file_path": FILES[agent]}), "gemini": ("write_file", {"file_path": FILES[agent]}),
              "qwen-code": ("write_file", {"file_path": FILES[agent]}),
              "copilot": ("Edit", "*** Begin Patch\n*** Add File: .github/hooks/more.json\n"),
              "codex": ("apply_patch", {"command": "*** Begin Patch\n*** Update File: %s\n" % FILES[agent]})}
    if agent == "cursor":
        event["command"] = "echo x > " + FILES[agent]
    else:
        event["tool_name"], event["tool_input"] = change[agent]
    done = subprocess.run(command, shell=True, input=json.dumps(event), env=ENVIRONMENT, capture_output=True, text=True)
    expect('"deny"' in done.stdout and "trusted" not in done.stderr, agent, "keeps its hook", done)
    before = project.text()
    expect("nothing to change" in project.init().stdout and project.text() == before, agent, "twice is once")
    done = project.init("--undo")
    expect(done.returncode == 0 and project.text() is None and not os.path.exists(project.folder + "/bridle.cfg"),
           agent, "is undone", done)


def merged(agent):
    kept = {"hooks": {EVENTS[agent]: [{"matcher": "X", "hooks": [{"type": "command", "command": "true"}]}],
                      "Stop": [{"hooks": []}]}, "version": 1, "env": {"ä": "\u2028"}, "n": 1}
    for text in (json.dumps(kept), json.dumps(kept, indent=4) + "\n", json.dumps(kept, indent=2, ensure_ascii=False) + "\n",
                 json.dumps(kept, indent="\t"), "{}", "", "{\n}\n"):
        project = Project(agent, text)
        with open(os.path.join(project.folder, "bridle.cfg"), "w") as file:
            file.write("// mine\n")
        os.chmod(project.file, 0o640)
        done = project.init()
        expect(done.returncode == 0 and project.commands()[-1].endswith(ENDS[agent]), agent, "merges", done)
        now, then = json.loads(project.text()), json.loads(text or "{}")
        for name in then:
            expect(name == "hooks" or now[name] == then[name], agent, "keeps", name)
        if text.startswith('{"h') or '"hooks"' in text:
            expect(now["hooks"]["Stop"] == kept["hooks"]["Stop"] and
                   now["hooks"][EVENTS[agent]][0] == kept["hooks"][EVENTS[agent]][0], agent, "keeps other hooks", now)
        expect(os.stat(project.file).st_mode & 0o777 == 0o640, agent, "keeps the mode")
        expect(open(os.path.join(project.folder, "bridle.cfg")).read() == "// mine\n", "keeps the policy")
        done = project.init("--undo")
        expect(project.text() == text or not text.strip("{}\n "), agent, "gives back", repr(text), repr(project.text()))
        expect(os.path.exists(os.path.join(project.folder, "bridle.cfg")), "a changed policy stays")
        expect(not [name for name in os.listdir(os.path.dirname(project.file)) if "new" in name or "before" in name]
               or not text.strip("{}\n "), agent, "leaves nothing", os.listdir(os.path.dirname(project.file)))
    project = Project(agent, json.dumps(kept, indent=2) + "\n")
    project.init()
    changed = json.loads(project.text())
    changed["later"] = True
    with open(project.file, "w") as file:
        json.dump(changed, file)
    project.init("--undo")
    expect(json.loads(project.text()) == dict(kept, later=True), agent, "undo keeps what came later")


def refused(agent):
    for text in ("// comment\n{}\n", "[1]", '{"hooks": []}', '{"hooks": {"%s": {}}}' % EVENTS[agent], "{", '{"a": 1, "a": 2}',
                 '{"a": 1,}', '\ufeff{}', '{"n": 123456789012345678901234567890}'):
        project = Project(agent, text)
        done = project.init()
        expect(done.returncode == 125 and project.text() == text and "by hand" in done.stderr, agent, "refuses", text, done)
        expect(ENDS[agent] + '"' in done.stdout, agent, "says what to put in", done)
    project = Project(agent, "{}\0{}")
    expect(project.init().returncode == 125 and project.text() == "{}\0{}", agent, "refuses what is no text")
    project = Project(agent, '{"a": 1}\n')
    os.chmod(project.file, 0o444)
    done = project.init()
    expect(done.returncode == 125 and project.text() == '{"a": 1}\n' and "read-only" in done.stderr, agent, "a read-only file", done)
    os.makedirs(project.file + ".d")
    folder = Project(agent)
    os.makedirs(folder.file)
    expect(folder.init().returncode == 125 and os.path.isdir(folder.file), agent, "a folder in its place")
    dangling = Project(agent)
    os.makedirs(os.path.dirname(dangling.file))
    os.symlink("nowhere.json", dangling.file)
    done = dangling.init()
    expect(os.path.islink(dangling.file) and (done.returncode == 125 or os.path.exists(dangling.file)), agent, "a dangling link", done)
    elsewhere = Project(agent)
    os.makedirs(os.path.dirname(elsewhere.file))
    os.symlink(os.path.relpath(elsewhere.folder + "/real.json", os.path.dirname(elsewhere.file)), elsewhere.file)
    with open(elsewhere.folder + "/real.json", "w") as file:
        file.write("{}\n")
    elsewhere.init()
    expect(os.path.islink(elsewhere.file) and agent in open(elsewhere.folder + "/real.json").read(), "a link stays one")


def odd_path():
    """bridle's own path may hold anything: the command that is written is one that a shell runs."""
    place = os.path.join(TOP, "it's a $(place)")
    os.makedirs(place)
    for name in ("bridle", "libbridle.so"):
        shutil.copy(os.path.join(os.path.dirname(BRIDLE), name), place)
    project = Project("claude-code")
    subprocess.run([os.path.join(place, "bridle"), "init", "--agent", "claude-code"], cwd=project.folder, env=ENVIRONMENT,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    done = subprocess.run(project.commands()[0], shell=True, input="{}", env=ENVIRONMENT, capture_output=True, text=True)
    expect('"deny"' in done.stdout, "an odd path", project.text(), done)
    expect("nothing to change" in project.init().stdout or len(project.commands()) == 1, "is found again", project.text())


try:
    odd_path()
    for name in FILES:
        fresh(name)
        merged(name)
        refused(name)
    bad = subprocess.run([BRIDLE, "init", "--agent", "emacs"], cwd=TOP, env=ENVIRONMENT, capture_output=True, text=True)
    expect(bad.returncode == 125 and "claude-code" in bad.stderr, "unknown agent", bad)
finally:
    shutil.rmtree(TOP)
print("%d passed, %d failed" % tuple(counts))
sys.exit(counts[1] > 0)
