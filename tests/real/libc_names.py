#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libc_names.py: every function that this machine's glibc exports is guarded, or known not to need it and why."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = ("/lib/x86_64-linux-gnu/libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6")


def exported(library):
    told = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {name.split("@")[0] for kind, name in re.findall(r"^\S+ (\w) (\S+)$", told, re.M) if kind in "TWi"}


def guarded():
    with open(os.path.join(HERE, "../../include/symbols.def"), encoding="utf-8") as file:
        return set(re.findall(r"^SYM\((\w+),", file.read(), re.M))


def explained():
    names, reason = {}, None
    with open(os.path.join(HERE, "../cases/libc_names.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("["):
                reason = line.strip("[]\n")
            elif not line.startswith("#"):
                names.update(dict.fromkeys(line.split(), reason))
    return names


def main():
    library = next((path for path in LIBRARIES if os.path.exists(path)), None)
    if not library:
        print("there is no glibc here\n0 passed, 0 failed, 1 skipped")
        return 0
    known, ours = explained(), guarded()
    names = exported(library)
    lost = sorted(names - ours - set(known))
    both = sorted(ours & set(known))
    for name in lost:
        print(f"{name}: glibc exports it, and nobody has said whether it is to be guarded")
    for name in both:
        print(f"{name}: guarded, and explained as needing no guard")
    print(f"{len(names) - len(lost)} passed, {len(lost) + len(both)} failed")
    return 1 if lost or both else 0


if __name__ == "__main__":
    sys.exit(main())
