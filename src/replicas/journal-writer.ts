import type { Exchange, ExchangeListener } from "../sandbox/journal/exchange.js";
import type { HandshakeRecord, JournalLimits } from "../sandbox/journal/journal.js";
import type { Batch, Ending, SharedPassage } from "./batch.js";
import type { SharedExam } from "./exam.js";
import { exchangeText } from "./exchange-text.js";
import { publishScript } from "./journal-scripts.js";
import { lastBatchKey } from "./keys.js";
import { OneAtATime } from "./one-at-a-time.js";
import type { SharedRecords } from "./records.js";
import { SharedStateError } from "./redis.js";

/** How long the ends of exchanges that are written wait for more, in milliseconds. A replica that is killed loses them. */
const batchInterval = 100;

/** The largest number of exchanges that are written at once. */
const largestBatch = 1000;

/** An exchange that was answered here, until it is over and written. */
interface Recorded {
  readonly exchange: Exchange;
  /** Its number in the journal; 0 before it is written. */
  number: number;
  passage: SharedPassage | undefined;
}

/** A batch that is being sent: if the reply is lost, Redis may have it as it is. */
interface Sending extends Omit<Batch, "endings"> {
  /** Of this replica's batches. */
  readonly number: number;
  readonly recorded: readonly Recorded[];
  readonly ended: readonly Recorded[];
}

/** Writes the exchanges of this replica to the journal that replicas share, in batches. */
export class JournalWriter implements ExchangeListener {
  readonly #records: SharedRecords;
  readonly #limits: JournalLimits;
  readonly #exam: SharedExam | undefined;
  #recorded: Recorded[] = [];
  #handshakes: HandshakeRecord[] = [];
  /** Exchanges of earlier batches that are over now. */
  #ended: Recorded[] = [];
  /** Exchanges that are not over, by the number that this replica gave. */
  readonly #open = new Map<number, Recorded>();
  #count = 0;
  #batches = 0;
  /** It is sent until Redis confirms it. */
  #sending: Sending | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #onFull: () => void;
  readonly #writes = new OneAtATime(() => this.#writeAll());

  /** @param onFull called after each quarter of what the journal keeps, at the replica that wrote it */
  constructor(records: SharedRecords, limits: JournalLimits, exam: SharedExam | undefined, onFull: () => void) {
    this.#records = records;
    this.#limits = limits;
    this.#exam = exam;
    this.#onFull = onFull;
  }

  /** Receives the records of this replica. */
  readonly keeper = {
    requests: {
      add: (exchange: Exchange): number => {
        this.#count += 1;
        const recorded = { exchange, number: 0, passage: undefined };
        this.#recorded.push(recorded);
        this.#open.set(this.#count, recorded);
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
    const recorded = this.#open.get(id);
    this.#open.delete(id);
    if (recorded === undefined) return;
    recorded.passage = this.#exam?.passageOf(exchange);
    if (recorded.number > 0) this.#hasEnded(recorded);
  }

  /** It was recorded already. */
  handshake(): void {}

  /**
   * Writes all that was recorded here before the call. Calls share a write that has not begun.
   * @throws SharedStateError
   */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#writes.run();
  }

  /**
   * Redis may have other data now: these numbers may then belong to other exchanges.
   * @param newest number of the newest exchange that Redis knows
   */
  restart(newest: number): void {
    for (const [id, { number }] of this.#open) if (number > newest) this.#open.delete(id);
    const isKnown = ({ number }: Recorded) => number <= newest;
    this.#ended = this.#ended.filter(isKnown);
    const sending = this.#sending;
    if (sending) this.#sending = { ...sending, ended: sending.ended.filter(isKnown) };
  }

  /** Whoever waits for the journal gets the same promise: it is one write for all records of this turn. */
  #now(): void {
    this.flush().catch(() => {});
  }

  #soon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.flush().catch(() => {}), batchInterval);
    this.#timer.unref();
  }

  #hasEnded(recorded: Recorded): void {
    this.#ended.push(recorded);
    this.#soon();
  }

  async #writeAll(): Promise<void> {
    // The batch that is being sent, and the present records. Records that come meanwhile wait for more.
    const records = Math.max(this.#recorded.length, this.#handshakes.length, this.#ended.length);
    let batches = (this.#sending ? 1 : 0) + Math.ceil(records / largestBatch);
    for (; batches > 0; batches--) await this.#writeBatch();
  }

  async #writeBatch(): Promise<void> {
    this.#sending ??= this.#take();
    const { recorded, exchanges } = this.#sending;
    try {
      const first = await this.#publish(this.#sending);
      this.#sending = undefined;
      for (const [place, each] of recorded.entries()) {
        each.number = first + place;
        // It may have ended since the batch was made.
        if (each.exchange.delivered !== undefined && exchanges[place]?.delivered === undefined) this.#hasEnded(each);
      }
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
    return {
      number: this.#batches,
      recorded,
      exchanges: recorded.map(({ exchange }) => exchangeText(exchange)),
      passages: recorded.map(({ passage }) => passage),
      handshakes: this.#handshakes.splice(0, largestBatch),
      ended: this.#ended.splice(0, largestBatch),
    };
  }

  /**
   * @returns the number of the first exchange
   * @throws SharedStateError
   */
  async #publish({ number, recorded, exchanges, passages, handshakes, ended }: Sending): Promise<number> {
    const endings = ended.map(({ number, exchange: { ending, connection }, passage }): Ending => {
      return {
        number,
        passage,
        ...ending,
        connection: connection && { end: connection.end, goaway: connection.goaway },
      };
    });
    const text = JSON.stringify({ exchanges, passages, handshakes, endings } satisfies Batch);
    const args = [this.#records.deadline(), recorded.length, handshakes.length, text, number];
    const reply = await this.#records.redis.run(publishScript, [lastBatchKey(this.#records.id)], args);
    const [status, first = 0, total = 0] = reply as [string, number?, number?];
    if (status !== "ok") throw new SharedStateError("Redis did not take the journal in time.");
    const { requests, bytes } = this.#limits;
    const isFull =
      ends(first + recorded.length - 1, recorded.length, requests / 4) ||
      ends(total, Buffer.byteLength(text), bytes / 4);
    if (isFull) this.#onFull();
    return first;
  }
}

/** Whether a part of the journal ends within the newest entries, which end at `end`. */
function ends(end: number, size: number, part: number): boolean {
  return Math.floor(end / part) > Math.floor((end - size) / part);
}
