import { describe, expect, it, vi } from "vitest";
import { RingBuffer } from "../../../src/sandbox/journal/ring-buffer.js";

const numbers = <T>(ring: RingBuffer<T>, before?: number) => [...ring.newestFirst(before)].map(({ number }) => number);

describe("the ring buffer of the journal", () => {
  it("is empty at first", () => {
    const ring = new RingBuffer<string>({ capacity: 3, bytes: 100, sizeOf: () => 1 });
    expect([ring.count, ring.bytes, numbers(ring), ring.get(0), ring.get(1)]).toEqual([0, 0, [], undefined, undefined]);
  });

  it("keeps the newest, by number", () => {
    const ring = new RingBuffer<string>({ capacity: 3, bytes: 100, sizeOf: () => 1 });
    for (const item of ["a", "b", "c", "d", "e"]) ring.add(item);
    expect(numbers(ring)).toEqual([5, 4, 3]);
    expect(ring.get(5)?.item).toBe("e");
    expect(ring.get(2)).toBeUndefined();
    expect(ring.get(6)).toBeUndefined();
    expect([ring.count, ring.bytes]).toEqual([3, 3]);
  });

  it("keeps the newest, by size", () => {
    const ring = new RingBuffer<string>({ capacity: 100, bytes: 10, sizeOf: (item) => item.length });
    for (const item of ["aaaa", "bbbb", "cc", "dd"]) ring.add(item);
    expect(numbers(ring)).toEqual([4, 3, 2]);
    expect(ring.bytes).toBe(8);
    ring.add("eeeeeeeeee");
    expect(numbers(ring)).toEqual([5]);
  });

  it("keeps the newest one, however large it is", () => {
    const ring = new RingBuffer<string>({ capacity: 100, bytes: 10, sizeOf: (item) => item.length });
    ring.add("a");
    ring.add("b".repeat(1000));
    expect(numbers(ring)).toEqual([2]);
    ring.add("c");
    expect([numbers(ring), ring.bytes]).toEqual([[3], 1]);
  });

  it("continues before any number", () => {
    const ring = new RingBuffer<string>({ capacity: 3, bytes: 100, sizeOf: () => 1 });
    for (const item of ["a", "b", "c", "d"]) ring.add(item);
    expect(numbers(ring, 4)).toEqual([3, 2]);
    expect(numbers(ring, 2)).toEqual([]);
    expect(numbers(ring, 1000)).toEqual([4, 3, 2]);
    expect(numbers(ring, 0)).toEqual([]);
  });

  it("removes chosen entries, and does not reuse numbers", () => {
    const ring = new RingBuffer<string>({ capacity: 4, bytes: 100, sizeOf: () => 1 });
    for (const item of ["a", "b", "a", "b"]) ring.add(item);
    ring.remove(({ item }) => item === "a");
    expect([numbers(ring), ring.count, ring.bytes]).toEqual([[4, 2], 2, 2]);
    for (const item of ["c", "d", "e"]) ring.add(item);
    expect(numbers(ring)).toEqual([7, 6, 5, 4]);
    ring.remove();
    expect([numbers(ring), ring.count, ring.bytes]).toEqual([[], 0, 0]);
    expect(ring.add("f")).toBe(8);
  });

  it("calls its listeners until they unsubscribe", () => {
    const ring = new RingBuffer<string>({ capacity: 2, bytes: 100, sizeOf: () => 1 });
    const listener = vi.fn();
    const stop = ring.subscribe(listener);
    ring.add("a");
    expect(listener).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ number: 1, item: "a" }));
    stop();
    stop();
    ring.add("b");
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("keeps the newest of the lasting ones, whatever else is added", () => {
    const has = (item: string) => item === item.toUpperCase();
    const ring = new RingBuffer<string>({ capacity: 6, lasting: { count: 2, has } });
    for (const item of ["A", "B", "C", ..."abcdefghij"]) ring.add(item);
    expect([...ring.newestFirst()].map(({ item }) => item).join("")).toBe("jihgCB");
    expect([ring.get(2)?.item, ring.get(10)?.item, ring.get(1), ring.count]).toEqual(["B", "g", undefined, 6]);
    // Beyond their share, lasting entries are dropped by age like others.
    for (const item of "DEF") ring.add(item);
    expect([...ring.newestFirst()].map(({ item }) => item).join("")).toBe("FEDjih");
    for (const item of "GHIJ") ring.add(item);
    expect([...ring.newestFirst()].map(({ item }) => item).join("")).toBe("JIHGFE");
    ring.add("k");
    ring.add("l");
    expect([...ring.newestFirst()].map(({ item }) => item).join("")).toBe("lkJIHG");
    expect(numbers(ring, 20)).toEqual([19, 18, 17]);
  });

  it("gives the lasting ones at most half of the memory, and half of the capacity", () => {
    const has = (item: number) => item < 0;
    const ring = new RingBuffer<number>({ capacity: 100, bytes: 100, sizeOf: Math.abs, lasting: { count: 90, has } });
    for (const item of [-30, -30, 10, 10, 10, 10, 5]) ring.add(item);
    expect([...ring.newestFirst()].map(({ item }) => item)).toEqual([5, 10, 10, 10, 10, -30]);
    for (const item of [10, 10, 10, 10]) ring.add(item);
    expect([...ring.newestFirst()].map(({ item }) => item)).toEqual([10, 10, 10, 10, 5, 10, 10, -30]);
    ring.add(500);
    expect(numbers(ring)).toEqual([12]);
    const small = new RingBuffer<number>({ capacity: 3, lasting: { count: 3, has } });
    for (const item of [-1, -2, -3, 4, 5, 6]) small.add(item);
    expect([...small.newestFirst()].map(({ item }) => item)).toEqual([6, 5, -3]);
  });

  it("numbers the entries of several rings in a common order", () => {
    let last = 0;
    const nextOrder = () => ++last;
    const [one, other] = [1, 2].map(() => new RingBuffer<string>({ capacity: 3, nextOrder }));
    for (const item of ["a", "b", "c", "d"]) {
      one?.add(item);
      if (item !== "b") other?.add(item);
    }
    expect([...(one?.newestFirst(7, "order") ?? [])].map(({ item, order }) => [item, order])).toEqual([
      ["d", 6],
      ["c", 4],
      ["b", 3],
    ]);
    expect([other?.at(5)?.item, other?.at(6), one?.at(1)]).toEqual(["c", undefined, undefined]);
  });

  it("agrees with a simple list after random operations", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const ring = new RingBuffer<number>({ capacity: 20, bytes: 300, sizeOf: (item) => item });
    let model: { number: number; item: number }[] = [];
    for (let number = 1; number <= 3000; number++) {
      const item = 1 + random(40);
      ring.add(item);
      model.push({ number, item });
      while (model.length > 20 || model.reduce((sum, entry) => sum + entry.item, 0) > 300) model.shift();
      if (random(10) === 0) {
        const doomed = random(3);
        ring.remove((candidate) => candidate.item % 3 === doomed);
        model = model.filter((entry) => entry.item % 3 !== doomed);
      }
      const kept = [...ring.newestFirst()].reverse();
      expect(kept.map(({ number, item: value }) => ({ number, item: value }))).toEqual(model);
      expect(ring.count).toBe(kept.length);
      expect(ring.bytes).toBe(kept.reduce((sum, entry) => sum + entry.item, 0));
    }
  });
});
