#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that nobody here wrote behave alike with and without bridle, under a policy that allows everything.

    transparent.py [--all] [--only PART] [BUILD]

Two kinds: CPython's own regression suite (Debian: libpython3-testsuite), compared test by test, and tasks of a working day, compared
by their output and status. Differences are failures unless tests/real/known.txt names them. Prints a line a part and, last,
'N passed, N failed, N skipped'.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
POLICY = os.path.join(HERE, "..", "policies", "open.cfg")
QUICK = "test_os test_posix test_fileio test_tempfile test_glob test_shutil test_popen test_pty test_runpy".split()
WHOLE = QUICK + ("test_subprocess test_io test_pathlib test_asyncio test_multiprocessing_fork test_threading test_signal "
                 "test_mmap test_zipfile test_tarfile test_import test_venv test_selectors test_ctypes test_posixpath").split()
OUTCOME = re.compile(r"^(test\w*) \(([\w.]+)\).*?\.\.\. .*?(ok|FAIL|ERROR|skipped|expected failure)", re.M | re.S)

# What a task needs, and a line for bash in an empty folder with hello.c in it.
TASKS = [
    ("git", "git", "git init -q a && cd a && echo 1 > f && git add f && "
                   "git commit -qm one && git checkout -qb side && echo 2 >> f && git commit -qam two && git checkout -q - && "
                   "echo 3 > g && git add g && git commit -qm three && git merge -q --no-edit side && git log --format=%s && "
                   "git clone -q . ../b && cd ../b && git rebase -q HEAD~1 && git status --short && git gc -q && git fsck"),
    ("gcc", "gcc", "gcc -O2 -o hello hello.c && ./hello && gcc -g -static -o s hello.c && ./s"),
    ("make", "make gcc", "printf 'all: x y\\nx y: ; @echo $@\\n' > Makefile && make -j2 -O | sort"),
    ("cmake", "cmake ninja gcc", "printf 'cmake_minimum_required(VERSION 3.10)\\nproject(p C)\\nadd_executable(h hello.c)\\n' "
                                 "> CMakeLists.txt && cmake -G Ninja -S . -B o >/dev/null && ninja -C o >/dev/null && o/h"),
    ("autotools", "autoconf gcc make", "printf 'AC_INIT([p],[1])\\nAC_PROG_CC\\nAC_CHECK_HEADERS([stdio.h])\\nAC_OUTPUT\\n' > "
                                       "configure.ac && autoconf && ./configure | tail -n 1"),
    ("gdb", "gdb gcc", "gcc -g -o hello hello.c && gdb -batch -ex 'break main' -ex run -ex next -ex bt ./hello 2>&1 | "
                       "grep -c main"),
    ("strace", "strace", "strace -f -o log true && tail -n 1 log | grep -c exited"),
    ("valgrind", "valgrind gcc", "gcc -g -o hello hello.c && valgrind -q ./hello"),
    ("asan", "gcc", "gcc -fsanitize=address -o a hello.c && ./a"),
    ("asan clang", "clang", "clang -fsanitize=address -o a hello.c && ./a"),
    ("file", "file", "file -b /bin/sh /etc/passwd hello.c"),
    ("ssh-keygen", "ssh-keygen", "ssh-keygen -q -t ed25519 -N '' -f key && ls key key.pub"),
    ("gpg", "gpg", "mkdir -m 700 g && gpg --homedir g --batch --list-keys && echo x | gpg --homedir g --batch --enarmor | head -n 1"),
    ("sqlite3", "sqlite3", "sqlite3 d 'create table t(a); insert into t values(1); select * from t' && ls d"),
    ("perl", "perl", "perl -e '$ENV{X}=5; print `echo $X`; open F,\"<hello.c\"; print scalar <F>; unlink \"hello.c\"; print -e \"hello.c\"'"),
    ("awk", "awk", "awk 'BEGIN { \"echo in\" | getline x; print x; system(\"echo sys\"); print 1 > \"o\" }' && cat o"),
    ("vim", "vim", "vim -es -c 'put =\"x\"' -c 'w o' -c 'q!' </dev/null; cat o"),
    ("tmux", "tmux", "tmux -S ./t new-session -d 'echo in > o' && sleep 1 && cat o"),
    ("tar", "tar gzip", "mkdir d && cp hello.c d && tar czf d.tgz d && tar tzf d.tgz && rm -r d && tar xzf d.tgz && find d -type f | xargs wc -l"),
    ("rsync", "rsync", "mkdir d && rsync -a hello.c d/ && ls d"),
    ("fakeroot", "fakeroot", "fakeroot sh -c 'touch x && chown 7:8 x && stat -c %u:%g x && mkdir y && mv y z && ls'"),
    ("node", "node", "node -e 'const c=require(\"child_process\"),f=require(\"fs\");console.log(c.execFileSync(\"/bin/echo\",[\"x\"],"
                     "{env:{}}).toString());f.mkdirSync(\"d\");f.renameSync(\"d\",\"e\");console.log(f.readdirSync(\".\"))'"),
    ("npm", "npm", "mkdir p q && printf '{\"name\":\"p\",\"version\":\"1.0.0\",\"scripts\":{\"test\":\"echo tested\"},"
                   "\"dependencies\":{\"q\":\"file:../q\"}}' > p/package.json && printf '{\"name\":\"q\",\"version\":\"1.0.0\"}' > "
                   "q/package.json && cd p && npm install --offline --no-audit --no-fund >/dev/null 2>&1; ls node_modules; npm -s test"),
    ("venv", "python3", "python3 -m venv v && v/bin/python -c 'import sys; print(sys.prefix != sys.base_prefix)'"),
    ("errors", "bash", "cat nothing; rm nothing; mkdir a/b; ./nothing; cd nothing; cat < .; echo > .; ln hello.c hello.c; rmdir /"),
]


