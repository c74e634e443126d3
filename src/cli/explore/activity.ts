import type { Sandbox } from "../../library/composition/sandbox.js";
import { monotonicNow } from "../../sandbox/clock.js";

/** A command that still sends something is ended after so many times the time-out. */
const longestBusy = 10;

/** How often it is looked, in a time-out. */
const looks = 20;

/** Ends a command that sends nothing for a time, or is busy for ten times as long. */
export class ActivityLimit {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #begunAt = monotonicNow();
  #lastAt = this.#begunAt;

  /** @param timeout in milliseconds */
  constructor({ journal }: Pick<Sandbox, "journal">, timeout: number) {
    const active = () => {
      this.#lastAt = monotonicNow();
    };
    journal.requests.subscribe(active);
    journal.handshakes.subscribe(active);
    this.#timer = setInterval(() => this.#look(timeout), timeout / looks).unref();
    this.#controller.signal.addEventListener("abort", () => this.close(), { once: true });
  }

  /** Its reason says why: `hung` or `busy`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(timeout: number): void {
    const now = monotonicNow();
    if (now - this.#lastAt >= timeout) this.#controller.abort("hung");
    else if (now - this.#begunAt >= longestBusy * timeout) this.#controller.abort("busy");
  }
}
