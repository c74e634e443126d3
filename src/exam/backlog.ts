import { setImmediate } from "node:timers/promises";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { type AnyEntry, isRequest, type Journal, type JournalListener } from "../sandbox/journal/journal.js";
import type { JournalEntry } from "../sandbox/journal/ring-buffer.js";

/** How many entries are judged at once, so that a pause is about a millisecond. */
const batch = 128;

/**
 * The entries of the journal that were not judged yet. They are judged in the order in which they were over: when a
 * report is read, and at the latest before the journal drops them. As long as the journal has room, nothing here is
 * called for a request.
 *
 * An exchange that is still open is judged later. If the journal drops it before it is over, it stays here until then:
 * its connection keeps it in memory anyway.
 */
export class Backlog implements JournalListener {
  readonly #journal: Pick<Journal, "newestFirst">;
  readonly #judge: (entry: AnyEntry) => void;
  /** The place of the newest entry that was collected. */
  #collectedTo = 0;
  /** How many entries the journal has dropped. */
  #dropped = 0;
  /** Collected, and not over. */
  readonly #open = new Set<JournalEntry<Exchange>>();
  /** Collected, over, and not judged, in the order of time. */
  #over: AnyEntry[] = [];

  constructor(journal: Pick<Journal, "newestFirst">, judge: (entry: AnyEntry) => void) {
    this.#journal = journal;
    this.#judge = judge;
  }

  /** Judges everything that is over. */
  catchUp(): void {
    this.#collect();
    this.#judgeNext(this.#over.length);
  }

  /** The same in batches: other work can go on between them. What is over only after the call is not judged. */
  async catchUpInTurns(): Promise<void> {
    this.#collect();
    const last = this.#over.at(-1);
    while (last !== undefined && this.#isWaiting(last)) {
      this.#judgeNext(batch);
      await setImmediate();
    }
  }

  /** Forgets everything that is over, without a judgement. */
  forget(): void {
    this.#collect();
    this.#over = [];
  }

  dropping(entry: AnyEntry): void {
    if (entry.order > this.#collectedTo) this.#collect();
    while (this.#isWaiting(entry)) this.#judgeNext(batch);
    this.#dropped += 1;
    if (this.#dropped % batch !== 0) return;
    // A full journal: more are judged than come, until the newest are. Otherwise a drop in ten thousand would collect all
    // of them, which is a pause of ten milliseconds.
    this.#collect();
    this.#judgeNext(2 * batch);
  }

  clearing(): void {
    this.catchUp();
  }

  /** Whether an entry, or one that was over before it, has to be judged. */
  #isWaiting(entry: AnyEntry): boolean {
    const next = this.#over[0];
    const instant = instantOf(entry);
    return next !== undefined && instant !== undefined && (instantOf(next) ?? 0) <= instant;
  }

  #judgeNext(count: number): void {
    for (const entry of this.#over.splice(0, count)) this.#judge(entry);
  }

  /** Whatever is collected now was over before anything that is collected later. */
  #collect(): void {
    for (const entry of this.#open)
      if (instantOf(entry) !== undefined) {
        this.#open.delete(entry);
        this.#over.push(entry);
      }
    const after = this.#collectedTo;
    for (const entry of this.#journal.newestFirst(undefined, after)) {
      this.#collectedTo = Math.max(this.#collectedTo, entry.order);
      if (instantOf(entry) !== undefined) this.#over.push(entry);
      else if (isRequest(entry)) this.#open.add(entry);
    }
    this.#over.sort((one, other) => (instantOf(one) ?? 0) - (instantOf(other) ?? 0) || one.order - other.order);
  }
}

/** When an entry was over, in milliseconds on the monotonic clock; undefined as long as it is open. */
function instantOf(entry: AnyEntry): number | undefined {
  return isRequest(entry) ? entry.item.passage?.overAt : (entry.item.overAt ?? 0);
}
