# SPDX-License-Identifier: MIT
"""A project and a home of its own for a real agent, and a stand-in for its model; how each agent is started there."""
import glob
import json
import os
import socket
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
POLICIES = os.path.join(HERE, "..", "..", "..", "examples", "agents")
OWN = ("BRIDLE", "LD_PRELOAD", "CLAUDE", "ANTHROPIC", "OPENAI", "GEMINI", "GOOGLE", "CODEX", "OPENCODE", "TMUX")


class Agent:
    """name: as examples/agents and `bridle init` call it; aider is stood in for by an agent that keeps what it keeps. hooks:
    where its hook stands in a project, with its event."""

    def __init__(self, name, executable, headless, interactive, environment, hooks=None):
        self.name, self.executable, self.hooks = name, executable, hooks
        self.headless, self.interactive, self.environment = headless, interactive, environment


def claude_home(world):
    world.write(world.home, ".claude.json", json.dumps({
        "hasCompletedOnboarding": True, "theme": "dark", "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": ["x" * 20], "rejected": []},
        "projects": {world.project: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}}))
    world.write(world.home, ".claude/settings.json", json.dumps({"skipDangerousModePermissionPrompt": True}))


def codex_home(world):
    world.write(world.home, ".codex/config.toml", """model = "gpt-5.5"
model_provider = "stand-in"
check_for_update_on_startup = false
[model_providers.stand-in]
name = "stand-in"
base_url = "http://127.0.0.1:%d/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
[projects."%s"]
trust_level = "trusted"
""" % (world.port, world.project))


