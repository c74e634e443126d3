import { expect, it } from "vitest";
import type { AdminApp } from "../../src/admin/app.js";
import { longestPage } from "../../src/admin/page.js";
import { startAdminServer } from "../../src/admin/server.js";
import { afterTest } from "../support/cleanups.js";
import { openTcp } from "../support/raw-client.js";
import { start } from "./fixture.js";

const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

it("a reader that does not read its answer is disconnected", async () => {
  const large = () => new Response("x".repeat(20_000_000));
  const limits = { inactivityTimeoutMs: 50, mostConnections: 10 };
  const server = await startAdminServer({ fetch: large } as unknown as AdminApp, "127.0.0.1", 0, limits);
  const client = await openTcp(server.port);
  client.socket.pause();
  client.send(get);
  // Waits until the connection is closed.
  await server.close(2 ** 30);
  client.socket.destroy();
});

it("one connection more than the limit is closed at once", async () => {
  const limits = { inactivityTimeoutMs: 60_000, mostConnections: 2 };
  const answer = () => new Response("here");
  const server = await startAdminServer({ fetch: answer } as unknown as AdminApp, "127.0.0.1", 0, limits);
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

it("a page of the journal ends when it is long enough, and the next one continues", async () => {
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

it("requests that arrive together are answered in separate turns", async () => {
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  afterTest(() => clearImmediate(counting));
  const turns: number[] = [];
  const answer = async () => {
    turns.push(turn);
    return new Response("here");
  };
  const server = await startAdminServer({ fetch: answer } as unknown as AdminApp, "127.0.0.1", 0);
  afterTest(() => server.close(0));
  const clients = await Promise.all(Array.from({ length: 30 }, () => openTcp(server.port)));
  // One connection is accepted in each turn. Once all are open, requests arrive together.
  for (const word of [/here/, /here[\s\S]*here/]) {
    turns.length = 0;
    for (const client of clients) client.send(get);
    await Promise.all(clients.map((client) => client.waitFor(word)));
  }
  expect(new Set(turns).size).toBe(30);
  for (const client of clients) client.socket.destroy();
});
