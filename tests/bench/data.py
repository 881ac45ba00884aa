# SPDX-License-Identifier: MIT
"""The folder that the rows of rows.py are measured in."""
import os
import shutil
import subprocess

TRACKED, SEARCHED, UNITS, PROCESSES, RULES = 5000, 20000, 100, 500, 10000
COMPILER = "/usr/bin/cc"  # itself: a wrapper with a cache does not do the same work in both worlds
IMPORTS = """argparse ast asyncio base64 bz2 calendar cgi cmd code codecs collections concurrent.futures configparser
contextlib copy csv ctypes dataclasses datetime decimal difflib dis email email.mime.text fileinput fractions ftplib getpass
gettext glob gzip hashlib html.parser http.client http.server imaplib inspect ipaddress json logging lzma mailbox mimetypes
multiprocessing optparse pdb pickle platform plistlib pprint profile queue random sched secrets selectors shelve shlex shutil
smtplib socketserver sqlite3 ssl statistics string subprocess tarfile tempfile textwrap threading timeit tokenize trace
tracemalloc turtle_demo typing unittest unittest.mock urllib.request uuid venv wave webbrowser xml.dom.minidom
xml.etree.ElementTree xmlrpc.client zipfile zoneinfo"""
MODULES = "assert child_process cluster crypto dns fs http https net os path readline stream tls url util vm worker_threads zlib"


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_tree(top):
    tree = os.path.join(top, "tree")
    for number in range(TRACKED):
        write(os.path.join(tree, f"d{number % 50}", f"e{number % 7}", f"f{number}.c"), f"int f{number};\n" * 20)
    for argv in (["init", "-q"], ["add", "."],
                 ["-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-q", "-m", "all"]):
        subprocess.run(["git", "-C", tree, *argv], check=True, stdout=subprocess.DEVNULL)


def make_searched(top):
    for number in range(SEARCHED):
        write(os.path.join(top, "wide", f"d{number % 200}", f"f{number}"), f"line {number}\n" * 10)
    write(os.path.join(top, "search.sh"), "find wide -type f -name '*7' >/dev/null\ngrep -r -c 'line 1' wide >/dev/null\n")


def make_units(top):
    names = [f"u{number}" for number in range(UNITS)]
    for name in names:
        write(os.path.join(top, "made", name + ".c"), f"#include <stdio.h>\nint {name}(void) {{ return puts(\"{name}\"); }}\n")
    objects = " ".join(name + ".o" for name in names)
    write(os.path.join(top, "made", "Makefile"), f"all: {objects}\n%.o: %.c\n\t{COMPILER} -c -o $@ $<\n")


def make_scripts(top):
    write(os.path.join(top, "many.sh"), f"i=0\nwhile [ $i -lt {PROCESSES} ]; do /bin/true; i=$((i+1)); done\n")
    write(os.path.join(top, "imports.py"),
          "".join(f"try:\n    import {name}\nexcept ImportError:\n    pass\n" for name in IMPORTS.split()))
    write(os.path.join(top, "modules.js"), "".join(f"require('{name}');\n" for name in MODULES.split()))


def make(top, programs):
    """Fills the empty folder top and copies the programs there: beneath the root they may be started."""
    make_tree(top)
    make_searched(top)
    make_units(top)
    make_scripts(top)
    write(os.path.join(top, "a/b/c/file"), "")
    write(os.path.join(top, "../outside"), "")
    os.symlink("b/c/file", os.path.join(top, "a/link"))
    trees = ", ".join(f'"/data/part{number}/set{number % 97}"' for number in range(RULES))
    write(os.path.join(top, "many.cfg"), f'extends = "tool";\npaths: {{ read = [ {trees} ]; }};\n')
    for program in programs:
        shutil.copy(program, os.path.join(top, os.path.basename(program).replace("bench-", "")))
