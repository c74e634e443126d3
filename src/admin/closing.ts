/**
 * The end of a sandbox, for what has to end with it. There is one for all streams, and there may be hundreds of them: an AbortSignal
 * takes more than ten listeners for a leak and prints a warning.
 */
export class Closing {
  readonly #listeners = new Set<() => void>();
  #begun = false;

  /** Whether the sandbox stops, or has stopped. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Calls the listener once, when the sandbox stops. @returns what takes the listener away again */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The sandbox stops now. */
  begin(): void {
    this.#begun = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
