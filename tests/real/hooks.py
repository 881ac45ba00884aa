#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The answers of `bridle hook` to events as the agents send them (tests/cases/hooks), and to what is no event.

    hooks.py [BUILD]

Prints a line for each check that fails and, last, 'N passed, N failed'.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "bridle"))
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "hooks")
CASES = FOLDER + ".jsonl"
AGENTS = ("claude-code", "codex", "gemini", "cursor", "qwen-code", "copilot")
TOP = os.path.realpath(tempfile.mkdtemp(prefix="hooks-", dir="/var/tmp"))
ROOT, HOME = os.path.join(TOP, "project"), os.path.join(TOP, "home")
counts = [0, 0]


def expect(good, what, *seen):
    counts[not good] += 1
    if not good:
        print("FAIL", what, *seen)


def hook(agent, event, *options, cwd=None, env=None):
    """Runs the hook on an event (object, text or bytes); its answer, exit status and stderr."""
    data = event if isinstance(event, bytes) else (event if isinstance(event, str) else json.dumps(event)).encode()
    clean = {name: value for name, value in os.environ.items()
             if name not in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD", "CLAUDE_PROJECT_DIR")}
    done = subprocess.run([BRIDLE, "hook", agent, *options], input=data, capture_output=True, timeout=300,
                          cwd=cwd or ROOT, env=dict(clean, HOME=HOME, **(env or {})))
    try:
        return json.loads(done.stdout), done.returncode, done.stderr.decode()
    except ValueError:
        return {"not": done.stdout}, done.returncode, done.stderr.decode()


def read(agent, answer):
    """The opinion, the reason and the new input in an answer, by each agent's documented format."""
    if answer == {}:
        return "none", "", None
    if agent == "gemini":
        inner = answer.get("hookSpecificOutput", {"hookEventName": "BeforeTool"})
        expect(inner["hookEventName"] == "BeforeTool" and set(answer) <= {"decision", "reason", "hookSpecificOutput"},
               "format of gemini", answer)
        return answer["decision"], answer.get("reason", ""), inner.get("tool_input")
    if agent == "cursor":
        expect(set(answer) <= {"permission", "user_message", "agent_message", "updated_input"}, "format of cursor", answer)
        return answer["permission"], answer.get("agent_message", ""), answer.get("updated_input")
    inner = answer["hookSpecificOutput"]
    expect(set(answer) == {"hookSpecificOutput"} and inner["hookEventName"] == "PreToolUse" and set(inner) <= {
        "hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput"}, "format of", agent, answer)
    return inner["permissionDecision"], inner.get("permissionDecisionReason", ""), inner.get("updatedInput")


def recorded():
    for number, line in enumerate(open(CASES), 1):
        case = json.loads(line.replace("{root}", ROOT))
        answer, status, error = hook(case["agent"], case["event"], *case["options"])
        opinion, reason, changed = read(case["agent"], answer)
        what = "hooks.jsonl:%d" % number
        expect(opinion == case["want"], what, "is", opinion, reason)
        expect(case.get("rule", "") in reason and not changed, what, reason, changed)
        expect(opinion != "deny" or reason in error, what, "stderr", error)
        expect(status == (2 if opinion == "deny" and case["agent"] == "gemini" else 0), what, "status", status)


def events():
    """Each event in tests/cases/hooks/AGENT, as its README says; one that says more than we know is the same event."""
    seen = []
    for agent in AGENTS:
        names = sorted(name[:-5] for name in os.listdir(os.path.join(FOLDER, agent)) if name.endswith(".json"))
        seen += [(agent, name) for name in names]
        for name in names:
            with open(os.path.join(FOLDER, agent, name + ".json")) as file:
                event = json.loads(file.read().replace("{root}", ROOT).replace("{home}", HOME))
            with open(os.path.join(FOLDER, agent, name + ".expect")) as file:
                want = file.read().strip()
            expect(want in ("allow", "deny", "none"), agent, name, "expects", want)
            newer = dict(event, a_newer_version={"says": ["more", 1]})
            for sent in (event, newer):
                answer, status, error = hook(agent, sent, "-P", "agent")
                opinion, reason, _ = read(agent, answer)
                expect(opinion == want, agent, name, "is", opinion, "and not", want, reason, error)
                expect(opinion != "deny" or (reason and reason in error), agent, name, "says why", error)
    expect(len(seen) > 40 and {agent for agent, _ in seen} == set(AGENTS), "there are events of each agent", seen)


def enforced():
    """What is allowed runs under bridle, wherever and however it is started, and harm is refused while it runs."""
    line = "echo \"it's $((1+1))\"; cat src/a.c; sh peek.sh"
    events = {"claude-code": {"cwd": ROOT, "hook_event_name": "PreToolUse", "tool_name": "Bash",
                              "tool_input": {"command": line, "timeout": 7}},
              "codex": {"cwd": ROOT, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": line}},
              "gemini": {"cwd": ROOT, "hook_event_name": "BeforeTool", "tool_name": "run_shell_command",
                         "tool_input": {"command": line, "description": "x"}},
              "copilot": {"cwd": ROOT, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": line}},
              "cursor": {"cwd": ROOT, "hook_event_name": "beforeShellExecution", "command": line}}
    for agent, event in events.items():
        answer, _, _ = hook(agent, event, "--enforce", "--set", "limits.wall_seconds=30")
        opinion, _, changed = read(agent, answer)
        expect(opinion == "allow" and changed, agent, "rewrites", answer)
        old = event.get("tool_input", {"command": line})
        expect(changed and {k: v for k, v in changed.items() if k != "command"} ==
               {k: v for k, v in old.items() if k != "command"}, agent, "keeps the rest", changed)
        for shell in ("sh", "bash"):
            done = subprocess.run([shell, "-c", changed["command"]], cwd=ROOT, capture_output=True, text=True,
                                  env=dict(os.environ, HOME=HOME))
            expect("it's 2\nhere\n" in done.stdout and "out of bounds" not in done.stdout, agent, "runs", done)
            expect("path.jail" in done.stderr, agent, "says why", done.stderr)
    event = {"cwd": ROOT, "hook_event_name": "PreToolUse", "tool_name": "run_shell_command", "tool_input": {"command": "ls"}}
    expect(read("qwen-code", hook("qwen-code", event)[0])[0::2] == ("allow", None), "qwen-code is told what it understands")
    opinion, reason, _ = read("qwen-code", hook("qwen-code", event, "--enforce")[0])
    expect(opinion == "deny" and "--enforce" in reason, "qwen-code would run its own command", reason)
    event = dict(events["codex"], tool_input={"command": ["cat", "src/a.c"]})
    command = read("codex", hook("codex", event, "--enforce")[0])[2]["command"]
    expect(command[-3:] == ["--", "cat", "src/a.c"], "argv stays argv", command)
    expect(subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout == "here\n", "argv runs", command)


# One event of each that is allowed.
ONE = {"claude-code": {"cwd": ROOT, "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "src/a.c"}},
       "codex": {"cwd": ROOT, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "cat src/a.c"}},
       "gemini": {"cwd": ROOT, "hook_event_name": "BeforeTool", "tool_name": "read_file", "tool_input": {"file_path": "src/a.c"}},
       "qwen-code": {"cwd": ROOT, "hook_event_name": "PreToolUse", "tool_name": "read_file",
                     "tool_input": {"file_path": "src/a.c"}},
       "copilot": {"cwd": ROOT, "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"path": "src/a.c"}},
       "cursor": {"workspace_roots": [ROOT], "cwd": ROOT, "hook_event_name": "beforeShellExecution", "command": "cat src/a.c"}}


def broken():
    big = {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "a", "content": "x" * (17 << 20)}}
    for agent in AGENTS:
        for event in ("", "nonsense", "[]", "7", '{"a":', b"\xff\xfe", '{"tool_name":"Bash\\u0000"}', "[" * 100000,
                      json.dumps(big)):
            answer, status, error = hook(agent, event)
            opinion, reason, _ = read(agent, answer)
            expect(opinion == "deny" and "hook:" in reason and reason in error, agent, "bad event", event[:20], answer)
            answer, status, error = hook(agent, event, "--fail", "open")
            expect(answer == {} and status == 0 and "hook:" in error, agent, "fails open", event[:20], answer, status)
    bad = os.path.join(TOP, "bad.cfg")
    with open(bad, "w") as file:
        file.write("no_such_key = 1;\n")
    for agent, good in ONE.items():
        for options in (["-p", bad], ["-p", "/no/such"], ["-P", "nope"], ["--nope"], ["extra"], ["--fail", "maybe"]):
            answer, status, error = hook(agent, good, *options)
            opinion, reason, _ = read(agent, answer)
            expect(opinion == "deny" and "hook:" in reason and reason in error, agent, "bad options", options, reason)
            expect(status == (2 if agent == "gemini" else 0), agent, "bad options: status", status)
        expect("bad.cfg:1" in read(agent, hook(agent, good, "-p", bad)[0])[1], agent, "names file and line")
        answer, status, error = hook(agent, good, "-p", bad, "--fail", "open")
        expect(answer == {} and status == 0 and "bad.cfg:1" in error, agent, "bad policy: fails open", answer, error)
        for event in (dict(good, hook_event_name="SomethingNew"), dict(good, hook_event_name=7)):
            answer, status, error = hook(agent, event)
            opinion, reason, _ = read(agent, answer)
            expect(opinion in ("none", "deny", "allow") and status in (0, 2), agent, "another event", answer, error)
        expect(read(agent, hook(agent, dict(good, hook_event_name="SomethingNew"))[0])[0] == "none", agent, "an event of later days")
    good = ONE["claude-code"]
    expect(hook("emacs", good)[1] == 125, "unknown agent")
    for agent, tool in (("copilot", "Read"), ("copilot", "Bash"), ("claude-code", "Edit")):
        opinion, reason, _ = read(agent, hook(agent, dict(good, tool_name=tool, tool_input="src/a.c"))[0])
        expect(opinion == "deny" and "no object" in reason, agent, tool, "takes no bare text", reason)
    larger = dict(good, tool_name="Write", tool_input={"file_path": "a", "content": "x" * (8 << 20)})
    expect(read("claude-code", hook("claude-code", larger)[0])[0] == "allow", "eight megabytes are an event")


def project():
    """The policy is that of the project, also from a folder below and from another one."""
    with open(os.path.join(TOP, "other.cfg"), "w") as file:
        file.write('names: { deny = [ "cat" ]; };\nroot = "project";\n')
    event = {"cwd": os.path.join(ROOT, "src"), "hook_event_name": "PreToolUse", "tool_name": "Bash",
             "tool_input": {"command": "cat a.c"}}
    expect(read("claude-code", hook("claude-code", event, cwd="/")[0])[0] == "allow", "the event's folder counts")
    for how in (dict(env={"BRIDLE_POLICY": os.path.join(TOP, "other.cfg")}),):
        opinion, reason, _ = read("claude-code", hook("claude-code", event, cwd="/", **how)[0])
        expect(opinion == "deny" and "name.denylist" in reason, "policy by variable", reason)
    event["tool_input"]["command"] = "cat ../../project/src/a.c"
    expect(read("claude-code", hook("claude-code", event, env={"CLAUDE_PROJECT_DIR": ROOT})[0])[0] == "allow", "root")


for folder in ("project/src", "home/.ssh", "home/.aws", "elsewhere"):
    os.makedirs(os.path.join(TOP, folder))
for name, text in (("project/src/a.c", "here\n"), ("outside.c", "out of bounds\n"), ("project/peek.sh", "cat ../outside.c\n"), ("project/.env", "A=1\n"),
                   ("home/.ssh/id_rsa", "key\n")):
    with open(os.path.join(TOP, name), "w") as file:
        file.write(text)
os.symlink("../elsewhere", os.path.join(ROOT, "link"))
with open(os.path.join(ROOT, "sudo"), "w") as file:
    file.write("#!/bin/sh\necho I am root\n")
os.chmod(os.path.join(ROOT, "sudo"), 0o755)
try:
    recorded()
    events()
    enforced()
    broken()
    project()
finally:
    shutil.rmtree(TOP)
print("%d passed, %d failed" % tuple(counts))
sys.exit(counts[1] > 0)
