import { describe, expect, it } from "vitest";
import type { Configuration } from "../../../src/sandbox/config/configuration.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import { start, type TestSandbox } from "../../admin/fixture.js";
import { openTcp, openTls } from "../../support/raw-client.js";

/** A sandbox whose log is recorded. */
async function logging(changes: Partial<Configuration>, colours = false) {
  const written: string[] = [];
  const output = { log: (text: string) => void written.push(text), warn: () => {}, colours };
  const sandbox = await start(changes, { output });
  return { sandbox, written };
}

const portOf = ({ sandbox }: TestSandbox) => Number(new URL(sandbox.url).port);

const time = String.raw`\d\d:\d\d:\d\d`;

describe("the log for people", () => {
  it("has a line for each request, with the explanation below it", async () => {
    const { sandbox, written } = await logging({ log: "requests" });
    const client = await sandbox.mint({ clientId: "one" });
    await client.ping();
    await client.ping("abc");
    await sandbox.connect().send("/v1/nothing");
    expect(written).toHaveLength(4);
    expect(written[0]).toMatch(
      new RegExp(`^${time}  200  POST /oauth/v2/oauth-token  one\n {10}A token was issued to one, bound to .*\\.\n$`),
    );
    expect(written[1]).toMatch(new RegExp(`^${time}  200  GET /v1/ping  one\n {10}Ping was answered for one\\.\n$`));
    expect(written[2]).toMatch(
      new RegExp(`^${time}  401 UNAUTHORIZED  GET /v1/ping  one\n {10}The access token is not one of .*\n$`),
    );
    expect(written[3]).toMatch(
      new RegExp(`^${time}  404 NOT_FOUND  GET /v1/nothing  no client\n {10}Nothing answers .*\n$`),
    );
  });

  it("cuts a cursor, and keeps dates whole", async () => {
    const { sandbox, written } = await logging({ log: "requests" });
    const client = await sandbox.mint();
    const headers = { Authorization: `Bearer ${await client.token()}` };
    const date = "fromCreatedAt=2020-01-01T00%3A00%3A00.000000%2B02%3A00";
    await client.send(`/v1/payments?${date}&cursor=AfQiaGIHodww${"x".repeat(60)}&pageSize=1`, { headers });
    expect(written.pop()).toContain(`GET /v1/payments?${date}&cursor=AfQiaGIHodww…&pageSize=1  `);
  });

  it("has only refusals and injected faults by default, and is empty with the level none", async () => {
    const [usual, silent] = await Promise.all([logging({ log: "refusals" }), logging({ log: "none" })]);
    for (const { sandbox, written } of [usual, silent]) {
      const client = await sandbox.mint();
      await client.ping();
      expect(written).toEqual([]);
      await client.send("/v1/ping?produceEror=true", {
        headers: { Authorization: `Bearer ${await client.token()}` },
      });
      if (written === usual.written)
        expect(written.pop()).toMatch(/200 .*\n.* "produceEror" \(did you mean "produceError"\?\)\./);
      await client.send("/v1/ping");
      await sandbox.admin.put(`/clients/${client.clientId}/scenario`, { name: "slow" });
      await sandbox.admin.putYaml("/scenarios/late", "description: x\nrules: [{ name: a, then: { delay: 1ms } }]");
      await sandbox.admin.put(`/clients/${client.clientId}/scenario`, { name: "late" });
      await client.ping();
      const raw = await openTcp(portOf(sandbox));
      await raw.sendAndClose("hello");
    }
    expect(silent.written).toEqual([]);
    expect(usual.written.map((text) => text.split("  ")[1])).toEqual([
      "401 UNAUTHORIZED",
      "200",
      "200",
      "no connection",
    ]);
  });

  it("has failed handshakes, and plain HTTP only once", async () => {
    const { sandbox, written } = await logging({ log: "refusals" });
    const raw = await openTcp(portOf(sandbox));
    await raw.sendAndClose("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(written).toHaveLength(1);
    expect(written[0]).toMatch(
      new RegExp(`^${time}  no connection  from 127\\.0\\.0\\.1\n {10}Plain HTTP was sent .* https:// URL;.*\n$`),
    );
    const tls = await openTls({ port: portOf(sandbox), ca: sandbox.sandbox.caPem });
    tls.socket.end();
    await tls.closed;
    await expect.poll(() => written.length).toBe(2);
    expect(written[1]).toMatch(new RegExp(`^${time}  no request  from 127\\.0\\.0\\.1\n {10}The handshake succeeded`));
  });

  it("has the machine's time, even if the clock of the client differs", async () => {
    const { sandbox, written } = await logging({ log: "requests" });
    const client = await sandbox.mint();
    await sandbox.admin.put(`/clients/${client.clientId}/clock`, { frozenAt: "2027-01-01T01:01:01Z" });
    await client.token();
    expect(written[0]?.slice(0, 8)).not.toBe("01:01:01");
    expect(written[0]).toContain("at 2027-01-01T01:01:01Z.");
  });

  it("says so if no answer was sent", async () => {
    const { sandbox, written } = await logging({ log: "refusals" });
    const client = await sandbox.mint();
    const token = await client.token();
    await sandbox.admin.put(`/clients/${client.clientId}/scenario`, { name: "connection-reset" });
    await expect(client.ping(token)).rejects.toThrow();
    expect(written[0]).toMatch(
      new RegExp(
        `^${time}  cut off  GET /v1/ping  ${client.clientId}\n {10}The rule reset-ping of the scenario connection-reset acted: a TCP reset before any byte\\. No answer was given\\.`,
      ),
    );
  });

  it("cuts a long target", async () => {
    const { sandbox, written } = await logging({ log: "refusals" });
    await sandbox.connect().send(`/v1/${"x".repeat(5000)}`);
    expect(written[0]?.split("\n")[0]?.length).toBeLessThan(300);
    expect(written[0]).toContain("x…  no client");
  });

  it("is coloured only on a terminal", async () => {
    const [coloured, plain] = await Promise.all([logging({ log: "requests" }, true), logging({ log: "requests" })]);
    for (const { sandbox } of [coloured, plain]) await sandbox.connect().send("/v1/ping");
    const [line = ""] = coloured.written;
    expect(line.slice(0, 4)).toBe("\u001b[2m");
    expect(line.slice(12)).toMatch(/^.\[0m {2}.\[33m401 UNAUTHORIZED.\[0m {2}GET \/v1\/ping/);
    expect(plain.written[0]).not.toContain("\u001b");
  });
});

describe("a client cannot inject text into the log", () => {
  const hostile = "\u001b[2J\r\n12:00:00  200  GET /admin\u009b31m\u202e\u2028\u0000";

  it.each(["text", "json"] as const)("as %s", async (logFormat) => {
    const { sandbox, written } = await logging({ log: "requests", logFormat });
    const client = await sandbox.mint();
    await client.requestToken({ client_id: hostile, grant_type: "client_credentials" });
    await client.requestToken({ grant_type: hostile });
    await client.send(`/v1/payments?${encodeURIComponent(hostile)}=1`);
    await client.get(`/v1/payments?${encodeURIComponent(hostile)}=1`);
    await client.get(`/v1/payments?fromCreatedAt=${encodeURIComponent(hostile)}`);
    const raw = await openTls({ port: portOf(sandbox), ca: sandbox.sandbox.caPem, servername: "x".repeat(60) }).catch(
      () => undefined,
    );
    raw?.socket.end();
    const text = written.join("");
    const lines = text.split("\n").slice(0, -1);
    for (const line of lines) {
      if (logFormat === "json") expect(() => JSON.parse(line)).not.toThrow();
      else expect(line).toMatch(/^(\d\d:\d\d:\d\d {2}(\d{3}|no )| {10}\S)/);
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }
    expect(text).toContain("\\u009b31m");
  });
});

describe("the log for programs", () => {
  it("is one JSON object a line", async () => {
    const { sandbox, written } = await logging({ log: "requests", logFormat: "json" });
    const client = await sandbox.mint({ clientId: "one" });
    await sandbox.admin.put("/clients/one/clock", { frozenAt: "2027-01-01T00:00:00Z" });
    const correlation = "0f8fad5b-d9cb-469f-a165-70867728950e";
    await client.get("/v1/payments?pageSize=0", undefined, { "X-Correlation-ID": correlation });
    const tls = await openTls({ port: portOf(sandbox), ca: sandbox.sandbox.caPem });
    tls.socket.end();
    await expect.poll(() => written.length).toBe(3);
    for (const line of written) expect(line).toMatch(/^\{.*\}\n$/);
    const [token, refused, handshake] = written.map((line) => JSON.parse(line));
    expect(token).toMatchObject({ level: "info", id: 1, client: "one", operation: "token", status: 200 });
    expect(refused).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: "warn",
      message: expect.stringContaining("must be a whole number from 1 to 100"),
      id: 2,
      sandboxTime: "2027-01-01T00:00:00.000Z",
      client: "one",
      operation: "list",
      list: "payments",
      method: "GET",
      target: "/v1/payments?pageSize=0",
      status: 400,
      code: "INVALID_PAGE_SIZE",
      correlationId: correlation,
      httpVersion: "HTTP/1.1",
      duration: expect.any(Number),
    });
    expect(handshake).toMatchObject({ level: "warn", handshake: "no-request", remoteAddress: "127.0.0.1" });
  });

  it("has no colours, not even on a terminal", async () => {
    const { sandbox, written } = await logging({ log: "requests", logFormat: "json" }, true);
    await sandbox.connect().send("/v1/ping");
    expect(written[0]).not.toContain("\u001b");
  });
});

it("redacts a token instead of a correlation ID, like the admin API", async () => {
  const { assumptions } = emptyFile;
  const values = { ...assumptions.values, "correlation.format": "[\\w.-]+" };
  const own = await logging({ log: "requests", logFormat: "json", assumptions: { ...assumptions, values } });
  const client = await own.sandbox.mint();
  const token = `${Buffer.from('{"alg":"ES256"}').toString("base64url")}.eyJzdWIiOiJkZW1vIn0.${"x".repeat(86)}`;
  await client.send("/v1/ping", { headers: { "X-Correlation-ID": token } });
  expect(own.written.join("")).toContain("[redacted]");
  expect(own.written.join("")).not.toContain(token);
});
