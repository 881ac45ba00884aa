#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what real agents say to a hook before they use a tool, into tests/cases/hooks.

    record.py AGENTS [NAME...]      AGENTS: a folder in which npm has installed the agents (make check-agents)

Each agent runs without bridle, against the stand-in model, with a hook that only writes down its event. The expected
opinions (NAME.expect) are written by hand, never from here.
"""
import json
import os
import re
import sys

from world import HERE, World, installed

CASES = os.path.join(HERE, "..", "..", "cases", "hooks")
PROGRAMS = os.path.abspath(os.path.join(sys.argv[1], "node_modules", ".bin"))
PATCH = "*** Begin Patch\n*** %s File: %s\n%s*** End Patch\n"


def call(tool, **given):
    return json.dumps({"tool": tool, "input": given})


STEPS = {
    "claude-code": {
        "bash": "ls -l src | head -n 3", "bash-denied": "./sudo id", "bash-secret": "cat ~/.ssh/id_rsa",
        "read": call("Read", file_path="{root}/src/a.c"), "read-secret": call("Read", file_path="{home}/.ssh/id_rsa"),
        "write": call("Write", file_path="{root}/src/new.c", content="int b;\n"),
        "write-secret": call("Write", file_path="{home}/.ssh/config", content="Host a\n"),
        "edit": call("Edit", file_path="{root}/src/a.c", old_string="int a;", new_string="int c;"),
        "webfetch": call("WebFetch", url="https://docs.example.org/a", prompt="what is it?"),
        "webfetch-metadata": call("WebFetch", url="http://169.254.169.254/latest", prompt="what is it?"),
        "unknown": call("ListAgents"),
    },
    "codex": {
        "bash": "ls -l src | head -n 3", "bash-denied": "./sudo id", "bash-secret": "cat ~/.ssh/id_rsa",
        "write": json.dumps({"tool": "apply_patch", "input": PATCH % ("Add", "src/new.c", "+int b;\n")}),
        "write-secret": json.dumps({"tool": "apply_patch", "input": PATCH % ("Add", "{home}/.ssh/config", "+Host a\n")}),
        "edit": json.dumps({"tool": "apply_patch", "input": PATCH % ("Update", "src/a.c", "@@\n-int a;\n+int c;\n")}),
        "view": call("view_image", path="{home}/.ssh/id_rsa"), "unknown": call("get_goal"),
    },
    "gemini": {
        "bash": "ls -l src | head -n 3", "bash-denied": "./sudo id", "bash-secret": "cat ~/.ssh/id_rsa",
        "read": call("read_file", file_path="src/a.c"),
        "write": call("write_file", file_path="src/new.c", content="int b;\n"),
        "edit": call("replace", file_path="src/a.c", old_string="int a;", new_string="int c;", instruction="rename"),
        "glob": call("glob", pattern="**/*.c"), "grep": call("grep_search", pattern="int", dir_path="src"),
        "list": call("list_directory", dir_path="src"),
        "webfetch": call("web_fetch", prompt="what is https://docs.example.org/a ?"),
        "webfetch-metadata": call("web_fetch", prompt="read http://169.254.169.254/latest please"),
        "unknown": call("write_todos", todos=[{"description": "look", "status": "pending"}]),
    },
    "qwen-code": {
        "bash": "ls -l src | head -n 3", "bash-denied": "./sudo id", "bash-secret": "cat ~/.ssh/id_rsa",
        "read": call("read_file", file_path="{root}/src/a.c"), "read-secret": call("read_file", file_path="{home}/.ssh/id_rsa"),
        "write": call("write_file", file_path="{root}/src/new.c", content="int b;\n"),
        "write-secret": call("write_file", file_path="{home}/.ssh/config", content="Host a\n"),
        "edit": call("edit", file_path="{root}/src/a.c", old_string="int a;", new_string="int c;"),
        "glob": call("glob", pattern="**/*.c"), "grep": call("grep_search", pattern="int", path="{root}/src"),
        "webfetch": call("web_fetch", url="https://docs.example.org/a", prompt="what is it?"),
        "webfetch-metadata": call("web_fetch", url="http://169.254.169.254/latest", prompt="what is it?"),
        "unknown": call("list_agents"),
    },
    "copilot": {
        "bash": "ls -l src | head -n 3", "bash-denied": "./sudo id", "bash-secret": "cat ~/.ssh/id_rsa",
        "read": call("view", path="{root}/src/a.c"), "read-secret": call("view", path="{home}/.ssh/id_rsa"),
        "write": call("create", path="{root}/src/new.c", file_text="int b;\n"),
        "write-secret": call("create", path="{home}/.ssh/config", file_text="Host a\n"),
        "edit": call("edit", path="{root}/src/a.c", old_str="int a;", new_str="int c;"),
        "glob": call("glob", pattern="**/*.c"), "grep": call("grep", pattern="int", path="{root}/src"),
        "webfetch": call("web_fetch", url="https://docs.example.org/a"),
        "webfetch-metadata": call("web_fetch", url="http://169.254.169.254/latest"), "unknown": call("list_agents"),
    },
}
# Tools that an agent's hooks hear of by another name.
HEARD = {"copilot": {"view": "Read", "create": "Write", "edit": "Edit", "apply_patch": "Edit", "glob": "Glob", "grep": "Grep",
                     "web_fetch": "WebFetch"}}
# What an agent says only with other models: its environment then, and the steps.
OTHERWISE = {
    "copilot": ({"COPILOT_MODEL": "gpt-5.4", "COPILOT_PROVIDER_WIRE_API": "responses"}, {
        "patch": json.dumps({"tool": "apply_patch", "input": PATCH % ("Update", "src/a.c", "@@\n-int a;\n+int c;\n")}),
        "patch-secret": json.dumps({"tool": "apply_patch", "input": PATCH % ("Add", "{home}/.ssh/config", "+Host a\n")})}),
}


def hook(world, events):
    path, event = world.agent.hooks
    command = {"type": "command", "command": "cat >> '%s'; echo >> '%s'" % (events, events)}
    world.write(world.project, path, json.dumps({"hooks": {event: [{"matcher": ".*", "hooks": [command]}]}}))


def tidy(world, line):
    """The event without what differs from run to run and machine to machine."""
    event = json.loads(line.replace(world.project, "{root}").replace(world.home, "{home}"))
    for key, value in event.items():
        if key.endswith("_id") and isinstance(value, str):
            event[key] = key
        elif key == "timestamp":
            event[key] = "2026-01-01T00:00:00.000Z"
        elif key == "transcript_path" and isinstance(value, str):
            event[key] = "{home}/transcript" + os.path.splitext(value)[1]
    return event


def record(agent, environment, wanted):
    names, steps = list(wanted), list(wanted.values())
    with World(agent, PROGRAMS, steps) as world:
        world.environment.update(environment)
        world.write(world.project, "src/a.c", "int a;\n")
        world.write(world.project, "sudo", "#!/bin/sh\necho I am root\n", 0o755)
        world.write(world.home, ".ssh/id_rsa", "no key\n")
        events = os.path.join(world.top, "events")
        hook(world, events)
        done = world.run([*world.program, *agent.headless])
        with open(events, encoding="utf-8") as file:
            seen = [tidy(world, line) for line in file if line.strip()]
        if "-v" in sys.argv:
            print(done, world.told()[-4000:])
    folder = os.path.join(CASES, agent.name)
    os.makedirs(folder, exist_ok=True)
    taken = 0
    for name, step in zip(names, steps):
        # An agent may skip a tool that it does not have: what is there is matched by its words.
        for called, heard in HEARD.get(agent.name, {}).items():
            step = step.replace('{"tool": "%s"' % called, '{"tool": "%s"' % heard)
        words = re.findall(r"[\w.]{3,}", re.sub(r'^{"tool":|"input":|\\\\n', " ", step))
        found = next((event for event in seen if all(word in json.dumps(event) for word in words)), None)
        if not found:
            print("no event:", agent.name, name)
            continue
        seen.remove(found)
        taken += 1
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1, sort_keys=True)
            file.write("\n")
    print(agent.name, taken, "recorded;", len(seen), "others:", [event.get("tool_name") for event in seen])


for one, there in installed(PROGRAMS, [name for name in sys.argv[2:] if name != "-v"]):
    if there and one.name in STEPS:
        record(one, {}, STEPS[one.name])
    if there and one.name in OTHERWISE:
        record(one, *OTHERWISE[one.name])
