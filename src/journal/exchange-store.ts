import type { Exchange } from "./exchange.js";
import type { SlotStore } from "./ring-buffer.js";

/**
 * The exchanges of the journal: each is written into a record that stays where it is, over the exchange that lay there before.
 *
 * Kept as they are, ten thousand exchanges all grow old before they are dropped, and the old are what a garbage collector is slow with:
 * copying them twice and collecting them was an eighth of a ping, and a fifth of the memory. Records are made once, and an exchange
 * that has been answered is gone with the next small collection.
 */
export class ExchangeStore implements SlotStore<Exchange> {
  readonly #records: (Exchange | undefined)[];

  constructor(readonly capacity: number) {
    this.#records = new Array(capacity);
  }

  put(slot: number, exchange: Exchange): void {
    const record = this.#records[slot] ?? exchange.copy();
    this.#records[slot] = record;
    exchange.recordIn(record);
  }

  /** A copy: what lies in the slot is another exchange before long. */
  get(slot: number): Exchange {
    return (this.#records[slot] as Exchange).copy();
  }

  release(slot: number): void {
    this.#records[slot] = undefined;
  }
}
