import { beforeAll, describe, expect, it } from "vitest";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import type { ConnectionFacts } from "../../../src/sandbox/connection/connection-facts.js";
import type { DeliveryListener } from "../../../src/sandbox/connection/passage.js";
import { eventually, startShared, type TestSandbox } from "../../admin/fixture.js";
import { afterTest } from "../../support/cleanups.js";
import { Http2Client } from "../../support/http2-client.js";
import { frame, headers, requestFields, settingIds, settings, uint32 } from "../../support/http2-frames.js";
import { openTls } from "../../support/raw-client.js";
import { certificates, plain, startServer } from "../tls/fixture.js";

// Each way in which an answer can end: what a client has of it, byte by byte, and what the record says: how much was
// sent of how much, and who ended it.

// biome-ignore lint/suspicious/noExplicitAny: the admin client checks its shape
type Entry = any;

let own: TestSandbox;
let client: Awaited<ReturnType<TestSandbox["mint"]>>;
let token: string;

const acts = {
  truncate: { connection: "truncate" },
  hang: { connection: { kind: "hang", duration: "60s" } },
  stall: { connection: { kind: "stall", duration: "60s" } },
  stalled: { connection: { kind: "stall", duration: "20ms", code: "ENHANCE_YOUR_CALM" } },
  drip: { connection: { kind: "drip", duration: "60s" } },
};
const actKey = "then";
// The name of the key is made here: an object with `then` looks like a promise.
const rules = Object.entries(acts).map(([name, act]) => ({ name, [actKey]: act }));
type Act = keyof typeof acts;

beforeAll(async () => {
  const { assumptions } = emptyFile;
  own = await startShared({
    assumptions: { ...assumptions, values: { ...assumptions.values, "http.head": "answer" } },
  });
  const text = JSON.stringify({ description: "Ends of answers.", rules });
  expect((await own.admin.putYaml("/scenarios/ways", text)).status).toBe(200);
  client = await own.mint();
  token = await client.token();
});

/** What a client has of an answer, and how it can end it. */
interface Asked {
  /** The body that came, and the length that was announced. */
  readonly body: () => { readonly length: number; readonly announced: number | undefined };
  /** The answer has ended, or its connection or stream. */
  readonly over: () => Promise<unknown>;
  readonly giveUp: Readonly<Record<string, () => void>>;
  readonly entry: () => Promise<Entry>;
}

const target = "/v1/payments?pageSize=10";

/** Its entry, once it is over. */
async function entryOf(correlationId: string): Promise<Entry> {
  const found = await eventually(async () => {
    const { items } = (await own.admin.get(`/requests?client=${client.clientId}&pageSize=200`)).json;
    const entry = items.find((item: Entry) => item.correlationId === correlationId);
    return entry?.delivered !== null && entry;
  });
  return (await own.admin.get(`/requests/${found.id}`)).json;
}

function fieldsOf(act: Act | undefined, correlationId: string): [string, string][] {
  const replay: [string, string][] = act === undefined ? [] : [["sandbox-replay", `ways/${act}#1;seed=any`]];
  return [["authorization", `Bearer ${token}`], ["x-correlation-id", correlationId], ...replay];
}

function connectionOptions() {
  const { url, ca, certificate: cert, key } = client.minted;
  return { port: Number(new URL(url).port), ca, cert, key };
}

