#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
report_page.py BRIDLE: opens the page of `bridle report --html` in headless Chromium, as a person would, and looks at what
is there: hostile names stay text, nothing is loaded, the filter and the tree work by keyboard, everything has a name for
a screen reader. Without Chromium it says so and skips.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "report")
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--remote-debugging-pipe", "--window-size=1200,1600"]


class Browser:
    """Talks to Chromium over its debugging pipe: JSON messages that end in a NUL byte."""

    def __init__(self, program, folder):
        to_read, self.to = os.pipe()
        self.answers, from_write = os.pipe()
        # The browser wants the pipe as descriptors 3 and 4. Ours may be those very numbers: move them out of the way first.
        command = 'exec 8<&%d 9>&%d; exec 3<&8 4>&9; exec "$@"' % (to_read, from_write)
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", program, *FLAGS, "--user-data-dir=" + folder, "about:blank"],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.answers, 65536)
            if not piece:
                raise RuntimeError("the browser has gone")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.events = []
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.call(domain + ".enable")
        self.call("Page.navigate", url="file://" + path)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.read())

    def ask(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def press(self, key, text=""):
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes.get(key, 0),
                      **({"text": text} if text and kind == "keyDown" else {}))

    def close(self):
        os.close(self.to)
        os.close(self.answers)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def said(browser, method):
    return [event["params"] for event in browser.events if event.get("method") == method]


def check_quiet(browser, path):
    """Nothing but the page itself was asked for, and nothing was complained about."""
    asked = [request["request"]["url"] for request in said(browser, "Network.requestWillBeSent")]
    assert asked == ["file://" + path], asked
    complaints = said(browser, "Log.entryAdded") + said(browser, "Runtime.exceptionThrown")
    assert not complaints, complaints
    assert browser.ask("document.documentElement.dataset.ready") == "yes", "our own script did not run"


def hostile_names_stay_text(browser, pages):
    browser.open(pages["hostile"])
    check_quiet(browser, pages["hostile"])
    assert browser.ask("document.title") == "bridle report", "a file name ran as a script"
    assert browser.ask("document.scripts.length") == 1
    assert browser.ask("document.images.length") == 0
    assert "<script>document.title='owned'</script>" in browser.ask("document.body.innerText")
    handlers = ("[...document.querySelectorAll('*')].filter("
                "(e) => e.getAttributeNames().some((n) => n.startsWith('on'))).length")
    assert browser.ask(handlers) == 0


