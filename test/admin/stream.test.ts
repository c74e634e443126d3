import { describe, expect, it, onTestFinished } from "vitest";
import { mostStreams } from "../../src/admin/event-stream.js";
import { exchangeSchema, handshakeSchema } from "../../src/admin/journal-schemas.js";
import { openTls } from "../support/raw-client.js";
import { expectExactly } from "./admin-client.js";
import { EventReader } from "./event-reader.js";
import { eventually, start, type TestSandbox } from "./fixture.js";
import { countListeners } from "./listeners.js";

async function read(sandbox: TestSandbox, query = "", path = "/requests/stream"): Promise<EventReader> {
  const reader = new EventReader(sandbox.admin.url, path + query);
  onTestFinished(() => void reader.socket.destroy());
  await eventually(() => reader.text.includes("retry: 1000") || undefined);
  return reader;
}

/** A connection without a request, once it is in the journal. */
async function unused({ sandbox: { url, caPem, journal } }: TestSandbox): Promise<void> {
  const before = journal.handshakes.count;
  const raw = await openTls({ port: Number(new URL(url).port), ca: caPem });
  raw.socket.end();
  await eventually(() => journal.handshakes.count > before || undefined);
}

describe("GET /requests/stream", () => {
  it("sends each exchange as GET /requests shows it, and failed handshakes", async () => {
    const sandbox = await start();
    const reader = await read(sandbox);
    expect(reader.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(reader.text).toMatch(/content-type: text\/event-stream; charset=utf-8\r\n/i);
    expect(reader.text).toMatch(/cache-control: no-store\r\n/i);
    const client = await sandbox.mint();
    await client.ping();
    const raw = await openTls({ port: Number(new URL(sandbox.sandbox.url).port), ca: sandbox.sandbox.caPem });
    raw.socket.end();
    await eventually(() => reader.events.length === 3 || undefined);
    expect(reader.events.map(({ name }) => name)).toEqual(["request", "request", "handshake"]);
    const [token, ping, handshake] = reader.events;
    expectExactly(exchangeSchema, token?.data);
    expect(ping?.data).toMatchObject({ operation: "ping", status: 200, client: client.clientId });
    expectExactly(handshakeSchema, handshake?.data);
    expect(handshake?.data).toMatchObject({ cause: "no-request" });
    const { items } = (await sandbox.admin.get("/requests")).json;
    expect(items.map(({ id }: { id: string }) => id)).toEqual([ping?.data.id, token?.data.id]);
  });

  it("sends only exchanges that match the filters", async () => {
    const sandbox = await start();
    const [mine, other] = await Promise.all([sandbox.mint(), sandbox.mint()]);
    const reader = await read(sandbox, `?client=${mine.clientId}&status=4xx`);
    await other.send("/v1/ping");
    await mine.ping();
    await mine.send("/v1/ping");
    await eventually(() => reader.events.length > 0 || undefined);
    expect(reader.events.map(({ data }) => [data.client, data.status])).toEqual([[mine.clientId, 401]]);
  });

  it("refuses unknown filters with an error and not with a stream", async () => {
    const sandbox = await start();
    const { status, json } = await sandbox.admin.get("/requests/stream?pageSize=1");
    expect([status, json.code]).toEqual([400, "INVALID_REQUEST"]);
  });

  it("removes the listeners of a reader that disconnects", async () => {
    const sandbox = await start();
    const listeners = countListeners(sandbox);
    const readers = await Promise.all(Array.from({ length: 10 }, () => read(sandbox)));
    // Each of them reads requests and handshakes.
    expect(listeners()).toBe(20);
    for (const { socket } of readers) socket.destroy();
    await eventually(() => listeners() === 0 || undefined);
  });

  it("prints no warning with many readers", async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const sandbox = await start();
    const listeners = countListeners(sandbox);
    await Promise.all(Array.from({ length: 30 }, () => read(sandbox)));
    expect(listeners()).toBe(60);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it("leaves nothing behind after HEAD", async () => {
    const sandbox = await start();
    const listeners = countListeners(sandbox);
    const { status, headers } = await sandbox.admin.send("HEAD", "/requests/stream");
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(listeners()).toBe(0);
  });

  it("ends when the sandbox stops, and does not delay the stop", async () => {
    const sandbox = await start();
    const listeners = countListeners(sandbox);
    const readers = await Promise.all([read(sandbox), read(sandbox, "?client=demo")]);
    // Kept alive, so that an idle connection exists as well.
    await sandbox.admin.get("/health");
    // A grace period that is longer than any test.
    await sandbox.sandbox.close(3_600_000);
    await Promise.all(readers.map(({ ended }) => ended));
    expect(readers[0]?.text.endsWith("0\r\n\r\n")).toBe(true);
    expect(listeners()).toBe(0);
  });

  it("keeps a limited number of events for a reader that does not read, and says how many it missed", {
    tags: "slow",
  }, async () => {
    const sandbox = await start();
    const reader = await read(sandbox);
    reader.socket.pause();
    const { journal } = sandbox.sandbox;
    await sandbox.connect().send("/v1/nothing");
    const [entry] = journal.requests.newestFirst();
    if (!entry) throw new Error("Nothing was recorded.");
    // Simulates load: the cost of a reader does not depend on where exchanges come from.
    const sent = 40_000;
    for (let index = 0; index < sent; index++) {
      journal.requests.add(entry.item);
      // Gives the sockets time to send.
      if (index % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    reader.socket.resume();
    const received = () => reader.events.filter(({ name }) => name === "request").length;
    const missed = () => reader.events.reduce((sum, { name, data }) => (name === "missed" ? sum + data.count : sum), 0);
    let added = 1 + sent;
    // Each is received, or counted as missed. The count is sent with the next event that fits.
    await eventually(() => {
      if (received() + missed() === added) return true;
      journal.requests.add(entry.item);
      added += 1;
      return undefined;
    });
    expect(missed()).toBeGreaterThan(sent / 2);
  });
});

describe("GET /journal/stream", () => {
  const follow = (sandbox: TestSandbox, query = "") => read(sandbox, query, "/journal/stream");
  const named = (reader: EventReader, name: string) => reader.events.filter((event) => event.name === name);
  /** An exchange is sent twice if the machine was slow with the answer. */
  const items = (reader: EventReader) =>
    [...new Map(reader.events.map(({ data }) => [data.key, data]))].flatMap(([key, data]) => (key ? [data] : []));

  it("identifies the run, then sends items in the form of GET /journal, with counts", async () => {
    const sandbox = await start();
    const reader = await follow(sandbox);
    const client = await sandbox.mint();
    await client.ping();
    await unused(sandbox);
    await eventually(() => (named(reader, "counts").at(-1)?.data.total === 3 ? true : undefined));
    const { run, kept, total, counts, ...page } = (await sandbox.admin.get("/journal")).json;
    expect(reader.events.slice(0, 2)).toEqual([
      { name: "hello", data: { run } },
      {
        name: "counts",
        data: { kept: 0, total: 0, counts: { all: 0, success: 0, refused: 0, injected: 0, handshake: 0 } },
      },
    ]);
    expect(items(reader)).toEqual([...page.items].reverse());
    expect(named(reader, "counts").at(-1)?.data).toEqual({ kept, total, counts });
    expect(items(reader).map(({ delivered }) => delivered)).toEqual([true, true, undefined]);
  });

  it("sends what matches, and says when entries were removed", async () => {
    const sandbox = await start();
    const reader = await follow(sandbox, `?q=${encodeURIComponent("-outcome:success kind:request")}`);
    const client = await sandbox.mint();
    await client.ping();
    await unused(sandbox);
    await client.send("/v1/ping");
    await eventually(() => named(reader, "request")[0]);
    await sandbox.admin.delete("/requests?q=op:token");
    await sandbox.admin.delete("/requests");
    await eventually(() => named(reader, "cleared")[1]);
    expect(items(reader).map(({ key, code }) => [key, code])).toEqual([["r3", "UNAUTHORIZED"]]);
    expect(named(reader, "cleared").map(({ data }) => data)).toEqual([{ whole: false }, { whole: true }]);
  });

  it("sends a long exchange before its end, and again at its end with the full duration", {
    tags: "slow",
  }, async () => {
    const sandbox = await start();
    const reader = await follow(sandbox);
    const client = await sandbox.mint();
    const rule = "{ name: a, when: { operation: ping }, then: { connection: { kind: drip, duration: 300ms } } }";
    await sandbox.admin.putYaml("/scenarios/slow", `description: x\nrules: [${rule}]`);
    await sandbox.admin.put(`/clients/${client.clientId}/scenario`, { name: "slow" });
    await client.ping();
    await eventually(() => named(reader, "request")[2]);
    const [before, after] = named(reader, "request").slice(1);
    expect([before?.data.key, after?.data.key]).toEqual(["r2", "r2"]);
    expect([before?.data.delivered, after?.data.delivered]).toEqual([null, true]);
    expect(after?.data.duration).toBeGreaterThan(before?.data.duration);
  });
});

it("no more streams are opened than the limit allows, and a closed one makes room for another", {
  tags: "slow",
}, async () => {
  const sandbox = await start();
  const readers: EventReader[] = [];
  for (let at = 0; at < mostStreams; at++) readers.push(await read(sandbox));
  const refused = await fetch(`${sandbox.admin.url}/journal/stream`);
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { code: "TOO_MANY_STREAMS", message: "There are 100 streams of events; close some." },
  ]);
  readers[0]?.socket.destroy();
  await eventually(async () => {
    const { status, body } = await fetch(`${sandbox.admin.url}/journal/stream`);
    await body?.cancel();
    return status === 200 || undefined;
  });
});
