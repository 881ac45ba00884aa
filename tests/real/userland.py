# SPDX-License-Identifier: MIT
"""The suites of coreutils, against the installed programs, and of busybox, as suites.py runs them.

Busybox is mostly static: what its tests show is the backstop's.
"""
import os
import re
import shutil
import subprocess

import sources

# Removes / and trusts a preloaded unlinkat to hold it: not on a machine that is needed.
NEVER = ("rm/r-root.sh",)
VARIABLES = '''. "$srcdir/tests/lang-default"; . "$srcdir/tests/envvar-check"; export fail=0; exec "$@" 9>&2'''


class Coreutils:
    """tests/ of coreutils; only its helper is built."""
    package = "coreutils"
    whole = ("[!f]*/*", "fmt/*")  # without a minute of factors
    quick = ()
    ordinary = True  # root's tests mount things

    def prepare(self, source):
        self.source, self.folder = source, os.path.join(source, "tests")
        installed = os.path.join(source, "installed")
        listed = subprocess.run(["dpkg", "-L", "coreutils"], stdout=subprocess.PIPE, check=False).stdout.decode().split()
        self.programs = [os.path.basename(path) for path in listed if "/bin/" in path or "/sbin/" in path]
        with open(os.path.join(source, "built.mk"), "w") as file:
            file.write("built: $(BUILT_SOURCES)\n")
        build = [["env", "FORCE_UNSAFE_CONFIGURE=1", "./configure", "-q", "--disable-nls", "CFLAGS=-O0"],
                 ["make", "-f", "Makefile", "-f", "built.mk", "built"], ["make", "-j2", "src/getlimits"], ["mkdir", "installed"],
                 ["cp", "src/getlimits", "installed"],
                 *(["ln", "-s", shutil.which(name), installed] for name in self.programs if shutil.which(name))]
        return None if sources.done(source, "built", build) else "its helper cannot be built"

    def scripts(self):
        found = [os.path.join(folder, name) for folder in os.listdir(self.folder)
                 if os.path.isdir(os.path.join(self.folder, folder)) for name in os.listdir(os.path.join(self.folder, folder))]
        return [name for name in found if name.endswith((".sh", ".pl")) and name not in NEVER]

    def command(self, script, scratch):
        os.symlink(os.path.join(self.source, "installed"), os.path.join(scratch, "src"))
        env = {"abs_top_builddir": scratch, "abs_top_srcdir": self.source, "abs_srcdir": self.source, "srcdir": self.source,
               "top_srcdir": self.source, "built_programs": " ".join(self.programs), "CC": "cc", "AWK": "awk", "EGREP": "grep -E",
               "CONFIG_HEADER": os.path.join(self.source, "lib", "config.h"), "PERL": "perl", "SHELL": "/bin/bash",
               "VERSION": "9.1", "PACKAGE_VERSION": "9.1", "EXEEXT": "", "MAKE": "make", "host_os": "linux-gnu",
               "LOCALE_FR": "none", "LOCALE_FR_UTF8": "none", "TMPDIR": scratch,
               "PATH": os.path.join(scratch, "src") + ":" + os.environ["PATH"]}
        path = os.path.join(self.folder, script)
        words = ["/bin/bash", path] if script.endswith(".sh") else \
            ["perl", "-w", "-I" + self.folder, "-MCuSkip", "-MCoreutils", "-MCuTmpdir qw(%s)" % os.path.basename(script), path]
        return ["bash", "-c", VARIABLES, "bash", *words], scratch, env

    def outcomes(self, output, status):
        return {"": {"0": "pass", "77": "skip"}.get(str(status), str(status))}


class Busybox:
    """testsuite/ of busybox."""
    package = "busybox"
    whole = ("*",)
    quick = ()
    result = re.compile(r"^(PASS|FAIL|SKIPPED|UNTESTED): (.*)$", re.M)

    def prepare(self, source):
        self.source, self.folder = source, os.path.join(source, "testsuite")
        config = "grep -rhoE '^//config: *config [A-Z0-9_]+' --include=*.c . | sed 's/.* \\(.*\\)/CONFIG_\\1=y/' > .config"
        if not shutil.which("busybox"):
            return "no busybox"
        return None if sources.done(source, "laid-out", [["sh", "-c", config]]) else "it cannot be laid out"

    def scripts(self):
        listed = subprocess.run(["busybox", "--list"], stdout=subprocess.PIPE, check=True).stdout.decode().split()
        return [name for name in listed if any(os.path.exists(os.path.join(self.folder, name + end)) for end in ("", ".tests"))]

    def command(self, script, scratch):
        for name in ("testsuite", "scripts"):
            shutil.copytree(os.path.join(self.source, name), os.path.join(scratch, name), symlinks=True)
        shutil.copy(os.path.join(self.source, ".config"), scratch)
        os.symlink(shutil.which("busybox"), os.path.join(scratch, "busybox"))
        return ["./runtest", "-v", script], os.path.join(scratch, "testsuite"), {"bindir": scratch, "TMPDIR": scratch}

    def outcomes(self, output, status):
        found = {"": str(status)}
        for word, name in self.result.findall(output):
            found["#" + name] = (found.get("#" + name, "") + " " + word.lower()).strip()
        return found
