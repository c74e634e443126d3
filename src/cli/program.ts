import { Command, CommanderError } from "commander";
import { version } from "../base/files/version.js";
import type { CalibrateFlags } from "./calibrate/inputs.js";
import { addDoctor, addExam, addExplore, addRun } from "./client-commands.js";
import { reportFailure, usageStatus } from "./failure.js";
import type { ImportFlags } from "./import.js";
import type { McpFlags } from "./mcp.js";
import type { RotateFlags } from "./rotate.js";
import { addSettings, givenFlags } from "./setting-flags.js";
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

  for (const add of [
    addStart,
    addHealth,
    addRun,
    addExam,
    addExplore,
    addDoctor,
    addRotate,
    addCalibrate,
    addCheck,
    addImport,
    addScenarios,
    addMcp,
  ])
    add(root);
  return root;
}

function addStart(root: Command): void {
  const start = root.command("start").description("start the sandbox; runs until it is interrupted");
  addSettings(start);
  start.action(async (_options, command: Command) => (await import("./start.js")).start(givenFlags(command)));
}

function addHealth(root: Command): void {
  const health = root
    .command("health")
    .description("ask a running sandbox whether it is ready; exit status 0 when it is");
  addSettings(
    health,
    ["adminPort", "adminHost", "config"],
    {},
    { adminPort: "admin port of the sandbox that is asked", adminHost: "address of the sandbox that is asked" },
  );
  health.action(async (_options, command: Command) => (await import("./health.js")).health(givenFlags(command)));
}

function addRotate(root: Command): void {
  root
    .command("rotate")
    .description("replace the certificate of a client of a running sandbox, and its files in the certificates folder")
    .argument("<client>", "the client id, such as demo")
    .option("--overlap <duration>", "how long the old certificate stays valid (default: 0s)")
    .option("--valid-for <duration>", "how long the new one is valid, up to 398d (default: about a year)")
    .option("--key-type <type>", "ec or rsa (default: that of the old key)")
    .option("--same-key", "keep the key, and renew the certificate only")
    .option("--hold <file>", "key or certificate: this file stays old, until --hold-for is over, or --finish")
    .option("--hold-for <duration>", "how long it stays old, up to 1h (default: until --finish)")
    .option("--finish", "write the files that --hold held back, and do nothing else")
    .option("--admin-url <url>", "URL of the admin API (default: http://localhost:8090; SANDBOX_ADMIN_URL)")
    .option("--admin-token <token>", "token of the admin API, if it requires one (SANDBOX_ADMIN_TOKEN)")
    .action(async (client: string, flags: RotateFlags) => (await import("./rotate.js")).rotate(client, flags));
}

function addCalibrate(root: Command): void {
  const calibrates = root
    .command("calibrate")
    .description("ask a real service how it behaves, and write that to sandbox.yaml; it only reads");
  for (const [flag, description] of calibrateOptions) calibrates.option(flag, description);
  calibrates
    .option("--list <path>", "path of a list to probe, such as /v1/payments; may be repeated", collect)
    .action(async (flags: CalibrateFlags) => (await import("./calibrate.js")).calibrate(flags));
}

function addCheck(root: Command): void {
  const check = root
    .command("check")
    .description("check scenarios and sandbox.yaml; exit status 1 when one has a mistake")
    .argument(
      "[files...]",
      "scenarios, folders of them, sandbox.yaml; without any, everything that a start here would read",
    );
  addSettings(check, ["config", "scenarios"], {}, { scenarios: scenariosReadOnce });
  check.action(async (files: string[], _options, command: Command) =>
    (await import("./check.js")).check(files, givenFlags(command)),
  );
}

function addImport(root: Command): void {
  root
    .command("import")
    .description("make lists in sandbox.yaml from an OpenAPI 3.0 or 3.1 document; reports what it could not import")
    .argument(
      "<file>",
      "the document, JSON or YAML; files that it refers to must be in its folder, and nothing is fetched",
    )
    .option("--out <file>", "the configuration to write or to extend; comments are kept", "sandbox.yaml")
    .option(
      "--map <mapping>",
      "correct a guess: [LIST:]MEANING=NAME, such as page-size=limit or transfers:cursor=after; may be repeated",
      collect,
    )
    .option(
      "--list <path>",
      "import only the list at this path, such as /transfers or '/v1/*'; may be repeated",
      collect,
    )
    .option("--force", "replace existing lists")
    .action(async (file: string, flags: ImportFlags) => (await import("./import.js")).importFile(file, flags));
}

function addScenarios(root: Command): void {
  const scenarios = root
    .command("scenarios")
    .description("list the scenarios that can be chosen, and what each does; with a name, explain that one")
    .argument("[name]", "the scenario to explain")
    .option("--json", "print JSON");
  addSettings(scenarios, ["scenarios", "config"], {}, { scenarios: scenariosReadOnce });
  scenarios.action(async (name: string | undefined, options: { json?: boolean }, command: Command) =>
    (await import("./scenarios.js")).scenarios(givenFlags(command), options, name),
  );
}

function addMcp(root: Command): void {
  const mcp = root
    .command("mcp")
    .description("serve a coding agent by the Model Context Protocol, over standard input and output")
    .option("--admin-url <url>", "use the sandbox that runs there (default: a sandbox of its own)")
    .option("--admin-token <token>", "token of its admin API, if it requires one (SANDBOX_ADMIN_TOKEN)")
    .option("--allow-exam", "offer the tool run_exam, which runs the agent's command");
  addSettings(mcp, ["scenarios", "scenario", "seed", "config"]);
  mcp.action(async (options: McpFlags, command: Command) =>
    (await import("./mcp.js")).mcp(givenFlags(command), options),
  );
}

/** For commands that end before a file can be saved. */
const scenariosReadOnce = "folder of your own scenarios; they override the built-in ones";

/** The flags of `calibrate`, except the one that may be repeated. */
const calibrateOptions = [
  ["--url <url>", "base URL of the service"],
  ["--ca <file>", "CA to trust, PEM (default: those that Node trusts)"],
  ["--cert <file>", "the client's certificate, PEM"],
  ["--key <file>", "key of the client's certificate, PEM"],
  ["--client-id <id>", "the client id"],
  ["--other-cert <file>", "a certificate of another client, PEM; it allows more probes"],
  ["--other-key <file>", "key of the other client's certificate, PEM"],
  ["--scope <scope>", "scope of the tokens (default: read)"],
  ["--other-scope <scope>", "a scope that the client may have and that does not open ping; it allows more probes"],
  ["--correlation-header <name>", "name of the header with the correlation ID (default: detected)"],
  ["--rate <number>", "requests per second (default: 2)"],
  ["--max-requests <number>", "most requests that are sent (default: 250)"],
  ["--dry-run", "print the requests, and send none"],
  ["--check", "compare the service with the file of --out; exit status 1 when they differ"],
  ["--verbose", "print everything: what is the same, what is unknown and why, and every difference"],
  [
    "--openapi <file>",
    "OpenAPI 3.0 or 3.1 document of the service: its lists are probed, with its names of their parameters",
  ],
  ["--yes", "do not ask before requests are sent to another machine"],
  ["--out <file>", "the file to write or extend (default: sandbox.yaml)"],
] as const;

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
