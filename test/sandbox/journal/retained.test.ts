import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { Journal } from "../../../src/sandbox/journal/journal.js";
import { certificatePeer, createHarness } from "../api/harness.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const now = Date.UTC(2026, 5, 1);

function exchange(target = "/v1/ping"): Exchange {
  return new Exchange(certificatePeer("demo"), "GET", target, ["Host", "localhost"], now);
}

/** How many of the objects are still in memory. */
async function left(held: readonly WeakRef<object>[]): Promise<number> {
  // A weak reference keeps its target until the end of the task in which it was created or read.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return held.filter((reference) => reference.deref() !== undefined).length;
}

describe("an exchange in the journal", () => {
  it("learns later whether its answer was delivered", () => {
    const { requests } = new Journal({ requests: 2, bytes: 1e6, handshakes: 1 });
    const [first, second] = [exchange("/1"), exchange("/2")];
    requests.add(first);
    requests.add(second);
    second.closed(true);
    first.closed(false);
    expect([requests.get(1)?.item.delivered, requests.get(2)?.item.delivered]).toEqual([false, true]);
  });

  it("has the machine's time of its arrival, and the full duration", () => {
    const one = exchange();
    expect([one.receivedAt, one.duration]).toEqual([now, 0]);
    one.answered(200, {}, "");
    one.recordedAt(now - 5000, 0);
    expect(one.receivedAt).toBe(now - 5000 - Math.round(one.duration));
    const { duration } = one;
    one.closed(true);
    expect(one.duration).toBeGreaterThanOrEqual(duration);
  });

  it("does not keep the request or its connection", async () => {
    const { app, exchanges, peers, tokenFor } = await createHarness();
    const { requests } = new Journal();
    const token = await tokenFor();
    const held: WeakRef<object>[] = [];
    const send = async (target: string, headers: Record<string, string>) => {
      const request = new Request(`https://localhost${target}`, { headers });
      const incoming = { url: target };
      const env = { peer: peers.demo, incoming, track: () => {}, wire: () => ({}) };
      held.push(new WeakRef(request), new WeakRef(incoming), new WeakRef(env));
      const response = await app.request(request, undefined, env);
      held.push(new WeakRef(response));
      await response.text();
      return response.status;
    };
    const authorized = { Authorization: `Bearer ${token}` };
    expect(await send("/v1/ping", authorized)).toBe(200);
    expect(await send("/v1/payments?pageSize=3", authorized)).toBe(200);
    expect(await send("/v1/payments?pageSize=0", authorized)).toBe(400);
    expect(await send("/nothing", {})).toBe(404);
    for (const one of exchanges) requests.add(one);
    expect(await left(held)).toBe(0);
    expect(requests.count).toBe(exchanges.length);
  });

  it("is released when it is removed, or when others need the space", async () => {
    const { requests } = new Journal({ requests: 10, bytes: 100_000, handshakes: 1 });
    const held: WeakRef<object>[] = [];
    const add = () => {
      const one = exchange();
      held.push(new WeakRef(one));
      requests.add(one);
    };
    for (let index = 0; index < 5; index++) add();
    expect(await left(held)).toBe(5);
    requests.add(exchange(`/${"x".repeat(200_000)}`));
    expect(await left(held)).toBe(0);
    for (let index = 0; index < 5; index++) add();
    requests.remove();
    expect(await left(held)).toBe(0);
  });
});