def mask(text):
    """What differs from run to run: process numbers, times, addresses, temporary names."""
    text = re.sub(r"0x[0-9a-f]+|\b\d{3,}\b|SHA256:\S+", "N", text)
    return re.sub(r"/tmp/\S+", "/tmp/X", text)


def prefix(args, guarded):
    return [args.bridle, "run", "-q", "-p", POLICY, "-r", "/", "-t", "1800", "--"] if guarded else []


def run_task(args, line, guarded):
    folder = tempfile.mkdtemp(prefix="transparent-")
    with open(os.path.join(folder, "hello.c"), "w") as file:
        file.write('#include <stdio.h>\nint main(void)\n{\n\tputs("hello");\n\treturn 0;\n}\n')
    with open(os.path.join(folder, "task.sh"), "w") as file:
        file.write(line + "\n")
    env = dict(os.environ, HOME=folder, GIT_CONFIG_NOSYSTEM="1", LC_ALL="C")
    for who in ("AUTHOR", "COMMITTER"):
        env.update({"GIT_%s_NAME" % who: "n", "GIT_%s_EMAIL" % who: "a@b"})
    try:
        done = subprocess.run(prefix(args, guarded) + ["bash", "task.sh"], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        return done.returncode, mask(done.stdout.decode(errors="replace").replace(folder, "HERE"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def compare_task(args, needs, line):
    missing = [tool for tool in needs.split() if not shutil.which(tool)]
    if missing:
        return None, "%s missing" % " ".join(missing)
    bare, guarded = run_task(args, line, False), run_task(args, line, True)
    return bare == guarded, "" if bare == guarded else "bare %r, guarded %r" % (bare, guarded)


def run_suite(args, python, module, guarded):
    done = subprocess.run(prefix(args, guarded) + [python, "-m", "unittest", "-v", "test." + module],
                          cwd=tempfile.gettempdir(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=1800)
    found = OUTCOME.findall(done.stdout.decode(errors="replace"))
    return {"%s.%s" % (where, name): result for name, where, result in found}


def compare_suite(args, module, known):
    suites = glob.glob("/usr/lib/python3.*/test/%s*" % module)
    if not suites:
        return None, "CPython's test suite is not installed (libpython3-testsuite)"
    python = "/usr/bin/" + suites[0].split("/")[3]
    bare, guarded = run_suite(args, python, module, False), run_suite(args, python, module, True)
    if not bare:
        return None, "no test ran"
    differences = sorted(name for name in bare.keys() | guarded.keys()
                         if bare.get(name) != guarded.get(name) and name not in known)
    return not differences, "%d tests" % len(bare) + "".join(
        "\n    %s: bare %s, guarded %s" % (name, bare.get(name), guarded.get(name)) for name in differences)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("build", nargs="?", default="build")
    args = parser.parse_args()
    args.bridle = os.path.join(os.path.abspath(args.build), "bridle")
    with open(os.path.join(HERE, "known.txt")) as file:
        known = {line.split("\t")[0] for line in file if line.strip() and not line.startswith("#")}
    parts = [(name, lambda needs=needs, line=line: compare_task(args, needs, line)) for name, needs, line in TASKS]
    parts += [(module, lambda module=module: compare_suite(args, module, known)) for module in (WHOLE if args.all else QUICK)]
    counts = {True: 0, False: 0, None: 0}
    for name, compare in parts:
        if args.only and args.only != name:
            continue
        good, words = compare()
        if good is False and name in known:
            good = True
        counts[good] += 1
        print("%-4s %s %s" % ({True: "ok", False: "FAIL", None: "skip"}[good], name, words), flush=True)
    print("%d passed, %d failed, %d skipped" % (counts[True], counts[False], counts[None]))
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
