import type { CursorPayload } from "./cursor.js";

/** How many cursors a generation has. Two are kept. */
const mostCursors = 1000;

/** Longer texts are not kept, so that a thousand take less than a mebibyte: those with long filters, which are rare. */
const longestText = 512;

/** A cursor: what it holds, as text, and the text that a client has of it. */
interface KnownCursor {
  readonly text: string;
  readonly payload: CursorPayload;
}

/**
 * The cursors that were issued or opened lately. OpenSSL makes a cipher for each that is sealed or opened, which costs as much as the
 * rest of a page of ten rows; and of the cursors that are issued, most come back at once.
 */
export class CursorMemory {
  #byText = new Map<string, KnownCursor>();
  #byContent = new Map<string, KnownCursor>();
  #olderByText = new Map<string, KnownCursor>();
  #olderByContent = new Map<string, KnownCursor>();

  /** What the cursor with this very text holds. */
  payloadOf(text: string): CursorPayload | undefined {
    return (this.#byText.get(text) ?? this.#olderByText.get(text))?.payload;
  }

  /** The text of a cursor that holds the same: same walk, same place, issued in the same millisecond. */
  textOf(content: string): string | undefined {
    return (this.#byContent.get(content) ?? this.#olderByContent.get(content))?.text;
  }

  /** @param content all that the cursor holds, as text */
  remember(text: string, content: string, payload: CursorPayload): void {
    if (text.length > longestText) return;
    // To drop a whole generation costs less than to find the oldest each time.
    if (this.#byText.size >= mostCursors) {
      this.#olderByText = this.#byText;
      this.#olderByContent = this.#byContent;
      this.#byText = new Map();
      this.#byContent = new Map();
    }
    const known = { text, payload };
    this.#byText.set(text, known);
    this.#byContent.set(content, known);
  }
}
