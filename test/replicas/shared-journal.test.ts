import { describe, expect, it } from "vitest";
import type { SharedExam } from "../../src/replicas/exam.js";
import { SharedJournal } from "../../src/replicas/journal.js";
import type { SharedRecords } from "../../src/replicas/records.js";
import type { ConnectionFacts } from "../../src/sandbox/connection/connection-facts.js";
import { Exchange } from "../../src/sandbox/journal/exchange.js";
import { Journal } from "../../src/sandbox/journal/journal.js";

/** Does in memory what the journal needs of Redis, without limits. */
class FakeRedis {
  readonly batches: { position: number; numbers: [number, number, number]; text: string }[] = [];
  onPublish = () => {};
  now = 1;
  readonly #last = new Map<unknown, { readonly number: unknown; readonly reply: unknown }>();
  #exchanges = 0;
  #handshakes = 0;

  async run(_script: unknown, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const writer = keys[2];
    const known = this.#last.get(writer);
    if (known?.number === args[4]) return known?.reply;
    const [first, firstHandshake] = [this.#exchanges + 1, this.#handshakes + 1];
    this.#exchanges += Number(args[1]);
    this.#handshakes += Number(args[2]);
    const position = this.batches.length + 1;
    const numbers: [number, number, number] = [first, firstHandshake, this.#exchanges];
    this.batches.push({ position, numbers, text: String(args[3]) });
    const reply = ["ok", first, 0];
    this.#last.set(writer, { number: args[4], reply });
    this.onPublish();
    return reply;
  }

  async send([command, , after = ""]: readonly string[]): Promise<unknown> {
    if (command === "HGET") return String(this.#exchanges);
    return this.batches
      .filter(({ position }) => position > Number(after.slice(1).split("-")[0]))
      .map(({ position, numbers: [first, firstHandshake, last], text }) => [
        `${position}-0`,
        ["e", first, "h", firstHandshake, "l", last, "s", text.length, "b", text],
      ]);
  }
}

/** @param saved the entries that are not over, as saved judges have them: this replica has not read as far */
function replica(redis: FakeRedis, writer: string, saved?: () => string | undefined) {
  const log = {
    redis,
    deadline: () => 0,
    id: writer,
    writer,
    facts: { log: "one" },
    current: async () => {},
    clock: { now: () => redis.now },
  } as unknown as SharedRecords;
  const exam = { catchUp: saved, expects: () => false, passageOf: () => undefined } as unknown as SharedExam;
  const journal = new Journal();
  const shared = new SharedJournal(
    log,
    journal,
    { clients: { get: () => undefined }, stepsOf: () => [] },
    saved && exam,
  );
  const connection = { id: 1 } as unknown as ConnectionFacts;
  return {
    shared,
    answer: (target = "/") => {
      const exchange = Object.assign(new Exchange({ kind: "none" }, "GET", target, [], 0), { connection });
      return { exchange, id: shared.writer.keeper.requests.add(exchange) };
    },
    over: ({ exchange, id }: { readonly exchange: Exchange; readonly id: number }) => {
      exchange.closed(true);
      shared.writer.over(exchange, id);
    },
    read: async () => {
      await shared.read();
      return [...journal.requests.newestFirst()]
        .reverse()
        .map(({ number, item }) => `${number} ${item.target} ${item.delivered}`);
    },
  };
}

describe("the journal that replicas share", () => {
  it("exchanges that end while a batch is being written wait for the next one, so writing ends, however many requests arrive", async () => {
    const redis = new FakeRedis();
    const { shared, answer } = replica(redis, "a");
    redis.onPublish = () => {
      if (redis.batches.length < 1000) answer();
    };
    for (let count = 0; count < 2500; count++) answer();
    await shared.writer.flush();
    expect(redis.batches).toHaveLength(3);
    expect(redis.batches.at(-1)?.numbers[2]).toBe(2502);
  });

  it("has the end of an exchange, although the batch with it has no exchange, and therefore the numbers of the next one", async () => {
    const redis = new FakeRedis();
    const [a, b] = [replica(redis, "a"), replica(redis, "b")];
    const slow = a.answer("/slow");
    await a.shared.writer.flush();
    a.over(slow);
    await a.shared.writer.flush();
    a.over(a.answer("/next"));
    await a.shared.writer.flush();
    expect(redis.batches).toHaveLength(3);
    for (const each of [a, b]) expect(await each.read()).toEqual(["1 /slow true", "2 /next true"]);
  });

  it("has a batch with a lost reply only once, whether it was read before or after the loss was known", async () => {
    const redis = new FakeRedis();
    const [a, b] = [replica(redis, "a"), replica(redis, "b")];
    for (const round of [1, 2]) {
      redis.onPublish = () => {
        redis.onPublish = () => {};
        throw new Error("lost");
      };
      a.over(a.answer(`/${round}`));
      await expect(a.shared.writer.flush()).rejects.toThrow("lost");
      if (round === 2) expect(await a.read()).toEqual(["1 /1 true", "2 /2 true"]);
      await a.shared.writer.flush();
    }
    for (const each of [a, b]) expect(await each.read()).toEqual(["1 /1 true", "2 /2 true"]);
  });

  it("has the end of an exchange, although the replica has read the state again before it", async () => {
    const redis = new FakeRedis();
    const [a, b] = [replica(redis, "a"), replica(redis, "b")];
    await a.shared.restart();
    const slow = a.answer("/slow");
    await a.shared.writer.flush();
    await a.shared.restart();
    a.over(slow);
    await a.shared.writer.flush();
    for (const each of [a, b]) expect(await each.read()).toEqual(["1 /slow true"]);
  });

  it("does not wait for an end that was in a batch that Redis has dropped", async () => {
    const redis = new FakeRedis();
    let saved: string | undefined;
    const [a, b] = [replica(redis, "a"), replica(redis, "b", () => saved)];
    const slow = a.answer("/slow");
    await a.shared.writer.flush();
    await b.read();
    expect(b.shared.hasOpen).toBe(true);
    a.over(slow);
    await a.shared.writer.flush();
    redis.batches.pop();
    saved = "[]";
    await b.read();
    expect(b.shared.hasOpen).toBe(false);
  });

  it("does not wait long for an end: that of a replica that was killed never comes", async () => {
    const redis = new FakeRedis();
    const [a, b] = [replica(redis, "a"), replica(redis, "b")];
    a.answer("/slow");
    await a.shared.writer.flush();
    await b.read();
    expect(b.shared.hasOpen).toBe(true);
    redis.now += 10_000;
    expect(b.shared.hasOpen).toBe(false);
  });

  it("has the batches of all in one order, each once, for every reader at any time", async () => {
    const redis = new FakeRedis();
    const [a, b] = [replica(redis, "a"), replica(redis, "b")];
    const expected: string[] = [];
    for (let round = 0; round < 6; round++) {
      const writer = round % 3 === 0 ? b : a;
      writer.over(writer.answer(`/${round}`));
      await writer.shared.writer.flush();
      expected.push(`${round + 1} /${round} true`);
      if (round % 2 === 1) expect(await a.read()).toEqual(expected);
    }
    for (const each of [a, b]) expect(await each.read()).toEqual(expected);
  });
});
