// Runs the server scenarios of the Model Context Protocol's own conformance suite against `payments-sandbox mcp`. The
// suite speaks to URLs, so a bridge on loopback passes each message on to the command's pipes, unchanged. The suite, and
// a newer Node where it needs one, are installed in a temporary folder.
//
//   npm run test:mcp
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const suite = "@modelcontextprotocol/conformance@0.1.16";

/** The scenarios that need no fixtures of the suite's own. */
const scenarios = ["server-initialize", "ping", "tools-list", "resources-list"];
/** Why the others are left out, by the beginnings of their names. */
const excluded = {
  "tools-call-": "calls tools of the suite, such as test_simple_text",
  "resources-read-": "reads resources of the suite, such as test://static-text",
  "resources-templates-read": "reads a resource of the suite",
  "resources-subscribe": "the server offers no subscriptions",
  "resources-unsubscribe": "the server offers no subscriptions",
  "prompts-": "the server offers no prompts",
  "completion-complete": "completes an argument of a prompt of the suite",
  "logging-set-level": "the server sends no log messages",
  "elicitation-": "the server asks its user nothing",
  "json-schema-2020-12": "looks at a tool of the suite",
  "server-sse-": "tests the transport over HTTP, which is the bridge's",
  "dns-rebinding-protection": "tests the transport over HTTP, which is the bridge's",
};

const work = mkdtempSync(join(tmpdir(), "check-mcp-"));
const sessions = new Map();
const server = createServer((request, response) => {
  const known = sessions.get(request.headers["mcp-session-id"]);
  (known ? Promise.resolve(known) : bridge()).then((transport) => transport.handleRequest(request, response));
});
try {
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), "--quick"], { stdio: "inherit" });
  const isOld = Number(process.versions.node.split(".")[0]) < 22;
  execFileSync("npm", ["install", "--no-fund", "--no-audit", "--prefix", work, suite, ...(isOld ? ["node@22"] : [])], {
    stdio: "ignore",
  });
  const node = isOld ? join(work, "node_modules/node/bin/node") : process.execPath;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/mcp`;
  const program = join(work, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const listed = spawnSync(node, [program, "list", "--server"], { encoding: "utf8" }).stdout;
  const names = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
  const unknown = names.filter(
    (name) => !scenarios.includes(name) && !Object.keys(excluded).some((begin) => name.startsWith(begin)),
  );
  const failed = unknown.map((name) => `${name}: neither run nor excluded`);
  for (const name of scenarios) {
    const status = await run(node, [program, "server", "--url", url, "--scenario", name]);
    if (status !== 0) failed.push(name);
  }
  for (const [begin, reason] of Object.entries(excluded)) console.log(`left out: ${begin}*: ${reason}`);
  for (const line of failed) console.log(`FAILED: ${line}`);
  console.log(`${scenarios.length + unknown.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  for (const transport of new Set(sessions.values())) await transport.close();
  server.closeAllConnections();
  server.close();
  rmSync(work, { recursive: true, force: true });
}

/** A session over HTTP, and a process of its own behind it. */
async function bridge() {
  const over = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, "dist/cli.js"), "mcp"],
    cwd: work,
    stderr: "ignore",
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  transport.onmessage = (message) => over.send(message);
  over.onmessage = (message) => transport.send(message);
  transport.onclose = () => over.close();
  await over.start();
  await transport.start();
  return transport;
}

/** Not synchronous: the bridge answers meanwhile. */
function run(program, words) {
  return new Promise((resolve) => {
    spawn(program, words, { cwd: work, stdio: "inherit" }).once("close", resolve);
  });
}
