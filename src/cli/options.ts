import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { settingNames } from "../sandbox/config/settings.js";
import { addSettings, isOfUser } from "./setting-flags.js";

// The commands with their arguments and options. The types of the options derive from them.

export function startCommand(root: CommandUnknownOpts) {
  const start = root.command("start").description("start the sandbox; runs until it is interrupted");
  addSettings(start);
  return start;
}

export function healthCommand(root: CommandUnknownOpts) {
  const health = root
    .command("health")
    .description("ask a running sandbox whether it is ready; exit status 0 when it is");
  addSettings(
    health,
    ["adminPort", "adminHost", "config"],
    {},
    { adminPort: "admin port of the sandbox that is asked", adminHost: "address of the sandbox that is asked" },
  );
  return health;
}

export function runCommand(root: CommandUnknownOpts) {
  const runs = root
    .command("run")
    .description("run a command against its own sandbox, and exit with the status of the command")
    .usage("[options] -- COMMAND [ARGUMENTS...]")
    .argument(
      "[command...]",
      "the command; its environment has SANDBOX_URL, SANDBOX_ADMIN_URL, those of client.env, and NO_PROXY",
    )
    .passThroughOptions();
  addSettings(runs, settingNames.filter(isOfUser), {
    keyType: "ec",
    log: "none",
    seed: "random, printed at the end if a scenario acted",
  });
  return runs
    .option("--report <file...>", "write whether the client is correct: .json, .xml (JUnit), .html or .md")
    .option("--fail-on <level>", "exit status 1 when a check fails: never, must, or should as well (default: never)")
    .option("--ignore <check...>", "checks that do not count, such as tls.reuse")
    .option("--baseline <file>", "failures that are known, by drill (run) and check; YAML");
}

export function openCommand(root: CommandUnknownOpts) {
  return root
    .command("open")
    .description("show runs that --keep has kept, in the dashboard, for reading only; runs until it is interrupted")
    .argument("<folder>", "the folder of --keep, or of one run")
    .option("--port <number>", "port of the dashboard, on loopback (default: a free one)");
}

export function examCommand(root: CommandUnknownOpts) {
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
    .option("--jobs <n>", "drills at a time (default: 4 more than there are cores)")
    .option(
      "--timeout <duration>",
      "end a command that runs longer: its drill has failed, unless the command waited then (default: 60s)",
    )
    .option("--report <file...>", "write the report: .json, .xml (JUnit), .html or .md")
    .option("--fail-on <level>", "exit status 1 when a check fails: must, or should as well (default: must)")
    .option("--ignore <check...>", "checks that do not count, such as tls.reuse")
    .option("--baseline <file>", "failures that are known, by drill and check; YAML")
    .option("--verbose", "show what the command prints in every drill")
    .option(
      "--keep <folder>",
      "keep each drill in which a check fails: journal (HAR, NDJSON), output, scenario, and what payments-sandbox open shows",
    );
  const ofExam = settingNames.filter((name) => isOfUser(name) && !["scenario", "keep"].includes(name));
  addSettings(exam, ofExam, { keyType: "ec", log: "none", seed: "1" });
  return exam.addOption(new Option("--scenario <name>").hideHelp());
}

export function exploreCommand(root: CommandUnknownOpts) {
  const explore = root
    .command("explore")
    .description(
      "find the single failures that a command does not survive: run it once with each failure at each point",
    )
    .usage("[options] -- COMMAND [ARGUMENTS...]")
    .argument(
      "[command...]",
      "the command, such as a test suite; it ends with status 0 when all went well, and its environment is that of run",
    )
    .passThroughOptions()
    .option("--only <pattern...>", "cells to run: POINT/FAULT, * stands for any characters, as in 'list.*/truncate'")
    .option("--skip <pattern...>", "cells not to run")
    .option("--again <file>", "run the findings of an earlier report again, and no other cells: its JSON")
    .option(
      "--shallow <n>",
      "draw N cells, spread over points and faults, the same ones for the same seed (default: as many as fit into ten minutes)",
    )
    .option(
      "--max-time <duration>",
      "begin no cell after this time, and name those that were not run; those that are run are spread over points and faults",
    )
    .option("--fault <file...>", "scenarios of your own, each with one rule, as further faults")
    .option(
      "--jobs <n>",
      "most runs at a time (default: 12 for each core); how many there are follows the load of the machine",
    )
    .option(
      "--timeout <duration>",
      "longest time that the command may wait for an answer, or send nothing, beyond the wait of the fault itself; a command that stays busy is ended after ten times this (default: 60s)",
    )
    .option("--report <file...>", "write the report: .json, .xml (JUnit), .html or .md")
    .option("--fail-on <level>", "exit status 1 when a cell counts as must, or as should as well (default: must)")
    .option("--ignore <check...>", "checks that do not count, such as tls.reuse")
    .option("--baseline <file>", "findings that are known, by the names of cells; YAML")
    .option(
      "--keep <folder>",
      "keep of each finding: the scenario that reproduces it, journal, output, and what payments-sandbox open shows",
    );
  const ofExplore = settingNames.filter((name) => isOfUser(name) && name !== "keep");
  addSettings(explore, ofExplore, { keyType: "ec", log: "none", seed: "1" });
  return explore;
}

