import type { ChildProcess } from "node:child_process";
import { monotonicNow } from "../../clock.js";
import { type Ending, startCommand } from "../run/command.js";

/** A command that is told to end gets this much time, in milliseconds; then it is killed. */
const grace = 3000;

/** Output that is still on its way when the command has ended gets this much time, in milliseconds. */
const drain = 1000;

/** The end of what a command prints. */
export class Output {
  #text = "";
  #cut = false;

  /** @param most characters that are kept */
  constructor(readonly most: number) {}

  add(text: string): void {
    this.#text += text;
    if (this.#text.length <= this.most) return;
    this.#text = this.#text.slice(-this.most);
    this.#cut = true;
  }

  /** The lines, and whether more stood before them. */
  get lines(): { readonly lines: readonly string[]; readonly cut: boolean } {
    const lines = this.#text.split(/\r?\n/);
    while (lines.at(-1)?.trim() === "") lines.pop();
    return { lines: this.#cut ? lines.slice(1) : lines, cut: this.#cut };
  }
}

/** The commands that run now. Each is in a group of processes of its own, with all that it starts. */
export class RunningCommands {
  readonly #children = new Set<ChildProcess>();
  /** The signal by which all were told to end. A command that is started all the same gets it, too. */
  #told: NodeJS.Signals | undefined;

  /**
   * Runs a command to its end, or for as long as it may take. Nothing of its group is left then.
   * @param timeout in milliseconds
   */
  async run(
    command: readonly [string, ...string[]],
    env: NodeJS.ProcessEnv,
    { timeout, output }: { readonly timeout: number; readonly output: Output },
  ): Promise<{ readonly ending: Ending; readonly timedOut: boolean }> {
    const detached = process.platform !== "win32";
    const { child, ended } = startCommand(command, { env, detached, stdio: ["ignore", "pipe", "pipe"] });
    if (child === undefined) return { ending: await ended, timedOut: false };
    this.#children.add(child);
    if (this.#told !== undefined) this.#end(child, this.#told);
    const streams = [child.stdout, child.stderr].map((stream) => {
      stream?.setEncoding("utf8").on("data", (text: string) => output.add(text));
      return new Promise((resolve) => stream?.once("close", resolve) ?? resolve(undefined));
    });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      this.#end(child, "SIGTERM");
    }, timeout);
    const ending = await ended;
    clearTimeout(timer);
    // Its first process may be the first to end. The others were told at the same time.
    if (timedOut || this.#told !== undefined) await groupEnded(child);
    this.#children.delete(child);
    // What it left running would go on in the next drill.
    send(child, "SIGKILL");
    await Promise.race([Promise.all(streams), wait(drain)]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    return { ending, timedOut };
  }

  /** Passes a signal on to all commands, and kills those that do not end. */
  endAll(signal: NodeJS.Signals): void {
    this.#told = signal;
    for (const child of this.#children) this.#end(child, signal);
  }

  /** Kills all commands at once. */
  killAll(): void {
    for (const child of this.#children) send(child, "SIGKILL");
  }

  #end(child: ChildProcess, signal: NodeJS.Signals): void {
    send(child, signal);
    setTimeout(() => {
      if (this.#children.has(child)) send(child, "SIGKILL");
    }, grace).unref();
  }
}

/** Waits until no process of the group is left, or the grace is over. */
async function groupEnded(child: ChildProcess): Promise<void> {
  const deadline = monotonicNow() + grace;
  while (send(child, 0) && monotonicNow() < deadline) await wait(20);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** To the whole group. Windows has none. @returns whether there is a process of it */
function send(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.platform === "win32" ? child.kill(signal) : process.kill(-child.pid, signal);
  } catch {
    // Nothing of it is there.
    return false;
  }
}
