import { describe, expect, it } from "vitest";
import type { Mark } from "../../src/replicas/batch.js";
import { SharedJournal } from "../../src/replicas/journal.js";
import type { SharedRecords } from "../../src/replicas/records.js";
import type { ConnectionFacts } from "../../src/sandbox/connection/connection-facts.js";
import type { HandshakeRecord } from "../../src/sandbox/journal/entry.js";
import { Exchange } from "../../src/sandbox/journal/exchange.js";
import { Journal } from "../../src/sandbox/journal/journal.js";

/** Does in memory what the journal needs of Redis, without limits. */
class FakeRedis {
  readonly batches: { position: number; batch: number; numbers: [number, number, number]; text: string }[] = [];
  onPublish = () => {};
  now = 1;
  readonly #last = new Map<unknown, { readonly number: unknown; readonly reply: unknown }>();
  #count = 0;
  #position = 0;
  #exchanges = 0;
  #handshakes = 0;

  async run(_script: unknown, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const [writer] = keys;
    const last = this.#last.get(writer);
    if (last && last.number === args[4]) return last.reply;
    const [first, firstHandshake] = [this.#exchanges + 1, this.#handshakes + 1];
    this.#exchanges += Number(args[1]);
    this.#handshakes += Number(args[2]);
    this.#add([first, firstHandshake, this.#exchanges], String(args[3]));
    const reply = ["ok", this.#exchanges, this.#handshakes];
    this.#last.set(writer, { number: args[4], reply });
    this.onPublish();
    return reply;
  }

  async send([, , after = ""]: readonly string[]): Promise<unknown> {
    return this.batches
      .filter(({ position }) => position > Number(after.slice(1).split("-")[0]))
      .map(({ position, batch, numbers: [first, firstHandshake], text }) => [
        `${position}-0`,
        ["n", batch, "e", first, "h", firstHandshake, "b", text].map(String),
      ]);
  }

  /** An admin call has done this. */
  mark(marks: readonly Mark[]): void {
    this.#add([this.#exchanges + 1, this.#handshakes + 1, this.#exchanges], JSON.stringify(marks));
  }

  /** Redis has lost everything after so many batches. */
  lose(kept: number): void {
    this.batches.length = kept;
    this.#count = kept;
    this.#exchanges = this.batches.at(-1)?.numbers[2] ?? 0;
  }

  #add(numbers: [number, number, number], text: string): void {
    this.#count += 1;
    this.#position += 1;
    this.batches.push({ position: this.#position, batch: this.#count, numbers, text });
  }
}

/** @param warnings receives what this replica says */
function replica(redis: FakeRedis, writer: string, warnings: string[] = []) {
  const number = Number.parseInt(writer, 36);
  const log = {
    redis,
    deadline: () => 0,
    id: writer,
    writer,
    facts: { log: "one" },
    current: async () => {},
    clock: { now: () => redis.now },
    warn: (sentence: string) => warnings.push(sentence),
  } as unknown as SharedRecords;
  const judged: string[] = [];
  const judges = {
    over: ({ target }: Exchange, id: number) => judged.push(`${id} ${target}`),
    handshake: ({ cause }: HandshakeRecord, id: number) => judged.push(`${id} ${cause}`),
  };
  const journal = new Journal();
  const shared = new SharedJournal(
    log,
    journal,
    number,
    { clients: { get: () => undefined }, stepsOf: () => [] },
    judges,
  );
  const connection = { id: 1 } as unknown as ConnectionFacts;
  return {
    shared,
    /** What the judges of this replica were told. */
    judged,
    answer: (target = "/") => {
      const exchange = Object.assign(new Exchange({ kind: "none" }, "GET", target, [], 0), { connection });
      return { exchange, id: shared.writer.keeper.requests.add(exchange) };
    },
    over: ({ exchange, id }: { readonly exchange: Exchange; readonly id: number }) => {
      exchange.closed(true);
      shared.writer.over(exchange, id);
    },
    headers: async () => {
      await shared.read();
      return [...journal.requests.newestFirst()].map(({ item }) => item.headersOfAnswer);
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

  it("has judged what this replica has answered, and nothing else, with the ids of the common journal, once", async () => {
    const redis = new FakeRedis();
    const [a, b] = [replica(redis, "a"), replica(redis, "b")];
    b.over(b.answer("/other"));
    await b.shared.writer.flush();
    const slow = a.answer("/slow");
    a.shared.writer.keeper.handshakes.add({ cause: "plain-http" } as HandshakeRecord);
    await a.shared.writer.flush();
    redis.onPublish = () => {
      redis.onPublish = () => {};
      throw new Error("lost");
    };
    a.over(a.answer("/quick"));
    await expect(a.shared.writer.flush()).rejects.toThrow("lost");
    expect(a.judged).toEqual(["1 plain-http"]);
    a.over(slow);
    await a.shared.writer.flush();
    for (const each of [a, b]) await each.read();
    expect(a.judged).toEqual(["1 plain-http", "3 /quick", "2 /slow"]);
    expect(b.judged).toEqual(["1 /other"]);
  });

  it("has the headers as they were sent, although the exchange was written before", async () => {
    const redis = new FakeRedis();
    const [a, b] = [replica(redis, "a"), replica(redis, "b")];
    const slow = a.answer("/slow");
    slow.exchange.answered(200, { "Content-Length": "2" }, "{}");
    await a.shared.writer.flush();
    slow.exchange.headed(["content-length", "5", "Date", "today"]);
    a.over(slow);
    await a.shared.writer.flush();
    expect(await b.headers()).toEqual([["content-length", "5", "Date", "today"]]);
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

  it("has what Redis has, and waits for no other end, if Redis has dropped batches that were not read", async () => {
    const redis = new FakeRedis();
    const [a, b] = [replica(redis, "a"), replica(redis, "b")];
    const slow = a.answer("/slow");
    await a.shared.writer.flush();
    expect(await b.read()).toEqual(["1 /slow undefined"]);
    expect(b.shared.hasOpen).toBe(true);
    a.over(slow);
    await a.shared.writer.flush();
    redis.mark([{ removed: "all" }]);
    a.over(a.answer("/next"));
    await a.shared.writer.flush();
    redis.batches.splice(0, 3);
    for (const each of [a, b]) expect(await each.read()).toEqual(["2 /next true"]);
    expect(b.shared.hasOpen).toBe(false);
  });

  it("removes what is before a mark, and nothing after it, however much is read at once", async () => {
    const redis = new FakeRedis();
    const [a, b] = [replica(redis, "a"), replica(redis, "b")];
    const [first, second, third] = ["/1", "/2", "/3"].map((target) => a.answer(target));
    for (const each of [first, second, third]) if (each) a.over(each);
    await a.shared.writer.flush();
    await a.read();
    a.shared.remove((entry) => entry.number === 2);
    redis.mark(a.shared.takeMarks());
    expect(a.shared.takeMarks()).toEqual([]);
    a.over(a.answer("/4"));
    await a.shared.writer.flush();
    for (const each of [a, b]) expect(await each.read()).toEqual(["1 /1 true", "3 /3 true", "4 /4 true"]);
    a.shared.remove();
    redis.mark(a.shared.takeMarks());
    a.over(a.answer("/5"));
    await a.shared.writer.flush();
    const late = replica(redis, "late");
    for (const each of [a, b, late]) expect(await each.read()).toEqual(["5 /5 true"]);
  });

  it.each(["only the end of an entry", "entries"])("says that Redis has lost the newest batches: %s", async (what) => {
    const redis = new FakeRedis();
    const warnings: string[] = [];
    const [a, b] = [replica(redis, "a"), replica(redis, "b", warnings)];
    const slow = a.answer("/slow");
    await a.shared.writer.flush();
    if (what === "entries") a.answer("/lost");
    else a.over(slow);
    await a.shared.writer.flush();
    await b.read();
    redis.lose(1);
    const c = replica(redis, "c");
    c.over(c.answer("/next"));
    await c.shared.writer.flush();
    expect(await b.read()).toEqual(["1 /slow undefined", "2 /next true"]);
    expect(warnings).toEqual(["Redis has lost the newest entries of the journal."]);
  });

  it("has no end of another entry that had the same number before Redis lost it", async () => {
    const redis = new FakeRedis();
    const [a, b, reader] = [replica(redis, "a"), replica(redis, "b"), replica(redis, "c")];
    a.over(a.answer("/kept"));
    await a.shared.writer.flush();
    const lost = a.answer("/lost");
    await a.shared.writer.flush();
    redis.lose(1);
    b.answer("/next");
    await b.shared.writer.flush();
    a.over(lost);
    await a.shared.writer.flush();
    expect(await reader.read()).toEqual(["1 /kept true", "2 /next undefined"]);
  });

  it("reads on after entries of another program", async () => {
    const redis = new FakeRedis();
    const a = replica(redis, "a");
    a.over(a.answer("/own"));
    await a.shared.writer.flush();
    const send = redis.send.bind(redis);
    let asked = 0;
    redis.send = async ([command = "", key = "", after = ""]) => {
      asked += 1;
      const foreign = Array.from({ length: 100 }, (_, index) => [`0-${index + 1}`, ["x", "y"]]);
      return after === "(0-0" ? foreign : send([command, key, after]);
    };
    expect(await a.read()).toEqual(["1 /own true"]);
    expect(asked).toBe(2);
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
