/** Signals by which a person or a supervisor ends a command. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Those that a terminal sends to all foreground processes, including the command. */
const fromKeyboard: ReadonlySet<string> = new Set(["SIGINT", "SIGQUIT"]);

/** Keeps signals from ending this process, and passes them on to the command that it runs. */
export class SignalRelay {
  /** The first one that arrived. */
  received: NodeJS.Signals | undefined;
  #send: ((signal: NodeJS.Signals) => void) | undefined;
  readonly #listener = (signal: NodeJS.Signals) => {
    this.received ??= signal;
    // The command has it from the terminal. Many commands take a second Ctrl+C as an order not to wait.
    if (hasTerminal() && fromKeyboard.has(signal)) return;
    this.#send?.(signal);
  };

  constructor() {
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
