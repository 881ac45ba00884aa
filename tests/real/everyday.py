#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A day of ordinary work under the built-in profiles: each task ends well, and nothing of it is reported as a violation.

    everyday.py [--only PART] [BUILD]

Prints a line a task and, last, 'N passed, N failed, N skipped'. A task whose tools are not installed is skipped, and said so.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

FILES = {
    "main.c": '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n',
    "script.py": 'import json, sys, tempfile\nwith tempfile.TemporaryFile() as f:\n    f.write(b"x")\n'
                 'open("out.json", "w").write(json.dumps({"a": 1}))\nprint(sys.argv[1:])\n',
    "pool.py": 'import multiprocessing, sys\ndef double(x):\n    return 2 * x\nif __name__ == "__main__":\n'
               '    context = multiprocessing.get_context(sys.argv[1])\n    with context.Pool(2) as pool:\n'
               '        assert pool.map(double, [1, 2]) == [2, 4]\n',
    "test_it.py": 'import multiprocessing, subprocess, sys\ndef double(x):\n    return 2 * x\n'
                  'def test_shell():\n    assert subprocess.run("echo a; echo b | cat", shell=True).returncode == 0\n'
                  'def test_code():\n    assert subprocess.run([sys.executable, "-c", "print(1)"]).returncode == 0\n'
                  'def test_nested():\n    assert subprocess.run("python3 -c \'print(1)\' | cat", shell=True).returncode == 0\n'
                  'def test_spawn():\n    with multiprocessing.get_context("spawn").Pool(1) as pool:\n'
                  '        assert pool.map(double, [1]) == [2]\n'
                  'def test_forkserver():\n    with multiprocessing.get_context("forkserver").Pool(1) as pool:\n'
                  '        assert pool.map(double, [1]) == [2]\n'
                  'def test_files(tmp_path):\n    (tmp_path / "x").write_text("x")\n',
    "app.js": 'const fs = require("fs"), os = require("os"), path = require("path");\n'
              'fs.writeFileSync(path.join(fs.mkdtempSync(path.join(os.tmpdir(), "day-")), "x"), "x");\n'
              'require("child_process").execFileSync("ls", ["src"]);\nconsole.log(fs.readdirSync(".").length);\n',
    "shell.test.js": 'const test = require("node:test");\n'
                     'test("shell", () => require("child_process").execSync("echo a | cat"));\n',
    "scratch.sh": "#!/bin/sh\nset -e\nscratch=$(mktemp -d)\ntrap 'rm -rf \"$scratch\"' EXIT\ndate > \"$scratch/x\"\n",
    "x.pyc": "x",
    "shells.js": 'require("child_process").execSync("echo a | cat");\n',
    "names.txt": "main.c\nnotes.md\n",
    "package.json": '{"name": "day", "version": "1.0.0", "scripts": {"shells": "node shells.js",\n'
                    ' "clean": "mkdir -p o/p && chmod -R u+w . && find . -name p -type d -delete && rm -rf ./o/*", "pretest": "node -p 1+1",\n'
                    ' "test": "node app.js && sh -c \'echo $(node -e \\"console.log(3)\\")\' > npm.out"}}\n',
    "Makefile": "all: main\nmain: main.c\n\t$(CC) -o $@ $<\ncheck: main\n\t@for i in 1 2; do ./main; done | sort -u\n"
                "\t@sh -c 'echo $$(python3 -c \"print(1)\")'\n\t@perl -e 'print 1' > perl.out; rm -f perl.out\n"
                "clean:\n\tmkdir -p o/__pycache__ o/empty\n\tfind . -name __pycache__ -exec rm -rf {} +\n"
                "\techo o/empty | xargs rm -rf\n\tfind . -name '*.orig' -delete\n\tchmod -R u+w .\n\tgit clean -fdqx o\n"
                "\trm -rf ./o/*\n",
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(day C)\nadd_executable(day main.c)\nenable_testing()\n"
                      "add_test(NAME day COMMAND day)\nadd_test(NAME shell COMMAND sh -c \"echo a | grep a\")\n",
    "Cargo.toml": '[package]\nname = "day"\nversion = "0.1.0"\nedition = "2021"\n[[bin]]\nname = "day"\npath = "src/day.rs"\n',
    "src/day.rs": 'fn main() { println!("hello"); }\n#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n'
                  '    assert!(std::process::Command::new("true").status().unwrap().success());\n}\n',
    "hook.sh": "#!/bin/sh\nset -e\ngit diff --cached --name-only | while read f; do\n\ttest -f \"$f\"\ndone\n"
               "node -e 'process.exit(0)'\npython3 -c 'print(1)' > /dev/null\n",
    "shims/python3": "#!/usr/bin/env bash\nexec /usr/bin/python3 \"$@\"\n",
    "shimmed.sh": "#!/bin/sh\nset -e\ntimeout 200 shims/python3 -V\nshims/python3 script.py -c x\n",
    "leaks.sh": "#!/bin/sh\nset -e\ngcc -fsanitize=address main.c -o checked\n./checked\n",
    "Day.java": "public class Day { public static void main(String[] a) { System.out.println(1); } }\n",
    "notes.md": "never run rm -rf / or sudo\n",
}

