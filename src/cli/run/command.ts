import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { openFilesProblem } from "../../base/files/open-files.js";
import { quote } from "../../base/text/printable.js";

/** How a command ended, or why it did not start. */
export type Ending =
  | { readonly kind: "exit"; readonly status: number }
  | { readonly kind: "signal"; readonly signal: NodeJS.Signals }
  | { readonly kind: "not-started"; readonly status: number; readonly reason: string };

/** Starts a command. `ended` never rejects. */
export function startCommand(
  [program, ...args]: readonly [string, ...string[]],
  options: SpawnOptions,
): { readonly child: ChildProcess | undefined; readonly ended: Promise<Ending> } {
  let child: ChildProcess;
  try {
    child = spawn(program, args, options);
  } catch (error) {
    // Node throws some errors of the system, and emits the others as events.
    return { child: undefined, ended: Promise.resolve(notStarted(program, error as NodeJS.ErrnoException, options)) };
  }
  const ended = new Promise<Ending>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => resolve(notStarted(program, error, options)));
    child.once("exit", (status, signal) =>
      resolve(signal === null ? { kind: "exit", status: status ?? 0 } : { kind: "signal", signal }),
    );
  });
  return { child, ended };
}

/** The exit status of a command, or 128 plus the number of its signal, as in shells. */
export function statusOf(ending: Ending): number {
  return ending.kind === "signal" ? 128 + (constants.signals[ending.signal] ?? 0) : ending.status;
}

/** Has the exit statuses of shells for the two cases (POSIX, Shell Command Language, §2.8.2). */
function notStarted(program: string, error: NodeJS.ErrnoException, { env }: SpawnOptions): Ending {
  const { code, message } = error;
  const name = quote(program);
  if (code === "ENOENT" || (code === "EACCES" && isNowhere(program, env?.["PATH"])))
    return { kind: "not-started", status: 127, reason: `There is no command ${name}.` };
  const reason = code === "EACCES" ? "it is not an executable file." : (openFilesProblem(error) ?? `${message}.`);
  return { kind: "not-started", status: 126, reason: `The command ${name} cannot be run: ${reason}` };
}

/**
 * Whether no folder of PATH has a program. If the system could not look into one of them, it says EACCES, as for a file
 * that is not executable (POSIX, exec).
 */
function isNowhere(program: string, path = ""): boolean {
  return !program.includes("/") && path.split(delimiter).every((folder) => !existsSync(join(folder, program)));
}
