import { spawn } from "node:child_process";
import { quote } from "../../text/printable.js";
import type { SignalRelay } from "./signals.js";

/** How a command ended, or why it did not start. */
export type Ending =
  | { readonly kind: "exit"; readonly status: number }
  | { readonly kind: "signal"; readonly signal: NodeJS.Signals }
  | { readonly kind: "not-started"; readonly status: number; readonly reason: string };

/** Runs a command with this process's own input and output, and passes signals on to it. */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  relay: SignalRelay,
): Promise<Ending> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: "inherit" });
    child.once("error", (error: NodeJS.ErrnoException) => resolve(notStarted(program, error)));
    child.once("exit", (status, signal) =>
      resolve(signal === null ? { kind: "exit", status: status ?? 0 } : { kind: "signal", signal }),
    );
    relay.passTo((signal) => child.kill(signal));
  });
}

/** With the exit statuses by which shells tell the two cases apart (POSIX, Shell Command Language, §2.8.2). */
function notStarted(program: string, { code, message }: NodeJS.ErrnoException): Ending {
  const name = quote(program);
  if (code === "ENOENT") return { kind: "not-started", status: 127, reason: `There is no command ${name}.` };
  const reason = code === "EACCES" ? "it is not an executable file" : message;
  return { kind: "not-started", status: 126, reason: `The command ${name} cannot be run: ${reason}.` };
}
