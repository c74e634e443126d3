import { Command, CommanderError, Option } from "commander";
import { version } from "../base/files/version.js";
import {
  describeSetting,
  flagName,
  type GivenSettings,
  readSetting,
  SettingError,
  type SettingName,
  settingFacts,
  settingNames,
} from "../sandbox/config/settings.js";
import type { CalibrateFlags } from "./calibrate/inputs.js";
import type { DoctorFlags } from "./doctor/inputs.js";
import type { ExamFlags } from "./exam/request.js";
import { reportFailure, usageStatus } from "./failure.js";
import type { ImportFlags } from "./import.js";
import type { McpFlags } from "./mcp.js";
import type { RotateFlags } from "./rotate.js";
import type { ReportFlags } from "./run/report.js";
import { usageMessage } from "./usage-messages.js";

/**
 * Runs a command line. Errors are reported on standard error.
 * @param words the command line without the program
 * @returns when the command has ended; `process.exitCode` is its status
 */
export async function runProgram(words: readonly string[]): Promise<void> {
  try {
    const root = program();
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

/**
 * The command to run. Without the two dashes, flags with several values would take it as a value.
 * @throws SettingError
 */
function commandIn([first, ...rest]: readonly string[], command: Command): [string, ...string[]] {
  if (first !== undefined) return [first, ...rest];
  throw new SettingError(
    `There is no command to run: put -- before it, as in payments-sandbox ${command.name()}${command.name() === "doctor" ? " --server-defects" : ""} -- node client.mjs.`,
  );
}

/** Builds the command line from the table of settings. */
function program(): Command {
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

function addRun(root: Command): void {
  const runs = root
    .command("run")
    .description("run a command against its own sandbox, and exit with the status of the command")
    .usage("[options] -- COMMAND [ARGUMENTS...]")
    .argument("[command...]", "the command; its environment has SANDBOX_URL, SANDBOX_ADMIN_URL and those of client.env")
    .passThroughOptions();
  addSettings(runs, settingNames.filter(isOfUser), {
    keyType: "ec",
    log: "none",
    seed: "random, printed at the end if a scenario acted",
  });
  runs
    .option("--report <file...>", "write whether the client is correct: .json, .xml (JUnit), .html or .md")
    .option("--fail-on <level>", "exit status 1 when a check fails: never, must, or should as well (default: never)")
    .option("--ignore <check...>", "checks that do not count, such as tls.reuse")
    .option("--baseline <file>", "failures that are known, by drill (run) and check; YAML");
  runs.action(async (words: readonly string[], options: ReportFlags, command: Command) =>
    (await import("./run.js")).run({ ...givenFlags(command), report: undefined }, commandIn(words, command), options),
  );
}

function addExam(root: Command): void {
  const exam = root
    .command("exam")
    .description("find out whether a client is correct: run its command once for each drill, and judge what it does")
    .usage("[options] -- COMMAND [ARGUMENTS...]")
    .argument(
      "[command...]",
      "the command; it ends with status 0 when all went well, and its environment is that of run, with SANDBOX_DRILL",
    )
    .passThroughOptions()
    .option(
      "--drill <name...>",
      "drills to run, * stands for any characters (default: plain, and each scenario that has expect; payments-sandbox scenarios lists them)",
    )
    .option("--jobs <n>", "drills at a time (default: number of cores, and 4)")
    .option("--timeout <duration>", "end a command that runs longer: its drill has failed (default: 60s)")
    .option("--report <file...>", "write the report: .json, .xml (JUnit), .html or .md")
    .option("--fail-on <level>", "exit status 1 when a check fails: must, or should as well (default: must)")
    .option("--ignore <check...>", "checks that do not count, such as tls.reuse")
    .option("--baseline <file>", "failures that are known, by drill and check; YAML")
    .option("--verbose", "show what the command prints in every drill")
    .option("--keep <folder>", "keep journal (HAR, NDJSON), output and scenario of each drill in which a check fails");
  const ofExam = settingNames.filter((name) => isOfUser(name) && name !== "scenario");
  addSettings(exam, ofExam, { keyType: "ec", log: "none", seed: "1" });
  exam.addOption(new Option("--scenario <name>").hideHelp());
  exam.action(async (words: readonly string[], options: ExamFlags, command: Command) =>
    (await import("./exam.js")).exam({ ...givenFlags(command), report: undefined }, commandIn(words, command), options),
  );
}

function addDoctor(root: Command): void {
  root
    .command("doctor")
    .description("find out why a client cannot talk to the sandbox; exit status 1 when something is wrong")
    .usage("[options] | --server-defects -- COMMAND [ARGUMENTS...]")
    .argument("[command...]", "with --server-defects: the command; its environment is that of run")
    .passThroughOptions()
    .option(
      "--server-defects",
      "run a command once for each defective certificate of the server, and print which it accepts; it needs no running sandbox",
    )
    .option("--url <url>", "base URL of the API (default: https://localhost:8443; SANDBOX_URL)")
    .option("--admin-url <url>", "URL of the admin API (default: port 8090 of the same host; SANDBOX_ADMIN_URL)")
    .option("--admin-token <token>", "token of the admin API, if it requires one (SANDBOX_ADMIN_TOKEN)")
    .option("--ca <file>", "CA that the client trusts, PEM (SANDBOX_CA_FILE)")
    .option("--cert <file>", "the client's certificate, PEM (SANDBOX_CERT_FILE)")
    .option("--key <file>", "key of the certificate, PEM (SANDBOX_KEY_FILE)")
    .option("--p12 <file>", "certificate and key in one PKCS#12 file, instead of the two (SANDBOX_P12_FILE)")
    .option("--password <text>", "password of the PKCS#12 file, or of an encrypted key (SANDBOX_P12_PASSWORD)")
    .option(
      "--client-id <id>",
      "the client id that is sent (default: the one that it is registered for; SANDBOX_CLIENT_ID)",
    )
    .action(
      async (words: readonly string[], flags: DoctorFlags & { readonly serverDefects?: boolean }, command: Command) => {
        if (flags.serverDefects)
          return (await import("./doctor/server-defects.js")).tryServerDefects(commandIn(words, command));
        if (words.length > 0) throw new SettingError("doctor runs a command only with --server-defects.");
        return (await import("./doctor.js")).doctor(flags);
      },
    );
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

/** Whether the user sets it. Settings that `run` and `exam` decide themselves have no flag there. */
function isOfUser(name: SettingName): boolean {
  return (
    !["port", "adminPort", "defectPorts", "publicUrl", "certs", "hostCerts", "freshCerts", "report"].includes(name) &&
    !name.startsWith("shared")
  );
}

/** @param defaults of the command, if they differ from those of `start` */
function addSettings(
  command: Command,
  names: readonly SettingName[] = settingNames,
  defaults: Partial<Record<SettingName, string>> = {},
  descriptions: Partial<Record<SettingName, string>> = {},
): void {
  for (const name of names) {
    const { flag, variable, shownDefault, kind } = settingFacts(name);
    const description = descriptions[name] ?? describeSetting(name);
    const option = new Option(flag, `${description} (default: ${defaults[name] ?? shownDefault}; ${variable})`);
    if (kind === "list") {
      option.argParser((text: string, before: string[] | undefined) => [
        ...(before ?? []),
        ...(readSetting(name, text, flagName(name)) as string[]),
      ]);
    } else if (kind !== "switch") {
      option.argParser((text: string) => readSetting(name, text, flagName(name)));
    }
    command.addOption(option);
  }
}

function givenFlags(command: Command): GivenSettings {
  const values = command.opts<Record<string, unknown>>();
  const keyOf = (name: SettingName) => new Option(settingFacts(name).flag).attributeName();
  return Object.fromEntries(settingNames.map((name) => [name, values[keyOf(name)]])) as GivenSettings;
}
