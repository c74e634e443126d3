import type { Sandbox } from "../../library/composition/sandbox.js";
import { monotonicNow } from "../../sandbox/clock.js";

/** A command that still sends something is ended after so many times the time-out. */
const longestBusy = 10;

/** How often it is looked, in a time-out. */
const looks = 20;

/** Why a command is ended. */
export type EndedFor = "hung" | "busy" | "endless";

interface Limits {
  /** How long the command may be silent, in milliseconds. */
  readonly timeout: number;
  /** How long it is silent without a fault, and how long the fault itself keeps it waiting, in milliseconds. */
  readonly waits?: number;
  /**
   * Whether the client repeats without an end, by how often the fault acted, and in what time, in milliseconds. Such a
   * client would cost ten time-outs.
   */
  readonly isEndless?: (faults: number, within: number) => boolean;
  /** Whether the fault acted on an exchange. */
  readonly isFault?: (exchange: { readonly injected: string | undefined }) => boolean;
}

/**
 * Ends a command that is silent for a time, or is busy for ten times as long. It counts looks, not time: while the
 * machine sleeps, or is too busy to look, nobody is silent.
 */
export class ActivityLimit {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #period: number;
  #silent = 0;
  #longest = 0;
  #busy = 0;
  #faults = 0;
  #firstFault: number | undefined;

  constructor(
    { journal }: Pick<Sandbox, "journal">,
    { timeout, waits = 0, isEndless = () => false, isFault = () => false }: Limits,
  ) {
    const active = () => {
      this.#silent = 0;
    };
    journal.requests.subscribe(({ item }) => {
      active();
      if (!isFault(item)) return;
      this.#faults += 1;
      this.#firstFault ??= monotonicNow();
      if (isEndless(this.#faults, monotonicNow() - this.#firstFault)) this.#end("endless");
    });
    journal.handshakes.subscribe(active);
    journal.listen({ over: active });
    this.#period = timeout / looks;
    const most = Math.ceil((timeout + waits) / this.#period);
    this.#timer = setInterval(() => {
      this.#silent += 1;
      this.#longest = Math.max(this.#longest, this.#silent);
      this.#busy += 1;
      if (this.#silent >= most) this.#end("hung");
      else if (this.#busy >= longestBusy * looks) this.#end("busy");
    }, this.#period).unref();
  }

  /** Its reason says why: `EndedFor`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** How long the command was silent at most, in milliseconds. */
  get longestSilence(): number {
    return this.#longest * this.#period;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #end(reason: EndedFor): void {
    this.close();
    this.#controller.abort(reason);
  }
}
