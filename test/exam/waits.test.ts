import { describe, expect, it } from "vitest";
import { hasWaited } from "../../src/cli/exam/waits.js";
import { noPeer } from "../../src/sandbox/connection/peer.js";
import { Exchange } from "../../src/sandbox/journal/exchange.js";

const end = 60_000;

interface Sent {
  readonly at: number;
  /** How long the answer took; it was quick. */
  readonly took?: number;
  readonly status?: number;
  readonly target?: string;
  /** Whether a fault acted. */
  readonly injected?: boolean;
  /** Whether the client gave the answer up. */
  readonly givenUp?: boolean;
  readonly retryAfter?: string;
}

function exchange({ at, took = 5, status = 200, target = "/v1/ping", injected, givenUp = false, retryAfter }: Sent) {
  const overAt = at + took;
  return Object.assign(new Exchange(noPeer, "GET", target, [], 0), {
    ...{ status: givenUp ? 0 : status, delivered: !givenUp },
    ...(injected && { injected: "hang/it#1" }),
    ...(retryAfter && { answerHeaders: { "Retry-After": retryAfter } }),
    passage: { arrivedAt: at, releasedAt: givenUp ? 0 : overAt, overAt, ordinal: 1, keptOpen: true, isBroken: false },
  });
}

const waited = (sent: readonly Sent[], held: readonly { from: number; until: number }[] = []) =>
  hasWaited(sent.map(exchange), held, { begunAt: 0, endedAt: end });

const failing = (at: number, more: Partial<Sent> = {}): Sent => ({ at, status: 500, ...more });
/** The attempts that come in the time of a drill, with these pauses. */
function attempts(pause: (attempt: number) => number, more: Partial<Sent> = {}): readonly Sent[] {
  const all: Sent[] = [];
  for (let at = 100, attempt = 0; at < end; at += 5 + pause(attempt), attempt++) all.push(failing(at, more));
  return all;
}

describe("a command that is ended waits", () => {
  it.each<[string, readonly Sent[]]>([
    ["for an answer that a fault holds", [{ at: 45_000, took: 20_000, injected: true, givenUp: true }]],
    ["for the end of Retry-After", [{ at: 100, status: 503, retryAfter: "120" }]],
    ["after a failure", [failing(40_000)]],
    ["after an answer that it gave up", [{ at: 20_000, took: 15_000, givenUp: true }]],
    ["with pauses that grow from 250 ms", attempts((attempt) => 250 * 2 ** attempt)],
    ["with pauses that grow three times from 600 ms", attempts((attempt) => 600 * 3 ** attempt)],
    ["with pauses of 8 s, each after a time-out", attempts(() => 8000, { took: 2000, givenUp: true })],
  ])("%s", (_how, sent) => {
    expect(waited(sent)).toBe(true);
  });

  it("for a handshake that a fault holds", () => {
    expect(waited([], [{ from: 40_000, until: 70_000 }])).toBe(true);
  });

  it("if it works now, and waited for half of its time", () => {
    const slow = [0, 20_000].map((at) => ({ at, took: 18_000, injected: true, target: `/v1/ping?${at}` }));
    const working = Array.from({ length: 200 }, (_, index) => ({ at: 40_000 + 100 * index }));
    expect(waited([...slow, ...working])).toBe(true);
    expect(waited([...slow.slice(1), ...working])).toBe(false);
  });
});

describe("a command that is ended does not wait", () => {
  it.each<[string, readonly Sent[]]>([
    ["if it never sent anything", []],
    ["if it hangs after a good answer", [{ at: 100 }, { at: 200, injected: true, took: 500 }]],
    ["if it hangs for more than 30 s after a failure", [failing(20_000)]],
    ["if it hangs after quick repetitions", [failing(10_000), failing(11_000), failing(12_000)]],
    ["if what failed came through", [failing(40_000), { at: 41_000 }]],
    ["if Retry-After is over", [{ at: 100, status: 503, retryAfter: "10" }]],
    ["if it sends good requests without end", Array.from({ length: 600 }, (_, index) => ({ at: 100 * index }))],
    ["if it is refused without end", Array.from({ length: 600 }, (_, index) => ({ at: 100 * index, status: 400 }))],
  ])("%s", (_how, sent) => {
    expect(waited(sent)).toBe(false);
  });

  it("if it hangs after it gave up a handshake", () => {
    expect(waited([{ at: 15_000 }], [{ from: 5000, until: 65_000 }])).toBe(false);
  });
});
