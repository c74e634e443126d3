import { beforeAll, describe, expect, it } from "vitest";
import type { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { explain } from "../../../src/sandbox/journal/explain.js";
import { explainHandshake } from "../../../src/sandbox/journal/explain-handshake.js";
import { eventually, startShared, type TestSandbox } from "../../admin/fixture.js";
import { afterTest } from "../../support/cleanups.js";
import { Http2Client } from "../../support/http2-client.js";
import { type FrameReader, frame, headers, requestFields, uint32 } from "../../support/http2-frames.js";
import { openTls, parseResponses, type RawTlsOptions } from "../../support/raw-client.js";

// How requests and connections end that no fault of their own ends: what a client receives, and what the records say.
// Each request that Node has read has one entry.

let own: TestSandbox;
type Minted = Awaited<ReturnType<TestSandbox["mint"]>>;
// biome-ignore lint/suspicious/noExplicitAny: the admin client checks its shape
type Entry = any;

const acts = {
  close: { connection: "close" },
  hang: { connection: { kind: "hang", duration: "60s" } },
  drip: { connection: { kind: "drip", duration: "60s" } },
};
const actKey = "then";
// The name of the key is made here: an object with `then` looks like a promise.
const rules = Object.entries(acts).map(([name, act]) => ({ name, [actKey]: act }));
const scenario = { description: "Ends.", rules };
const replay = (rule: string) => ["Sandbox-Replay", `ends/${rule}#1;seed=any`] as const;
const cancel = 8;

async function prepare(sandbox: TestSandbox): Promise<TestSandbox> {
  expect((await sandbox.admin.putYaml("/scenarios/ends", JSON.stringify(scenario))).status).toBe(200);
  return sandbox;
}

function optionsFor({ minted }: Minted, url: string = minted.url): RawTlsOptions {
  return { port: Number(new URL(url).port), ca: minted.ca, cert: minted.certificate, key: minted.key };
}

async function open1(client: Minted) {
  const raw = await openTls(optionsFor(client));
  afterTest(() => void raw.socket.destroy());
  return raw;
}

async function open2(client: Minted) {
  const raw = await Http2Client.open(optionsFor(client));
  afterTest(() => raw.destroy());
  await raw.isAlive();
  return raw;
}

/** The entries of a client, the oldest first, once there are so many that are over. */
async function entriesOf({ clientId }: Minted, count: number): Promise<Entry[]> {
  const list = async () =>
    (await own.admin.get(`/requests?client=${clientId}&q=-op:token&pageSize=100`)).json.items.toReversed();
  await eventually(async () => {
    const items = await list();
    return items.length >= count && items.every(({ delivered }: Entry) => delivered !== null);
  });
  const items: Entry[] = await list();
  expect(items).toHaveLength(count);
  return Promise.all(items.map(async ({ id }) => (await own.admin.get(`/requests/${id}`)).json));
}

const host = "Host: localhost\r\n";

function ping(token: string, ...fields: (readonly [string, string])[]): string {
  const lines = [["Authorization", `Bearer ${token}`], ...fields].map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET /v1/ping HTTP/1.1\r\n${host}${lines.join("")}\r\n`;
}

function ping2(stream: number, token: string, ...fields: (readonly [string, string])[]): Buffer {
  const lower = [["authorization", `Bearer ${token}`] as const, ...fields].map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return headers(stream, requestFields("GET", "/v1/ping", lower));
}

beforeAll(async () => {
  own = await prepare(await startShared());
});

const connect = `CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`;

describe("a request that is not processed", () => {
  it.each([
    ["a GET behind a broken answer", (token: string) => ping(token, replay("close")) + ping(token)],
    ["CONNECT behind a broken answer", (token: string) => ping(token, replay("close")) + connect],
    ["CONNECT behind a refusal", () => `GET /v1/ping HTTP/1.1\r\n\r\n${connect}`],
  ])("%s has an entry", async (_name, requests) => {
    const client = await own.mint();
    const raw = await open1(client);
    await raw.sendAndClose(requests(await client.token()));
    const [first, second] = await entriesOf(client, 2);
    const answers = parseResponses(raw.received).map(({ status }) => status);
    expect([first.status, second.status]).toEqual([answers[0] ?? 0, 0]);
    expect(second).toMatchObject({ delivered: false, answer: { sent: 0, body: null } });
    expect(second.explanation).toContain("its connection ended before its turn");
  });

  it("counts for no rule", async () => {
    const client = await own.mint();
    const token = await client.token();
    const text =
      "description: x\nrules: [{ name: hit, limit: 1, when: { headers: { X-Try: once } }, then: { error: NOT_FOUND } }]\n";
    expect((await own.admin.putYaml("/scenarios/once", text)).status).toBeLessThan(300);
    const chosen = ping(token, ["Sandbox-Scenario", "once"], ["X-Try", "once"]);
    const pipelined = await open1(client);
    expect(await pipelined.sendAndClose(ping(token) + chosen)).toMatch(/^HTTP\/1.1 200[\s\S]*Connection: close/);
    const [, dropped] = await entriesOf(client, 2);
    expect(dropped).toMatchObject({ status: 0, operation: "ping", fault: null });
    const raw = await open1(client);
    raw.send(chosen);
    expect(await raw.waitFor(/}$/)).toMatch(/^sandbox-fault: once\/hit#1;/im);
  });

  it("HEAD has its operation", async () => {
    const client = await own.mint();
    const raw = await open1(client);
    const token = await client.token();
    await raw.sendAndClose(ping(token, replay("close")) + ping(token).replace("GET", "HEAD"));
    expect((await entriesOf(client, 2)).map(({ operation }) => operation)).toEqual(["ping", "ping"]);
  });

  it.each([
    ["GET", (stream: number, token: string) => [ping2(stream, token)]],
    [
      "POST whose body is not complete",
      (stream: number) => [
        headers(stream, requestFields("POST", "/oauth/v2/oauth-token"), false),
        frame("DATA", 0, stream, "grant_type"),
      ],
    ],
    ["POST without its body", (stream: number) => [headers(stream, requestFields("POST", "/v1/ping"), false)]],
    [
      "CONNECT",
      (stream: number) => [
        headers(stream, [
          [":method", "CONNECT"],
          [":authority", "localhost"],
        ]),
      ],
    ],
  ])("%s that is reset in the same write has an entry", async (_name, request) => {
    const client = await own.mint();
    const token = await client.token();
    const raw = await open2(client);
    raw.send(...request(1, token), frame("RST_STREAM", 0, 1, uint32(cancel)), ping2(3, token));
    expect((await raw.over(3)).status).toBe(200);
    const found = await eventually(async () => {
      const { items } = (await own.admin.get(`/requests?client=${client.clientId}&pageSize=100`)).json;
      const [entry, ...others] = items.filter(({ stream }: Entry) => stream === 1);
      expect(others).toEqual([]);
      return entry;
    });
    const entry = (await own.admin.get(`/requests/${found.id}`)).json;
    expect(entry).toMatchObject({ delivered: false, answer: { sent: 0, reset: "CANCEL" } });
    if (entry.status === 0) expect(entry.explanation).toContain("its stream was reset before that");
  });
});

it("an exchange in flight has no body in the archive yet", async () => {
  const client = await own.mint();
  const token = await client.token();
  for (const rule of ["hang", "drip"]) (await open1(client)).send(ping(token, replay(rule)));
  const inFlight = await eventually<Entry[]>(async () => {
    const q = encodeURIComponent(`client:${client.clientId} -op:token`);
    const { entries } = (await own.admin.get(`/journal/export?format=har&q=${q}`)).json.log;
    return entries.length === 2 && entries;
  });
  for (const { response, _sandbox } of inFlight) {
    expect(_sandbox.delivered).toBeNull();
    expect(response.content.text).toBeUndefined();
    expect(response.content.comment).toBe("It is not known yet how much of the body was sent.");
  }
});

it("a stream that the client resets has its code", async () => {
  const client = await own.mint();
  const raw = await open2(client);
  raw.send(ping2(1, await client.token(), replay("hang")));
  await eventually(async () => {
    const { items } = (await own.admin.get(`/requests?client=${client.clientId}`)).json;
    return items.some(({ stream }: Entry) => stream === 1);
  });
  raw.send(frame("RST_STREAM", 0, 1, uint32(cancel)));
  const [entry] = await entriesOf(client, 1);
  expect(entry).toMatchObject({ delivered: false, answer: { sent: 0, reset: "CANCEL" } });
});

describe("when the sandbox stops", () => {
  let stopped: TestSandbox;
  /** What clients of HTTP/2 received. */
  const goaways: Record<string, FrameReader["goaways"]> = {};

  const handshakes = () => [...stopped.sandbox.journal.handshakes.newestFirst()].map(({ item }) => item);
  const exchanges = () => [...stopped.sandbox.journal.requests.newestFirst()].map(({ item }) => item);
  const connectionOf = (fault: string) => exchanges().find(({ rawHeaders }) => rawHeaders.includes(fault))?.connection;

  beforeAll(async () => {
    stopped = await prepare(await startShared({ defectPorts: [0, 0, 0] }));
    const client = await stopped.mint();
    const token = await client.token();
    const h1 = [
      await openTls(optionsFor(client)),
      await openTls(optionsFor(client)),
      await openTls(optionsFor(client)),
    ];
    const wrongHost = stopped.sandbox.defectUrls?.wrongHost;
    h1.push(await openTls({ ...optionsFor(client, wrongHost), servername: "elsewhere.test" }));
    const [, dripping, connecting] = h1;
    // It is answered, and this client keeps its side of the connection open.
    connecting?.send(connect);
    await eventually(() => exchanges().some(({ method, delivered }) => method === "CONNECT" && delivered));
    dripping?.send(ping(token, replay("drip")));
    await eventually(() => exchanges().some(({ injected }) => injected?.includes("drip")));
    const h2 = await Promise.all(["unused", "idle", "refused"].map(() => Http2Client.open(optionsFor(client))));
    const [unused, idle, refused] = h2 as [Http2Client, Http2Client, Http2Client];
    await unused.isAlive();
    // A newer stream that is no request: GOAWAY names it as well.
    idle.send(ping2(1, token, ["X-Correlation-ID", "idle"]), headers(3, [[":method", "GET"]]));
    refused.send(ping2(1, token, ["X-Correlation-ID", "refused"]));
    await Promise.all([idle.over(1), idle.over(3), refused.over(1)]);
    await stopped.sandbox.close(100);
    await eventually(() => h2.every(({ isClosed }) => isClosed));
    await eventually(() => exchanges().every(({ connection }) => connection?.end !== undefined));
    Object.assign(goaways, { unused: unused.received.goaways, idle: idle.received.goaways });
    for (const { socket } of h1) socket.destroy();
  });

  it("a CONNECT that has its answer has no second entry", () => {
    expect(exchanges().filter(({ method }) => method === "CONNECT")).toHaveLength(1);
  });

  it("an answer on its way is cut off by the sandbox", () => {
    const exchange = exchanges().find(({ injected }) => injected?.includes("drip")) as Exchange;
    expect(exchange).toMatchObject({ delivered: false, endedBy: "sandbox", connection: { end: "server-closed" } });
    const text = explain(exchange, stopped.sandbox.explanations);
    expect(text).toMatch(/The sandbox ended the connection, when \d+ of 1\d bytes of the body were sent\./);
  });

  it("it, and not the client, ended the connections without a request", () => {
    const found = handshakes().map(({ cause, end, serverDefect }) => [cause, end, serverDefect?.defect]);
    expect(found.sort()).toEqual([
      ["no-request", "server-closed", undefined],
      ["no-request", "server-closed", undefined],
      ["no-request", "server-closed", "wrong-host"],
    ]);
    for (const record of handshakes()) {
      const text = explainHandshake(record);
      expect(text).toContain("until the sandbox closed the connection");
      expect(text).not.toMatch(/the client (closed|ended)|That is correct/);
    }
  });

  it("a client that only kept a connection open has not refused its defective certificate", async () => {
    const checks = (await stopped.sandbox.exam?.report())?.drills[0]?.checks;
    const check = checks?.find(({ id }) => id === "tls.server-certificate");
    expect(check).toMatchObject({ verdict: "not-exercised" });
  });

  it("connections of HTTP/2 end with the GOAWAY that their records have", () => {
    expect(goaways["unused"]?.[0]).toEqual({ code: "NO_ERROR", lastStream: 0 });
    expect(connectionOf("idle")).toMatchObject({ end: "server-closed", goaway: goaways["idle"]?.[0] });
    expect(goaways["idle"]?.[0]).toBeDefined();
  });
});
