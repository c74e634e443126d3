/** Cursors in a generation. Two generations are kept. */
const generationSize = 1000;

/** Longer texts are not kept: they have long filters and are rare. So 2,000 cursors take about 1 MiB. */
const maximumLength = 512;

/**
 * The payloads of cursors that were issued or opened recently. Decrypting a cursor costs as much as the rest of the
 * work for a page of ten rows, and most cursors come back soon after they are issued.
 */
export class CursorCache<Payload> {
  #newer = new Map<string, Payload>();
  #older = new Map<string, Payload>();

  /** The payload of the cursor with exactly this text. */
  payloadOf(text: string): Payload | undefined {
    return this.#newer.get(text) ?? this.#older.get(text);
  }

  remember(text: string, payload: Payload): void {
    if (text.length > maximumLength) return;
    // Dropping a generation costs less than finding the oldest cursor each time.
    if (this.#newer.size >= generationSize) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(text, payload);
  }
}
