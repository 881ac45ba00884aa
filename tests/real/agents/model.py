#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stand-in for a model on loopback: answers with one tool call a command given, then with a last word.

    model.py PORT COMMAND...      speaks Anthropic Messages and OpenAI Responses, streaming
"""
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

port, commands = int(sys.argv[1]), sys.argv[2:]
log = open(os.environ.get("MODEL_LOG", os.devnull), "a")

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def send(self, body, kind="application/json", status=200):
        self.send_response(status); self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)
    def do_HEAD(self): self.send(b"")
    def do_GET(self):
        self.send(json.dumps({"data": [], "object": "list", "models": []}).encode())
    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try: ask = json.loads(raw or b"{}")
        except ValueError: ask = {}
        log.write(self.path + " " + json.dumps(ask)[:1000000] + "\n"); log.flush()
        if "count_tokens" in self.path: return self.send(b'{"input_tokens": 10}')
        if self.path.split("?")[0].endswith("/responses"): return self.openai(ask)
        if self.path.split("?")[0].endswith("/messages"): return self.anthropic(ask)
        self.send(b"{}")
    def anthropic(self, ask):
        done = sum(1 for m in ask.get("messages", []) if isinstance(m.get("content"), list)
                   for b in m["content"] if b.get("type") == "tool_result")
        tools = {t.get("name") for t in ask.get("tools", [])}
        call = "Bash" in tools and done < len(commands)
        block = ({"type": "tool_use", "id": "toolu_%d" % done, "name": "Bash",
                  "input": {"command": commands[done], "description": "step"}} if call else {"type": "text", "text": "done"})
        usage = {"input_tokens": 10, "output_tokens": 10}
        head = {"id": "msg_%d" % done, "type": "message", "role": "assistant", "model": ask.get("model", "m"),
                "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
        stop = "tool_use" if call else "end_turn"
        if not ask.get("stream"):
            return self.send(json.dumps(dict(head, content=[block], stop_reason=stop)).encode())
        events = [("message_start", {"message": head})]
        if call:
            events += [("content_block_start", {"index": 0, "content_block": dict(block, input={})}),
                       ("content_block_delta", {"index": 0, "delta": {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}})]
        else:
            events += [("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
                       ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": "done"}})]
        events += [("content_block_stop", {"index": 0}), ("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}), ("message_stop", {})]
        self.send("".join("event: %s\ndata: %s\n\n" % (n, json.dumps(dict(d, type=n))) for n, d in events).encode(), "text/event-stream")
    def openai(self, ask):
        done = sum(1 for i in ask.get("input", []) if isinstance(i, dict) and i.get("type", "").endswith("_call_output"))
        names = [t.get("name") or t.get("type") for t in ask.get("tools", [])]
        rid = "resp_%d" % done
        if done < len(commands):
            if "exec_command" in names: item = {"type": "function_call", "id": "fc_%d" % done, "call_id": "call_%d" % done, "name": "exec_command", "arguments": json.dumps({"cmd": commands[done]})}
            elif "shell_command" in names: item = {"type": "function_call", "id": "fc_%d" % done, "call_id": "call_%d" % done, "name": "shell_command", "arguments": json.dumps({"command": commands[done]})}
            else: item = {"type": "function_call", "id": "fc_%d" % done, "call_id": "call_%d" % done, "name": "shell", "arguments": json.dumps({"command": ["bash", "-lc", commands[done]]})}
        else: item = {"type": "message", "id": "m_%d" % done, "role": "assistant", "content": [{"type": "output_text", "text": "done", "annotations": []}]}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        events = [("response.created", {"response": {"id": rid, "status": "in_progress"}}), ("response.output_item.done", {"output_index": 0, "item": item}),
                  ("response.completed", {"response": {"id": rid, "status": "completed", "output": [item], "usage": usage}})]
        self.send("".join("event: %s\ndata: %s\n\n" % (n, json.dumps(dict(d, type=n))) for n, d in events).encode(), "text/event-stream")

ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
