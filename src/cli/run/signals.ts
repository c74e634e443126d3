/** Signals by which a person or a supervisor ends a command. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Those that a terminal sends to every process that it runs in the foreground, the command among them. */
const fromKeyboard: ReadonlySet<string> = new Set(["SIGINT", "SIGQUIT"]);

/** Keeps signals from ending this process, and passes them on to the command that it runs. */
export class SignalRelay {
  /** The first one that arrived. */
  received: NodeJS.Signals | undefined;
  #send: ((signal: NodeJS.Signals) => void) | undefined;
  readonly #listener = (signal: NodeJS.Signals) => {
    this.received ??= signal;
    // Sent again, many a command would take it for the second Ctrl+C, by which people say that they do not want to wait.
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
