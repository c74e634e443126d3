import type { Passage } from "../connection/passage.js";
import type { ExchangeObservation, HandshakeObservation } from "../exam/observation.js";
import type { Exchange, ExchangeListener } from "../journal/exchange.js";
import type { HandshakeRecord, Journal } from "../journal/journal.js";
import { type Batch, batchOf, exchangesOf, type ReadingContext } from "./exchange-text.js";
import { publishScript } from "./journal-scripts.js";
import { keys } from "./keys.js";
import type { SharedLog } from "./log.js";
import { type Observations, observationsIn, observationText, type SharedExam } from "./observations.js";

/** How long what was recorded waits for more, in milliseconds. A replica that is killed takes so much along. */
const batchInterval = 100;

/** So many exchanges at most are written at once. */
const largestBatch = 1000;

/** How often a reader that waits for new entries looks, in milliseconds. */
const followInterval = 100;

/** An exchange that was answered here, until it is over and written. */
interface Recorded {
  readonly exchange: Exchange;
  /** Its number in the journal, once it is written. */
  number: number | undefined;
  observation: ExchangeObservation | undefined;
}

/** What was written here, until it is read: what this process has in memory is not made again of its text. */
interface Written {
  readonly exchanges: readonly Exchange[];
  readonly handshakes: readonly HandshakeRecord[];
  readonly endings: WrittenBatch["endings"];
  readonly observed: Observations | undefined;
  /** Characters of its text. */
  readonly size: number;
}

/** A batch as Redis has it, until somebody reads the journal. */
interface Unread {
  readonly first: number;
  readonly firstHandshake: number;
  readonly last: number;
  readonly batch: string | Written;
}

interface WrittenBatch extends Batch {
  readonly handshakes: readonly HandshakeRecord[];
  /** What became of exchanges of earlier batches: number, whether delivered, duration. */
  readonly endings: readonly (readonly [number: number, delivered: boolean, duration: number])[];
}

/**
 * The journal that replicas share. What this replica answers is written in batches; what all of them have written is read when somebody
 * asks, so that nobody pays for a journal that is not read.
 */
export class SharedJournal implements ExchangeListener {
  readonly #log: SharedLog;
  readonly #journal: Journal;
  readonly #context: ReadingContext;
  readonly #exam: SharedExam | undefined;
  #recorded: Recorded[] = [];
  #handshakes: { readonly record: HandshakeRecord; readonly observation: HandshakeObservation | undefined }[] = [];
  #endings: [number, boolean, number][] = [];
  #late: Observations["exchanges"][number][] = [];
  /** By the number that this replica gave, those that are not over. */
  readonly #open = new Map<number, Recorded>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #reading: Promise<void> = Promise.resolve();
  #position = "0-0";
  #unread: Unread[] = [];
  /** By the numbers that Redis gave. */
  readonly #written = new Map<string, Written>();
  #writtenSize = 0;
  #newest = 0;
  #removed: ReadonlySet<string> = new Set();

  constructor(log: SharedLog, journal: Journal, context: ReadingContext, exam: SharedExam | undefined) {
    this.#log = log;
    this.#journal = journal;
    this.#context = context;
    this.#exam = exam;
  }

  /** Takes what this replica records. */
  readonly keeper = {
    requests: {
      add: (exchange: Exchange): number => {
        this.#count += 1;
        const recorded = { exchange, number: undefined, observation: undefined };
        this.#recorded.push(recorded);
        this.#open.set(this.#count, recorded);
        this.#soon();
        return this.#count;
      },
    },
    handshakes: {
      add: (record: HandshakeRecord): number => {
        this.#handshakes.push({ record, observation: this.#exam?.observeHandshake(record) });
        this.#soon();
        return 0;
      },
    },
    // The exchange itself is told to this listener.
    over() {},
  };

  over(exchange: Exchange, id: number, passage: Passage | undefined): void {
    const recorded = this.#open.get(id);
    this.#open.delete(id);
    if (recorded === undefined) return;
    const observation = this.#exam?.observe(exchange, 0, passage);
    if (recorded.number === undefined) {
      recorded.observation = observation;
      return;
    }
    this.#endings.push([recorded.number, exchange.delivered === true, exchange.duration]);
    if (observation) this.#late.push([recorded.number, observation]);
    this.#soon();
  }

