/**
 * Work that is done for several callers at once, one run after the other. A caller gets a run that begins after its
 * call; all who call before it begins share it.
 */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  /** The run that goes on. */
  #running: Promise<void> = Promise.resolve();
  /** The run after it, for all who call now. */
  #next: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Rejects if the run does. */
  run(): Promise<void> {
    if (this.#next === undefined) {
      const next = this.#running.then(() => {
        this.#next = undefined;
        return this.#work();
      });
      this.#next = next;
      this.#running = next.catch(() => {});
    }
    return this.#next;
  }
}
