import type { HandshakeRecord } from "../sandbox/journal/entry.js";
import type { Exchange, ExchangeListener } from "../sandbox/journal/exchange.js";
import type { JournalLimits } from "../sandbox/journal/journal.js";
import type { Batch, SharedPassage } from "./batch.js";
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

/** An exchange that was answered here, with the number that this replica gave to it. */
interface Recorded {
  readonly id: number;
  readonly exchange: Exchange;
}

/** One that is over. */
interface Ended extends Recorded {
  readonly passage: SharedPassage | undefined;
}

/** A batch that is being sent: if the reply is lost, Redis may have it as it is. */
interface Sending {
  /** Of this replica's batches. */
  readonly number: number;
  readonly exchanges: number;
  readonly handshakes: number;
  readonly text: string;
}

/** Writes the exchanges of this replica to the journal that replicas share, in batches. */
export class JournalWriter implements ExchangeListener {
  readonly #records: SharedRecords;
  readonly #limits: JournalLimits;
  readonly #replica: number;
  readonly #exam: SharedExam | undefined;
  /** What is not written. */
  #recorded: Recorded[] = [];
  #handshakes: HandshakeRecord[] = [];
  #ended: Ended[] = [];
  #count = 0;
  #batches = 0;
  /** It is sent until Redis confirms it. */
  #sending: Sending | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #onFull: () => void;
  readonly #writes = new OneAtATime(() => this.#writeAll());

  /**
   * @param replica the number of this replica
   * @param onFull called after each quarter of what the journal keeps, at the replica that wrote it
   */
  constructor(
    records: SharedRecords,
    limits: JournalLimits,
    replica: number,
    exam: SharedExam | undefined,
    onFull: () => void,
  ) {
    this.#records = records;
    this.#limits = limits;
    this.#replica = replica;
    this.#exam = exam;
    this.#onFull = onFull;
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
    this.#ended.push({ id, exchange, passage: this.#exam?.passageOf(exchange) });
    this.#soon();
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
      await this.#publish(this.#sending);
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
    const batch: Batch = {
      replica: this.#replica,
      from: recorded[0]?.id ?? 0,
      exchanges: recorded.map(({ exchange }) => exchangeText(exchange)),
      handshakes,
      endings: this.#takeEnded().map(({ id, exchange: { ending, connection }, passage }) => ({
        id,
        passage,
        ...ending,
        connection: connection && { end: connection.end, goaway: connection.goaway },
      })),
    };
    const text = JSON.stringify(batch);
    return { number: this.#batches, exchanges: recorded.length, handshakes: handshakes.length, text };
  }

  /** Not those of exchanges that wait for another batch: an end comes after its exchange, or with it. */
  #takeEnded(): Ended[] {
    const next = this.#recorded[0]?.id ?? Number.POSITIVE_INFINITY;
    const ended = this.#ended.filter(({ id }) => id < next).slice(0, largestBatch);
    const taken = new Set(ended);
    this.#ended = this.#ended.filter((each) => !taken.has(each));
    return ended;
  }

  /** @throws SharedStateError */
  async #publish({ number, exchanges, handshakes, text }: Sending): Promise<void> {
    const args = [this.#records.deadline(), exchanges, handshakes, text, number];
    const reply = await this.#records.redis.run(publishScript, [lastBatchKey(this.#records.id)], args);
    const [status, newest = 0, total = 0] = reply as [string, number?, number?];
    if (status === "late") throw new SharedStateError("Redis did not take the journal in time.");
    if (status === "known") return;
    const { requests, bytes } = this.#limits;
    if (ends(newest, exchanges, requests / 4) || ends(total, Buffer.byteLength(text), bytes / 4)) this.#onFull();
  }
}

/** Whether a part of the journal ends within the newest entries, which end at `end`. */
function ends(end: number, size: number, part: number): boolean {
  return Math.floor(end / part) > Math.floor((end - size) / part);
}
