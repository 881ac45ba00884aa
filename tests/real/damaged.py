#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""damaged.py BUILD: a session file that is not whole refuses what it would judge, and nothing crashes.

The session of a running command is copied; the copy is damaged in one way after the other and handed to programs.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

PAGE = 4096


def image_header():
    """What include/image.h says."""
    with open("include/image.h", encoding="utf-8") as file:
        return file.read()


def header_size():
    """Bytes before the sections' offsets and counts."""
    text = image_header()
    fields = text[text.index("\nstruct image {"):text.index("#define SECTION(name, record) struct image_section")]
    return sum(int(bits) // 8 for bits in re.findall(r"^\tuint(\d+)_t \w+;", fields, re.M))


def section_names():
    text = image_header()
    return re.findall(r"SECTION\((\w+), (?:struct )?\w+\)", text[text.index("#define IMAGE_SECTIONS"):])


class World:
    def __init__(self, build):
        self.shim = os.path.abspath(os.path.join(build, "libbridle.so"))
        self.top = tempfile.mkdtemp(prefix="damaged-")
        self.folder = os.path.join(self.top, "bridle-0123456789abcdef")
        self.file = os.path.join(self.top, "file")
        open(self.file, "w", encoding="utf-8").close()
        self.whole = self.session_of_a_run(os.path.abspath(os.path.join(build, "bridle")))
        os.mkdir(self.folder, 0o700)
        os.mkfifo(os.path.join(self.folder, "report"), 0o600)
        os.symlink(self.shim, os.path.join(self.folder, "libbridle.so"))

    def session_of_a_run(self, bridle):
        """The bytes of a session, copied while its command runs."""
        run = subprocess.Popen([bridle, "run", "-q", "-P", "agent", "-r", self.top, "--set", "coverage.backstop=off",
                                "--", "sh", "-c", "tr '\\0' '\\n' < /proc/self/environ; exec sleep 300"],
                               stdout=subprocess.PIPE, text=True, cwd=self.top)
        for line in run.stdout:
            if line.startswith("BRIDLE_SESSION="):
                folder = line.strip().split("=", 1)[1].split(":")[-1]
                break
        with open(os.path.join(folder, "session"), "rb") as session:
            data = session.read()
        run.terminate()
        run.wait()
        return data

    def run(self, data, *argv):
        with open(os.path.join(self.folder, "session"), "wb") as session:
            session.write(data)
        environment = {"PATH": "/usr/bin:/bin", "LD_PRELOAD": self.shim, "BRIDLE_SESSION": self.folder}
        return subprocess.run(argv, env=environment, cwd=self.top, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=120, check=False)

    def close(self):
        shutil.rmtree(self.top)


def changed(data, at, value):
    return data[:at] + struct.pack("<I", value) + data[at + 4:]


def main():
    world = World(sys.argv[1])
    whole, failures, passed = world.whole, [], 0
    header = header_size()
    sections = {name: struct.unpack_from("<II", whole, PAGE + header + 8 * i)
                for i, name in enumerate(section_names())}

    def expect(what, good):
        nonlocal passed
        passed += bool(good)
        if not good:
            failures.append(what)

    def reads(data):
        return world.run(data, "/usr/bin/cat", world.file)

    def starts(data):
        return world.run(data, "/usr/bin/env", "/usr/bin/true")

    expect("a whole session lets read", reads(whole).returncode == 0)
    expect("a whole session lets start", starts(whole).returncode == 0)
    for what, data in (("short", whole[:-8]), ("a page", whole[:PAGE]), ("nothing", b""),
                       ("page magic", changed(whole, 0, 1)), ("image magic", changed(whole, PAGE, 1)),
                       ("image version", changed(whole, PAGE + 4, 99)),
                       ("bounds of a section", changed(whole, PAGE + header + 8, 0x7ffffff8)),
                       ("path_edges", changed(whole, PAGE + sections["path_nodes"][0] + 4, 0x7fffffff))):
        got = reads(data)
        expect(f"{what}: reading is refused", got.returncode == 1 and b"cannot be read" in got.stderr)
        expect(f"{what}: starting is refused", starts(data).returncode == 126)
    for name in ("tools", "sheets", "tool_options"):
        damaged = changed(whole, PAGE + sections[name][0], 0x7fffffff)
        if name == "sheets":
            damaged = changed(whole, PAGE + sections[name][0] + 4, 0x7fffffff)
        got = starts(damaged)
        expect(f"{name}: starting is refused", got.returncode == 126 and b"cannot be read" in got.stderr)
        expect(f"{name}: reading is not concerned", reads(damaged).returncode == 0)
    world.close()
    for failure in failures:
        print(f"damaged: {failure}: it is not so")
    print(f"damaged: {passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
