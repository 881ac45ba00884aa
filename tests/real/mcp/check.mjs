// SPDX-License-Identifier: MIT
// bridle serve --mcp as the protocol's own SDK and inspector see it: check.mjs BUILD FOLDER, where both are installed in
// FOLDER/node_modules. Last it prints 'N passed, N failed'.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [build, folder] = process.argv.slice(2).map((name) => resolve(name));
const need = createRequire(join(folder, "package.json"));
const load = (name) => import(pathToFileURL(need.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { LATEST_PROTOCOL_VERSION } = await load("types.js");

let passed = 0;
let failed = 0;
function expect(good, what, ...seen) {
	if (good) passed++;
	else console.log("FAIL", what, ...seen.map((one) => JSON.stringify(one)), (failed++, ""));
}

const project = mkdtempSync("/var/tmp/mcp-");
mkdirSync(join(project, "src"));
writeFileSync(join(project, "src", "a.txt"), "here\n");
writeFileSync(join(project, "peek.sh"), "cat /etc/shadow\n");
const program = { command: join(build, "bridle"), args: ["serve", "--mcp", "-P", "tool"], cwd: project };

const client = new Client({ name: "check", version: "1" });
await client.connect(new StdioClientTransport(program));
expect(client.getServerVersion().name === "bridle", "server", client.getServerVersion());
expect(client.transport.protocolVersion === undefined || client.transport.protocolVersion === LATEST_PROTOCOL_VERSION,
	"the newest revision is spoken", client.transport.protocolVersion);
await client.ping();
const { tools } = await client.listTools(); // the SDK checks each against the protocol, and compiles the schemas
expect(tools.map((tool) => tool.name).join() === "run,check" && tools.every((tool) => tool.outputSchema), "tools", tools);

// The SDK checks structuredContent against outputSchema, and throws where it does not fit.
const run = (args, more) => client.callTool({ name: "run", arguments: args }, undefined, more);
let result = await run({ argv: ["cat", "src/a.txt"] });
expect(result.structuredContent.stdout === "here\n" && !result.isError, "argv", result);
result = await run({ line: "cat | tr a-z A-Z", stdin: "x\u00e4\n" });
expect(result.structuredContent.stdout === "X\u00e4\n", "line and stdin", result);
result = await run({ argv: ["pwd"], cwd: "src" });
expect(result.structuredContent.stdout === `${project}/src\n`, "cwd", result);
result = await run({ argv: ["sleep", "20"], timeout: 0.2 });
expect(result.isError && result.structuredContent.timed_out, "timeout", result);
result = await run({ argv: ["sudo", "id"] });
expect(result.isError && result.structuredContent.denied && /name.denylist/.test(result.content[0].text), "denied", result);
result = await run({ argv: ["sh", "peek.sh"] });
expect(result.structuredContent.violations[0].rule === "path.deny", "violations", result);
result = await run({ argv: ["pwd"], cwd: "gone" });
expect(result.isError && /gone/.test(result.content[0].text), "a folder that is not there", result);
result = await client.callTool({ name: "check", arguments: { argv: ["rm", "-rf", "/"] } });
expect(result.structuredContent.verdict === "deny", "check", result);
result = await client.callTool({ name: "check", arguments: { line: "ls | head" } });
expect(result.structuredContent.verdict === "allow", "check a line", result);
for (const bad of [{}, { argv: [] }, { argv: ["a"], line: "a" }, { argv: ["a"], extra: 1 }, { argv: ["a"], stream: true }])
	expect((await run(bad).catch((error) => error)).code === -32602, "bad arguments", bad);
expect((await client.callTool({ name: "nope", arguments: {} }).catch((error) => error)).code === -32602, "no such tool");
const many = await Promise.all([...Array(40).keys()].map((i) => run({ argv: ["echo", String(i)] })));
expect(many.every((one, i) => one.structuredContent.stdout === `${i}\n`), "forty at once");

const stop = new AbortController();
const began = Date.now();
setTimeout(() => stop.abort("enough"), 300);
const cancelled = await run({ argv: ["sleep", "20"] }, { signal: stop.signal }).catch((error) => error);
expect(cancelled instanceof Error || cancelled === "enough", "cancelled", String(cancelled));
result = await run({ argv: ["echo", "alive"] });
expect(result.structuredContent.stdout === "alive\n" && Date.now() - began < 10000, "lives on", result);
await client.close();

const inspect = (...words) => JSON.parse(execFileSync(join(folder, "node_modules", ".bin", "mcp-inspector"),
	["--cli", program.command, ...program.args, ...words], { cwd: project, encoding: "utf8" }));
expect(inspect("--method", "tools/list").tools.length === 2, "inspector: tools/list");
result = inspect("--method", "tools/call", "--tool-name", "run", "--tool-arg", 'argv=["cat","src/a.txt"]');
expect(result.structuredContent.stdout === "here\n", "inspector: tools/call", result);

rmSync(project, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
