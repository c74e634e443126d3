import { describe, expect, it } from "vitest";
import type { Exchange, Handshake } from "../../../src/admin/dashboard/view/data.js";
import {
  type Entry,
  handshakeEntry,
  merged,
  noFilter,
  outcomeOf,
  passes,
  requestEntry,
} from "../../../src/admin/dashboard/view/entry.js";

const at = (second: number) => new Date(second * 1000).toISOString();

const exchange = (id: number, receivedAt: number, changes: Partial<Exchange> = {}): Exchange => ({
  id: String(id),
  // Sandbox time may be anything: the order goes by the machine's clock.
  time: at(1_000_000 - receivedAt),
  receivedAt: at(receivedAt),
  client: "demo",
  certificateClient: "demo",
  claimedClient: null,
  operation: "ping",
  list: null,
  method: "GET",
  target: "/v1/ping",
  status: 200,
  code: null,
  fault: null,
  serverDefect: null,
  correlationId: "3494a6a8-0ef1-416c-81ee-6903b646bed2",
  duration: 1,
  delivered: true,
  connectionId: 1,
  tokenId: null,
  walk: null,
  explanation: "Ping was answered for demo.",
  ...changes,
});

const handshake = (id: number, time: number): Handshake => ({
  id: String(id),
  time: at(time),
  cause: "plain-http",
  code: null,
  alert: null,
  connectionId: null,
  remoteAddress: "127.0.0.1",
  remotePort: 4711,
  serverName: null,
  serverDefect: null,
  protocol: null,
  certificate: null,
  explanation: "Plain HTTP was sent to the port that speaks HTTPS.",
});

const keys = (entries: readonly Entry[]) => entries.map(({ key }) => key).join(" ");

describe("requests and handshakes as one list", () => {
  it("are newest first by the machine's clock", () => {
    const requests = [exchange(3, 30), exchange(2, 20), exchange(1, 10)];
    const handshakes = [handshake(2, 25), handshake(1, 5)];
    expect(keys(merged(requests, handshakes, 100))).toBe("r3 h2 r2 r1 h1");
  });

  it("are no more than asked for, and may be of one kind", () => {
    expect(keys(merged([exchange(2, 20), exchange(1, 10)], [handshake(1, 15)], 2))).toBe("r2 h1");
    expect(keys(merged([], [handshake(1, 5)], 10))).toBe("h1");
    expect(keys(merged([exchange(1, 5)], [], 10))).toBe("r1");
    expect(merged([], [], 10)).toEqual([]);
  });
});

describe("the outcome", () => {
  it.each([
    ["success", requestEntry(exchange(1, 1))],
    ["refused", requestEntry(exchange(1, 1, { status: 401, code: "UNAUTHORIZED" }))],
    ["refused", requestEntry(exchange(1, 1, { status: 0 }))],
    ["injected", requestEntry(exchange(1, 1, { status: 503, fault: "a/b#1;seed=c" }))],
    ["injected", requestEntry(exchange(1, 1, { status: 200, fault: "a/b#1;seed=c" }))],
    ["handshake", handshakeEntry(handshake(1, 1))],
  ])("is %s", (outcome, entry) => {
    expect(outcomeOf(entry)).toBe(outcome);
  });
});

describe("the filter", () => {
  const entry = requestEntry(exchange(1, 1, { client: "demo", certificateClient: "other", code: "UNAUTHORIZED" }));

  it("finds a client by its token and by its certificate", () => {
    expect(passes(entry, { ...noFilter, client: "demo" })).toBe(true);
    expect(passes(entry, { ...noFilter, client: "other" })).toBe(true);
    expect(passes(entry, { ...noFilter, client: "third" })).toBe(false);
  });

  it("finds texts in any case, wherever they stand", () => {
    for (const text of ["unauthor", "get /v1", "3494A6A8", "ANSWERED"]) {
      expect(passes(entry, { ...noFilter, text })).toBe(true);
    }
    expect(passes(entry, { ...noFilter, text: "payments" })).toBe(false);
  });

  it("leaves handshakes out where a client or an operation is wanted: they have none", () => {
    expect(passes(handshakeEntry(handshake(1, 1)), noFilter)).toBe(true);
    expect(passes(handshakeEntry(handshake(1, 1)), { ...noFilter, client: "demo" })).toBe(false);
    expect(passes(handshakeEntry(handshake(1, 1)), { ...noFilter, operation: "ping" })).toBe(false);
  });
});