# Run as they stand, under both profiles: a list is an argv, a string a --shell line (agent only: see SHELL_FOR_TOOL).
TASKS = [
    ("git status", ["git"], ["git", "status", "--short"]),
    ("git add", ["git"], ["git", "add", "-A"]),
    ("git commit", ["git"], ["git", "commit", "-qm", "Say why rm -rf is wrong"]),
    ("git log", ["git"], ["git", "log", "--oneline", "-3"]),
    ("git diff", ["git"], ["git", "diff", "HEAD"]),
    ("git branch", ["git"], ["git", "checkout", "-qb", "topic"]),
    ("git worktree", ["git"], ["git", "worktree", "add", "-q", "tree", "HEAD"]),
    ("git in a worktree", ["git"], ["git", "-C", "tree", "status", "--short"]),
    ("git grep", ["git"], ["git", "grep", "-n", "rm -rf"]),
    ("git stash", ["git"], ["git", "stash", "-q"]),
    ("git hook", ["git", "node"], ["git", "-c", "user.name=x", "commit", "-q", "--allow-empty", "-m", "hooked"]),
    ("gcc", ["gcc"], ["gcc", "-O2", "-c", "main.c", "-o", "main.o"]),
    ("make", ["make", "gcc"], ["make", "-B"]),
    ("make check", ["make", "gcc", "perl"], ["make", "check"]),
    ("cmake", ["cmake", "gcc"], ["cmake", "-S", ".", "-B", "out"]),
    ("cmake --build", ["cmake", "gcc"], ["cmake", "--build", "out"]),
    ("ctest", ["ctest"], ["ctest", "--test-dir", "out"]),
    ("cargo test", ["cargo"], ["cargo", "test", "-q", "--offline"]),
    ("python3 script", ["python3"], ["python3", "script.py", "-c", "x"]),
    ("python3 spawn", ["python3"], ["python3", "pool.py", "spawn"]),
    ("python3 forkserver", ["python3"], ["python3", "pool.py", "forkserver"]),
    ("python3 behind a version manager", ["python3"], ["./shimmed.sh"]),
    ("leak checker", ["gcc"], ["./leaks.sh"]),
    ("javac", ["javac"], ["javac", "Day.java"]),
    ("java", ["java", "javac"], ["java", "-cp", ".", "Day"]),
    ("pytest", ["pytest"], ["pytest", "-q", "test_it.py"]),
    ("python3 -m pytest", ["pytest"], ["/usr/bin/python3", "-m", "pytest", "-q", "test_it.py"]),
    ("node script", ["node"], ["node", "app.js"]),
    ("npm test", ["npm"], ["npm", "test"]),
    ("grep", ["grep"], ["grep", "-rn", "rm -rf", "notes.md", "src"]),
    ("find", ["find"], ["find", ".", "-name", "*.c", "-exec", "wc", "-l", "{}", "+"]),
    ("find and xargs", ["find"], ["./list.sh"]),
    ("sed -i", ["sed"], ["sed", "-i", "s/hello/hallo/", "main.c"]),
    ("awk", ["awk"], ["awk", "{ n += NF } END { print n }", "notes.md"]),
    ("tar", ["tar"], ["tar", "-czf", "src.tgz", "src"]),
    ("tar -x", ["tar"], ["tar", "-xzf", "src.tgz", "-C", "unpacked"]),
    ("a linked sub-project", ["ls"], ["cat", "linked/day.rs"]),
    ("ls -l", ["ls"], ["ls", "-la"]),
    ("sort", ["sort"], ["sort", "-u", "notes.md", "-o", "sorted"]),
    ("perl script", ["perl"], ["perl", "count.pl", "notes.md"]),
    ("rm one file", ["rm"], ["rm", "main.o"]),
    ("node --test", ["node"], ["node", "--test", "shell.test.js"]),
    ("pip list", ["pip"], ["pip", "list"]),
    ("xargs -a", ["xargs"], ["xargs", "-a", "names.txt", "wc", "-l"]),
    ("ps", ["ps"], ["ps"]),
    ("ps aux", ["ps"], ["ps", "aux"]),
    ("top", ["top"], ["top", "-bn1"]),
    ("pgrep", ["pgrep"], ["pgrep", "-f", "python3"]),
    ("ss -p", ["ss"], ["ss", "-tlnp"]),
    ("lsblk", ["lsblk"], ["lsblk"]),
    ("dpkg -l", ["dpkg"], ["dpkg", "-l"]),
    ("rsync", ["rsync"], ["rsync", "-a", "src/", "copied/"]),
    ("system folders", ["ls"], ["ls", "/", "/etc", "/proc", "/var", "/tmp", "/dev"]),
    ("find -delete by name", ["find"], ["find", ".", "-name", "*.pyc", "-delete"]),
    ("find -delete of empty folders", ["find"], ["find", ".", "-type", "d", "-empty", "-delete"]),
    ("a script that cleans up after itself", [], ["./scratch.sh"]),
    ("make clean in every way", ["make"], ["make", "-s", "clean"]),
    ("npm run clean", ["npm"], ["npm", "run", "-s", "clean"]),
    ("shells below npm", ["npm"], ["npm", "run", "-s", "shells"]),
    ("lsof", ["lsof"], ["lsof", "-p", "1"]),
    ("script -c", ["script"], ["script", "-qc", "true", "/dev/null"]),
    ("find / -maxdepth 1", ["find"], ["find", "/", "-maxdepth", "1"]),
]
SHELL_TASKS = [
    ("debugger", "! command -v gdb || { gcc -g main.c -o debugged && gdb -batch -ex 'break main' -ex run ./debugged | grep -q 'Breakpoint 1, main'; }"),
    ("document by here-document", "cat > doc.md <<'EOF'\nnever run rm -rf / or $(sudo reboot)\nEOF"),
    ("errors into output", "ls src nowhere 2>&1 | head -3"),
    ("dynamic words", "for f in *.md; do wc -l \"$f\"; done; echo $((1 + 2))"),
    ("a list", "cd src && ls && cd .. && git log --oneline | grep -c rm || true"),
    ("identifiers of the time", "python3 -c 'import uuid; uuid.uuid1()'"),
    ("inline code", "python3 -c 'print(1)' && node -e 'console.log(2)'"),
]


