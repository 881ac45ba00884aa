#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bridle serve as its clients see it: serve.py [--requests N] [BUILD]. Last it prints 'N passed, N failed'."""
import argparse
import json
import os
import resource
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

parser = argparse.ArgumentParser()
parser.add_argument("--requests", type=int, default=160, help="in all, from eight clients")
parser.add_argument("build", nargs="?", default="build")
ARGUMENTS = parser.parse_args()
BRIDLE = os.path.abspath(os.path.join(ARGUMENTS.build, "bridle"))
TOP = os.path.realpath(tempfile.mkdtemp(prefix="serve-", dir="/var/tmp"))
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("BRIDLE_POLICY", "BRIDLE_SESSION", "LD_PRELOAD")}
MARK = "%d.%d" % (6000 + os.getpid() % 300, os.getpid())  # a sleep that only this run uses
PATIENCE = 120  # seconds for what happens at once, on a machine that has much else to do: only what fails takes so long
counts = [0, 0]


def expect(good, what, *seen):
    counts[not good] += 1
    if not good:
        print("FAIL", what, *seen)


def start(*options, **more):
    return subprocess.Popen([BRIDLE, "serve", *options], cwd=TOP, env=ENVIRONMENT, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True, **more)


def ask(lines, *options):
    """All answers to some requests, by id."""
    server = start(*options)
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    out, _ = server.communicate(text, timeout=PATIENCE)
    expect(server.returncode == 0, "the server ends well", server.returncode)
    answers = [json.loads(line) for line in out.splitlines()]
    return {json.dumps(answer["id"]): answer for answer in answers}, answers


def sleepers():
    found = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % process, "rb") as file:
                found += file.read() == b"sleep\0" + MARK.encode() + b"\0"
        except OSError:
            pass
    return found


