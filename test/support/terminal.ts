import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterFile } from "./cleanups.js";

const program = fileURLToPath(new URL("terminal.py", import.meta.url));

/**
 * Python has pseudo-terminals in its standard library; Node has none. It prints its path, because `python3` may be a
 * wrapper that changes PATH (pyenv).
 */
const python = spawnSync("python3", ["-c", "import pty, sys; print(sys.executable)"], { encoding: "utf8" });

export const hasTerminal = python.status === 0;

/**
 * Starts a command at a terminal, in its own group of processes. What is written to its standard input is typed; its
 * standard error is what the terminal shows. Its standard output is not that of the terminal.
 */
export function atTerminal(command: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(python.stdout.trim(), [program, ...command], {
    ...options,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
}

/**
 * Runs a command at a terminal to its end, and types a text once it has printed another one.
 * @returns its exit status, and everything that it printed
 */
export async function typeInto(
  command: readonly string[],
  { after, typed, ...options }: SpawnOptions & { readonly after: string; readonly typed: string },
): Promise<{ readonly status: unknown; readonly output: string }> {
  const child = atTerminal(command, options);
  afterFile(() => child.kill("SIGKILL"));
  let output = "";
  let isTyped = false;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (isTyped || !output.includes(after)) return;
      isTyped = true;
      child.stdin?.write(typed);
    });
  const [status] = await once(child, "close");
  return { status, output };
}
