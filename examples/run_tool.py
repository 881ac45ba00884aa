#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How a harness hands a model's tool call to bridle and tells the model why it was refused.

    run_tool.py COMMAND [ARG]...
"""
import json
import os
import subprocess
import sys

BRIDLE = os.environ.get("BRIDLE", "bridle")


def run_tool(argv, root, seconds=60):
    """Runs argv inside root. Returns (exit code, the text that the model should read)."""
    done = subprocess.run([BRIDLE, "run", "--json", "--root", root, "--timeout", str(seconds), "--"] + argv,
                          cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if not done.stdout:  # bridle itself failed: its words are on stderr
        raise RuntimeError(done.stderr.decode(errors="replace"))
    result = json.loads(done.stdout.decode())
    text = result["stdout"] + result["stderr"]
    if result["reason"]:
        text += "\n" + result["reason"]
    for line in result["violations"]:
        text += "\nrefused: " + line["reason"]
    return result["exit_code"], text


if __name__ == "__main__":
    code, words = run_tool(sys.argv[1:], os.getcwd())
    print(words.strip())
    sys.exit(code if 0 <= code < 256 else 1)
