#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a build tool removes in the project is its work, whatever shells stand between; what reaches further is refused.

    callers.py [BUILD]

Prints a line for each check that fails and, last, 'N passed, N failed'.
"""
import os
import shutil
import subprocess
import sys
import tempfile

BRIDLE = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else "build", "bridle"))
# Recipes of make and scripts of npm: does `out` go?
SWEEPS = {
    "plain": "rm -rf out",
    "shell": "true; rm -rf out",
    "shells": "sh -c \"sh -c 'rm -rf ./out; true'\"",
    "dots": "rm -rf sub/../out",
    "absolute": 'rm -rf "{root}/out"',
    "find": "find out -delete",
    "find-named": "find . -name kept -prune -o -name out -exec rm -rf {} +",
    "clean": "git clean -fdxq out",
}
REFUSED = {
    "machine": "rm -rf out /",
    "home": "rm -rf out ~",
    "variable": 'rm -rf out "$HOME"',
    "above": "rm -rf out ..",
    "root": "rm -rf out .",
    "whole": 'rm -rf out "{root}"',
    "history": "rm -rf out .git",
    "beside": "rm -rf out ../other",
    "shells-above": "sh -c \"sh -c 'rm -rf out ..; true'\"",
    "find-all": "find out .. -delete",
    "find-here": "find . -delete",
    "find-late": "find . -delete -name out",
    "find-rm": "find . -exec rm -rf {} +",
    "script": "sh sweep.sh",
    "push": "git push --force origin main",
    "reset": "sh -c 'git reset --hard'",
}
counts = [0, 0]


def expect(good, *what):
    counts[not good] += 1
    if not good:
        print("FAIL", *what)


def run(root, home, command, *options):
    return subprocess.run([BRIDLE, "run", "-P", "tool", "-r", root, *options, "--", *command], cwd=root, capture_output=True,
                          text=True, timeout=300, env=dict(os.environ, HOME=home))


def attempt(root, home, how, name, options):
    """Runs a recipe by make or npm on a fresh `out`: is it gone, and was argv.shape told?"""
    os.makedirs(os.path.join(root, "out"), exist_ok=True)
    command = ["make", "-s", name] if how == "make" else ["npm", "run", "-s", name]
    done = run(root, home, command, *options)
    return not os.path.exists(os.path.join(root, "out")), "argv.shape" in done.stderr, done


def by(root, home, how, *options):
    for name in SWEEPS:
        gone, told, done = attempt(root, home, how, name, options)
        expect(gone and not told and done.returncode == 0, how, name, "is let through", options, done)
    for name in REFUSED:
        gone, told, done = attempt(root, home, how, name, options)
        expect(not gone and told, how, name, "is refused", options, done)


def fill(root):
    recipes = {name: line.replace("{root}", root) for name, line in {**SWEEPS, **REFUSED}.items()}
    os.makedirs(os.path.join(root, "sub"))
    os.makedirs(os.path.join(root, "..", "other"))
    with open(os.path.join(root, "Makefile"), "w", encoding="utf-8") as file:
        for name, line in recipes.items():
            file.write(".PHONY: %s\n%s:\n\t%s\n" % (name, name, line.replace("$", "$$")))
    with open(os.path.join(root, "package.json"), "w", encoding="utf-8") as file:
        file.write('{"name": "p", "version": "1.0.0", "scripts": {%s}}' % ", ".join(
            '"%s": "%s"' % (name, line.replace('"', '\\"')) for name, line in recipes.items()))
    with open(os.path.join(root, "sweep.sh"), "w", encoding="utf-8") as file:
        file.write("rm -rf out\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)


def directly(root, home):
    os.makedirs(os.path.join(root, "out"), exist_ok=True)
    done = run(root, home, ["rm", "-rf", "out"])
    expect(done.returncode == 126 and os.path.exists(os.path.join(root, "out")), "as the command itself", done)
    done = run(root, home, ["sh", "sweep.sh"])
    expect("argv.shape" in done.stderr and os.path.exists(os.path.join(root, "out")), "in a script of its own", done)
    # The make that started bridle is none of the session's callers.
    done = subprocess.run(["make", "-s", "-f", "-", "all"], cwd=root, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, HOME=home),
                          input="all:\n\t'%s' run -P tool -r . -- sh sweep.sh\n" % BRIDLE)
    expect("argv.shape" in done.stderr and os.path.exists(os.path.join(root, "out")), "below a make outside", done)


top = os.path.join(os.path.expanduser("~"), ".cache")
os.makedirs(top, exist_ok=True)
with tempfile.TemporaryDirectory(prefix="callers-", dir=top) as folder:
    project, own_home = os.path.join(os.path.realpath(folder), "project"), os.path.join(os.path.realpath(folder), "home")
    os.makedirs(own_home)
    fill(project)
    directly(project, own_home)
    if shutil.which("make"):
        by(project, own_home, "make")
        by(project, own_home, "make", "--set", "coverage.backstop=off")
    if shutil.which("npm"):
        by(project, own_home, "npm")
print("%d passed, %d failed" % tuple(counts))
sys.exit(counts[1] > 0)
