// SPDX-License-Identifier: MIT
// otlp_protocol.cjs TRANSFORMER < LINES: reads each line as the official definitions of the protocol do (as they were generated
// from its .proto files for @opentelemetry/otlp-transformer), writes it in their binary form, reads that back and compares: a field that
// they do not know, or of another type, does not come back. Says what differs; exit status 1.
const assert = require("assert");
const path = require("path");
const root = require(path.join(process.argv[2], "build/src/generated/root.js"));
const Request = root.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

const IDS = ["traceId", "spanId", "parentSpanId"];

// OTLP/JSON writes ids as hexadecimal digits where the JSON form of protobuf has base64.
function ids(value, from, to) {
	if (Array.isArray(value))
		return value.map((item) => ids(item, from, to));
	if (value === null || typeof value !== "object")
		return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) =>
		[key, IDS.includes(key) ? Buffer.from(item, from).toString(to) : ids(item, from, to)]));
}

const lines = require("fs").readFileSync(0, "utf8").split("\n").filter((line) => line);
let spans = 0;
for (const line of lines) {
	const given = JSON.parse(line);
	const message = Request.fromObject(ids(given, "hex", "base64"));
	assert.strictEqual(Request.verify(message), null);
	const again = Request.decode(Request.encode(message).finish());
	const back = ids(Request.toObject(again, { longs: String, enums: Number, bytes: String }), "base64", "hex");
	assert.deepStrictEqual(back, given);
	for (const part of back.resourceSpans)
		for (const scope of part.scopeSpans)
			spans += scope.spans.length;
}
assert(spans > 0, "no span");
console.log(`${lines.length} requests, ${spans} spans`);
