#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows in a temporary project what bridle lets through and what it stops.

    demo.py [BRIDLE]          BRIDLE: the program (default: $BRIDLE, build/bridle, bridle)

Each call goes through `bridle run --json`, as an agent's harness would do it; nothing outside the temporary
folder is touched. The status is 0 only if every call ended as expected. Python's standard library only.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

FILES = {
    "project/README": "A project that an agent works on.\n",
    "project/src/main.c": '#include <stdio.h>\n\nint main(void)\n{\n\tputs("hello");\n\treturn 0;\n}\n',
    "project/words.py": "print(len(open('README').read().split()), 'words')\n",
    "project/endless.sh": "#!/bin/sh\nwhile :; do sleep 1; done\n",
    "project/loud.py": "for i in range(200000):\n    print('line', i)\n",
    "project/harm.py": """import os, subprocess

def attempt(what, call):
    try:
        call()
        print(what, '-> done')
    except OSError as error:
        print(what, '->', error.strerror)

attempt('read README', lambda: open('README').read())
attempt('read ../secret', lambda: open('../secret').read())
attempt('write ~/.bashrc', lambda: open(os.path.expanduser('~/.bashrc'), 'a'))
attempt('rm -rf src', lambda: subprocess.run(['rm', '-rf', 'src'], check=True))
attempt('dd of=README', lambda: subprocess.run(['dd', 'if=/dev/null', 'of=README'], env={}, check=True))
""",
    "secret": "a secret beside the project\n",
    "home/.bashrc": "# the user's own file\n",
}

# (what bridle should say, options, command). "allow" and "deny" are verdicts at launch; "violations" means that the
# command ran and what it tried was refused; "timeout" and "truncated" are what they say.
CALLS = [
    ("allow", [], ["ls", "src"]),
    ("allow", [], ["grep", "-n", "hello", "src/main.c"]),
    ("allow", [], ["python3", "words.py"]),
    ("allow", [], ["gcc", "-o", "hello", "src/main.c"]),
    ("allow", [], ["./hello"]),
    ("allow", ["--shell"], ["cat README | wc -w"]),
    ("deny", [], ["sudo", "id"]),
    ("deny", [], ["chmod", "-R", "777", "src"]),
    ("deny", [], ["rm", "-rf", "src"]),
    ("deny", [], ["mkfs.ext4", "disk.img"]),
    ("deny", [], ["dd", "if=/dev/zero", "of=disk.img", "count=1"]),
    ("deny", [], ["python3", "-c", "print(open('../secret').read())"]),
    ("deny", [], ["bash", "-c", "cat ../secret"]),
    ("deny", [], ["node", "-e", "process.exit()"]),
    ("deny", [], ["cat", "PASSWD"]),
    ("deny", [], ["cat", "way-out/secret"]),
    ("deny", [], ["echo", "done; rm README"]),
    ("deny", [], ["echo", "$(cat ../secret)"]),
    ("deny", ["--shell"], ["cat README; rm -rf src"]),
    ("deny", [], ["env", "timeout", "5", "rm", "-r", "-f", "src"]),
    ("timeout", ["--timeout", "1"], ["./endless.sh"]),
    ("truncated", [], ["python3", "loud.py"]),
    ("violations", [], ["python3", "harm.py"]),
]


def make_project(top):
    for name, text in FILES.items():
        path = os.path.join(top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        if text.startswith("#!"):
            os.chmod(path, 0o755)
    os.symlink("..", os.path.join(top, "project", "way-out"))
    return os.path.join(top, "project")


def run(bridle, project, options, command):
    """One call through bridle: the JSON result, as a dictionary."""
    environment = dict(os.environ, HOME=os.path.join(os.path.dirname(project), "home"))
    done = subprocess.run([bridle, "run", "--json", "--profile", "tool"] + options + ["--"] + command, cwd=project,
                          env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        return json.loads(done.stdout.decode())
    except ValueError:
        sys.exit("demo: no JSON from bridle for %r (status %d): %s"
                 % (command, done.returncode, done.stderr.decode().strip()))


def verdict(result):
    if result["denied"]:
        return "deny"
    if result["timed_out"]:
        return "timeout"
    if result["violation_count"]:
        return "violations"
    if result["truncated"]:
        return "truncated"
    return "allow" if result["exit_code"] == 0 else "failed"


def outcome(result):
    """What came of it, in a few words."""
    if result["denied"]:
        return result["rule"]
    if result["timed_out"]:
        return "killed after %d ms" % result["duration_ms"]
    if result["violation_count"]:
        return "%d refused: %s" % (result["violation_count"],
                                   ", ".join(sorted({line["rule"] for line in result["violations"]})))
    if result["truncated"]:
        return "kept %d bytes, exit code %d" % (len(result["stdout"].encode()), result["exit_code"])
    words = " ".join((result["stdout"] + result["stderr"]).split())
    return words[:40] or "exit code %d" % result["exit_code"]


def shortened(value):
    """A result with its long texts cut, for reading."""
    if isinstance(value, str) and len(value) > 400:
        return value[:60] + " ... " + value[-60:]
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    return value


def untouched(top):
    """What harm was done in spite of all, as a list of names."""
    return [name for name, text in FILES.items()
            if not os.path.exists(os.path.join(top, name)) or open(os.path.join(top, name)).read() != text]


def main():
    candidates = sys.argv[1:2] + [os.environ.get("BRIDLE"), "build/bridle", shutil.which("bridle")]
    bridle = next((os.path.abspath(path) for path in candidates if path and os.path.isfile(path)), None)
    if bridle is None:
        sys.exit("demo: no bridle here; build it with `make`")
    for name in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD"):
        os.environ.pop(name, None)
    top = os.path.realpath(tempfile.mkdtemp(prefix="bridle-demo-"))
    results, surprises = [], 0
    try:
        project = make_project(top)
        print("%-10s  %-48s  %s" % ("verdict", "call", "outcome"))
        print("%-10s  %-48s  %s" % ("-" * 10, "-" * 48, "-" * 32))
        for expected, options, command in CALLS:
            command = [os.path.relpath("/etc/passwd", project) if word == "PASSWD" else word for word in command]
            result = run(bridle, project, options, command)
            results.append((command, result))
            got = verdict(result)
            shown = " ".join(options + [word if word and " " not in word else "'%s'" % word for word in command])
            note = "" if got == expected else "   <-- expected %s" % expected
            surprises += got != expected
            print("%-10s  %-48s  %s%s" % (got, shown, outcome(result), note))
        print("\nThe results, as a harness reads them (long texts cut):\n")
        for command, result in results:
            print(json.dumps(shortened(result)))
        harmed = untouched(top)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    for name in harmed:
        print("\nharmed: %s" % name)
    print("\n%d calls, %d as expected, %d files harmed" % (len(CALLS), len(CALLS) - surprises, len(harmed)))
    return 1 if surprises or harmed else 0


if __name__ == "__main__":
    sys.exit(main())
