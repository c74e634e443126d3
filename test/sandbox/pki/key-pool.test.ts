import { describe, expect, it } from "vitest";
import { KeyPool } from "../../../src/sandbox/pki/key-pool.js";
import { generateKeys, type KeyPair, keySource } from "../../../src/sandbox/pki/keys.js";

/** A source that makes keys on demand, and counts. */
function source() {
  const waiting: { resolve(pair: KeyPair): void; reject(error: Error): void }[] = [];
  return {
    waiting,
    make: () => new Promise<KeyPair>((resolve, reject) => waiting.push({ resolve, reject })),
  };
}

describe("the pool of keys", () => {
  it("makes nothing before the first request, and then some in advance", async () => {
    const { make, waiting } = source();
    const pool = new KeyPool(3, make);
    expect(waiting).toHaveLength(0);
    const first = pool.take();
    expect(waiting).toHaveLength(4);
    const pair = await generateKeys("ec");
    waiting[0]?.resolve(pair);
    expect(await first).toBe(pair);
  });

  it("returns ready pairs, each only once", async () => {
    const pairs = await Promise.all(Array.from({ length: 12 }, () => generateKeys("ec")));
    let made = 0;
    const pool = new KeyPool(3, async () => pairs[made++] as KeyPair);
    const taken = await Promise.all(Array.from({ length: 9 }, () => pool.take()));
    expect(taken).toEqual(pairs.slice(0, 9));
    expect(made).toBe(12);
  });

  it("serves callers in order, and makes at most the given number in advance", () => {
    const { make, waiting } = source();
    const pool = new KeyPool(4, make);
    for (let index = 0; index < 200; index++) void pool.take();
    expect(waiting).toHaveLength(204);
  });

  it("does not return a pair that could not be made", async () => {
    const { make, waiting } = source();
    const pool = new KeyPool(1, make);
    const first = pool.take();
    waiting[1]?.reject(new Error("no entropy"));
    const pair = await generateKeys("ec");
    waiting[0]?.resolve(pair);
    expect(await first).toBe(pair);
    await new Promise((resolve) => setImmediate(resolve));
    const second = pool.take();
    waiting[2]?.resolve(pair);
    expect(await second).toBe(pair);
  });

  it("starts no pair once it is closing, and is closed when the last started pair is ready", async () => {
    const { make, waiting } = source();
    const pool = new KeyPool(1, make);
    const taken = pool.take();
    const events: string[] = [];
    const closed = pool.close().then(() => events.push("closed"));
    await expect(pool.take()).rejects.toThrow("closed");
    expect(waiting).toHaveLength(2);
    const pair = await generateKeys("ec");
    waiting[0]?.resolve(pair);
    expect(await taken).toBe(pair);
    events.push("the last one is there");
    waiting[1]?.resolve(pair);
    await closed;
    expect(events).toEqual(["the last one is there", "closed"]);
  });
});

it("an aborted source starts no further pair", async () => {
  const abort = new AbortController();
  const next = keySource("ec", abort.signal);
  const asked = Array.from({ length: 20 }, next);
  abort.abort(new Error("enough"));
  const results = await Promise.allSettled(asked);
  const made = results.filter(({ status }) => status === "fulfilled").length;
  // The number of pairs that are made at the same time.
  expect(made).toBeLessThanOrEqual(3);
  expect(results.at(-1)).toMatchObject({ status: "rejected", reason: { message: "enough" } });
});
