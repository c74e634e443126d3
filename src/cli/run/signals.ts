import { endings } from "../ending-signals.js";

/** Those that a terminal sends to all foreground processes, including the command. */
const fromKeyboard: ReadonlySet<string> = new Set(["SIGINT", "SIGQUIT"]);

/** Keeps signals from ending this process, and passes them on to the command that it runs. */
export class SignalRelay {
  /** The first one that arrived. */
  received: NodeJS.Signals | undefined;
  #send: ((signal: NodeJS.Signals) => void) | undefined;
  readonly #sharesTerminal: boolean;
  readonly #listener = (signal: NodeJS.Signals) => {
    this.received ??= signal;
    // The command has it from the terminal. Many commands take a second Ctrl+C as an order not to wait.
    if (this.#sharesTerminal && hasTerminal() && fromKeyboard.has(signal)) return;
    this.#send?.(signal);
  };

  /** @param sharesTerminal whether the command is in the group of processes that a terminal sends its signals to */
  constructor(sharesTerminal = true) {
    this.#sharesTerminal = sharesTerminal;
    for (const signal of endings) process.on(signal, this.#listener);
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
