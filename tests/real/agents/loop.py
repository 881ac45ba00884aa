#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An agent as those written in Python are: asks a model, runs what it wants in a shell, tells it what came of it.

    loop.py PROMPT      $OPENAI_API_BASE: where the model answers (Chat Completions). Keeps a history, as aider does.
"""
import json
import os
import subprocess
import sys
import urllib.request

TOOLS = [{"type": "function", "function": {"name": "bash", "description": "run a command", "parameters": {
    "type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}}}]


def ask(messages):
    body = json.dumps({"model": "m", "messages": messages, "tools": TOOLS}).encode()
    request = urllib.request.Request(os.environ["OPENAI_API_BASE"] + "/chat/completions", body,
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)["choices"][0]["message"]


def remember(text):
    own = os.path.expanduser("~/.aider")
    os.makedirs(own, exist_ok=True)
    for path in (os.path.join(own, "analytics.json"), ".aider.chat.history.md"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text + "\n")


conversation = [{"role": "user", "content": sys.argv[1]}]
while True:
    said = ask(conversation)
    conversation.append(said)
    if not said.get("tool_calls"):
        break
    for call in said["tool_calls"]:
        line = json.loads(call["function"]["arguments"])["command"]
        remember(line)
        done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=300)
        conversation.append({"role": "tool", "tool_call_id": call["id"],
                             "content": "%s%s%s: status %d" % (done.stdout, done.stderr, call["id"], done.returncode)})
print(said["content"])
