import type { Configuration } from "../../sandbox/config/configuration.js";
import { inTemporaryFolder } from "./own-sandbox.js";
import { RunningCommands } from "./running-commands.js";
import { SignalRelay } from "./signals.js";

/** What the runs of one command have in common. */
export interface ManyRuns {
  /** With the certificates that all runs begin with. */
  readonly configuration: Configuration;
  readonly command: readonly [string, ...string[]];
  /** The folder with the folders of the runs. */
  readonly folder: string;
  readonly commands: RunningCommands;
}

/**
 * Does work that runs a command many times. Signals do not end this process meanwhile. At the end, expected or not, no
 * command and no file is left.
 * @param work gets a temporary folder
 */
export async function withCommands(
  work: (folder: string, commands: RunningCommands, relay: SignalRelay) => Promise<void>,
): Promise<void> {
  const relay = new SignalRelay(false);
  const commands = new RunningCommands();
  // For an unexpected end of the process: the commands end before their folder is removed.
  const killCommands = () => commands.killAll();
  process.once("exit", killCommands);
  try {
    await inTemporaryFolder((folder) => work(folder, commands, relay));
  } finally {
    process.off("exit", killCommands);
    relay.close();
  }
}
