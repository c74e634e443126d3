import type { CursorPayload } from "./cursor.js";

/** How many cursors a generation has. Two are kept. */
const mostCursors = 1000;

/** Longer texts are not kept, so that two thousand take about a mebibyte: those with long filters, which are rare. */
const longestText = 512;

/**
 * What the cursors hold that were issued or opened lately. OpenSSL makes a cipher for each that is opened, which costs as much as all
 * else that is done for a page of ten rows; and of the cursors that are issued, most come back at once.
 */
export class CursorMemory {
  #newer = new Map<string, CursorPayload>();
  #older = new Map<string, CursorPayload>();

  /** What the cursor with this very text holds. */
  payloadOf(text: string): CursorPayload | undefined {
    return this.#newer.get(text) ?? this.#older.get(text);
  }

  remember(text: string, payload: CursorPayload): void {
    if (text.length > longestText) return;
    // To drop a whole generation costs less than to find the oldest each time.
    if (this.#newer.size >= mostCursors) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(text, payload);
  }
}