def gemini_home(world):
    world.write(world.home, ".gemini/settings.json", json.dumps({
        "security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False}}))
    world.write(world.home, ".gemini/trustedFolders.json", json.dumps({world.project: "TRUST_FOLDER"}))


def opencode_home(world):
    world.write(world.home, ".config/opencode/opencode.json", json.dumps({
        "model": "stand-in/m", "small_model": "stand-in/m", "autoupdate": False, "share": "disabled",
        "provider": {"stand-in": {"npm": "@ai-sdk/openai-compatible", "name": "stand-in", "models": {"m": {"tool_call": True}},
                                  "options": {"baseURL": "http://127.0.0.1:%d/v1" % world.port, "apiKey": "x"}}}}))


def cline_home(world):
    world.write(world.home, ".cline/data/settings/providers.json", json.dumps({
        "version": 1, "lastUsedProvider": "openai-compatible", "providers": {"openai-compatible": {
            "settings": {"provider": "openai-compatible", "apiKey": "x", "model": "m",
                         "baseUrl": "http://127.0.0.1:%d/v1" % world.port}, "updatedAt": "2026-01-01T00:00:00.000Z"}}}))


def continue_home(world):
    world.write(world.home, ".continue/config.yaml", """name: stand-in
version: 1.0.0
schema: v1
models:
  - {name: m, provider: openai, model: m, apiKey: x, apiBase: "http://127.0.0.1:%d/v1", capabilities: [tool_use],
     roles: [chat]}
""" % world.port)
    world.write(world.home, ".continue/.onboarding_complete", "2026-01-01T00:00:00.000Z")


HOMES = {"claude-code": claude_home, "codex": codex_home, "gemini": gemini_home, "opencode": opencode_home,
         "cline": cline_home, "continue": continue_home}
CODEX_FREE = ["--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"]
AGENTS = [
    Agent("claude-code", "claude", ["-p", "go", "--output-format", "json", "--dangerously-skip-permissions"],
          ["--dangerously-skip-permissions"],
          lambda port: {"ANTHROPIC_BASE_URL": "http://127.0.0.1:%d" % port, "ANTHROPIC_API_KEY": "x" * 20, "IS_SANDBOX": "1",
                        "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
          (".claude/settings.json", "PreToolUse")),
    Agent("codex", "codex", ["exec", "--skip-git-repo-check", *CODEX_FREE, "go"], [*CODEX_FREE, "-m", "m"],
          lambda port: {"OPENAI_API_KEY": "x"}, (".codex/hooks.json", "PreToolUse")),
    Agent("gemini", "gemini", ["-y", "-m", "gemini-2.5-flash", "-o", "json", "-p", "go"], ["-y", "-m", "gemini-2.5-flash"],
          lambda port: {"GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:%d" % port, "GEMINI_API_KEY": "x",
                        "GEMINI_CLI_TRUST_WORKSPACE": "true"},
          (".gemini/settings.json", "BeforeTool")),
    Agent("opencode", "opencode", ["run", "go"], [],
          lambda port: {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1",
                        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}),
    Agent("qwen-code", "qwen", ["-y", "--auth-type", "openai", "-p", "go"], ["-y", "--auth-type", "openai"],
          lambda port: {"OPENAI_BASE_URL": "http://127.0.0.1:%d/v1" % port, "OPENAI_API_KEY": "x", "OPENAI_MODEL": "m"},
          (".qwen/settings.json", "PreToolUse")),
    Agent("copilot", "copilot", ["-p", "go", "--allow-all-tools", "--allow-all-paths"], ["--allow-all-tools", "--allow-all-paths"],
          lambda port: {"COPILOT_PROVIDER_BASE_URL": "http://127.0.0.1:%d/v1" % port, "COPILOT_MODEL": "m",
                        "COPILOT_OFFLINE": "true", "COPILOT_ALLOW_ALL": "true", "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS": "true"},
          (".github/hooks/bridle.json", "PreToolUse")),
    Agent("cline", "cline", ["-P", "openai-compatible", "do the work"], ["-P", "openai-compatible", "-i"], lambda port: {}),
    Agent("continue", "cn", ["--auto", "-p", "go"], ["--auto"], lambda port: {}),
    Agent("aider", os.path.join(HERE, "loop.py"), ["go"], [],
          lambda port: {"OPENAI_API_BASE": "http://127.0.0.1:%d/v1" % port}),
]


def texts(value):
    """Every string in a piece of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


def results(value):
    """The texts of tool results in a request, in any of the protocols."""
    if isinstance(value, list):
        for inner in value:
            yield from results(inner)
    elif isinstance(value, dict):
        kind = str(value.get("type", ""))
        if kind == "tool_result" or kind.endswith("_call_output") or value.get("role") == "tool":
            yield from texts([value.get("content"), value.get("output")])
        elif "functionResponse" in value:
            yield from texts(value["functionResponse"].get("response"))
        else:
            for inner in value.values():
                yield from results(inner)


class World:
    """with World(AGENT, FOLDER, STEPS) as world: the model listens until the end. "{root}" in a step is the project."""

    def __init__(self, agent, programs, steps):
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.agent, self.port = agent, listener.getsockname()[1]
        cache = os.path.expanduser("~/.cache")  # no temporary folder: those may be written
        os.makedirs(cache, exist_ok=True)
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="agent-%s-" % agent.name, dir=cache))
        self.home, self.project = os.path.join(self.top, "home"), os.path.join(self.top, "project")
        self.log, self.report = os.path.join(self.top, "model.log"), os.path.join(self.top, "report.jsonl")
        self.program = [os.path.join(programs, agent.executable)]  # that of npm, or where it is by itself
        os.makedirs(self.project)
        for folder in (".config", ".cache", ".local/share", ".local/state"):
            os.makedirs(os.path.join(self.home, folder))
        if agent.name in HOMES:
            HOMES[agent.name](self)
        clean = {name: value for name, value in os.environ.items() if "proxy" not in name.lower() and not name.startswith(OWN)}
        if programs:
            clean["PATH"] = programs + os.pathsep + clean["PATH"]
        self.environment = dict(clean, HOME=self.home, PWD=self.project, **agent.environment(self.port))
        # Qwen Code now and then loses what a command wrote just before it ended, with bridle and without.
        late = "; sleep 0.3" if agent.name == "qwen-code" else ""
        steps = [step if step.startswith("{") else step + late for step in steps]
        steps = [step.replace("{root}", self.project).replace("{home}", self.home) for step in steps]
        # Whoever connects before the model has started waits in the socket's queue.
        self.model = subprocess.Popen([sys.executable, os.path.join(HERE, "model.py"), str(listener.fileno()), *steps],
                                      pass_fds=[listener.fileno()], env=dict(clean, MODEL_LOG=self.log))
        listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.model.terminate()
        self.model.wait()
        subprocess.run(["rm", "-r", "-f", "--", self.top], check=False)

    def write(self, folder, name, text, mode=0o644):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def read(self, name):
        """The text of a file of the project; None: there is none."""
        try:
            with open(os.path.join(self.project, name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def run(self, command, seconds=120):
        return subprocess.run(command, cwd=self.project, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=seconds)

    def told(self):
        """What the tools gave back to the model, as one text."""
        with open(self.log, encoding="utf-8") as file:
            asked = [json.loads(line.split(" ", 1)[1]) for line in file]
        return "\n".join(dict.fromkeys(text for ask in asked for text in results(ask)))

    def reported(self):
        with open(self.report, encoding="utf-8") as file:
            return [json.loads(line) for line in file]


def installed(programs, names):
    """The agents among AGENTS that are asked for, each with whether npm has installed it."""
    wanted = [agent for agent in AGENTS if not names or agent.name in names]
    return [(agent, bool(glob.glob(os.path.join(programs, agent.executable)))) for agent in wanted]
