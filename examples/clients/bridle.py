# SPDX-License-Identifier: MIT
"""Run commands under bridle from Python, many at once through one `bridle serve`.

    with Sandbox(profile="tool", root="project") as sandbox:
        result = sandbox.run(["make", "test"], timeout=60)
        print(result.exit_code, result.stdout, result.reason)

run() may be called from many threads. A result has the keys of `bridle run --json` as attributes: exit_code, stdout, stderr,
truncated, timed_out, denied, reason, duration_ms, and behind them rule, signal, violations, violation_count, session.
"""
import itertools
import json
import os
import subprocess
import threading
from concurrent.futures import Future
from types import SimpleNamespace


class BridleError(RuntimeError):
    """bridle could not do its work; the words say why. A command that is refused is no error but a result."""


class Sandbox:
    def __init__(self, policy=None, profile=None, root=None, jobs=None, program=os.environ.get("BRIDLE", "bridle")):
        root = os.path.abspath(root) if root else None
        command = [program, "serve"]
        for option, value in (("policy", policy), ("profile", profile), ("root", root), ("jobs", jobs)):
            if value is not None:
                command.append("--%s=%s" % (option, value))
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root)
        self.ids, self.lock, self.waiting = itertools.count(1), threading.Lock(), {}
        threading.Thread(target=self._read, daemon=True).start()

    def run(self, argv, shell=False, cwd=None, stdin=None, timeout=None):
        """Runs argv (with shell: one line), waits for it, and returns its result."""
        request = {"argv": [argv] if shell else list(argv), "shell": shell, "cwd": cwd, "stdin": stdin, "timeout": timeout}
        future = Future()
        with self.lock:
            request["id"] = number = next(self.ids)
            self.waiting[number] = future
            try:
                line = json.dumps({key: value for key, value in request.items() if value is not None})
                self.server.stdin.write(line.encode() + b"\n")
                self.server.stdin.flush()
            except OSError as error:
                raise BridleError("bridle serve has ended") from error
        answer = future.result()
        if "error" in answer:
            raise BridleError(answer["error"])
        return SimpleNamespace(**answer)

    def _read(self):
        for line in self.server.stdout:
            answer = json.loads(line)
            self.waiting.pop(answer["id"]).set_result(answer)
        with self.lock:
            for future in self.waiting.values():
                future.set_result({"error": "bridle serve has ended"})

    def close(self):
        self.server.stdin.close()
        self.server.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
