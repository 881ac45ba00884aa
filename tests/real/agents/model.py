#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stand-in for a model on loopback: each of its turns is a given STEP, and behind the last it says "done".

    model.py DESCRIPTOR STEP...     of a socket that listens

A STEP is a command for the agent's shell tool, or JSON: {"tool": NAME, "input": {...}} for another tool, {"say": TEXT} for
words that end the turn. How many turns a conversation has had is read from what the agent sends back, so the model keeps
no state. Speaks Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini, streaming and not; what it was
sent goes to $MODEL_LOG, a line a request.
"""
import json
import os
import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STEPS = sys.argv[2:]
LOG = open(os.environ.get("MODEL_LOG", os.devnull), "a", encoding="utf-8")
# How each shell tool wants its command, by its name.
SHELLS = {
    "Bash": lambda line: {"command": line, "description": "step"},
    "exec_command": lambda line: {"cmd": line},
    "shell_command": lambda line: {"command": line},
    "shell": lambda line: {"command": ["bash", "-lc", line]},
    "run_commands": lambda line: {"commands": [line]},
    "run_shell_command": lambda line: {"command": line, "description": "step"},
    "bash": lambda line: {"command": line, "description": "step"},
}


def turn(number, tools):
    """What is said in a turn: (text, None, None), or (None, tool, input) for one of the tools the agent has."""
    if not tools or number >= len(STEPS):
        return "done", None, None
    step = STEPS[number]
    if not step.startswith("{"):
        shell = next((name for name in SHELLS if name in tools), None)
        return (None, shell, SHELLS[shell](step)) if shell else ("no shell tool among %s" % tools, None, None)
    step = json.loads(step)
    if "say" in step:
        return step["say"], None, None
    return None, step["tool"], step["input"]


def anthropic(ask, _):
    number = sum(message.get("role") == "assistant" for message in ask.get("messages", []))
    text, tool, given = turn(number, [tool.get("name") for tool in ask.get("tools", [])])
    usage = {"input_tokens": 10, "output_tokens": 10}
    block = {"type": "tool_use", "id": "toolu_%d" % number, "name": tool, "input": given} if tool else {"type": "text", "text": text}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(given)} if tool else {"type": "text_delta", "text": text}
    end = {"stop_reason": "tool_use" if tool else "end_turn", "stop_sequence": None}
    head = {"id": "msg_%d" % number, "type": "message", "role": "assistant", "model": ask.get("model", "m"), "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": usage}
    if not ask.get("stream"):
        return dict(head, content=[block], **end)
    events = [{"type": "message_start", "message": head},
              {"type": "content_block_start", "index": 0, "content_block": dict(block, **({"input": {}} if tool else {"text": ""}))},
              {"type": "content_block_delta", "index": 0, "delta": delta}, {"type": "content_block_stop", "index": 0},
              {"type": "message_delta", "delta": end, "usage": usage}, {"type": "message_stop"}]
    return "".join("event: %s\ndata: %s\n\n" % (event["type"], json.dumps(event)) for event in events)


def responses(ask, _):
    items = [item for item in ask.get("input", []) if isinstance(item, dict)]
    number = sum(item.get("type", "").endswith("_call") or item.get("role") == "assistant" for item in items)
    tools = {tool.get("name") or tool.get("type"): tool.get("type") for tool in ask.get("tools", [])}
    text, tool, given = turn(number, list(tools))
    if not tool:
        item = {"type": "message", "id": "m_%d" % number, "role": "assistant",
                "content": [{"type": "output_text", "text": text, "annotations": []}]}
    elif tools.get(tool) == "custom":
        item = {"type": "custom_tool_call", "id": "c_%d" % number, "call_id": "call_%d" % number, "name": tool, "input": given}
    else:
        item = {"type": "function_call", "id": "fc_%d" % number, "call_id": "call_%d" % number, "name": tool,
                "arguments": json.dumps(given)}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": {"cached_tokens": 0},
             "output_tokens_details": {"reasoning_tokens": 0}}
    answer = {"id": "resp_%d" % number, "status": "completed", "output": [item], "usage": usage}
    events = [{"type": "response.created", "response": {"id": answer["id"], "status": "in_progress"}},
              {"type": "response.output_item.added", "output_index": 0, "item": item},
              {"type": "response.output_item.done", "output_index": 0, "item": item},
              {"type": "response.completed", "response": answer}]
    return "".join("event: %s\ndata: %s\n\n" % (event["type"], json.dumps(event)) for event in events)


def completions(ask, _):
    number = sum(message.get("role") == "assistant" for message in ask.get("messages", []))
    text, tool, given = turn(number, [tool["function"]["name"] for tool in ask.get("tools", [])])
    message = {"role": "assistant", "content": text}
    if tool:
        message["tool_calls"] = [{"index": 0, "id": "call_%d" % number, "type": "function",
                                  "function": {"name": tool, "arguments": json.dumps(given)}}]
    end = {"index": 0, "finish_reason": "tool_calls" if tool else "stop"}
    head = {"id": "c_%d" % number, "created": 1, "model": ask.get("model", "m")}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    if not ask.get("stream"):
        return dict(head, object="chat.completion", choices=[dict(end, message=message)], usage=usage)
    head["object"] = "chat.completion.chunk"
    events = [dict(head, choices=[{"index": 0, "delta": message, "finish_reason": None}]),
              dict(head, choices=[dict(end, delta={})], usage=usage)]
    return "".join("data: %s\n\n" % json.dumps(event) for event in events) + "data: [DONE]\n\n"


def gemini(ask, path):
    number = sum(content.get("role") == "model" for content in ask.get("contents", []))
    tools = [function["name"] for tool in ask.get("tools", []) for function in tool.get("functionDeclarations", [])]
    text, tool, given = turn(number, tools)
    part = {"functionCall": {"id": "call_%d" % number, "name": tool, "args": given}} if tool else {"text": text}
    answer = {"candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [part]}}],
              "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
              "modelVersion": "m", "responseId": "r_%d" % number}
    return "data: %s\r\n\r\n" % json.dumps(answer) if ":streamGenerateContent" in path else answer


PROTOCOLS = (("/messages", anthropic), ("/responses", responses), ("/chat/completions", completions),
             (":generateContent", gemini), (":streamGenerateContent", gemini))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, answer):
        """Sends text as a stream of events, and anything else as JSON."""
        body = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if isinstance(answer, str) else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self):
        self.send({})

    def do_GET(self):
        self.send({"data": [], "object": "list", "models": []})

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            ask = json.loads(raw or b"{}")
        except ValueError:
            ask = {}
        LOG.write("%s %s\n" % (self.path, json.dumps(ask)[:1000000]))
        LOG.flush()
        path = self.path.split("?")[0]
        answer = next((speak for end, speak in PROTOCOLS if path.endswith(end)), None)
        self.send(answer(ask, path) if answer else {"input_tokens": 10, "totalTokens": 10})


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler, bind_and_activate=False)
server.socket.close()
server.socket = socket.socket(fileno=int(sys.argv[1]))
server.serve_forever()
