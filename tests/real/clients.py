#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The clients in examples/, the completions and the manual do what they say, and `make install` puts them where they belong.

    clients.py [BUILD]

Last it prints 'N passed, N failed, N skipped'."""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

BRIDLE = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "bridle"))
CLIENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "clients")
TOP = os.path.realpath(tempfile.mkdtemp(prefix="clients-", dir="/var/tmp"))
for name in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD"):
    os.environ.pop(name, None)
os.environ["BRIDLE"] = BRIDLE
sys.dont_write_bytecode = True
sys.path.insert(0, CLIENTS)
from bridle import BridleError, Sandbox  # noqa: E402

counts = [0, 0, 0]


def missing(program, what):
    """True, and it is told, where there is no such program to try it with."""
    if shutil.which(program):
        return False
    counts[2] += 1
    print("skip  %s: there is no %s here" % (what, program))
    return True


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
    if missing("node", "the client for Node"):
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
    done = subprocess.run(["node", "t.mjs"], cwd=TOP, capture_output=True, text=True, timeout=300)
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
        return subprocess.run(["bash", "-c", script, "bash", "bridle", *words], cwd=TOP, capture_output=True, text=True,
                              env=dict(os.environ, PATH=os.path.dirname(BRIDLE) + ":" + os.environ["PATH"])).stdout.split()
    expect({"run", "serve", "hook"} <= set(complete("")), "commands", complete(""))
    expect("--shell" in complete("run", "--s") and "--set" in complete("run", "--s"), "options")
    expect(set(complete("run", "-P", "")) == {"agent", "code", "tool"}, "profiles", complete("run", "-P", ""))
    expect("cat" in complete("run", "-P", "tool", "--", "ca"), "programs", complete("run", "-P", "tool", "--", "ca"))
    expect(complete("run", "ls", "sr") == ["src"], "files of the command", complete("run", "ls", "sr"))
    expect(complete("hook", "cla") == ["claude-code"], "agents")
    expect({"--warm", "--warm-cpu", "--warm-requests"} == set(complete("serve", "--warm")), "options of serve")
    for shell in ("bash", "zsh", "fish"):
        text = subprocess.run([BRIDLE, "completion", shell], capture_output=True, text=True).stdout
        for word in ("--result-fd" if shell != "fish" else "-l result-fd", "gemini", "doctor"):
            expect(word in text, shell, word)
        if not missing(shell, "completions of " + shell):
            done = subprocess.run([shell, "-n"], input=text, capture_output=True, text=True)
            expect(done.returncode == 0, shell, "reads it", done.stderr)
    expect(subprocess.run([BRIDLE, "completion", "tcsh"], capture_output=True).returncode == 125, "unknown shell")


# What is typed, and what a tab makes of it.
TABS = (("bridle ru", "bridle run "), ("bridle run --prof", "--profile"), ("bridle serve --warm-c", "--warm-cpu"),
        ("bridle hook cla", "claude-code"), ("bridle doc", "bridle doctor "), ("bridle init --dr", "--dry-run"),
        ("bridle policy tr", "trust"), ("bridle run ls sr", "src/"), ("bridle completion fi", "fish"))


def typed(command, lines, begin):
    """The screen of a shell at a terminal, after each of the lines."""
    process, terminal = pty.fork()
    if not process:
        os.chdir(TOP)
        os.environ.update(TERM="dumb", COLUMNS="80", LINES="24", PATH=os.path.dirname(BRIDLE) + ":" + os.environ["PATH"], HOME=TOP)
        os.execvp(command[0], command)
    screens = []

    def read(until, seconds=60):
        text, end = "", time.monotonic() + seconds
        while time.monotonic() < end and not re.search(until, text):
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    text += os.read(terminal, 65536).decode(errors="replace")
                except OSError:
                    break
        return text
    for line in begin:
        os.write(terminal, line.encode() + b"\n")
    read("READ" + "Y")
    for line, wanted in lines:
        os.write(terminal, line.encode() + b"\t")
        screens.append(read(re.escape(wanted)))
        os.write(terminal, b"\x15\n")
        read("\n", 1)
    os.close(terminal)
    os.waitpid(process, 0)
    return screens


def tabs():
    """Completions as somebody gets them who presses the key."""
    begin = {"bash": ["PS1='% '", 'source <("%s" completion bash)' % BRIDLE, "echo READ''Y"],
             "zsh": ["PROMPT='%% '; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D",
                     'source <("%s" completion zsh)' % BRIDLE, "echo READ''Y"]}
    for shell, command in (("bash", ["bash", "--norc", "-i"]), ("zsh", ["zsh", "-f", "-i"])):
        if missing(shell, "tabs in " + shell):
            continue
        for (line, wanted), screen in zip(TABS, typed(command, TABS, begin[shell])):
            expect(wanted in screen, shell, "tab after", line, repr(screen[-200:]))
    if missing("fish", "tabs in fish"):
        return
    environment = dict(os.environ, PATH=os.path.dirname(BRIDLE) + ":" + os.environ["PATH"], HOME=TOP)
    script = "bridle completion fish | source; for line in $argv; complete -C $line; echo ---; end"
    done = subprocess.run(["fish", "-c", script, *(line for line, _ in TABS)], cwd=TOP, text=True, capture_output=True,
                          env=environment)
    for (line, wanted), screen in zip(TABS, done.stdout.split("---\n")):
        expect(wanted.split()[-1] in screen, "fish", "tab after", line, screen, done.stderr)


def manual():
    if missing("mandoc", "the manual"):
        return
    pages = os.path.join(CLIENTS, "..", "..", "launcher", "man")
    for page in os.listdir(pages):
        done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", os.path.join(pages, page)], capture_output=True, text=True)
        expect(done.returncode == 0, page, done.stdout)


def files_below(top):
    return sorted(os.path.relpath(os.path.join(folder, name), top) for folder, _, names in os.walk(top) for name in names)


def install():
    """What is installed runs from where it is, and goes away again."""
    top, source = os.path.join(TOP, "install"), os.path.join(CLIENTS, "..", "..")

    def make(*words):
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
        # Under the name that it was built by: another one is another set of flags, and all is compiled anew.
        return subprocess.run(["make", "-s", "BUILD=" + os.path.relpath(os.path.dirname(BRIDLE), source), "DESTDIR=" + top,
                               "PREFIX=/opt/bridle", *words],
                              cwd=source, capture_output=True, text=True, env=environment)
    done = make("install")
    expect(done.returncode == 0, "make install", done)
    files = files_below(os.path.join(top, "opt", "bridle"))
    for name in ("bin/bridle", "lib/bridle/libbridle.so", "share/man/man1/bridle.1", "share/man/man5/bridle.cfg.5",
                 "share/bash-completion/completions/bridle", "share/zsh/site-functions/_bridle",
                 "share/fish/vendor_completions.d/bridle.fish", "share/doc/bridle/README.md", "share/doc/bridle/why-denied.md",
                 "share/doc/bridle/clients/bridle.py", "share/doc/bridle/agents/claude-code.cfg"):
        expect(name in files, "installs", name, files)
    program = os.path.join(top, "opt", "bridle", "bin", "bridle")
    done = subprocess.run([program, "run", "-r", TOP, "-C", TOP, "--json", "cat", "/etc/shadow"], capture_output=True, text=True)
    expect(json.loads(done.stdout)["denied"], "runs where it is installed", done)
    done = subprocess.run([program, "run", "-r", TOP, "-C", TOP, "echo", "hi"], capture_output=True, text=True)
    expect(done.stdout == "hi\n" and done.stderr == "", "and its library is found", done)
    done = make("uninstall")
    expect(done.returncode == 0 and files_below(top) == [], "make uninstall", done, files_below(top))


try:
    python()
    node()
    evaluate()
    completions()
    tabs()
    manual()
    install()
finally:
    shutil.rmtree(TOP)
print("%d passed, %d failed, %d skipped" % tuple(counts))
sys.exit(counts[1] > 0)