def injected_markup_would_not_run(browser, pages):
    browser.open(pages["session"])
    browser.ask("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    browser.ask("{const s = document.createElement('script'); s.textContent = 'document.title = 2';"
                "document.body.append(s);}")
    assert browser.ask("document.title") == "bridle report", "the content policy let a script in"


def filter_narrows_the_violations(browser, pages):
    browser.open(pages["session"])
    check_quiet(browser, pages["session"])
    shown = "[...document.querySelectorAll('#violation-rows tr')].filter((r) => r.offsetParent !== null).length"
    assert browser.ask(shown) == 3
    browser.ask("document.getElementById('filter-text').focus()")
    for letter in "passwd":
        browser.press(letter, letter)
    assert browser.ask(shown) == 1
    assert browser.ask("document.getElementById('filter-said').textContent") == "1 of 3 shown"
    browser.ask("{const t = document.getElementById('filter-text'); t.value = '';"
                "t.dispatchEvent(new Event('input'));}")
    browser.ask("{const r = document.getElementById('filter-rule'); r.value = 'name.denylist';"
                "r.dispatchEvent(new Event('change'));}")
    assert browser.ask(shown) == 1


def keyboard_reaches_everything(browser, pages):
    browser.open(pages["session"])
    browser.press("Tab")
    assert browser.ask("document.activeElement.className") == "skip", "the first stop skips the links"
    wanted = set(browser.ask("[...document.querySelectorAll('a, button, input, select, summary')].map("
                             "(e) => e.tagName + e.textContent.slice(0, 40))"))
    seen = set()
    for _ in range(2 * len(wanted) + 20):
        seen.add(browser.ask("document.activeElement.tagName + document.activeElement.textContent.slice(0, 40)"))
        browser.press("Tab")
    assert wanted <= seen, wanted - seen
    opened = "document.querySelectorAll('#processes details[open]').length"
    before = browser.ask(opened)
    assert before == 3
    browser.ask("document.querySelector('#processes summary').focus()")
    browser.press("Enter", "\r")
    assert browser.ask(opened) == before - 1
    browser.ask("document.querySelector('button[data-open=no]').focus()")
    browser.press("Enter", "\r")
    assert browser.ask(opened) == 0


def screen_reader_hears_names(browser, pages):
    browser.open(pages["session"])
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = {}
    for node in nodes:
        if not node.get("ignored"):
            name = node.get("name", {}).get("value", "")
            roles.setdefault(node["role"]["value"], []).append(name)
    for role in ("main", "banner", "navigation", "contentinfo", "heading", "table", "status", "searchbox"):
        assert role in roles, role
    for role in ("button", "searchbox", "combobox", "link", "image", "img", "region", "table"):
        assert all(roles.get(role, ["-"])), "a %s without a name" % role
    levels = browser.ask("[...document.querySelectorAll('h1, h2, h3')].map((h) => h.tagName)")
    assert levels[0] == "H1" and levels.count("H1") == 1
    assert browser.ask("[...document.querySelectorAll('th')].every((h) => h.scope)")
    assert browser.ask("document.documentElement.lang") == "en"


def fits_a_narrow_window(browser, pages):
    browser.open(pages["session"])
    browser.call("Emulation.setDeviceMetricsOverride", width=380, height=800, deviceScaleFactor=1, mobile=False)
    assert browser.ask("document.documentElement.scrollWidth <= 380"), "the page scrolls sideways"


REAL_WORK = r"""
mkdir made && cd made && git init -q . && touch '<img src=x onerror="document.title=3">' $'\e[31mred' && cd ..
/usr/bin/python3 -c 'open("../beside", "w")'
for number in $(seq 60); do echo > many$number; done
"""


def record(bridle, folder):
    """A session of bash, git and python, with names that a page could stumble over."""
    root, report = os.path.join(folder, "root"), os.path.join(folder, "real.jsonl")
    os.mkdir(root)
    with open(os.path.join(root, "work.sh"), "w", encoding="utf-8") as file:
        file.write(REAL_WORK)
    subprocess.run([bridle, "trace", "-q", "--report", report, "--", "bash", "work.sh"], cwd=root, check=True,
                   stderr=subprocess.DEVNULL)
    return report


def a_real_session_can_be_read(browser, pages):
    browser.open(pages["real"])
    check_quiet(browser, pages["real"])
    assert browser.ask("document.title") == "bridle report" and browser.ask("document.images.length") == 0
    assert browser.ask("document.querySelector('header').innerText").startswith("What this session did")
    for section, words in (("processes", "git init -q ."), ("violations", "path.jail"), ("violations", "/beside"),
                           ("written", '<img src=x onerror="document.title=3">'), ("written", r"\x1b[31mred"),
                           ("written", "/root/\t"), ("read", "/root/work.sh")):
        text = browser.ask("document.getElementById('%s').innerText" % section)
        assert words in text, "no %s in %s" % (words, text[:3000])


TESTS = [hostile_names_stay_text, a_real_session_can_be_read, injected_markup_would_not_run, filter_narrows_the_violations,
         keyboard_reaches_everything, screen_reader_hears_names, fits_a_narrow_window]


def main():
    bridle = os.path.abspath(sys.argv[1])
    program = next((found for found in map(shutil.which, BROWSERS) if found), None)
    if program is None:
        print("SKIPPED: the HTML report was not looked at: there is no Chromium here (apt-get install chromium)")
        print("report_page: 0 passed, 0 failed, %d skipped" % len(TESTS))
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        pages = {}
        folder = os.path.realpath(folder)
        reports = {name: os.path.join(CASES, name + ".jsonl") for name in ("session", "hostile")}
        for name, report in dict(reports, real=record(bridle, folder)).items():
            pages[name] = os.path.join(folder, name + ".html")
            subprocess.run([bridle, "report", "--html", pages[name], report], check=True, stderr=subprocess.DEVNULL)
            assert os.stat(pages[name]).st_mode & 0o777 == 0o600
        browser = Browser(program, os.path.join(folder, "profile"))
        for test in TESTS:
            try:
                test(browser, pages)
            except (AssertionError, RuntimeError) as error:
                failed += 1
                print("FAILED: report_page: %s: %s" % (test.__name__, error))
        browser.call("Browser.close")
        browser.close()
    print("report_page: %d passed, %d failed" % (len(TESTS) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