export function doctorCommand(root: CommandUnknownOpts) {
  return root
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
    );
}

export function rotateCommand(root: CommandUnknownOpts) {
  return root
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
    .option("--admin-token <token>", "token of the admin API, if it requires one (SANDBOX_ADMIN_TOKEN)");
}

export function calibrateCommand(root: CommandUnknownOpts) {
  return root
    .command("calibrate")
    .description("ask a real service how it behaves, and write that to sandbox.yaml; it only reads")
    .option("--url <url>", "base URL of the service")
    .option("--ca <file>", "CA to trust, PEM (default: those that Node trusts)")
    .option("--cert <file>", "the client's certificate, PEM")
    .option("--key <file>", "key of the client's certificate, PEM")
    .option("--client-id <id>", "the client id")
    .option("--other-cert <file>", "a certificate of another client, PEM; it allows more probes")
    .option("--other-key <file>", "key of the other client's certificate, PEM")
    .option("--scope <scope>", "scope of the tokens (default: read)")
    .option(
      "--other-scope <scope>",
      "a scope that the client may have and that does not open ping; it allows more probes",
    )
    .option("--correlation-header <name>", "name of the header with the correlation ID (default: detected)")
    .option("--rate <number>", "requests per second (default: 2)")
    .option("--max-requests <number>", "most requests that are sent (default: 250)")
    .option("--dry-run", "print the requests, and send none")
    .option("--check", "compare the service with the file of --out; exit status 1 when they differ")
    .option("--verbose", "print everything: what is the same, what is unknown and why, and every difference")
    .option(
      "--openapi <file>",
      "OpenAPI 3.0 or 3.1 document of the service: its lists are probed, with its names of their parameters",
    )
    .option("--yes", "do not ask before requests are sent to another machine")
    .option("--out <file>", "the file to write or extend (default: sandbox.yaml)")
    .option("--list <path>", "path of a list to probe, such as /v1/payments; may be repeated", collect);
}

export function checkCommand(root: CommandUnknownOpts) {
  const check = root
    .command("check")
    .description("check scenarios and sandbox.yaml; exit status 1 when one has a mistake")
    .argument(
      "[files...]",
      "scenarios, folders of them, sandbox.yaml; without any, everything that a start here would read",
    );
  addSettings(check, ["config", "scenarios"], {}, { scenarios: scenariosReadOnce });
  return check;
}

export function importCommand(root: CommandUnknownOpts) {
  return root
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
    .option("--force", "replace existing lists");
}

export function scenariosCommand(root: CommandUnknownOpts) {
  const scenarios = root
    .command("scenarios")
    .description("list the scenarios that can be chosen, and what each does; with a name, explain that one")
    .argument("[name]", "the scenario to explain")
    .option("--json", "print JSON");
  addSettings(scenarios, ["scenarios", "config"], {}, { scenarios: scenariosReadOnce });
  return scenarios;
}

export function mcpCommand(root: CommandUnknownOpts) {
  const mcp = root
    .command("mcp")
    .description("serve a coding agent by the Model Context Protocol, over standard input and output")
    .option("--admin-url <url>", "use the sandbox that runs there (default: a sandbox of its own)")
    .option("--admin-token <token>", "token of its admin API, if it requires one (SANDBOX_ADMIN_TOKEN)")
    .option("--allow-exam", "offer the tool run_exam, which runs the agent's command");
  addSettings(mcp, ["scenarios", "scenario", "seed", "config"]);
  return mcp;
}

/** For commands that end before a file can be saved. */
const scenariosReadOnce = "folder of your own scenarios; they override the built-in ones";

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

type OptionsOf<Add extends (root: CommandUnknownOpts) => { opts(): unknown }> = Given<
  ReturnType<ReturnType<Add>["opts"]>
>;

/** Left out and undefined, or false, are the same. */
type Given<Options> = {
  readonly [Name in keyof Options]:
    | (true extends Options[Name] ? boolean : Options[Name])
    | (Partial<Options> extends Pick<Options, Name> ? undefined : never);
};

/** The options of a command as they were given, without the settings. Paths are relative to the working directory. */
export type ReportFlags = OptionsOf<typeof runCommand>;
export type OpenFlags = OptionsOf<typeof openCommand>;
export type ExamFlags = OptionsOf<typeof examCommand>;
export type ExploreFlags = OptionsOf<typeof exploreCommand>;
export type DoctorFlags = OptionsOf<typeof doctorCommand>;
export type RotateFlags = OptionsOf<typeof rotateCommand>;
export type CalibrateFlags = OptionsOf<typeof calibrateCommand>;
export type ImportFlags = OptionsOf<typeof importCommand>;
export type McpFlags = OptionsOf<typeof mcpCommand>;
