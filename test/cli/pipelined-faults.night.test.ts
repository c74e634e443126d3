import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RawClient } from "../support/raw-client.js";
import { clientOf, connectionOf, type StartedSandbox, start } from "./command.js";

// Whatever a client sends in one segment, the process stays alive, no descriptor leaks, and every exchange ends. Before
// version 24, Node frees the parser of a connection that is destroyed during a read, and crashes with the next request
// (nodejs/node 62095).

const faults = {
  error: "{ error: VALIDATION_ERROR }",
  respond: "{ respond: { status: 418, body: short } }",
  delay: "{ delay: 5ms }",
  reset: "{ connection: reset }",
  close: "{ connection: close }",
  hang: "{ connection: { kind: hang, duration: 20ms } }",
  truncate: "{ connection: truncate }",
  garbage: "{ connection: garbage }",
  drip: "{ connection: { kind: drip, duration: 20ms } }",
};
type Fault = keyof typeof faults;
const kinds = Object.keys(faults) as Fault[];

const scenario = `description: For a test.\nrules:\n${Object.entries(faults)
  .map(([name, then]) => `  - { name: ${name}, when: { headers: { X-Try: ${name} } }, then: ${then} }`)
  .join("\n")}\n`;

/** Requests of every shape, by name. */
function requests(token: string): Readonly<Record<string, string>> {
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const many = Array.from({ length: 60 }, (_, index) => `X-Header-${index}: ${"x".repeat(40)}\r\n`).join("");
  const form = "grant_type=client_credentials&client_id=demo&scope=read";
  const post = (more: string, body: string) =>
    `POST /oauth/v2/oauth-token HTTP/1.1\r\n${head}Content-Type: application/x-www-form-urlencoded\r\n${more}\r\n${body}`;
  return {
    ...Object.fromEntries(
      kinds.map((kind) => [
        kind,
        `GET /v1/ping HTTP/1.1\r\n${head}Sandbox-Scenario: pipelined\r\nX-Try: ${kind}\r\n\r\n`,
      ]),
    ),
    ping: `GET /v1/ping HTTP/1.1\r\n${head}\r\n`,
    many: `GET /v1/ping HTTP/1.1\r\n${head}${many}\r\n`,
    post: post(`Content-Length: ${form.length}\r\n`, form),
    chunked: post("Transfer-Encoding: chunked\r\n", `${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`),
    unfinished: post("Content-Length: 1000\r\n", form),
    resetPost: post(`Sandbox-Scenario: pipelined\r\nX-Try: reset\r\nContent-Length: ${form.length}\r\n`, form),
    noHost: "GET /v1/ping HTTP/1.1\r\n\r\n",
    notHttp: "GARBAGE\r\n\r\n",
  };
}

function descriptorsOf({ pid }: StartedSandbox): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

async function journaled(
  sandbox: StartedSandbox,
  query: string,
): Promise<{ total: number; items: { delivered: boolean | null }[] }> {
  return (await fetch(`${sandbox.adminUrl}/requests?${query}`)).json() as never;
}

/** Sends each sequence in one segment on its own connection, a few at a time, and waits until all are closed. */
async function sendAll(sandbox: StartedSandbox, segments: readonly string[], halfClose: boolean): Promise<void> {
  const rest = [...segments];
  const worker = async () => {
    for (let segment = rest.pop(); segment !== undefined; segment = rest.pop()) {
      const client: RawClient = await connectionOf(sandbox);
      client.send(segment);
      if (halfClose) client.socket.end();
      // After a successful answer the connection stays open.
      else setTimeout(() => client.socket.end(), 100);
      await client.closed;
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

describe.each([
  ["while the client keeps its side open", false],
  ["and the client closes its side", true],
])("sequences in one segment, %s", (_name, halfClose) => {
  it("do not stop the process or leak a descriptor, and every exchange ends", async () => {
    const sandbox = await start(["--key-type", "ec"]);
    const upload = await fetch(`${sandbox.adminUrl}/scenarios/pipelined`, {
      method: "PUT",
      headers: { "Content-Type": "application/yaml" },
      body: scenario,
    });
    expect(upload.status).toBeLessThan(300);
    const client = clientOf(sandbox);
    const { json } = await client.send("/oauth/v2/oauth-token", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials&client_id=demo&scope=read",
    });
    const texts = requests(json.access_token);
    const names = Object.keys(texts);
    const before = existsSync("/proc/self/fd") ? descriptorsOf(sandbox) : undefined;

    const breaking = ["error", "respond", "reset", "garbage", "close", "truncate"];
    const sequences = [
      ...names.flatMap((first) => names.map((second) => [first, second])),
      ...breaking.flatMap((first) =>
        breaking.flatMap((second) =>
          ["many", "post", "ping", "garbage", "reset"].map((third) => [first, second, third]),
        ),
      ),
      ...Array.from({ length: 10 }, () => ["garbage", "reset", "garbage", "ping"]),
      ...Array.from({ length: 10 }, () => ["error", "reset", "many", "many", "post", "ping"]),
    ];
    await sendAll(
      sandbox,
      sequences.map((sequence) => sequence.map((name) => texts[name]).join("")),
      halfClose,
    );

    expect((await client.send("/v1/ping", { headers: { Authorization: `Bearer ${json.access_token}` } })).status).toBe(
      200,
    );
    await expect
      .poll(
        async () =>
          (await journaled(sandbox, "pageSize=200")).items.filter(({ delivered }) => delivered === null).length,
      )
      .toBe(0);
    if (before !== undefined) await expect.poll(() => descriptorsOf(sandbox)).toBeLessThanOrEqual(before);
    const { code, stderr } = await sandbox.stop();
    expect([code, stderr]).toEqual([0, ""]);
  });
});

it("a single reset arrives as a RST, twenty times out of twenty", async () => {
  const sandbox = await start(["--key-type", "ec"]);
  for (let round = 0; round < 20; round++) {
    const client = await connectionOf(sandbox);
    client.send("GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nSandbox-Scenario: everything\r\nX-Try: reset\r\n\r\n");
    await client.closed;
    expect([client.errorCode, client.received]).toEqual(["ECONNRESET", ""]);
  }
});
