import { beforeAll, describe, expect, it } from "vitest";
import { openTls } from "../support/raw-client.js";
import { type ApiClient, eventually, startShared, type TestSandbox } from "./fixture.js";

let sandbox: TestSandbox;
let client: ApiClient;
const token = "metrics-token-of-this-test";

beforeAll(async () => {
  sandbox = await startShared({ adminAuth: "token", adminToken: token });
  client = await sandbox.mint({ clientId: "made-at-run-time" });
});

const scrape = async (accept?: string) => sandbox.admin.get("/metrics", accept === undefined ? {} : { Accept: accept });

/** The values of one metric, by its labels. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  const lines = (await scrape()).text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

const requests = "payments_sandbox_requests_total";
const pings = '{operation="ping",status="200",code="",fault=""}';

describe("GET /metrics", () => {
  it("counts each request exactly, whatever the journal keeps", async () => {
    const before = (await valuesOf(requests))[pings] ?? 0;
    const bearer = await client.token();
    for (let count = 0; count < 25; count++) await client.ping(bearer);
    await sandbox.admin.delete("/requests");
    for (let count = 0; count < 5; count++) await client.ping(bearer);
    await sandbox.admin.post("/reset", {});
    expect((await valuesOf(requests))[pings]).toBe(before + 30);
    expect(await valuesOf("payments_sandbox_journal_entries")).toEqual({
      '{kind="requests"}': 0,
      '{kind="handshakes"}': 0,
    });
  });

  it("measures the time of each request", async () => {
    const name = 'payments_sandbox_request_duration_seconds_count{operation="list"}';
    await client.get("/v1/payments");
    await eventually(async () => (await scrape()).text.includes(`${name} 1\n`) || undefined);
  });

  it("has no label that a client can choose", async () => {
    const hostile = "/v1/hostile%22%7D'1";
    await sandbox.admin.putYaml(
      "/scenarios/uploaded-by-hostile",
      'description: Hostile.\nrules:\n  - when: { operation: ping }\n    then: { alter: { status: 418, body: { code: "HOSTILE" } } }\n',
    );
    await client.get(hostile);
    await client.send("/v1/ping", { method: "HOSTILE" });
    await client.get("/v1/ping", undefined, { "Sandbox-Scenario": "outage" });
    await client.get("/v1/ping", undefined, { "Sandbox-Scenario": "uploaded-by-hostile" });
    const { text } = await scrape();
    expect(text).not.toMatch(/hostile/i);
    expect(text).not.toContain("made-at-run-time");
    expect(Object.keys(await valuesOf(requests))).toEqual(
      expect.arrayContaining([
        '{operation="none",status="404",code="NOT_FOUND",fault=""}',
        '{operation="ping",status="405",code="METHOD_NOT_ALLOWED",fault=""}',
        '{operation="ping",status="503",code="SERVICE_UNAVAILABLE",fault="outage"}',
        '{operation="ping",status="418",code="other",fault="uploaded"}',
      ]),
    );
  });

  it("counts connections, open connections, and handshakes by their cause", async () => {
    const total = async () => (await valuesOf("payments_sandbox_connections_total"))[""] ?? 0;
    const before = await total();
    const port = Number(new URL(sandbox.sandbox.url).port);
    const { socket } = await openTls({ port, ca: sandbox.sandbox.caPem });
    await eventually(async () => (await total()) === before + 1 || undefined);
    const open = (await valuesOf("payments_sandbox_open_connections"))['{state="established"}'] ?? 0;
    socket.destroy();
    await eventually(async () => {
      const values = await valuesOf("payments_sandbox_open_connections");
      return values['{state="established"}'] === open - 1 || undefined;
    });
    expect(await valuesOf("payments_sandbox_handshake_failures_total")).toEqual({ '{cause="no-request"}': 1 });
  });

  it("shows the process: CPU time, memory, the event loop and garbage collections", async () => {
    expect((await valuesOf("process_cpu_seconds_total"))[""]).toBeGreaterThan(0);
    expect((await valuesOf("process_resident_memory_bytes"))[""]).toBeGreaterThan(10_000_000);
    expect((await valuesOf("nodejs_eventloop_lag_max_seconds"))[""]).toBeGreaterThanOrEqual(0);
    expect((await scrape()).text).toContain("# TYPE nodejs_gc_duration_seconds histogram\n");
  });

  it("is in the text format, whatever a scrape accepts", async () => {
    for (const accept of [undefined, "application/openmetrics-text;version=1.0.0,text/plain;q=0.3", "application/json"])
      expect((await scrape(accept)).headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  it("is guarded as the other routes are", async () => {
    const { admin } = sandbox;
    expect((await admin.get("/metrics", { Authorization: "Bearer wrong" })).status).toBe(401);
    expect((await admin.get("/metrics", { Host: "attacker.test" })).status).toBe(403);
    expect((await admin.get("/metrics", { Origin: "http://attacker.test" })).status).toBe(403);
    expect((await admin.send("HEAD", "/metrics")).status).toBe(200);
    expect((await admin.send("POST", "/metrics", { body: "" })).headers["allow"]).toBe("GET, HEAD");
  });
});