def make_project(top):
    for name, text in FILES.items():
        path = os.path.join(top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    for name, text in (("list.sh", "#!/bin/sh\nfind . -name '*.md' -print0 | xargs -0 grep -l rm\n"),
                       ("count.pl", "while (<>) { $n++ } print \"$n\\n\";\n")):
        with open(os.path.join(top, name), "w") as file:
            file.write(text)
    for name in ("list.sh", "shims/python3", "shimmed.sh", "leaks.sh", "scratch.sh"):
        os.chmod(os.path.join(top, name), 0o755)
    os.makedirs(os.path.join(top, "unpacked"))
    os.symlink("src", os.path.join(top, "linked"))
    run = lambda *argv: subprocess.run(argv, cwd=top, check=True, stdout=subprocess.DEVNULL)
    run("git", "init", "-q")
    run("git", "config", "user.name", "day")
    run("git", "config", "user.email", "day@example.org")
    shutil.copy(os.path.join(top, "hook.sh"), os.path.join(top, ".git", "hooks", "commit-msg"))
    os.chmod(os.path.join(top, ".git", "hooks", "commit-msg"), 0o755)
    run("git", "add", "-A")
    run("git", "commit", "-qm", "start", "--no-verify")
    with open(os.path.join(top, "main.c"), "a") as file:
        file.write("/* changed */\n")


def attempt(bridle, top, profile, command):
    args = [bridle, "run", "-P", profile, "-r", top, "--json", "-t", "300"]
    args += ["--shell", "--", command] if isinstance(command, str) else ["--"] + command
    done = subprocess.run(args, cwd=top, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        return "no result: %r" % done.stderr[-300:]
    if result["denied"]:
        return "denied: %s" % result["reason"]
    if result["violation_count"]:
        return "violation: %s" % "; ".join(line.get("reason", "") for line in result["violations"][:3])
    if result["exit_code"]:
        return "status %d: %s" % (result["exit_code"], (result["stdout"] + result["stderr"])[-300:])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a part of a task's name")
    parser.add_argument("build", nargs="?", default="build")
    options = parser.parse_args()
    bridle = os.path.abspath(os.path.join(options.build, "bridle"))
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for profile in ("tool", "agent"):
        top = os.path.realpath(tempfile.mkdtemp(prefix="everyday-", dir="/var/tmp"))
        make_project(top)
        tasks = [task for task in TASKS if options.only in task[0]]
        if profile == "agent":
            tasks += [(name, [], line) for name, line in SHELL_TASKS if options.only in name]
        for name, needs, command in tasks:
            missing = [program for program in needs if not shutil.which(program)]
            problem = None if missing else attempt(bridle, top, profile, command)
            kind = "skipped" if missing else "failed" if problem else "passed"
            counts[kind] += 1
            print("%-7s %-5s %s%s" % ({"passed": "ok", "failed": "FAIL", "skipped": "skip"}[kind], profile, name,
                                      ": " + (problem or "no " + missing[0]) if kind != "passed" else ""))
        shutil.rmtree(top)
    print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
    return counts["failed"] != 0


if __name__ == "__main__":
    sys.exit(main())
