import { describe, expect, it } from "vitest";
import type { ClientRegistry } from "../../../src/sandbox/clients.js";
import { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { exchangeIn, exchangeText } from "../../../src/sandbox/journal/exchange-text.js";
import { Refusal } from "../../../src/sandbox/journal/refusal.js";

const noPeer = { kind: "none" } as const;

function exchange(over: Partial<Exchange> = {}): Exchange {
  const one = new Exchange(noPeer, "GET", "/v1/ping", ["Host", "localhost", "traceparent", "00-1-2-01"], 1000);
  one.answered(200, { "Content-Type": "application/json", "X-Correlation-ID": "one" }, "{}");
  return Object.assign(one, { correlationId: "one", operation: "ping", delivered: true }, over);
}

/** As another replica reads it: converted to text and back. */
function elsewhere(exchanges: readonly Exchange[]): Exchange[] {
  const clients = { get: () => undefined } as unknown as Pick<ClientRegistry, "get">;
  const context = { clients, stepsOf: () => [] };
  return exchanges.map((one) => exchangeIn(JSON.parse(JSON.stringify(exchangeText(one))), context));
}

const facts = (one: Exchange) => ({ ...one, body: one.answerBody });

describe("exchanges as text", () => {
  it("have every member again, also after other exchanges", () => {
    const refused = exchange({ refusal: new Refusal("NOT_FOUND", { kind: "route" } as never), code: "NOT_FOUND" });
    refused.answered(404, { "x-other": "2", "content-type": "text/plain" }, "gone");
    const token = { jti: "t", clientId: "c" } as unknown as NonNullable<Exchange["token"]>;
    const connection = { id: 7 } as unknown as NonNullable<Exchange["connection"]>;
    const form = new Map([["scope", ["read", null]]]);
    const broken = new Exchange(noPeer, "POST", "/x", ["Host", "localhost"], 5);
    const all = [
      exchange(),
      exchange({ token, connection }),
      exchange({ token, connection, target: "/v1/ping?a=1", unknownParameters: ["a"] }),
      exchange({ form }),
      exchange({ connection, stream: 5 }),
      broken,
      refused,
      exchange({ list: "payments", operation: "list", injected: "handle", stepsPassed: 3 }),
      exchange(),
    ];
    expect(elsewhere(all).map(facts)).toEqual(all.map(facts));
  });
});
