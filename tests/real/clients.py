#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The clients in examples/ and the completions do what they say: clients.py [BUILD]. Last it prints 'N passed, N failed'."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "bridle"))
CLIENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "clients")
TOP = os.path.realpath(tempfile.mkdtemp(prefix="clients-", dir="/var/tmp"))
for name in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD"):
    os.environ.pop(name, None)
os.environ["BRIDLE"] = BRIDLE
sys.dont_write_bytecode = True
sys.path.insert(0, CLIENTS)
from bridle import BridleError, Sandbox  # noqa: E402

counts = [0, 0]


def expect(good, what, *seen):
    counts[not good] += 1
    if not good:
        print("FAIL", what, *seen)


def python():
    os.makedirs(os.path.join(TOP, "src"))
    os.chdir(os.path.dirname(TOP))
    with Sandbox(root=os.path.basename(TOP)) as sandbox:
        result = sandbox.run(["pwd"], cwd="src")
        expect(result.exit_code == 0 and result.stdout == TOP + "/src\n", "cwd and a relative root", result)
        result = sandbox.run("echo $((1 + 1)) | cat", shell=True)
        expect(result.stdout == "2\n" and result.stderr == "" and not result.truncated, "shell", result)
        result = sandbox.run(["rm", "-rf", "/"])
        expect(result.denied and result.exit_code == -100 and "argv.shape" in result.reason, "denied", result)
        expect(sandbox.run(["sleep", "9"], timeout=0.2).timed_out, "timeout")
        expect(sandbox.run(["cat"], stdin="x").stdout == "x", "stdin")
        for bad in (dict(argv=["pwd"], cwd="gone"), dict(argv=[])):
            try:
                expect(False, "an error is raised", sandbox.run(**bad))
            except BridleError as error:
                expect(str(error) != "", "an error says why")
    try:
        expect(False, "a server that has ended", sandbox.run(["true"]))
    except (BridleError, ValueError):
        expect(True, "a server that has ended")


def node():
    if not shutil.which("node"):
        print("SKIP node: not installed")
        return
    code = """
import { Sandbox } from "%s";
const s = new Sandbox({ root: "src" });
const r = await Promise.all([s.run(["pwd"]), s.run("echo $((2+3)) | cat", { shell: true }), s.run(["sudo", "x"]),
    s.run(["cat"], { stdin: "x" }), s.run(["pwd"], { cwd: "gone" }).catch((e) => ({ stdout: e.constructor.name }))]);
await s.close();
r.push(await s.run(["true"]).catch((e) => ({ stdout: e.message })));
console.log(JSON.stringify(r));
""" % os.path.join(os.path.realpath(CLIENTS), "bridle.mjs")
    with open(os.path.join(TOP, "t.mjs"), "w") as file:
        file.write(code)
    done = subprocess.run(["node", "t.mjs"], cwd=TOP, capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0, "node", done)
    results = json.loads(done.stdout)
    expect([r["stdout"] for r in results] == [TOP + "/src\n", "5\n", "", "x", "BridleError", "bridle serve has ended"],
           "node's results", results)
    expect(results[2]["denied"] and results[2]["exit_code"] == -100, "node: denied", results[2])


def evaluate():
    done = subprocess.run([sys.executable, os.path.join(CLIENTS, "evaluate.py")], cwd=TOP, capture_output=True, text=True)
    expect(done.returncode == 0 and "7 of 7" in done.stdout, "evaluate", done)
    with open(os.path.join(TOP, "tasks.jsonl"), "w") as file:
        file.write('{"name": "no", "argv": ["false"], "expect": 0}\n')
    done = subprocess.run([sys.executable, os.path.join(CLIENTS, "evaluate.py"), "tasks.jsonl"], cwd=TOP, capture_output=True,
                          text=True)
    expect(done.returncode == 1 and "WRONG" in done.stdout, "evaluate tells what is wrong", done)


def completions():
    def complete(*words):
        script = 'source <("%s" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bridle; printf "%%s\\n" ' \
                 '"${COMPREPLY[@]}"' % BRIDLE
        return subprocess.run(["bash", "-c", script, "bash", "bridle", *words], cwd=TOP, capture_output=True,
                              text=True).stdout.split()
    expect({"run", "serve", "hook"} <= set(complete("")), "commands", complete(""))
    expect("--shell" in complete("run", "--s") and "--set" in complete("run", "--s"), "options")
    expect(set(complete("run", "-P", "")) == {"agent", "code", "tool"}, "profiles", complete("run", "-P", ""))
    expect("cat" in complete("run", "-P", "tool", "--", "ca"), "programs", complete("run", "-P", "tool", "--", "ca"))
    expect(complete("run", "ls", "sr") == ["src"], "files of the command", complete("run", "ls", "sr"))
    expect(complete("hook", "cla") == ["claude-code"], "agents")
    for shell in ("bash", "zsh", "fish"):
        text = subprocess.run([BRIDLE, "completion", shell], capture_output=True, text=True).stdout
        for word in ("--result-fd" if shell != "fish" else "-l result-fd", "gemini", "doctor"):
            expect(word in text, shell, word)
        if shutil.which(shell):
            done = subprocess.run([shell, "-n"], input=text, capture_output=True, text=True)
            expect(done.returncode == 0, shell, "reads it", done.stderr)
    expect(subprocess.run([BRIDLE, "completion", "tcsh"], capture_output=True).returncode == 125, "unknown shell")


def manual():
    if not shutil.which("mandoc"):
        print("SKIP manual: no mandoc")
        return
    pages = os.path.join(CLIENTS, "..", "..", "launcher", "man")
    for page in os.listdir(pages):
        done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", os.path.join(pages, page)], capture_output=True, text=True)
        expect(done.returncode == 0, page, done.stdout)


try:
    python()
    node()
    evaluate()
    completions()
    manual()
finally:
    shutil.rmtree(TOP)
print("%d passed, %d failed" % tuple(counts))
sys.exit(counts[1] > 0)