def wait_for(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def requests():
    by_id, _ = ask([{"id": 1, "argv": ["echo", "hi"]}, {"id": "two", "argv": ["cat"], "stdin": "in\u00e4\n"},
                    {"id": None, "argv": ["pwd"], "cwd": "src"}, {"id": [4], "argv": ["echo $((1+1)) | cat"], "shell": True},
                    {"id": 5, "argv": ["sleep", "20"], "timeout": 0.2}, {"id": 6, "argv": ["rm", "-rf", "/"]},
                    {"id": 7, "argv": ["nope"]}, {"id": 8, "argv": ["sh", "peek.sh"]}, {"id": 9, "argv": ["cat"]}])
    expect(by_id["1"]["stdout"] == "hi\n" and by_id["1"]["exit_code"] == 0, "argv", by_id["1"])
    expect(list(by_id["1"])[:9] == ["id", "exit_code", "stdout", "stderr", "truncated", "timed_out", "denied", "reason",
                                    "duration_ms"], "keys", list(by_id["1"]))
    expect(by_id['"two"']["stdout"] == "in\u00e4\n", "stdin")
    expect(by_id["null"]["stdout"] == TOP + "/src\n", "cwd")
    expect(by_id["[4]"]["stdout"] == "2\n", "shell")
    expect(by_id["5"]["timed_out"] and by_id["5"]["exit_code"] == -101, "timeout")
    expect(by_id["6"]["denied"] and by_id["6"]["rule"] == "argv.shape", "denied")
    expect(by_id["7"]["exit_code"] == 127, "not found")
    expect(by_id["8"]["violations"] and by_id["8"]["violations"][0]["rule"] == "path.deny", "violations", by_id["8"])
    expect(by_id["9"]["stdout"] == "", "without stdin it is empty")


def bad_lines():
    lines = ["nonsense", "[]", '{"id": 1}', '{"id": 2, "argv": []}', '{"id": 3, "argv": ["a", 1]}', '{"id": 4, "argv": "ls"}',
             '{"id": 5, "argv": ["ls", "x"], "shell": true}', '{"id": 6, "argv": ["ls"], "timeout": -1}',
             '{"id": 7, "argv": ["ls"], "tiemout": 1}', '{"cancel": 8}', '{"id": 9, "argv": ["ls"], "cwd": "gone"}',
             '{"argv": ["\\u0000"]}', "x" * (17 << 20), '{"id": 14, "argv": ["echo", "alive"]}']
    by_id, answers = ask(lines)
    expect(by_id["14"]["stdout"] == "alive\n", "it lives", by_id["14"])
    errors = [answer["line"] for answer in answers if "error" in answer and "line" in answer]
    expect(sorted(errors) == list(range(1, 11)) + [12, 13], "each names its line", errors)
    expect("gone" in by_id["9"]["error"], "a folder that is not there", by_id["9"])
    for options in ([], ["--mcp"]):
        server = subprocess.run([BRIDLE, "serve", *options], cwd=TOP, env=ENVIRONMENT, capture_output=True, timeout=PATIENCE,
                                input=b'{"id": \xff}\n{"\xc3": 1}\n\x00\n{"id": 2, "x\xc3\xa4": 1}\n')
        answers = [json.loads(line) for line in server.stdout.splitlines()]
        expect(len(answers) == 4 and all(answer["error"] for answer in answers), "no UTF-8", options, answers)
    _, answers = ask(['{"id": 1, "argv": ["sleep", "0.3"]}', '{"id": 1, "argv": ["echo"]}'])
    expect(sum("error" in answer for answer in answers) == 1 and len(answers) == 2, "an id is used once", answers)
    _, answers = ask(['{"id": 1, "argv": ["echo", "x"]}', '{"id": 2, "argv": ["echo", "y"]}'.rstrip()])
    expect(len(answers) == 2, "the last line needs no newline")


def bad_start():
    for options in (["-p", "none.cfg"], ["--jobs", "0"], ["--nope"], ["extra"], ["--socket", "x" * 200], ["-P", "nope"],
                    ["--mcp", "--socket", "x"]):
        done = subprocess.run([BRIDLE, "serve", *options], cwd=TOP, env=ENVIRONMENT, input="", capture_output=True, text=True)
        expect(done.returncode == 125 and done.stderr.startswith("bridle: serve:"), "refuses to start", options, done)


def cancel():
    server = start("--jobs", "2")
    stubborn = "trap '' TERM; sleep %s & sleep %s; sleep %s" % (MARK, MARK, MARK)
    with open(os.path.join(TOP, "stubborn.sh"), "w") as file:
        file.write(stubborn)
    for line in ({"id": 1, "argv": ["sh", "stubborn.sh"]}, {"id": 2, "argv": ["sleep", MARK]}, {"id": 3, "argv": ["sleep", MARK]}):
        server.stdin.write(json.dumps(line) + "\n")
    server.stdin.flush()
    expect(wait_for(lambda: sleepers() == 3), "two run, one waits", sleepers())
    for number in (3, 2, 1):
        server.stdin.write('{"cancel": %d}\n' % number)
    server.stdin.flush()
    answers = {answer["id"]: answer for answer in (json.loads(server.stdout.readline()) for _ in range(3))}
    expect("error" in answers[3] and answers[3]["cancelled"], "what waited", answers[3])
    expect(answers[2]["cancelled"] and answers[2]["signal"] == signal.SIGTERM, "what ran", answers[2])
    expect(answers[1]["cancelled"] and sleepers() == 0, "what would not end", answers[1], sleepers())
    server.communicate(timeout=PATIENCE)


def disconnect():
    for how in ("stdout", "kill", "socket"):
        server = start(*(["--socket", "s"] if how == "socket" else []))
        line = json.dumps({"id": 1, "argv": ["sleep", MARK]}) + "\n"
        if how == "socket":
            wait_for(lambda: os.path.exists(TOP + "/s"))
            client = socket.socket(socket.AF_UNIX)
            client.connect(TOP + "/s")
            client.sendall(line.encode())
        else:
            server.stdin.write(line)
            server.stdin.flush()
        expect(wait_for(lambda: sleepers() == 1), how, "it runs")
        if how == "kill":
            server.kill()
        elif how == "socket":
            client.close()
        else:
            server.stdout.close()
        expect(wait_for(lambda: sleepers() == 0), how, "takes with it what it asked for")
        if how == "socket":
            server.terminate()
        server.stdin.close()
        server.wait(timeout=PATIENCE)


def crowd():
    """Eight clients at once, each gets its own results; the server's memory stays flat."""
    server = start("--socket", "crowd", "--jobs", "4")
    wait_for(lambda: os.path.exists(TOP + "/crowd"))
    expect(stat.S_IMODE(os.stat(TOP + "/crowd").st_mode) == 0o600, "the socket is private")
    each, right, memory = max(1, ARGUMENTS.requests // 8), [], []

    def resident():
        with open("/proc/%d/status" % server.pid) as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def client(number):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(TOP + "/crowd")
        stream = connection.makefile("rw")
        good = 0
        for at in range(0, each, 20):
            batch = range(at, min(each, at + 20))
            for i in batch:
                stream.write(json.dumps({"id": i, "argv": ["echo", "%d of %d" % (i, number)]}) + "\n")
            stream.flush()
            for _ in batch:
                answer = json.loads(stream.readline())
                good += answer["stdout"] == "%d of %d\n" % (answer["id"], number)
            memory.append(resident())
        right.append(good)
        connection.close()

    began = time.monotonic()
    threads = [threading.Thread(target=client, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(right == [each] * 8, "right results", right)
    tenth = max(1, len(memory) // 10)
    first, last = sorted(memory[:tenth])[tenth // 2], sorted(memory[-tenth:])[tenth // 2]
    expect(last < first + 2048, "flat memory", memory)
    print("%d requests from 8 clients: %.2f ms each; the server holds %d kB, and %d kB at the end" %
          (8 * each, (time.monotonic() - began) * 1000 / (8 * each), first, last))
    server.terminate()
    server.communicate()


WORKER = """
import json, os, sys, time
count = 0
for line in sys.stdin:
    task = json.loads(line)
    count += 1
    what = task.get("do") if isinstance(task, dict) else None
    if what == "hang":
        time.sleep(%s)
    elif what == "crash":
        os._exit(3)
    elif what == "burn":
        end = time.process_time() + 1.5
        while time.process_time() < end:
            pass
    elif what == "twice":
        print("one")
    elif what == "peek":
        try:
            open("/etc/shadow")
        except PermissionError as error:
            print(error, file=sys.stderr, flush=True)
    elif what == "big":
        sys.stdout.write("x" * task["size"])
    print(json.dumps([os.getpid(), count, task]), flush=True)
"""


def by_id(answers):
    return {json.dumps(answer["id"]): answer for answer in answers}


def talk(server, *lines):
    for line in lines:
        server.stdin.write(json.dumps(line) + "\n")
    server.stdin.flush()
    return [json.loads(server.stdout.readline()) for _ in lines]


def warm():
    """Workers keep what they know, take a task each, and are replaced when they are of no more use."""
    with open(os.path.join(TOP, "worker.py"), "w") as file:
        file.write(WORKER % MARK)
    line = "%s -I -S worker.py" % os.path.realpath("/usr/bin/python3")
    server = start("--warm", line, "--jobs", "1", "--warm-cpu", "1.2")
    first, = talk(server, {"id": 1, "task": {"a": "\u00e4\n"}})
    expect(list(first)[:9] == ["id", "exit_code", "stdout", "stderr", "truncated", "timed_out", "denied", "reason", "duration_ms"],
           "warm: keys", first)
    pid, count, echo = json.loads(first["stdout"])
    expect(first["stdout"].endswith("\n") and count == 1 and echo == {"a": "\u00e4\n"} and first["exit_code"] == 0, "warm: answer")
    second, = talk(server, {"id": 2, "task": [1, None]})
    expect(json.loads(second["stdout"]) == [pid, 2, [1, None]] and second["session"] == first["session"], "warm: the same worker",
           second)
    peek, = talk(server, {"id": 3, "task": {"do": "peek"}})
    expect("Permission denied" in peek["stderr"] and peek["violation_count"] == 1 and
           peek["violations"][0]["rule"] == "path.deny", "warm: what it did is told", peek)
    after, = talk(server, {"id": 4, "task": 0})
    expect(after["violations"] == [] and after["stderr"] == "" and json.loads(after["stdout"])[1] == 4, "warm: and only once", after)
    hang, = talk(server, {"id": 5, "task": {"do": "hang"}, "timeout": 0.3})
    expect(hang["timed_out"] and hang["exit_code"] == -101 and hang["rule"] == "limit.time" and "0.3 s" in hang["reason"] and
           hang["duration_ms"] < PATIENCE * 1000, "warm: out of time", hang)
    fresh, = talk(server, {"id": 6, "task": 0})
    expect(json.loads(fresh["stdout"])[1] == 1 and fresh["session"] != first["session"], "warm: another takes its place", fresh)
    crash, = talk(server, {"id": 7, "task": {"do": "crash"}})
    expect(crash["exit_code"] == 3 and crash["stdout"] == "" and "without an answer" in crash["reason"], "warm: a crash", crash)
    twice, = talk(server, {"id": 8, "task": {"do": "twice"}})
    expect("error" in twice or twice["stdout"] == "one\n", "warm: two lines", twice)
    fresh, = talk(server, {"id": 9, "task": 0})
    expect(json.loads(fresh["stdout"])[1:] == [1, 0], "warm: none of them is taken for the next answer", fresh)
    burn, fresh = talk(server, {"id": 10, "task": {"do": "burn"}}), talk(server, {"id": 11, "task": 0})
    expect(json.loads(fresh[0]["stdout"])[1] == 1, "warm: a CPU budget", burn, fresh)
    big, = talk(server, {"id": 12, "task": {"do": "big", "size": 1 << 20}})
    expect(len(big["stdout"]) > 1 << 20, "warm: a long line", len(big["stdout"]))
    command, = talk(server, {"id": 13, "argv": ["echo", "hi"]})
    expect(command["stdout"] == "hi\n", "warm: commands are served as well", command)
    server.stdin.write(json.dumps({"id": 14, "task": {"do": "hang"}}) + "\n")
    server.stdin.flush()
    time.sleep(0.2)
    server.stdin.write('{"cancel": 14}\n')
    server.stdin.flush()
    cancelled = json.loads(server.stdout.readline())
    expect(cancelled["id"] == 14 and cancelled["cancelled"], "warm: cancel", cancelled)
    for bad in ({"id": 15, "task": 1, "argv": ["ls"]}, {"id": 16, "task": 1, "stream": True}):
        expect("no meaning" in talk(server, bad)[0]["error"], "warm: bad request", bad)
    server.communicate(timeout=PATIENCE)
    expect(server.returncode == 0, "warm: ends with its client")

    server = start("--warm", line, "--jobs", "2", "--warm-requests", "3")
    answers = by_id(talk(server, *({"id": i, "task": i} for i in range(12))))
    seen = [json.loads(answers[str(i)]["stdout"]) for i in range(12)]
    expect([task for _, _, task in seen] == list(range(12)) and max(count for _, count, _ in seen) == 3 and
           len({pid for pid, _, _ in seen}) >= 4, "warm: replaced after so many", seen)
    server.stdin.close()
    server.wait(timeout=PATIENCE)

    server = start("--socket", "w", "--warm", line, "--jobs", "1")
    wait_for(lambda: os.path.exists(TOP + "/w"))
    client = socket.socket(socket.AF_UNIX)
    client.connect(TOP + "/w")
    client.sendall(b'{"id": 1, "task": {"do": "hang"}}\n')
    time.sleep(0.3)
    client.close()
    client = socket.socket(socket.AF_UNIX)
    client.connect(TOP + "/w")
    client.sendall(b'{"id": 1, "task": 7}\n')
    answer = json.loads(client.makefile().readline())
    expect(json.loads(answer["stdout"])[1:] == [1, 7], "warm: a worker goes with the client that it works for", answer)
    server.terminate()
    server.communicate(timeout=PATIENCE)

    server = start("--warm", "false", "--jobs", "2")
    answers = talk(server, {"id": 1, "task": 1}, {"id": 2, "task": 2}, {"id": 3, "task": 3})
    expect(all(answer["exit_code"] == 1 for answer in answers), "warm: workers that end at once", answers)
    server.communicate(timeout=PATIENCE)
    by, _ = ask([{"id": 1, "task": 1}])
    expect("--warm" in by["1"]["error"], "no workers", by)
    for options in (["--warm", "sudo id"], ["--warm", "x", "--mcp"], ["--warm-requests", "3"], ["--warm", "x", "--warm-cpu", "-1"],
                    ["--warm", "x", "--warm-requests", "0"]):
        done = subprocess.run([BRIDLE, "serve", *options], cwd=TOP, env=ENVIRONMENT, input="", capture_output=True, text=True)
        expect(done.returncode == 125 and done.stderr.startswith("bridle: serve:"), "warm: refuses to start", options, done)


def stream():
    """Output comes as it is made, whole; the result comes last and is as without."""
    with open(os.path.join(TOP, "slow.sh"), "w") as file:
        # Goes on when what it has said was seen, and when half a letter was written a while ago.
        file.write("echo one; echo oops >&2; i=0; until [ -e seen ] || [ $i = 2000 ]; do sleep 0.05; i=$((i + 1)); done\n"
                   "[ -e seen ] || exit 9; printf 'tw\\303'; sleep 0.2; printf '\\244\\n'; exit 4\n")
    server = start()
    server.stdin.write('{"id": "s", "argv": ["sh", "slow.sh"], "stream": true}\n')
    server.stdin.flush()
    frames = []
    while not frames or "exit_code" not in frames[-1]:
        frames.append(json.loads(server.stdout.readline()))
        if {frame.get("data") for frame in frames} == {"one\n", "oops\n"}:
            open(os.path.join(TOP, "seen"), "w").close()
    result = frames.pop()
    texts = {name: "".join(frame["data"] for frame in frames if frame["stream"] == name) for name in ("stdout", "stderr")}
    expect(texts == {"stdout": "one\ntw\u00e4\n", "stderr": "oops\n"} and all(frame["id"] == "s" for frame in frames), "stream", frames)
    expect(result["exit_code"] == 4 and result["stdout"] == texts["stdout"] and result["id"] == "s", "stream: at once, and the result", result)
    answers, = talk(server, {"id": 2, "argv": ["sudo", "id"], "stream": True})
    expect(answers["denied"], "stream: refused", answers)
    server.communicate(timeout=PATIENCE)
    _, answers = ask([{"id": 1, "argv": ["seq", "200000"], "stream": True}])
    whole = "".join(answer.get("data", "") for answer in answers[:-1])
    expect(whole == "".join("%d\n" % i for i in range(1, 200001)) and answers[-1]["truncated"], "stream: all of it, the result is cut")

    server = start()
    server.stdin.write('{"id": 1, "argv": ["yes"], "stream": true, "timeout": 2}\n')
    server.stdin.flush()
    time.sleep(1.5)
    with open("/proc/%d/status" % server.pid) as file:
        memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    expect(memory < 64 << 10, "stream: a client that does not read costs no memory", memory)
    out, _ = server.communicate(timeout=PATIENCE)
    expect(json.loads(out.splitlines()[-1])["timed_out"], "stream: and its command runs out of time")


def no_descriptors():
    """A server that has no descriptor left waits for a client to go, and does not burn the processor meanwhile."""
    server = start("--socket", "few", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
    wait_for(lambda: os.path.exists(TOP + "/few"))
    clients = []
    for _ in range(60):
        clients.append(socket.socket(socket.AF_UNIX))
        clients[-1].connect(TOP + "/few")
    time.sleep(0.3)

    def used():
        with open("/proc/%d/stat" % server.pid) as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))
    before = used()
    time.sleep(1)
    expect(used() - before < 20, "no descriptors: it waits", used() - before)
    for client in clients[:50]:
        client.close()
    clients[-1].sendall(b'{"id": 1, "argv": ["echo", "hi"]}\n')
    answer = json.loads(clients[-1].makefile().readline())
    expect(answer.get("stdout") == "hi\n", "no descriptors: goes on", answer)
    server.terminate()
    server.communicate(timeout=PATIENCE)


def ends():
    """A signal ends the server, what runs in it, and what it made."""
    for number in (signal.SIGTERM, signal.SIGINT):
        server = start("--socket", "end", "--warm", "sleep " + MARK, "--jobs", "2")
        expect(wait_for(lambda: sleepers() == 2), "ends: workers wait", sleepers())
        server.send_signal(number)
        server.communicate(timeout=PATIENCE)
        expect(server.returncode == 128 + number and sleepers() == 0 and not os.path.exists(TOP + "/end"), "ends", number,
               server.returncode, sleepers())


def mcp():
    server = start("--mcp", "-P", "agent")

    def call(method, number=None, **params):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        return json.loads(server.stdout.readline()) if number is not None else None

    hello = call("initialize", 0, protocolVersion="2025-03-26", capabilities={}, clientInfo={"name": "t", "version": "1"})
    expect(hello["result"]["protocolVersion"] == "2025-03-26" and "tools" in hello["result"]["capabilities"] and
           hello["result"]["serverInfo"]["name"] == "bridle" and TOP in hello["result"]["instructions"], "initialize", hello)
    call("notifications/initialized")
    tools = {tool["name"]: tool for tool in call("tools/list", "l")["result"]["tools"]}
    expect(set(tools) == {"run", "check"} and tools["run"]["inputSchema"]["type"] == "object", "tools", tools)
    result = call("tools/call", 1, name="run", arguments={"line": "echo a | tr a b"})["result"]
    expect(result["structuredContent"]["stdout"] == "b\n" and not result["isError"] and
           json.loads(result["content"][0]["text"])["exit_code"] == 0, "run a line", result)
    result = call("tools/call", 2, name="run", arguments={"argv": ["sudo", "id"]})["result"]
    expect(result["isError"] and result["structuredContent"]["denied"], "run what is denied", result)
    result = call("tools/call", 3, name="check", arguments={"argv": ["sudo", "id"]})["result"]
    expect(result["structuredContent"]["verdict"] == "deny", "check", result)
    expect(call("tools/call", 4, name="check", arguments={"line": "ls | head"})["result"]["structuredContent"]["verdict"] ==
           "allow", "check a line")
    for number, params in enumerate(({"name": "nope", "arguments": {}}, {"name": "run", "arguments": {}}, {"name": "run"},
                                     {"name": "run", "arguments": {"argv": ["a"], "line": "a"}},
                                     {"name": "run", "arguments": {"argv": 1}}), 10):
        expect(call("tools/call", number, **params)["error"]["code"] == -32602, "bad call", params)
    expect(call("resources/list", 20)["error"]["code"] == -32601, "no such method")
    expect(call("ping", 21)["result"] == {}, "ping")
    server.stdin.write("nonsense\n")
    server.stdin.flush()
    expect(json.loads(server.stdout.readline())["error"]["code"] == -32700, "no JSON")
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 30, "method": "tools/call", "params": {
        "name": "run", "arguments": {"argv": ["sleep", MARK]}}}) + "\n")
    server.stdin.flush()
    expect(wait_for(lambda: sleepers() == 1), "a long call runs")
    call("notifications/cancelled", requestId=30)
    expect(wait_for(lambda: sleepers() == 0) and not select.select([server.stdout], [], [], 0.2)[0], "is cancelled, silently")
    out, _ = server.communicate(timeout=PATIENCE)
    expect(out == "" and server.returncode == 0, "ends with its client", out)


os.mkdir(os.path.join(TOP, "src"))
with open(os.path.join(TOP, "peek.sh"), "w") as script:
    script.write("cat /etc/shadow\n")
try:
    requests()
    bad_lines()
    bad_start()
    cancel()
    disconnect()
    crowd()
    warm()
    stream()
    no_descriptors()
    ends()
    mcp()
finally:
    shutil.rmtree(TOP)
print("%d passed, %d failed" % tuple(counts))
sys.exit(counts[1] > 0)
