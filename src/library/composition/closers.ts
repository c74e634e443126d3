/**
 * Closes a part of a sandbox.
 * @param gracePeriod for what is in flight, in milliseconds
 */
export type Close = (gracePeriod: number) => unknown;

/** The parts of a sandbox that have to be closed, in the order in which they were opened. */
export class Closers {
  readonly #all: Close[] = [];
  #closing: Promise<void> | undefined;

  add(close: Close): void {
    this.#all.push(close);
  }

  /**
   * Closes one part after the other, the newest first, even if one of them fails.
   * @throws the first error
   */
  close(gracePeriod: number): Promise<void> {
    this.#closing ??= this.#closeAll(gracePeriod);
    return this.#closing;
  }

  async #closeAll(gracePeriod: number): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#all.toReversed()) {
      try {
        await close(gracePeriod);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
