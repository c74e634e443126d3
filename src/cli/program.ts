import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { version } from "../base/files/version.js";
import { SettingError } from "../sandbox/config/settings.js";
import { reportFailure, usageStatus } from "./failure.js";
import {
  calibrateCommand,
  checkCommand,
  doctorCommand,
  examCommand,
  exploreCommand,
  healthCommand,
  importCommand,
  mcpCommand,
  openCommand,
  rotateCommand,
  runCommand,
  scenariosCommand,
  startCommand,
} from "./options.js";
import { givenFlags } from "./setting-flags.js";
import { usageMessage } from "./usage-messages.js";

/**
 * Runs a command line. Errors are reported on standard error.
 * @param words the command line without the program
 * @returns when the command has ended; `process.exitCode` is its status
 */
export async function runProgram(words: readonly string[]): Promise<void> {
  try {
    const root = commandLine();
    await root.parseAsync(misspelt(words, root) ?? words, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : usageStatus;
    else reportFailure(error);
  }
}

/**
 * The name of an unknown command, without the other words: with --help after it or help before it, it would be ignored.
 */
function misspelt([first = "", second = ""]: readonly string[], { commands }: Command): [string] | undefined {
  const name = first === "help" ? second : first;
  const isKnown =
    name === "" || name === "help" || name.startsWith("-") || commands.some((each) => each.name() === name);
  return isKnown ? undefined : [name];
}

/** Builds the command line from the table of settings. The page of commands derives from it. */
export function commandLine(): Command {
  const root = new Command("payments-sandbox")
    .description(
      "A local stand-in for a business payments service: mutual TLS, OAuth tokens bound to certificates, errors on demand.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .enablePositionalOptions()
    .configureOutput({ outputError: (text, write) => write(`payments-sandbox: ${usageMessage(text)}`) })
    .exitOverride();

  // A command is loaded when it is used.
  startCommand(root).action(async (_, command) => (await import("./start.js")).start(givenFlags(command)));
  healthCommand(root).action(async (_, command) => (await import("./health.js")).health(givenFlags(command)));
  runCommand(root).action(async (words, options, command) =>
    (await import("./run.js")).run({ ...givenFlags(command), report: undefined }, commandIn(words, command), options),
  );
  openCommand(root).action(async (folder, options) => (await import("./open.js")).open(folder, options));
  examCommand(root).action(async (words, options, command) =>
    (await import("./exam.js")).exam(
      { ...givenFlags(command), report: undefined, keep: undefined },
      commandIn(words, command),
      options,
    ),
  );
  exploreCommand(root).action(async (words, options, command) =>
    (await import("./explore.js")).explore(
      { ...givenFlags(command), report: undefined, keep: undefined },
      exploredIn(words, command),
      options,
    ),
  );
  doctorCommand(root).action(async (words, flags, command) => {
    if (flags.serverDefects)
      return (await import("./doctor/server-defects.js")).tryServerDefects(commandIn(words, command));
    if (words.length > 0) throw new SettingError("doctor runs a command only with --server-defects.");
    return (await import("./doctor.js")).doctor(flags);
  });
  rotateCommand(root).action(async (client, flags) => (await import("./rotate.js")).rotate(client, flags));
  calibrateCommand(root).action(async (flags) => (await import("./calibrate.js")).calibrate(flags));
  checkCommand(root).action(async (files, _, command) =>
    (await import("./check.js")).check(files, givenFlags(command)),
  );
  importCommand(root).action(async (file, flags) => (await import("./import.js")).importFile(file, flags));
  scenariosCommand(root).action(async (name, options, command) =>
    (await import("./scenarios.js")).scenarios(givenFlags(command), options, name),
  );
  mcpCommand(root).action(async (options, command) => (await import("./mcp.js")).mcp(givenFlags(command), options));
  return root;
}

/**
 * The command to run. Without the two dashes, flags with several values would take it as a value.
 * @throws SettingError
 */
function commandIn([first, ...rest]: readonly string[], command: CommandUnknownOpts): [string, ...string[]] {
  if (first !== undefined) return [first, ...rest];
  throw new SettingError(
    `There is no command to run: put -- before it, as in payments-sandbox ${command.name()}${command.name() === "doctor" ? " --server-defects" : ""} -- node client.mjs.`,
  );
}

/**
 * The command to explore. Without the two dashes, it would get an option of explore that stands after it, and the whole
 * matrix would run.
 * @throws SettingError
 */
function exploredIn(words: readonly string[], command: CommandUnknownOpts): [string, ...string[]] {
  const [first, ...rest] = commandIn(words, command);
  const hasDashes = command.parent?.args.at(-words.length - 1) === "--";
  const [own] = rest
    .map((word) => word.split("=")[0])
    .filter((name) => command.options.some(({ long }) => long === name));
  if (own === undefined || hasDashes) return [first, ...rest];
  throw new SettingError(
    `${own} stands after the command, which would get it: put the options of explore first, then -- and the command, as in payments-sandbox explore ${own} … -- ${first}.`,
  );
}
