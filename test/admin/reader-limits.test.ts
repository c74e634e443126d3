import { describe, expect, it } from "vitest";
import type { AdminApp } from "../../src/admin/app.js";
import { longestPage } from "../../src/admin/page.js";
import { adminLimits, startAdminServer } from "../../src/admin/server.js";
import { monotonicNow } from "../../src/sandbox/clock.js";
import type { HandshakeRecord } from "../../src/sandbox/journal/entry.js";
import { afterTest } from "../support/cleanups.js";
import { openTcp, parseResponses, type RawClient } from "../support/raw-client.js";
import { eventually, start, type TestSandbox } from "./fixture.js";

const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

it("a reader that does not read its answer is disconnected", { tags: "slow" }, async () => {
  const large = () => new Response("x".repeat(20_000_000));
  const limits = { ...adminLimits, inactivityTimeoutMs: 50 };
  const server = await startAdminServer({ fetch: large } as unknown as AdminApp, ["127.0.0.1"], 0, limits);
  const client = await openTcp(server.port);
  client.socket.pause();
  client.send(get);
  // Waits until the connection is closed.
  await server.close(2 ** 30);
  client.socket.destroy();
});

it("one connection more than the limit is closed at once", async () => {
  const limits = { ...adminLimits, mostConnections: 2 };
  const answer = () => new Response("here");
  const server = await startAdminServer({ fetch: answer } as unknown as AdminApp, ["127.0.0.1"], 0, limits);
  afterTest(() => server.close(0));
  const clients = [await openTcp(server.port), await openTcp(server.port)];
  for (const client of clients) {
    client.send(get);
    await client.waitFor("here");
  }
  const further = await openTcp(server.port);
  await further.closed;
  expect(further.received).toBe("");
  for (const client of clients) client.socket.destroy();
});

it("one request in progress more than the limit is refused, and later ones are answered", async () => {
  const answers: (() => void)[] = [];
  const late = () => new Promise<Response>((resolve) => answers.push(() => resolve(new Response("here"))));
  const limits = { ...adminLimits, mostRequests: 2 };
  const server = await startAdminServer({ fetch: late } as unknown as AdminApp, ["127.0.0.1"], 0, limits);
  afterTest(() => server.close(0));
  const client = await openTcp(server.port);
  client.send(get.repeat(3));
  await eventually(() => answers.length === 2);
  for (const answer of answers.splice(0)) answer();
  await client.waitFor(/\}\n$/);
  const [, , refused] = parseResponses(client.received);
  expect(client.received).toMatch(/HTTP\/1\.1 503 [^{]*retry-after: 1\r\n/i);
  expect(JSON.parse(refused?.body ?? "")).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const other = await openTcp(server.port);
  other.send(get);
  await eventually(() => answers.length === 1);
  answers[0]?.();
  await other.waitFor("here");
  for (const { socket } of [client, other]) socket.destroy();
});

it("a page of the journal ends when it is long enough, and the next one continues", { tags: "slow" }, async () => {
  const sandbox = await start();
  const client = sandbox.connect();
  const sent = 60;
  for (let count = 0; count < sent; count++) await client.send(`/v1/${count}?${"x".repeat(12_000)}`);
  for (const path of ["/requests", "/journal"]) {
    const targets = new Set<string>();
    const lengths: number[] = [];
    let cursor = "";
    do {
      const { text, json } = await sandbox.admin.get(`${path}?pageSize=1000${cursor}`);
      lengths.push(text.length);
      for (const { target } of json.items) targets.add(target);
      cursor = json.nextCursor === undefined ? "" : `&cursor=${json.nextCursor}`;
    } while (cursor !== "");
    expect(targets.size).toBe(sent);
    expect(lengths.length).toBe(2);
    expect(Math.max(...lengths)).toBeLessThan(longestPage + 30_000);
  }
});

describe("long work", () => {
  const record = { cause: "no-request", at: 0, reason: "", remoteAddress: "127.0.0.1", remotePort: 1 };
  const requestFor = (target: string) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

  async function openAdmin({ sandbox }: TestSandbox, target: string): Promise<RawClient> {
    const client = await openTcp(Number(new URL(sandbox.adminUrl).port));
    afterTest(() => client.socket.destroy());
    client.send(requestFor(target));
    return client;
  }

  /** Waits until a number has not grown during 20 requests: work in progress gets a turn between two of them. */
  async function settled({ admin }: TestSandbox, count: () => number): Promise<void> {
    let known = -1;
    while (count() !== known) {
      known = count();
      for (let left = 20; left > 0; left--) await admin.get("/clock");
    }
  }

  it.each(["/journal?q=cause:x", "/journal/overview?q=cause:x", "/journal/export?format=ndjson&q=cause:x"])(
    "other requests are answered during GET %s, and it ends with its caller",
    { tags: "slow" },
    async (target) => {
      const sandbox = await start();
      await sandbox.sandbox.identities;
      let compared = 0;
      const slow = {
        ...record,
        /** Takes a millisecond to compare. */
        get cause() {
          compared += 1;
          const end = monotonicNow() + 1;
          while (monotonicNow() < end);
          return "no-request";
        },
      };
      for (let left = 1000; left > 0; left--) sandbox.sandbox.journal.handshakes.add(slow as HandshakeRecord);
      const client = await openAdmin(sandbox, target);
      await eventually(() => compared > 0);
      expect((await sandbox.admin.get("/health")).status).toBe(200);
      expect(compared).toBeLessThan(1000);
      client.socket.destroy();
      await client.closed;
      await settled(sandbox, () => compared);
      expect(compared).toBeLessThan(1000);
    },
  );

  it("requests that arrive together are answered in separate turns of the event loop", async () => {
    const sandbox = await start();
    let turn = 0;
    const count = () => {
      turn += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    afterTest(() => clearImmediate(counting));
    const turns: number[] = [];
    const { journal } = sandbox.sandbox;
    const newestFirst = journal.newestFirst.bind(journal);
    journal.newestFirst = (...range) => {
      turns.push(turn);
      return newestFirst(...range);
    };
    const target = "/journal/overview";
    const clients = await Promise.all(Array.from({ length: 30 }, () => openAdmin(sandbox, target)));
    await Promise.all(clients.map((client) => client.waitFor(/\}\n$/)));
    // One connection is accepted in each turn. Now all are open, and requests arrive together.
    turns.length = 0;
    for (const client of clients) client.send(requestFor(target));
    await Promise.all(clients.map((client) => client.waitFor(/\}\nHTTP[\s\S]*\}\n$/)));
    expect(turns.length).toBe(30);
    expect(new Set(turns).size).toBe(30);
  });

  it("an export goes on as fast as its reader reads, and ends with it", { tags: "slow" }, async () => {
    const sandbox = await start();
    let written = 0;
    const large = {
      ...record,
      cause: "other",
      get reason() {
        written += 1;
        return "x".repeat(100_000);
      },
    };
    for (let left = 500; left > 0; left--) sandbox.sandbox.journal.handshakes.add(large as HandshakeRecord);
    const target = "/journal/export?format=ndjson";
    expect((await sandbox.admin.get(target)).text.trimEnd().split("\n").length).toBe(500);
    const all = written;
    written = 0;
    const slow = await openAdmin(sandbox, target);
    slow.socket.pause();
    await eventually(() => written > 0);
    await settled(sandbox, () => written);
    expect(written).toBeLessThan(all);
    slow.socket.destroy();
    await slow.closed;
    await settled(sandbox, () => written);
    expect(written).toBeLessThan(all);
  });
});
