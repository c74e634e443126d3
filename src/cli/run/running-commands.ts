import type { ChildProcess } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicNow } from "../../sandbox/clock.js";
import { redactPrinted } from "../../sandbox/journal/redact.js";
import { type Ending, startCommand } from "./command.js";
import type { SignalRelay } from "./signals.js";

/** A command gets this much time to end after a signal, in milliseconds; then it is killed. */
const grace = 3000;

/** After the end of the command, its remaining output gets this much time, in milliseconds. */
const drain = 1000;

/** The end of a private key in PEM form whose beginning was cut. */
const keyWithoutBeginning = /^(?:(?!-----BEGIN)[\s\S])*?-----END [A-Z ]*PRIVATE KEY-----/;

/** The last part of what a command prints, without secrets. */
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

  /** The lines without tokens, keys and other secrets, and whether lines before them were cut. */
  get lines(): { readonly lines: readonly string[]; readonly cut: boolean } {
    const all = this.#cut ? withoutBeginning(this.#text).replace(keyWithoutBeginning, "") : this.#text;
    const lines = redactPrinted(all).split(/\r?\n/);
    while (lines.at(-1)?.trim() === "") lines.pop();
    return { lines, cut: this.#cut };
  }
}

/** Without the line whose beginning was cut; of a single line, without the word, which may be the rest of a secret. */
function withoutBeginning(text: string): string {
  const lines = text.replace(/^.*(?:\n|$)/, "");
  return lines.trim() === "" ? text.replace(/^[\w.~+/=%-]*/, "") : lines;
}

/** The commands that run now. Each has its own process group, with all processes that it starts. */
export class RunningCommands {
  readonly #children = new Set<ChildProcess>();
  /** The signal that was sent to all commands. A command that starts later gets it, too. */
  #ending: NodeJS.Signals | undefined;

  /**
   * Runs a command until its end, or until it is ended. Afterwards no process of its group is left.
   * @param until aborted to end it
   */
  async run(
    command: readonly [string, ...string[]],
    env: NodeJS.ProcessEnv,
    { until, output }: { readonly until: AbortSignal; readonly output: Output },
  ): Promise<Ending> {
    const detached = process.platform !== "win32";
    const { child, ended } = startCommand(command, { env, detached, stdio: ["ignore", "pipe", "pipe"] });
    if (child === undefined) return await ended;
    this.#children.add(child);
    if (this.#ending !== undefined) this.#end(child, this.#ending);
    const streams = [child.stdout, child.stderr].map((stream) => {
      stream?.setEncoding("utf8").on("data", (text: string) => output.add(text));
      return new Promise((resolve) => stream?.once("close", resolve) ?? resolve(undefined));
    });
    const end = () => this.#end(child, "SIGTERM");
    until.addEventListener("abort", end, { once: true });
    const ending = await ended;
    until.removeEventListener("abort", end);
    // The main process may end before the others, which got the signal at the same time.
    if (until.aborted || this.#ending !== undefined) await groupEnded(child);
    this.#children.delete(child);
    // A process that still runs would disturb the next drill.
    send(child, "SIGKILL");
    await endStrays(env);
    await Promise.race([Promise.all(streams), sleep(drain, undefined, { ref: false })]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    return ending;
  }

  /** Passes the signals of the user on. A second one means that the user does not want to wait. */
  follow(relay: SignalRelay): void {
    let signals = 0;
    relay.passTo((signal) => {
      signals += 1;
      if (signals === 1) this.endAll(signal);
      else this.killAll();
    });
  }

  /** Passes a signal on to all commands, and kills those that do not end. */
  endAll(signal: NodeJS.Signals): void {
    this.#ending = signal;
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
  while (send(child, 0) && monotonicNow() < deadline) await sleep(20, undefined, { ref: false });
}

/** Each run has another value of it, and processes inherit it. */
const markOfRun = "SANDBOX_ANSWERS";

/** How often strays are looked for: one of them may start another. */
const mostSweeps = 3;

/** Ends processes of a run that are in a session of their own. Only Linux tells the variables of a process. */
async function endStrays(env: NodeJS.ProcessEnv): Promise<void> {
  const mark = `${markOfRun}=${env[markOfRun]}`;
  if (process.platform !== "linux" || env[markOfRun] === undefined) return;
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const own = await Promise.all(
      ids.map(async (id) => {
        // It has ended, or belongs to another user.
        const variables = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
        return variables.split("\0").includes(mark);
      }),
    );
    const strays = ids.filter((_, index) => own[index]);
    if (strays.length === 0) return;
    for (const id of strays) {
      try {
        process.kill(Number(id), "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  }
}

/**
 * Sends to the whole group; Windows has no groups.
 * @returns whether a process of the group exists
 */
function send(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.platform === "win32" ? child.kill(signal) : process.kill(-child.pid, signal);
  } catch {
    // No process of the group exists.
    return false;
  }
}
