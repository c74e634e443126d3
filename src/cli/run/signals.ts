import { endings } from "../ending-signals.js";
import { statusOf } from "./command.js";

/** Signals that a terminal sends to all foreground processes, including the command. */
const fromKeyboard: ReadonlySet<string> = new Set(["SIGINT", "SIGQUIT"]);

/** Prevents signals from ending this process, and passes them on to the command that it runs. */
export class SignalRelay {
  /** The first one that arrived. */
  received: NodeJS.Signals | undefined;
  #send: ((signal: NodeJS.Signals) => void) | undefined;
  readonly #listener = (signal: NodeJS.Signals) => {
    this.received ??= signal;
    // The command got it from the terminal. Many commands do not wait any more after a second Ctrl+C.
    if (this.sharesTerminal && hasTerminal() && fromKeyboard.has(signal)) return;
    this.#send?.(signal);
  };

  /** @param sharesTerminal whether the command is in the process group that a terminal sends its signals to */
  constructor(private readonly sharesTerminal = true) {
    for (const signal of endings) process.on(signal, this.#listener);
  }

  /** The exit status of a command that the first one ended; undefined if none arrived. */
  get status(): number | undefined {
    return this.received && statusOf({ kind: "signal", signal: this.received });
  }

  /** From now on signals go to the command. */
  passTo(send: (signal: NodeJS.Signals) => void): void {
    this.#send = send;
  }

  /** Signals end this process again. */
  close(): void {
    for (const signal of endings) process.off(signal, this.#listener);
  }
}

function hasTerminal(): boolean {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
}
