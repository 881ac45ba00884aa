# SPDX-License-Identifier: MIT
"""Source packages from the Debian mirror that apt uses, without a change to apt's own lists."""
import glob
import os
import re
import subprocess

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def mirrors():
    """The mirror's binary archives that apt knows, as lines of a sources list."""
    form = "$(SITE) $(RELEASE) $(COMPONENT) $(ORIGIN)"
    done = subprocess.run(["apt-get", "indextargets", "--format", form, "Created-By: Packages"], stdout=subprocess.PIPE)
    lines = {tuple(line.split()) for line in done.stdout.decode().splitlines()}
    return ["deb-src [signed-by=%s] %s %s %s\n" % (KEYRING, *line[:3]) for line in sorted(lines) if line[3:] == ("Debian",)]


def releases():
    """A mirror may lack the newest of a package; then an older release's will do."""
    return sorted({line.split()[3] for line in mirrors()})


def apt(top, *words):
    lists = os.path.join(top, "lists")
    options = {"Dir::Etc::SourceList": os.path.join(top, "sources.list"), "Dir::Etc::SourceParts": "/dev/null",
               "Dir::State::Lists": lists, "APT::Sandbox::User": "root"}
    os.makedirs(os.path.join(lists, "partial"), exist_ok=True)
    done = subprocess.run(["apt-get", "-qq", *("-o%s=%s" % item for item in options.items()), *words], cwd=top,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    return done.returncode == 0


def unpacked(folder):
    """The one folder that a source unpacks to, whatever its name; None when there is none."""
    found = [path for path in glob.glob(os.path.join(folder, "*")) if os.path.isdir(path)]
    return found[0] if found else None


def fetch(package, top, place=None):
    """(the unpacked source, None), or (None, why it cannot be had). place: where a binary package installs it."""
    if place:
        found = sorted(glob.glob(place))
        return (found[-1], None) if found else (None, "it is not installed: " + place)
    if unpacked(os.path.join(top, package)):
        return unpacked(os.path.join(top, package)), None
    os.makedirs(top, exist_ok=True)
    try:
        if not os.path.exists(os.path.join(top, "lists", "fresh")):
            with open(os.path.join(top, "sources.list"), "w") as file:
                file.writelines(mirrors())
            if not apt(top, "update"):
                return None, "the mirror has no sources, or cannot be reached"
            open(os.path.join(top, "lists", "fresh"), "w").close()
        if not any(apt(top, "source", "--download-only", one) for one in [package] + [package + "/" + name for name in releases()]):
            return None, "its source cannot be had from the mirror"
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    folder = os.path.join(top, package)
    archives = [path for path in glob.glob(os.path.join(top, package + "_*.orig.tar.*")) if re.search(r"\.orig\.tar\.\w+$", path)]
    os.makedirs(folder, exist_ok=True)
    for archive in sorted(archives)[-1:]:
        subprocess.run(["tar", "xf", archive, "-C", folder], check=True)
    found = unpacked(folder)
    return (found, None) if found else (None, "its source has no folder")


def done(folder, mark, commands):
    """Runs the commands in folder, once ever; False when one fails."""
    stamp = os.path.join(folder, "." + mark)
    if os.path.exists(stamp):
        return True
    for command in commands:
        if subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode:
            return False
    open(stamp, "w").close()
    return True
