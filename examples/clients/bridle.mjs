// SPDX-License-Identifier: MIT
// Run commands under bridle from Node, many at once through one `bridle serve`.
//
//   const sandbox = new Sandbox({ profile: "tool", root: "project" });
//   const result = await sandbox.run(["make", "test"], { timeout: 60 });
//   console.log(result.exit_code, result.stdout, result.reason);
//   await sandbox.close();
//
// A result has the keys of `bridle run --json`: exit_code, stdout, stderr, truncated, timed_out, denied, reason, duration_ms, and
// behind them rule, signal, violations, violation_count, session.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

// bridle could not do its work; the words say why. A command that is refused is no error but a result.
export class BridleError extends Error {}

export class Sandbox {
	#waiting = new Map();
	#next = 1;
	#ended = false;

	constructor({ policy, profile, root, jobs, program = process.env.BRIDLE ?? "bridle" } = {}) {
		const folder = root && resolve(root);
		const options = Object.entries({ policy, profile, root: folder, jobs })
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => `--${name}=${value}`);

		this.server = spawn(program, ["serve", ...options], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
		this.closed = new Promise((ended) => {
			this.server.once("close", ended);
			this.server.once("error", ended);
		}).then(() => this.#end());
		this.server.stdin.on("error", () => {});
		createInterface({ input: this.server.stdout }).on("line", (line) => this.#take(JSON.parse(line)));
	}

	// Runs argv (with shell: one line) and resolves to its result.
	run(argv, { shell = false, cwd, stdin, timeout } = {}) {
		const id = this.#next++;

		if (this.#ended) return Promise.reject(new BridleError("bridle serve has ended"));
		this.server.stdin.write(`${JSON.stringify({ id, argv: shell ? [argv] : argv, shell, cwd, stdin, timeout })}\n`);
		return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
	}

	#take(answer) {
		const { done, failed } = this.#waiting.get(answer.id);

		this.#waiting.delete(answer.id);
		if ("error" in answer) failed(new BridleError(answer.error));
		else done(answer);
	}

	#end() {
		this.#ended = true;
		for (const { failed } of this.#waiting.values()) failed(new BridleError("bridle serve has ended"));
		this.#waiting.clear();
	}

	// Waits for what still runs.
	close() {
		this.server.stdin.end();
		return this.closed;
	}
}