  /** It was recorded already. */
  handshake(): void {}

  /** Number of the newest exchange that was read. */
  get newest(): number {
    return this.#newest;
  }

  /** Writes all that was recorded here. @throws SharedStateError */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const writing = this.#writing.then(() => this.#writeAll());
    this.#writing = writing.catch(() => {});
    return writing;
  }

  /** Reads what is in Redis into the journal of this process. @throws SharedStateError */
  read(): Promise<void> {
    const reading = this.#reading.then(async () => {
      await this.#fetch();
      this.#takeIn();
    });
    this.#reading = reading.catch(() => {});
    return reading;
  }

  /** Keeps reading. @returns what ends it */
  follow(): () => void {
    const timer = setInterval(() => this.read().catch(() => {}), followInterval);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Runs what removes entries. @param lasting whether this replica has new ones learn of it */
  async removing<T>(work: () => T, lasting: boolean): Promise<T> {
    const { requests, handshakes } = this.#journal;
    const numbers = [...requests.newestFirst()].map(({ number }) => number);
    const ofHandshakes = [...handshakes.newestFirst()].map(({ number }) => number);
    const result = work();
    if (!lasting) return result;
    const gone = [
      ...numbers.filter((number) => !requests.get(number)).flatMap((number) => [number, number]),
      ...ofHandshakes.filter((number) => !handshakes.get(number)).flatMap((number) => [this.#newest, `h${number}`]),
    ];
    if (gone.length > 0) await this.#log.redis.send(["ZADD", keys.removed, ...gone.map(String)]);
    return result;
  }

  /** Forgets what was read, because Redis has other data now. */
  async restart(): Promise<void> {
    await this.#reading;
    this.#journal.run = this.#log.facts.log;
    this.#journal.remove();
    // What is over later is none of the exchanges that have these numbers then.
    for (const [id, { number }] of this.#open) if (number !== undefined) this.#open.delete(id);
    this.#endings = [];
    this.#unread = [];
    this.#written.clear();
    this.#writtenSize = 0;
    this.#position = "0-0";
    this.#newest = 0;
    this.#removed = new Set((await this.#log.redis.send(["ZRANGE", keys.removed, "0", "-1"])) as string[]);
  }

  close(): Promise<void> {
    return this.flush().catch(() => {});
  }

  #soon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.flush().catch(() => {}), batchInterval);
    this.#timer.unref();
  }

  async #writeAll(): Promise<void> {
    // What is there now: what comes meanwhile waits for more.
    let left = Math.max(this.#recorded.length, this.#handshakes.length, this.#endings.length);
    for (; left > 0; left -= largestBatch) await this.#writeBatch();
  }

  async #writeBatch(): Promise<void> {
    const recorded = this.#recorded.splice(0, largestBatch);
    const handshakes = this.#handshakes.splice(0, largestBatch);
    const endings = this.#endings.splice(0, largestBatch);
    const late = this.#late.splice(0, largestBatch);
    const parts = {
      exchanges: recorded.map(({ exchange }) => exchange),
      handshakes: handshakes.map(({ record }) => record),
    };
    const delivered = parts.exchanges.map((exchange) => exchange.delivered);
    const batch: WrittenBatch = { ...parts, ...batchOf(parts.exchanges), endings };
    const observed = this.#exam && {
      exchanges: [
        ...late,
        ...recorded.flatMap(({ observation }, place): Observations["exchanges"] =>
          observation ? [[-place, observation]] : [],
        ),
      ],
      handshakes: handshakes.flatMap(({ observation }) => observation ?? []),
    };
    try {
      const { requests, bytes } = this.#journal.limits;
      const texts = [JSON.stringify(batch), observed ? observationText(observed) : ""];
      const args = [this.#log.deadline(), recorded.length, handshakes.length, requests, bytes, ...texts];
      const reply = await this.#log.redis.run(publishScript, [keys.journal, keys.numbers, keys.removed], args);
      const [status, first = 0, firstHandshake = 0] = reply as [string, number?, number?];
      if (status !== "ok") throw new Error("Redis did not take the journal in time.");
      const size = texts.reduce((sum, text) => sum + text.length, 0);
      this.#remember(`${first} ${firstHandshake}`, { ...parts, endings, observed, size });
      for (const [place, each] of recorded.entries()) {
        each.number = first + place;
        // It may be over since it was written.
        if (each.exchange.delivered !== undefined && delivered[place] === undefined) this.#caughtUp(each);
      }
      if (this.#exam && first + recorded.length - this.#newest > requests / 10) void this.#keepUp();
    } catch (error) {
      // They wait for Redis, as far as a journal of this process would keep them.
      this.#recorded = [...recorded, ...this.#recorded].slice(-this.#journal.limits.requests);
      this.#handshakes = [...handshakes, ...this.#handshakes].slice(-this.#journal.limits.handshakes);
      this.#endings = [...endings, ...this.#endings].slice(-this.#journal.limits.requests);
      this.#late = [...late, ...this.#late].slice(-this.#journal.limits.requests);
      this.#soon();
      throw error;
    }
  }

  #caughtUp({ exchange, number = 0, observation }: Recorded): void {
    this.#endings.push([number, exchange.delivered === true, exchange.duration]);
    if (observation) this.#late.push([number, observation]);
    this.#soon();
  }

  /** The judges see everything, although nobody reads the journal: read before it is cut. */
  #keepUp(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#fetch()).catch(() => {});
    return this.#reading;
  }

  async #fetch(): Promise<void> {
    for (;;) {
      const reply = await this.#log.redis.send(["XRANGE", keys.journal, `(${this.#position}`, "+", "COUNT", "100"]);
      const entries = reply as [string, string[]][];
      // A batch of this process may be there before it is known which numbers it got.
      await this.#writing;
      for (const [position, [, first, , firstHandshake, , last, , , , text = "", , observed = ""]] of entries) {
        this.#position = position;
        this.#newest = Number(last);
        const numbers = { first: Number(first), firstHandshake: Number(firstHandshake), last: Number(last) };
        const own = this.#forget(`${first} ${firstHandshake}`);
        this.#unread.push({ ...numbers, batch: own ? { ...own, observed: undefined } : text });
        if (own?.observed) this.#exam?.feed(own.observed, numbers);
        else if (observed !== "") this.#exam?.feed(observationsIn(observed), numbers);
      }
      if (entries.length < 100) break;
    }
    const oldest = this.#newest - this.#journal.limits.requests;
    this.#unread = this.#unread.filter(({ last }) => last >= oldest);
  }

  /** As far as a journal of this process would keep it. */
  #remember(numbers: string, written: Written): void {
    this.#written.set(numbers, written);
    this.#writtenSize += written.size;
    for (const oldest of this.#written.keys()) {
      if (this.#writtenSize <= this.#journal.limits.bytes) break;
      this.#forget(oldest);
    }
  }

  #forget(numbers: string): Written | undefined {
    const written = this.#written.get(numbers);
    this.#written.delete(numbers);
    this.#writtenSize -= written?.size ?? 0;
    return written;
  }

  #parsed(text: string): Pick<Written, "exchanges" | "handshakes" | "endings"> {
    const batch = JSON.parse(text) as WrittenBatch;
    return { ...batch, exchanges: exchangesOf(batch, this.#context) };
  }

  /** Makes entries of the journal of what was read. */
  #takeIn(): void {
    for (const { first, firstHandshake, batch } of this.#unread) {
      const before = first - 1 + firstHandshake - 1;
      const { exchanges, handshakes, endings } = typeof batch === "string" ? this.#parsed(batch) : batch;
      for (const [place, exchange] of exchanges.entries())
        if (!this.#removed.has(String(first + place)))
          this.#journal.requests.add(exchange, first + place, before + place + 1);
      for (const [place, record] of handshakes.entries())
        if (!this.#removed.has(`h${firstHandshake + place}`))
          this.#journal.handshakes.add(record, firstHandshake + place, before + exchanges.length + place + 1);
      for (const [number, delivered, duration] of endings) {
        const item = this.#journal.requests.get(number)?.item;
        if (item === undefined) continue;
        Object.assign(item, { delivered, duration });
        this.#journal.over(number);
      }
    }
    this.#unread = [];
  }
}
