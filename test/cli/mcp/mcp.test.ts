import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { startSandbox } from "../../../src/index.js";
import { root } from "../../documentation/markdown.js";
import { afterFile } from "../../support/cleanups.js";
import { eventually } from "../../support/eventually.js";
import { patience } from "../../support/patience.js";
import { CommandProcess, workFolder } from "../command.js";
import { temporary } from "../run/sandboxed.js";
import { agent, agentWith } from "./agent.js";

type Environment = Readonly<Record<string, string>>;

/** A program of the agent's user: it knows nothing but the environment. */
function send(env: Environment, path: string, headers: Readonly<Record<string, string>> = {}, form?: Environment) {
  const file = (name: string) => readFileSync(env[name] ?? "", "utf8");
  const body = form && new URLSearchParams(form).toString();
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const options = {
      method: form ? "POST" : "GET",
      ca: file("SANDBOX_CA_FILE"),
      cert: file("SANDBOX_CERT_FILE"),
      key: file("SANDBOX_KEY_FILE"),
      headers: { ...headers, ...(form && { "Content-Type": "application/x-www-form-urlencoded" }) },
      agent: false as const,
    };
    const outgoing = request(`${env["SANDBOX_URL"]}${path}`, options, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function tokenOf(env: Environment, scope = "read") {
  const form = { grant_type: "client_credentials", client_id: env["SANDBOX_CLIENT_ID"] ?? "", scope };
  return send(env, "/oauth/v2/oauth-token", {}, form);
}

const bearer = (answer: { readonly text: string }) => ({
  Authorization: `Bearer ${JSON.parse(answer.text).access_token}`,
});

type Agent = Awaited<ReturnType<typeof agent>>;

/** Two agents, each with a sandbox of its own. The second one may run the exam. */
let usual: Agent;
let examining: Agent;

beforeAll(async () => {
  [usual, examining] = await Promise.all([agent(), agent("--allow-exam")]);
});

describe("an agent", () => {
  it("makes a client, sees its mistakes explained, and finds it correct in the end", { tags: "slow" }, async () => {
    const { call } = usual;
    const made = (await call("create_client", { clientId: "mine" })).json();
    const env: Environment = made.environment;
    expect(made).not.toHaveProperty("key");
    expect(statSync(env["SANDBOX_KEY_FILE"] ?? "").mode & 0o777).toBe(0o600);

    // A scope that does not exist, a path that does not exist, and then all is well.
    expect((await tokenOf(env, "payments")).status).toBe(400);
    const token = bearer(await tokenOf(env));
    expect((await send(env, "/v1/pings", token)).status).toBe(404);
    expect((await send(env, "/v1/ping", token)).status).toBe(200);

    const { requests } = (await call("list_requests", { q: "client:mine status:4xx" })).json();
    expect(requests.map(({ answer }: { answer: string }) => answer)).toEqual(["404 NOT_FOUND", "400 INVALID_SCOPE"]);
    const explained = await call("explain_request", { id: requests[1].id });
    expect(explained.text).toContain("# INVALID_SCOPE");
    expect(explained.text).toContain("What to change in the client");
    expect(explained.text).not.toContain(token.Authorization.slice(7));
    const good = (await call("list_requests", { q: "client:mine op:token status:200" })).json().requests[0].id;
    const compared = (await call("compare_requests", { id: requests[1].id, with: good })).json();
    expect(JSON.stringify(compared.differences)).toContain("payments");

    const report = (await call("report", { client: "mine" })).json();
    expect(report.failed.join()).toContain("request.path");
    expect(report.passed).toContain("token.form");
  });

  it("makes errors happen, and writes a scenario that is checked", { tags: "slow" }, async () => {
    const { call } = usual;
    const { environment: env, clientId } = (await call("create_client")).json();
    expect((await call("list_scenarios")).json()).toHaveProperty("unauthorized-once");
    expect((await call("list_scenarios", { name: "maintenance" })).text).toContain("Retry-After");

    const broken = await call("write_scenario", { name: "mine", yaml: "rules: [{ wen: { operation: ping } }]" });
    expect([broken.isError, broken.json().kept]).toEqual([true, false]);
    expect(broken.text).toContain('Did you mean \\"when\\"?');
    const yaml =
      "description: Ping is down.\nrules: [{ name: down, when: { operation: ping }, then: { error: SERVICE_UNAVAILABLE } }]";
    expect((await call("write_scenario", { name: "mine", yaml, checkOnly: true })).json().kept).toBe(false);
    expect((await call("write_scenario", { name: "mine", yaml })).json().kept).toBe(true);
    await call("use_scenario", { name: "mine", client: clientId });
    const token = bearer(await tokenOf(env));
    expect((await send(env, "/v1/ping", token)).status).toBe(503);
    await call("use_scenario", { name: null, client: clientId });
    expect((await send(env, "/v1/ping", token)).status).toBe(200);
  });

  it("moves a clock, and replaces a certificate", async () => {
    const { call } = usual;
    const { environment: env, clientId } = (await call("create_client")).json();
    const token = bearer(await tokenOf(env));
    const before = readFileSync(env["SANDBOX_CERT_FILE"] ?? "", "utf8");
    await call("move_clock", { client: clientId, advance: "301s" });
    expect((await send(env, "/v1/ping", token)).status).toBe(401);
    const both = await call("move_clock", { client: clientId, advance: "1s", reset: true });
    expect([both.isError, both.text]).toEqual([
      true,
      "In the arguments of move_clock: give one of advance, offset, now, frozenAt, reset.",
    ]);
    await call("move_clock", { client: clientId, reset: true });

    await call("rotate_certificate", { client: clientId });
    expect(readFileSync(env["SANDBOX_CERT_FILE"] ?? "", "utf8")).not.toBe(before);
    expect((await send(env, "/v1/ping", token)).status).toBe(401);
    expect((await send(env, "/v1/ping", bearer(await tokenOf(env)))).status).toBe(200);
  });

  it("reads the interface, the assumptions, the errors, the checks and the scenarios", async () => {
    const { client, read } = usual;
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    for (const name of ["interface", "assumptions", "errors", "checks", "scenarios"]) {
      expect(uris).toContain(`sandbox://${name}`);
      expect(await read(`sandbox://${name}`)).not.toBe("");
    }
    expect(JSON.parse(await read("sandbox://interface")).paths).toHaveProperty("/v1/ping");
    expect(uris).toContain("sandbox://errors/INVALID_CURSOR");
    expect(await read("sandbox://errors/INVALID_CURSOR")).toMatch(/^# INVALID_CURSOR\n/);
    expect(await read("sandbox://checks/token.reused")).toMatch(/^# token\.reused\n/);
    expect(await read("sandbox://scenarios/maintenance")).toContain("rules:");
    await expect(read("sandbox://errors/INVALID_CURSER")).rejects.toThrow('Did you mean "INVALID_CURSOR"?');
  });

  it("runs the exam only where that is allowed, and hears of each drill", { tags: "slow" }, async () => {
    const denied = await usual.client.listTools();
    expect(denied.tools.map(({ name }) => name)).not.toContain("run_exam");
    const { client } = examining;
    const folder = workFolder();
    writeFileSync(join(folder, "client.mjs"), "process.exit(3);\n");
    const told: (string | undefined)[] = [];
    const args = { command: [process.execPath, "client.mjs"], drills: ["plain"], folder };
    const { content } = await client.callTool({ name: "run_exam", arguments: args }, undefined, {
      onprogress: ({ message }) => told.push(message),
      timeout: patience,
    });
    const [{ text }] = content as [{ text: string }];
    expect(JSON.parse(text)).toMatchObject({ status: 1, passed: [] });
    expect(text).toContain("never reached");
    expect(told).toEqual([expect.stringMatching(/^1\/1 /)]);
  });

  it("takes a sandbox that runs, and leaves it running", { tags: "slow" }, async () => {
    await using sandbox = await startSandbox();
    const { client, call } = await agent("--admin-url", sandbox.adminUrl);
    const { environment } = (await call("create_client", { clientId: "shared" })).json();
    await tokenOf(environment);
    expect((await call("list_requests")).json().requests).toHaveLength(1);
    await client.close();
    expect(await sandbox.countRequests({ client: "shared" })).toBe(1);
  });

  it("reads the token of its admin API from the environment", { tags: "slow" }, async () => {
    await using sandbox = await startSandbox({ adminAuth: "token", adminToken: "secret" });
    const { call } = await agentWith({ SANDBOX_ADMIN_TOKEN: "secret" }, "--admin-url", sandbox.adminUrl);
    expect((await call("list_scenarios", { name: "flaky" })).text).toContain("rules:");
    expect((await call("list_requests")).json()).toMatchObject({ requests: [] });
  });
});

/** A process whose input is written by hand, and what it answers. */
function raw() {
  const { env, left } = temporary();
  const child = spawn(process.execPath, [inject("built").cli, "mcp"], {
    env: { PATH: process.env["PATH"], ...env },
    cwd: workFolder(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  afterFile(() => child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  const lines: string[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const write = (...texts: readonly string[]) => child.stdin.write(texts.map((text) => `${text}\n`).join(""));
  const answer = (id: number) =>
    eventually(async () => lines.map((line) => JSON.parse(line)).find((message) => message.id === id));
  return { child, write, answer, ended, left, lines };
}

const message = (id: number, method: string, params?: object) => JSON.stringify({ jsonrpc: "2.0", id, method, params });
const hello = message(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
});

/** The client of an agent's user, as text that the agent changes. It has three faults. */
const faultyClient = `
import { readFileSync } from "node:fs";
import { request } from "node:https";
const { env } = process;
const file = (name) => readFileSync(env[name], "utf8");
const tls = { ca: file("SANDBOX_CA_FILE"), cert: file("SANDBOX_CERT_FILE"), key: file("SANDBOX_KEY_FILE"), agent: false };
const send = (method, path, headers = {}, body) => new Promise((resolve, reject) => {
  const outgoing = request(env.SANDBOX_URL + path, { ...tls, method, headers }, (incoming) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (part) => { text += part; });
    incoming.on("end", () => resolve({ status: incoming.statusCode, json: JSON.parse(text) }));
  });
  outgoing.on("error", reject);
  outgoing.end(body);
});
const form = new URLSearchParams({ grant_type: "client_credentials", client_id: env.SANDBOX_CLIENT_ID, scope: "payments" });
const issued = await send("POST", "/oauth/v2/oauth-token", { "Content-Type": "application/x-www-form-urlencoded" }, form.toString());
const headers = { Authorization: "Bearer " + issued.json.access_token };
const pong = await send("GET", "/v1/pong", headers);
if (pong.status !== 200) throw new Error("ping: " + pong.status);
let query = "?pageSize=7&status=PAID";
do {
  const page = await send("GET", "/v1/payouts" + query, headers);
  if (page.status !== 200) throw new Error("list: " + page.status);
  query = page.json.nextCursor ? "?pageSize=7&cursor=" + page.json.nextCursor : undefined;
} while (query !== undefined);
`;

it("an agent repairs a client with three faults by what the tools say", { tags: "slow" }, async () => {
  const { call } = usual;
  const { environment } = (await call("create_client", { clientId: "faulty" })).json();
  const run = (source: string) =>
    new Promise<number | null>((resolve) => {
      const words = ["--input-type=module", "--eval", source];
      spawn(process.execPath, words, { env: environment, stdio: "ignore" }).once("close", resolve);
    });
  /** What the agent reads after a run: why the newest refused request was refused. */
  const explained = async () => {
    const { requests } = (await call("list_requests", { q: "client:faulty status:4xx", pageSize: 1 })).json();
    return (await call("explain_request", { id: requests[0].id })).text;
  };

  expect(await run(faultyClient)).toBe(1);
  const [first] = (await call("list_requests", { q: "client:faulty code:INVALID_SCOPE" })).json().requests;
  const [, scope = ""] = /which is "(\w+)"/.exec(first.explanation) ?? [];
  expect(scope).toBe("read");
  const second = faultyClient.replace('scope: "payments"', `scope: "${scope}"`);

  expect(await run(second)).toBe(1);
  const path = /(\/v1\/ping)\b/.exec(await explained());
  const third = second.replace("/v1/pong", path?.[1] ?? "");
  expect(third).not.toBe(second);

  expect(await run(third)).toBe(1);
  expect(await explained()).toContain("status");
  const compared = (
    await call("compare_requests", {
      id: (await call("list_requests", { q: "client:faulty status:4xx", pageSize: 1 })).json().requests[0].id,
    })
  ).json();
  const [missing] = Object.entries<Record<string, string | null>>(compared.differences.Query).filter(
    ([name]) => name !== "cursor",
  );
  const [name, values] = missing ?? ["", {}];
  expect(name).toBe("status");
  const value = Object.values(values).find((each) => each !== null);
  const whole = third.replace("?pageSize=7&cursor=", `?pageSize=7&${name}=${value}&cursor=`);
  expect(await run(whole)).toBe(0);
});

describe("the documents", () => {
  it("have the configuration of an editor", () => {
    const [, json = ""] =
      /^```json\n([\s\S]*?)\n```/m.exec(readFileSync(join(root, "docs/guide/agents.md"), "utf8")) ?? [];
    const { command, args } = JSON.parse(json).mcpServers["payments-sandbox"];
    expect([command, ...args]).toEqual(["npx", "--no-install", "payments-sandbox", "mcp"]);
  });

  it("have every tool and every resource, and no others", async () => {
    const { tools } = await examining.client.listTools();
    const { resources } = await examining.client.listResources();
    const page = readFileSync(join(root, "docs/reference/mcp.md"), "utf8");
    const named = [...page.matchAll(/^### `(\w+)`$/gm)].map(([, name]) => name);
    expect(tools.map(({ name }) => name).sort()).toEqual(named.sort());
    const listed = [...page.matchAll(/^- `(sandbox:\/\/\w+)`/gm)].map(([, uri]) => uri);
    expect([...new Set(resources.map(({ uri }) => uri.split("/").slice(0, 3).join("/")))].sort()).toEqual(
      listed.sort(),
    );
  });
});

describe("the server", () => {
  it("says that there is no sandbox at the URL", { tags: "slow" }, async () => {
    const { code, stdout, stderr } = await new CommandProcess(["mcp", "--admin-url", "http://127.0.0.1:1"]).ended;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("No sandbox answers at http://127.0.0.1:1");
  });

  it("answers what is no JSON-RPC with an error, and goes on", { tags: "slow" }, async () => {
    const { write, answer, lines } = raw();
    const wrong: readonly (readonly [line: string, code: number, id: number | string | null])[] = [
      ["GET / HTTP/1.1", -32700, null],
      ['{"jsonrpc":"2.0","id":7,', -32700, null],
      ['{"jsonrpc":"2.0"}', -32600, null],
      ['[{"jsonrpc":"2.0","id":7,"method":"ping"}]', -32600, null],
      ["7", -32600, null],
      ["null", -32600, null],
      ['{"jsonrpc":"2.0","id":7}', -32600, 7],
      ['{"jsonrpc":"2.0","id":"seven","method":1}', -32600, "seven"],
      ['{"jsonrpc":"2.0","id":7,"method":"ping","params":1}', -32600, 7],
      ['{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ];
    // Neither a response, valid or not, nor an empty line gets an answer.
    write("", '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}', '{"id":9,"result":1}');
    write(...wrong.map(([line]) => line), hello);
    await answer(1);
    const answers = lines.map((text) => JSON.parse(text));
    expect(answers.slice(0, -1).map(({ error, id }) => [error.code, id])).toEqual(wrong.map(([, ...rest]) => rest));
    expect(answers.slice(0, -1).every(({ jsonrpc, error }) => jsonrpc === "2.0" && error.message !== "")).toBe(true);
    expect(answers.at(-1).result.serverInfo.name).toBe("payments-sandbox");
  });

  it("answers wrong parameters with one sentence that names them, and goes on", { tags: "slow" }, async () => {
    const { write, answer } = raw();
    const wrong: readonly (readonly [method: string, params: object | undefined, place: string])[] = [
      ["tools/call", { name: 5 }, "params.name"],
      ["tools/call", { name: "report", arguments: [] }, "params.arguments"],
      ["tools/call", undefined, "params"],
      ["tools/list", { cursor: 5 }, "params.cursor"],
      ["resources/read", { uri: 5 }, "params.uri"],
      ["resources/read", {}, "params.uri"],
      ["resources/list", { cursor: {} }, "params.cursor"],
      ["completion/complete", { ref: 5 }, "params.ref"],
      ["initialize", {}, "params.protocolVersion"],
    ];
    write(hello);
    await answer(1);
    for (const [index, [method, params, place]] of wrong.entries()) {
      write(message(index + 2, method, params));
      const { error } = await answer(index + 2);
      expect([error.code, error.message]).toEqual([-32602, expect.stringMatching(/^Invalid params: [^\n]*\.$/)]);
      expect(error.message).toContain(`${place}: `);
    }
    write(message(50, "tasks/get", { taskId: 5 }));
    expect((await answer(50)).error.code).toBe(-32601);
    write(message(51, "ping"));
    expect((await answer(51)).result).toEqual({});
  });

  it("goes on after lines that are not the protocol, unknown tools and wrong arguments", { tags: "slow" }, async () => {
    const { child, write, answer, ended, left } = raw();
    write("GET / HTTP/1.1", "{", '{"jsonrpc":"2.0"}', "[]", hello);
    expect((await answer(1)).result.serverInfo.name).toBe("payments-sandbox");
    write(message(2, "tools/call", { name: "no_such_tool", arguments: {} }));
    expect(JSON.stringify(await answer(2))).toContain("no_such_tool");
    write(message(3, "tools/call", { name: "list_requests", arguments: { pageSize: "many" } }));
    expect((await answer(3)).result.isError).toBe(true);
    write(message(4, "tools/call", { name: "create_client", arguments: { clientId: "../../outside" } }));
    expect((await answer(4)).result).toMatchObject({ isError: true });
    write(message(5, "resources/read", { uri: "sandbox://errors/..%2f..%2frequests" }));
    expect((await answer(5)).error.message).toContain("give a name as it stands in an answer");
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(left()).toEqual([]);
  });

  it("ends when its output is closed, and when a line never ends, and leaves no files", { tags: "slow" }, async () => {
    const deaf = raw();
    deaf.write(hello);
    await deaf.answer(1);
    deaf.child.stdout.destroy();
    deaf.write(message(2, "tools/list", {}), message(3, "tools/list", {}));
    expect(await deaf.ended).toBe(0);
    expect(deaf.left()).toEqual([]);
    const endless = raw();
    endless.write(hello);
    await endless.answer(1);
    for (let part = 0; part < 32; part++) endless.child.stdin.write("x".repeat(1024 * 1024));
    expect(await endless.ended).toBe(0);
    expect(endless.left()).toEqual([]);
  });
});
