import { type ChildProcess, spawn } from "node:child_process";
import { afterFile } from "../support/cleanups.js";
import { patience } from "../support/patience.js";
import { atTerminal } from "../support/terminal.js";

/** How a command in a shell ended. */
export interface Ran {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

// No output of a command looks like this.
const mark = "\u001e";

/** The shells of readers, without the settings of this machine. zsh is the shell of macOS, and dash the `sh` of Debian. */
const shells = {
  bash: ["bash", "--noprofile", "--norc"],
  zsh: ["zsh", "-f"],
  dash: ["dash", "-i"],
} as const;

export type ShellName = keyof typeof shells;

/**
 * One session of an interactive shell, into which commands are typed at a terminal: a prompt refuses some of what a script
 * accepts. It ends with the tests of its file.
 */
export class Shell {
  readonly #child: ChildProcess;
  #output = "";
  #errors = "";

  constructor(name: ShellName, cwd: string, env: Readonly<Record<string, string>>) {
    this.#child = atTerminal(shells[name], { cwd, env: { ...env, TERM: "dumb" } });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    afterFile(() => endGroup(this.#child));
  }

  /**
   * Types a command, and waits for its end. What the terminal shows counts as errors.
   * @throws Error when it does not end in time
   */
  async run(command: string): Promise<Ran> {
    this.#output = this.#errors = "";
    this.#child.stdin?.write(`${command}\nprintf '\\036%s\\036' $?; printf '\\036' >&2\n`);
    const deadline = performance.now() + patience;
    for (;;) {
      const [output = "", status] = this.#output.split(mark);
      if (status !== undefined && this.#errors.includes(mark))
        return { status: Number(status), output, errors: this.#errors.replace(mark, "") };
      if (performance.now() > deadline || this.#child.exitCode !== null)
        throw new Error(`The command did not end in the shell: ${command}\n${this.#output}${this.#errors}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** A command that runs until it is stopped, as in its own terminal. */
export class Terminal {
  printed = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(command: string, cwd: string, env: Readonly<Record<string, string>>) {
    this.#child = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.printed += text;
      });
    this.#ended = new Promise((resolve) => this.#child.once("close", resolve));
    afterFile(() => endGroup(this.#child));
  }

  /**
   * Waits until it has printed something.
   * @throws Error if it ends, or time passes, before that
   */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = performance.now() + patience;
    for (;;) {
      const match = pattern.exec(this.printed);
      if (match) return match;
      if (performance.now() > deadline || this.#child.exitCode !== null)
        throw new Error(`The terminal did not show ${pattern}. It shows:\n${this.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Ctrl+C. */
  async interrupt(): Promise<void> {
    endGroup(this.#child, "SIGINT");
    await this.#ended;
  }
}

/** Ends a process that leads a group, and everything that it has started. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself in the meantime.
  }
}
