#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
otlp.py BRIDLE: stands in for an OpenTelemetry collector on loopback and is as strict as one: every field must be one that
opentelemetry/proto/trace/v1 has, of the type that the OTLP/JSON encoding gives it, and the session's span must carry what the
GenAI conventions ask of an execute_tool span. A collector that is absent or angry must not do more than be named.
"""

import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

SESSION = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "report", "session.jsonl")
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"

# Message -> field -> type. "*" before a type: repeated.
MESSAGES = {
    "Request": {"resourceSpans": "*ResourceSpans"},
    "ResourceSpans": {"resource": "Resource", "scopeSpans": "*ScopeSpans", "schemaUrl": "string"},
    "Resource": {"attributes": "*KeyValue", "droppedAttributesCount": "uint32"},
    "ScopeSpans": {"scope": "Scope", "spans": "*Span", "schemaUrl": "string"},
    "Scope": {"name": "string", "version": "string", "attributes": "*KeyValue", "droppedAttributesCount": "uint32"},
    "Span": {"traceId": "id16", "spanId": "id8", "traceState": "string", "parentSpanId": "id8", "flags": "uint32",
             "name": "string", "kind": "kind", "startTimeUnixNano": "int64", "endTimeUnixNano": "int64",
             "attributes": "*KeyValue", "droppedAttributesCount": "uint32", "events": "*Event",
             "droppedEventsCount": "uint32", "status": "Status"},
    "Event": {"timeUnixNano": "int64", "name": "string", "attributes": "*KeyValue", "droppedAttributesCount": "uint32"},
    "Status": {"message": "string", "code": "code"},
    "KeyValue": {"key": "string", "value": "AnyValue"},
    "AnyValue": {"stringValue": "string", "boolValue": "bool", "intValue": "int64", "doubleValue": "double"},
}
SCALARS = {
    "string": lambda v: isinstance(v, str),
    "bool": lambda v: isinstance(v, bool),
    "uint32": lambda v: isinstance(v, int) and 0 <= v < 1 << 32,
    "int64": lambda v: isinstance(v, str) and re.fullmatch(r"-?\d+", v) and -1 << 63 <= int(v) < 1 << 63,
    "double": lambda v: isinstance(v, (int, float)),
    "id16": lambda v: isinstance(v, str) and re.fullmatch(r"[0-9a-f]{32}", v) and int(v, 16),
    "id8": lambda v: isinstance(v, str) and re.fullmatch(r"[0-9a-f]{16}", v) and int(v, 16),
    "kind": lambda v: v in range(6) and not isinstance(v, bool),
    "code": lambda v: v in range(3) and not isinstance(v, bool),
}


def check(kind, value, where):
    if kind.startswith("*"):
        assert isinstance(value, list), where
        for i, item in enumerate(value):
            check(kind[1:], item, "%s[%d]" % (where, i))
    elif kind in SCALARS:
        assert SCALARS[kind](value), "%s: %r is no %s" % (where, value, kind)
    else:
        assert isinstance(value, dict), where
        for key, item in value.items():
            assert key in MESSAGES[kind], "%s: %s has no field %s" % (where, kind, key)
            check(MESSAGES[kind][key], item, "%s.%s" % (where, key))
        assert kind != "AnyValue" or len(value) == 1, where


def spans_of(requests):
    return [span for request in requests for part in request["resourceSpans"]
            for scope in part["scopeSpans"] for span in scope["spans"]]


def attributes(thing):
    return {pair["key"]: next(iter(pair["value"].values())) for pair in thing["attributes"]}


def check_spans(requests):
    for request in requests:
        check("Request", request, "$")
        assert attributes(request["resourceSpans"][0]["resource"])["service.name"] == "bridle"
    spans = spans_of(requests)
    ids = [span["spanId"] for span in spans]
    assert len(set(ids)) == len(ids) == 7, "the session and six processes"
    for span in spans:
        assert span["traceId"] == TRACE
        assert span["parentSpanId"] in ids + [PARENT]
        assert int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
    tool = [span for span in spans if span["parentSpanId"] == PARENT]
    assert len(tool) == 1 and tool[0]["name"] == "execute_tool make"
    wanted = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "make", "process.exit.code": "0"}
    given = attributes(tool[0])
    assert wanted.items() <= given.items(), given
    assert given["gen_ai.tool.type"] in ("function", "extension", "datastore")
    events = [attributes(event) for span in spans for event in span.get("events", [])]
    assert sorted(event["bridle.rule"] for event in events) == ["name.denylist", "network.connect", "path.jail"]
    assert any(span["name"] == "git" and attributes(span)["process.pid"] == "105" for span in spans)


class Collector(http.server.BaseHTTPRequestHandler):
    status = 200
    received = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.path, self.headers["Content-Type"], body))
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def export(bridle, target):
    environment = dict(os.environ, TRACEPARENT="00-%s-%s-01" % (TRACE, PARENT))
    return subprocess.run([bridle, "report", "--otlp", target, SESSION], env=environment, capture_output=True,
                          text=True, timeout=120)


def lines_in_a_file(bridle, folder, _):
    name = os.path.join(folder, "spans.jsonl")
    for times in (1, 2):
        done = export(bridle, name)
        assert done.returncode == 0, done.stderr
        with open(name, encoding="utf-8") as file:
            requests = [json.loads(line) for line in file]
        assert len(requests) == times, "lines are appended"
    assert os.stat(name).st_mode & 0o777 == 0o600
    check_spans(requests[:1])


def posted_to_a_collector(bridle, _, url):
    Collector.status, Collector.received[:] = 200, []
    for target in (url, url + "/", url + "/v1/traces"):
        done = export(bridle, target)
        assert done.returncode == 0, done.stderr
    assert [path for path, _, _ in Collector.received] == ["/v1/traces"] * 3
    assert all(kind == "application/json" for _, kind, _ in Collector.received)
    check_spans([json.loads(Collector.received[0][2])])


def an_angry_collector_is_named(bridle, _, url):
    Collector.status = 503
    done = export(bridle, url)
    assert done.returncode == 2 and "503" in done.stderr and url in done.stderr, done


def an_absent_collector_is_named(bridle, _, __):
    done = export(bridle, "http://127.0.0.1:1")
    assert done.returncode == 2 and "127.0.0.1:1" in done.stderr, done


PROTOCOL = "@opentelemetry/otlp-transformer@0.57.2"


def transformer(bridle):
    """The folder of the official definitions, fetched once below the build folder; None: npm cannot reach its registry."""
    build = os.path.join(os.path.dirname(os.path.abspath(bridle)), "otlp")
    folder = os.path.join(build, "node_modules", "@opentelemetry", "otlp-transformer")
    if not os.path.exists(os.path.join(folder, "build", "src", "generated", "root.js")):
        try:
            subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", build, PROTOCOL],
                           capture_output=True, timeout=120, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
    return folder


def read_by_the_official_definitions(bridle, folder, url):
    definitions = transformer(bridle)
    if not definitions:
        print("SKIPPED: otlp: npm cannot fetch %s: nothing was read by the official definitions" % PROTOCOL)
        return
    name = os.path.join(folder, "official.jsonl")
    assert export(bridle, name).returncode == 0
    live = subprocess.run([os.path.abspath(bridle), "trace", "-q", "-P", "agent", "--otlp", name, "--", "sh", "-c", "ls /; exit 3"],
                          cwd=folder, capture_output=True, text=True, timeout=120)
    assert live.returncode == 3, live.stderr
    Collector.status, Collector.received[:] = 200, []
    assert export(bridle, url).returncode == 0
    with open(name, "ab") as file:
        file.write(Collector.received[0][2] + b"\n")
    reader = os.path.join(os.path.dirname(os.path.abspath(__file__)), "otlp_protocol.cjs")
    with open(name, "rb") as file:
        done = subprocess.run(["node", reader, definitions], stdin=file, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("3 requests"), done.stdout


TESTS = [lines_in_a_file, read_by_the_official_definitions, posted_to_a_collector, an_angry_collector_is_named, an_absent_collector_is_named]


def main():
    server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for test in TESTS:
            try:
                test(sys.argv[1], folder, "http://127.0.0.1:%d" % server.server_port)
            except AssertionError as error:
                failed += 1
                print("FAILED: otlp: %s: %s" % (test.__name__, error))
    server.shutdown()
    print("otlp: %d passed, %d failed" % (len(TESTS) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