async function ask1(act: Act | undefined, method: string): Promise<Asked> {
  const correlationId = crypto.randomUUID();
  const raw = await openTls(connectionOptions());
  afterTest(() => void raw.socket.destroy());
  const lines = fieldsOf(act, correlationId).map(([name, value]) => `${name}: ${value}\r\n`);
  raw.send(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${lines.join("")}\r\n`);
  const body = () => {
    const [head = "", ...rest] = raw.received.split("\r\n\r\n");
    const announced = /^content-length: (\d+)/im.exec(head)?.[1];
    return { length: rest.join("\r\n\r\n").length, announced: announced === undefined ? undefined : Number(announced) };
  };
  let isClosed = false;
  void raw.closed.then(() => {
    isClosed = true;
  });
  const isWhole = () => method === "HEAD" || body().length === body().announced;
  return {
    body,
    over: () => eventually(() => isClosed || (raw.received.includes("\r\n\r\n") && isWhole())),
    giveUp: {
      "closed the connection": () => void raw.socket.destroy(),
      // A FIN alone: the client has read what came.
      "ended its side of the connection": () => void raw.socket.end(),
    },
    entry: () => entryOf(correlationId),
  };
}

async function ask2(act: Act | undefined, method: string): Promise<Asked> {
  const correlationId = crypto.randomUUID();
  const raw = await Http2Client.open(connectionOptions());
  afterTest(() => raw.destroy());
  raw.send(headers(1, requestFields(method, target, fieldsOf(act, correlationId))));
  const received = raw.received.stream(1);
  return {
    body() {
      const announced = received.headers["content-length"];
      return { length: received.body.length, announced: announced === undefined ? undefined : Number(announced) };
    },
    over: () => raw.over(1),
    giveUp: {
      "reset the stream with CANCEL": () => raw.send(frame("RST_STREAM", 0, 1, uint32(8))),
      "reset the stream with NO_ERROR": () => raw.send(frame("RST_STREAM", 0, 1, uint32(0))),
      "closed the connection": () => raw.destroy(),
    },
    entry: () => entryOf(correlationId),
  };
}

describe.each([
  { http: 1, ask: ask1, ways: ["closed the connection", "ended its side of the connection"] },
  {
    http: 2,
    ask: ask2,
    ways: ["reset the stream with CANCEL", "reset the stream with NO_ERROR", "closed the connection"],
  },
])("an answer over HTTP/$http", ({ http, ask, ways }) => {
  it("that arrived is whole, and nobody ended it", async () => {
    const asked = await ask(undefined, "GET");
    await asked.over();
    const { length, announced } = asked.body();
    const entry = await asked.entry();
    expect(entry).toMatchObject({ status: 200, delivered: true, endedBy: null, sent: length, size: announced });
    expect(length).toBe(announced);
    expect(entry.explanation).toContain("Page 1");
  });

  it.each([undefined, "truncate"] as const)("to HEAD has no body: %s", async (act) => {
    const asked = await ask(act, "HEAD");
    await asked.over();
    expect(asked.body().length).toBe(0);
    expect(await asked.entry()).toMatchObject({ status: 200, delivered: true, endedBy: null, sent: 0, size: 0 });
  });

  it.each([
    ["truncate", /^half$/, http === 1 ? "a reset of the connection" : "a reset of the stream with INTERNAL_ERROR"],
    ["stalled", /^half$/, http === 1 ? "a reset of the connection" : "a reset of the stream with ENHANCE_YOUR_CALM"],
  ] as const)("that a scenario cut in the middle: %s", async (act, _part, how) => {
    const asked = await ask(act, "GET");
    await asked.over();
    const { length, announced = 0 } = asked.body();
    const entry = await asked.entry();
    expect(entry).toMatchObject({ status: 200, delivered: false, endedBy: "scenario", sent: length, size: announced });
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(announced);
    const numbers = [length, announced].map((number) => number.toLocaleString("en-US"));
    expect(entry.explanation).toContain(`${numbers[0]} of ${numbers[1]} bytes of the body were sent, then ${how}`);
    expect(entry.explanation).not.toContain("Page 1");
  });

  describe.each(ways)("whose client %s", { tags: "slow" }, (way) => {
    it("while nothing came", async () => {
      const asked = await ask("hang", "GET");
      await eventually(async () => (await own.admin.get("/requests?q=fault:ways/hang*&pageSize=1")).json.items[0]);
      asked.giveUp[way]?.();
      const entry = await asked.entry();
      expect(asked.body().length).toBe(0);
      expect(entry).toMatchObject({ status: 0, delivered: false, endedBy: "client", sent: 0 });
      expect(entry.explanation).toMatch(/The client gave up after [\d.]+ (ms|s): it /);
      expect(entry.explanation).not.toMatch(/on purpose|by the scenario/);
    });

    it("in the middle of its body, which stalled", async () => {
      const asked = await ask("stall", "GET");
      await eventually(() => asked.body().length > 0 && asked.body().length * 2 >= (asked.body().announced ?? 0));
      asked.giveUp[way]?.();
      const entry = await asked.entry();
      const { length, announced } = asked.body();
      expect(entry).toMatchObject({ status: 200, delivered: false, endedBy: "client", sent: length, size: announced });
      expect(entry.explanation).toMatch(/The client gave up after [\d.]+ (ms|s): it .* bytes of the body were sent\./);
      expect(entry.explanation).not.toContain("Page 1");
    });

    it("while its body was sent slowly", async () => {
      const asked = await ask("drip", "GET");
      await eventually(() => asked.body().length > 0);
      asked.giveUp[way]?.();
      const entry = await asked.entry();
      const { length, announced = 0 } = asked.body();
      expect(entry).toMatchObject({ status: 200, delivered: false, endedBy: "client", size: announced });
      // What was on its way when the client ended it has left, and has not arrived.
      expect(entry.sent).toBeGreaterThanOrEqual(length);
      expect(entry.sent).toBeLessThan(announced);
      expect(entry.explanation).not.toContain("Page 1");
    });
  });
});

describe("an answer that nobody reads is ended by a limit of the sandbox", () => {
  /** A server whose answers are larger than all buffers. */
  async function server() {
    const ended: Parameters<DeliveryListener["closed"]>[] = [];
    const listener: DeliveryListener = { closed: (...end) => void ended.push(end) };
    const started = await startServer({
      limits: { inactivityTimeoutMs: 200 },
      fetch(_request, env) {
        env.track(listener);
        return plain("x".repeat(32 * 1024 * 1024));
      },
    });
    return { started, ended };
  }

  it("over HTTP/1.1", async () => {
    const { started, ended } = await server();
    const raw = started.start();
    raw.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    raw.socket.pause();
    await eventually(() => ended.length > 0);
    expect(ended[0]).toMatchObject([false, { endedBy: "time-limit" }]);
    const facts: ConnectionFacts | undefined = started.requests[0]?.connectionFacts;
    expect(facts?.end).toBe("server-closed");
  });

  it("over HTTP/2", async () => {
    const { started, ended } = await server();
    const raw = await Http2Client.open({ port: started.port, ca: certificates.ca.cert, ...certificates.client });
    // No room for the body.
    raw.send(settings([[settingIds.INITIAL_WINDOW_SIZE, 0]]));
    raw.get(1, "/");
    await eventually(() => ended.length > 0);
    expect(ended[0]).toMatchObject([false, { endedBy: "time-limit" }]);
  });
});
