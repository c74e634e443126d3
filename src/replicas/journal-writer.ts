import { remember } from "../base/remember.js";
import type { TrafficListener } from "../sandbox/events.js";
import type { HandshakeRecord } from "../sandbox/journal/entry.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { exchangeText } from "../sandbox/journal/exchange-text.js";
import type { JournalLimits } from "../sandbox/journal/journal.js";
import type { Batch } from "./batch.js";
import { publishScript } from "./journal-scripts.js";
import { lastBatchKey } from "./keys.js";
import { OneAtATime } from "./one-at-a-time.js";
import type { SharedRecords } from "./records.js";
import { SharedStateError } from "./redis.js";

/** How long the ends of exchanges that are written wait for more, in milliseconds. A replica that is killed loses them. */
const batchInterval = 100;

/** The largest number of exchanges that are written at once. */
const largestBatch = 1000;

/** How many exchanges of a replica may be open. */
const mostOpen = 20_000;

/** An exchange that was answered here, with the number that this replica gave to it. */
interface Recorded {
  readonly id: number;
  readonly exchange: Exchange;
}

/** A batch that is being sent: if the reply is lost, Redis may have it as it is. */
interface Sending {
  /** Of this replica's batches. */
  readonly number: number;
  readonly recorded: readonly Recorded[];
  readonly handshakes: readonly HandshakeRecord[];
  readonly ended: readonly Recorded[];
  readonly text: string;
}

/**
 * Writes the exchanges of this replica to the journal that replicas share, in batches. Then they have their numbers, and
 * the judges of this replica are told of them.
 */
export class JournalWriter implements TrafficListener {
  readonly #records: SharedRecords;
  readonly #limits: JournalLimits;
  readonly #replica: number;
  /** How people tell this replica from the others. Known before anything is answered. */
  name = "";
  readonly #judges: TrafficListener | undefined;
  /** What is not written. */
  #recorded: Recorded[] = [];
  #handshakes: HandshakeRecord[] = [];
  #ended: Recorded[] = [];
  /** The numbers in the common journal of the exchanges that are not over, by those that this replica gave. */
  readonly #numbers = new Map<number, number>();
  #count = 0;
  #batches = 0;
  /** It is sent until Redis confirms it. */
  #sending: Sending | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #writes = new OneAtATime(() => this.#writeAll());

  /** @param replica the number of this replica */
  constructor(records: SharedRecords, limits: JournalLimits, replica: number, judges: TrafficListener | undefined) {
    this.#records = records;
    this.#limits = limits;
    this.#replica = replica;
    this.#judges = judges;
  }

  /** Receives the records of this replica. */
  readonly keeper = {
    requests: {
      add: (exchange: Exchange): number => {
        this.#count += 1;
        this.#recorded.push({ id: this.#count, exchange });
        this.#now();
        return this.#count;
      },
    },
    handshakes: {
      add: (record: HandshakeRecord): number => {
        this.#handshakes.push(record);
        this.#now();
        return 0;
      },
    },
    // This listener gets the exchange itself.
    over() {},
  };

  over(exchange: Exchange, id: number): void {
    this.#ended.push({ id, exchange });
    this.#soon();
  }

  /**
   * Writes all that was recorded here before the call. Calls share a write that has not begun.
   * @throws SharedStateError
   */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#writes.run();
  }

  /** Whoever waits for the journal gets the same promise: it is one write for all records of this turn. */
  #now(): void {
    this.flush().catch(() => {});
  }

  #soon(): void {
    if (this.#timer !== undefined || this.#records.isClosed) return;
    this.#timer = setTimeout(() => this.flush().catch(() => {}), batchInterval);
    this.#timer.unref();
  }

  async #writeAll(): Promise<void> {
    // The batch that is being sent, and the present records. Records that come meanwhile wait for more.
    const records = Math.max(this.#recorded.length, this.#handshakes.length, this.#ended.length);
    let batches = (this.#sending ? 1 : 0) + Math.ceil(records / largestBatch);
    for (; batches > 0; batches--) await this.#writeBatch();
    if (this.#ended.length > 0) this.#soon();
  }

  async #writeBatch(): Promise<void> {
    this.#sending ??= this.#take();
    try {
      this.#tellJudges(this.#sending, await this.#publish(this.#sending));
      this.#sending = undefined;
    } catch (error) {
      // They wait for Redis, as many as a journal of this process would keep.
      const { requests, handshakes } = this.#limits;
      this.#recorded = this.#recorded.slice(-requests);
      this.#handshakes = this.#handshakes.slice(-handshakes);
      this.#ended = this.#ended.slice(-requests);
      this.#soon();
      throw error;
    }
  }

  #take(): Sending {
    this.#batches += 1;
    const recorded = this.#recorded.splice(0, largestBatch);
    const handshakes = this.#handshakes.splice(0, largestBatch);
    const ended = this.#takeEnded();
    const batch: Batch = {
      replica: this.#replica,
      name: this.name,
      from: recorded[0]?.id ?? 0,
      exchanges: recorded.map(({ exchange }) => exchangeText(exchange)),
      handshakes,
      endings: ended.map(({ id, exchange: { ending, connection } }) => ({
        id,
        ...ending,
        connection: connection && { end: connection.end, goaway: connection.goaway },
      })),
    };
    return { number: this.#batches, recorded, handshakes, ended, text: JSON.stringify(batch) };
  }

  /** Not those of exchanges that wait for another batch: an end comes after its exchange, or with it. */
  #takeEnded(): Recorded[] {
    const next = this.#recorded[0]?.id ?? Number.POSITIVE_INFINITY;
    const ended = this.#ended.filter(({ id }) => id < next).slice(0, largestBatch);
    const taken = new Set(ended);
    this.#ended = this.#ended.filter((each) => !taken.has(each));
    return ended;
  }

  /**
   * @returns the numbers of the last exchange and of the last handshake
   * @throws SharedStateError
   */
  async #publish({ number, recorded, handshakes, text }: Sending): Promise<readonly [number, number]> {
    const { requests, bytes } = this.#limits;
    const args = [this.#records.deadline(), recorded.length, handshakes.length, text, number, requests, bytes];
    const reply = await this.#records.redis.run(publishScript, [lastBatchKey(this.#records.id)], args);
    const [status, last = 0, lastHandshake = 0] = reply as [string, number?, number?];
    if (status === "late") throw new SharedStateError("Redis did not take the journal in time.");
    return [last, lastHandshake];
  }

  #tellJudges({ recorded, handshakes, ended }: Sending, [last, lastHandshake]: readonly [number, number]): void {
    for (const [index, { id }] of recorded.entries())
      remember(this.#numbers, id, last - recorded.length + 1 + index, mostOpen);
    for (const { id, exchange } of ended) {
      const number = this.#numbers.get(id);
      if (number !== undefined) this.#judges?.over?.(exchange, number);
      this.#numbers.delete(id);
    }
    for (const [index, record] of handshakes.entries())
      this.#judges?.handshake?.(record, lastHandshake - handshakes.length + 1 + index);
  }
}
