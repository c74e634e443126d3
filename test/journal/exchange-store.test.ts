import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { noPeer } from "../../src/connection/peer.js";
import { Exchange } from "../../src/journal/exchange.js";
import { ExchangeStore } from "../../src/journal/exchange-store.js";
import { Journal } from "../../src/journal/journal.js";
import { certificatePeer } from "../api/harness.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const now = Date.UTC(2026, 5, 1);

function exchange(target = "/v1/ping"): Exchange {
  return new Exchange(certificatePeer("demo"), "GET", target, ["Host", "localhost"], now);
}

/** Everything that others can see of an exchange, by name: its fields, and what it makes of those that it keeps to itself. */
function allOf(one: Exchange): Record<string, unknown> {
  const made = Object.entries(Object.getOwnPropertyDescriptors(Exchange.prototype)).filter(([, { get }]) => get);
  return Object.fromEntries(
    [...Object.keys(one), ...made.map(([name]) => name)].map((name) => [name, Reflect.get(one, name)]),
  );
}

describe("an exchange in the journal", () => {
  /** One of which nothing is as it was made, so that what is forgotten shows. */
  function complete(): Exchange {
    const one = exchange();
    for (const [name, value] of Object.entries(one)) {
      if (value === undefined || value === "" || value === 0) Reflect.set(one, name, { of: name });
    }
    one.steps = [{ name: "x", checks: "y", refuses: [] }];
    one.correlationId = "some-id";
    one.answered(201, { "Content-Type": "application/json", "X-Id": "" }, "body", "X-Id");
    one.recordedAt(now - 5000);
    one.delivered = false;
    return one;
  }

  it("is complete, first and over another", () => {
    const blank = allOf(exchange());
    const one = complete();
    for (const [name, value] of Object.entries(allOf(one))) {
      if (!["peer", "method", "target", "rawHeaders", "now"].includes(name))
        expect({ [name]: value }).not.toEqual({ [name]: blank[name] });
    }
    expect(one.answerHeaders).toEqual({ "Content-Type": "application/json", "X-Id": "some-id" });
    const store = new ExchangeStore(1);
    store.put(0, one);
    expect(allOf(store.get(0))).toEqual(allOf(one));
    const other = new Exchange(noPeer, "POST", "/other", [], now + 1);
    store.put(0, other);
    expect(allOf(store.get(0))).toEqual(allOf(other));
    store.put(0, one);
    expect(allOf(store.get(0))).toEqual(allOf(one));
  });

  it("is told later whether its answer was delivered", () => {
    const { requests } = new Journal({ requests: 2, bytes: 1e6, handshakes: 1 });
    const [first, second] = [exchange("/1"), exchange("/2")];
    requests.add(first);
    requests.add(second);
    const before = requests.get(1)?.item;
    second.closed(true);
    first.closed(false);
    expect([requests.get(1)?.item.delivered, requests.get(2)?.item.delivered]).toEqual([false, true]);
    expect(requests.get(1)?.item.duration).toBe(first.duration);
    expect(before?.delivered).toBeUndefined();
  });

  it("is not taken for the one that lay in its place before", () => {
    const { requests } = new Journal({ requests: 1, bytes: 1e6, handshakes: 1 });
    const [first, second] = [exchange("/1"), exchange("/2")];
    requests.add(first);
    requests.add(second);
    first.closed(true);
    expect(requests.get(2)?.item).toMatchObject({ target: "/2", delivered: undefined });
  });

  it("may be added again", () => {
    const { requests } = new Journal({ requests: 3, bytes: 1e6, handshakes: 1 });
    const one = exchange();
    requests.add(one);
    requests.add(one);
    requests.add((requests.get(1) as { item: Exchange }).item);
    expect([...requests.newestFirst()].map(({ item }) => item.target)).toEqual(["/v1/ping", "/v1/ping", "/v1/ping"]);
  });

  it("that was removed is told nothing more", () => {
    const { requests } = new Journal({ requests: 1, bytes: 1e6, handshakes: 1 });
    const one = exchange("/1");
    requests.add(one);
    requests.remove();
    one.closed(true);
    expect(requests.get(1)).toBeUndefined();
    requests.add(exchange("/2"));
    one.closed(true);
    expect(requests.get(2)?.item).toMatchObject({ target: "/2", delivered: undefined });
  });
});

describe("what an exchange holds", () => {
  it("is let go of once it has been removed, or others take too much", async () => {
    const { requests } = new Journal({ requests: 10, bytes: 100_000, handshakes: 1 });
    const held: WeakRef<object>[] = [];
    const add = () => {
      const token = { clientId: "demo" };
      const one = exchange();
      one.token = token as never;
      held.push(new WeakRef(token));
      requests.add(one);
    };
    const left = async () => {
      // A weak reference holds what it was made with, or asked for, to the end of the task.
      await new Promise((resolve) => setImmediate(resolve));
      collect();
      return held.filter((reference) => reference.deref() !== undefined).length;
    };
    for (let index = 0; index < 5; index++) add();
    expect(await left()).toBe(5);
    requests.add(exchange(`/${"x".repeat(200_000)}`));
    expect(await left()).toBe(0);
    for (let index = 0; index < 5; index++) add();
    requests.remove();
    expect(await left()).toBe(0);
  });

  it("is not the exchange itself, which would grow old", async () => {
    const { requests } = new Journal();
    const added = (() => {
      const one = exchange();
      requests.add(one);
      return new WeakRef(one);
    })();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(added.deref()).toBeUndefined();
    expect(requests.get(1)?.item.target).toBe("/v1/ping");
  });
});
