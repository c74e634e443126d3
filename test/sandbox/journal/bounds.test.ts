import { describe, expect, it } from "vitest";
import { noPeer } from "../../../src/sandbox/connection/peer.js";
import { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { defaultJournalLimits, exchangeSizes, Journal } from "../../../src/sandbox/journal/journal.js";
import { Refusal } from "../../../src/sandbox/journal/refusal.js";
import { withFacts } from "../../support/exchange-facts.js";
import { certificatePeer } from "../api/harness.js";

const peer = certificatePeer("demo", { subject: "s".repeat(512) });

function exchange(length = 10, from = peer): Exchange {
  return new Exchange(from, "GET", `/${"x".repeat(length - 1)}`, ["Host", "localhost"], 0);
}

describe("the journal under load", () => {
  it("stays within its limits for 200,000 exchanges, and so does its size estimate", { tags: "slow" }, () => {
    const journal = new Journal({ requests: 1000, bytes: 400_000, handshakes: 10 });
    const sizeOf = exchangeSizes();
    const kept: number[] = [];
    let total = 0;
    for (let index = 0; index < 200_000; index++) {
      const one = exchange(10 + (index % 7) * 100);
      const size = sizeOf(one);
      journal.requests.add(one);
      kept.push(size);
      total += size;
      while (kept.length > 1000 || total > 400_000) total -= kept.shift() as number;
      if (index % 5000 === 0) expect([journal.requests.count, journal.requests.bytes]).toEqual([kept.length, total]);
    }
    expect(journal.requests.count).toBe(kept.length);
    expect(journal.requests.bytes).toBeLessThanOrEqual(400_000);
    expect(journal.requests.count).toBeLessThan(1000);
    expect([...journal.requests.newestFirst()][0]?.number).toBe(200_000);
  });

  it("limits the number of failed handshakes", () => {
    const journal = new Journal({ requests: 1, bytes: 1, handshakes: 3 });
    for (let index = 0; index < 10; index++) journal.handshakes.add({ at: index } as never);
    expect([...journal.handshakes.newestFirst()].map(({ item }) => item.at)).toEqual([9, 8, 7]);
  });

  it("has space for ten thousand usual exchanges by default", () => {
    expect(defaultJournalLimits).toEqual({ requests: 10_000, bytes: 67_108_864, handshakes: 1000 });
    const sizeOf = exchangeSizes();
    const usual = exchange();
    usual.answered(200, {}, "x".repeat(4096));
    sizeOf(usual);
    expect(sizeOf(usual) * 10_000).toBeLessThan(defaultJournalLimits.bytes);
  });
});

describe("the size of an exchange", () => {
  const sizeOf = exchangeSizes();
  sizeOf(exchange());
  const base = sizeOf(exchange());

  it("counts target, headers, form and the stored body", () => {
    expect(sizeOf(exchange(1010)) - base).toBe(1000);
    const withHeaders = new Exchange(peer, "GET", "/xxxxxxxxx", ["Host", "localhost", "X-Long", "y".repeat(500)], 0);
    expect(sizeOf(withHeaders) - base).toBe(506 + 48);
    const withForm = withFacts(exchange(), { form: new Map([["client_id", ["z".repeat(50_000)]]]) });
    expect(sizeOf(withForm) - base).toBeGreaterThan(50_000);
    const withBody = exchange();
    withBody.answered(200, {}, "b".repeat(4096));
    expect(sizeOf(withBody) - base).toBe(4096);
  });

  it("excludes a long body, of which only the length is kept", () => {
    const long = exchange();
    long.answered(200, {}, "b".repeat(65_537));
    expect([long.answerBody, long.answerLength, sizeOf(long)]).toEqual([undefined, 65_537, base]);
  });

  it("counts the data to generate a body again instead of the body", () => {
    const page = exchange();
    page.answered(200, {}, "b".repeat(65_536));
    page.remakeBody(() => "again", 250);
    expect([page.answerBody, page.answerLength, sizeOf(page)]).toEqual(["again", 65_536, base + 250]);
  });

  it("counts a certificate when the peer changes, because connections of one client share it", () => {
    const other = certificatePeer("other", { subject: "s".repeat(512) });
    expect(sizeOf(exchange(10, other)) - base).toBeGreaterThan(700);
    expect(sizeOf(exchange(10, other))).toBe(base);
    expect(sizeOf(exchange(10, noPeer))).toBe(base);
    sizeOf(exchange());
  });

  it("excludes a stack of a refusal, which would keep the whole request in memory", () => {
    const before = Error.stackTraceLimit;
    const refusal = new Refusal("UNAUTHORIZED", { kind: "no-certificate" });
    expect(refusal.stack).not.toContain("\n");
    expect(Error.stackTraceLimit).toBe(before);
    expect(new Error("other").stack).toContain("\n");
  });
});
