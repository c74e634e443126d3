/**
 * Work that is done for several callers at once, one run after the other. A caller gets a run that begins after its
 * call; all who call before it begins share it.
 */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  /** The run that goes on. */
  #running: Promise<void> | undefined;
  /** The run after it, for all who call now. */
  #next: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Rejects if the run does. */
  run(): Promise<void> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  /** The same, and rejects at once if the run that goes on does: the next one would only fail later. */
  soon(): Promise<void> {
    const running = this.#running;
    const next = this.run();
    return running === undefined ? next : Promise.race([next, running.then(() => next)]);
  }

  async #begin(): Promise<void> {
    await this.#running?.catch(() => {});
    this.#next = undefined;
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}
