import { type Command, Option } from "commander";
import { SettingError, settingNames } from "../sandbox/config/settings.js";
import type { DoctorFlags } from "./doctor/inputs.js";
import type { ExamFlags } from "./exam/request.js";
import type { ExploreFlags } from "./explore/request.js";
import type { ReportFlags } from "./run/report.js";
import { addSettings, givenFlags, isOfUser } from "./setting-flags.js";

// The commands that run a command of the user: the client.

export function addRun(root: Command): void {
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
  runs
    .option("--report <file...>", "write whether the client is correct: .json, .xml (JUnit), .html or .md")
    .option("--fail-on <level>", "exit status 1 when a check fails: never, must, or should as well (default: never)")
    .option("--ignore <check...>", "checks that do not count, such as tls.reuse")
    .option("--baseline <file>", "failures that are known, by drill (run) and check; YAML");
  runs.action(async (words: readonly string[], options: ReportFlags, command: Command) =>
    (await import("./run.js")).run({ ...givenFlags(command), report: undefined }, commandIn(words, command), options),
  );
}

export function addExam(root: Command): void {
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
    .option("--keep <folder>", "keep journal (HAR, NDJSON), output and scenario of each drill in which a check fails");
  const ofExam = settingNames.filter((name) => isOfUser(name) && name !== "scenario");
  addSettings(exam, ofExam, { keyType: "ec", log: "none", seed: "1" });
  exam.addOption(new Option("--scenario <name>").hideHelp());
  exam.action(async (words: readonly string[], options: ExamFlags, command: Command) =>
    (await import("./exam.js")).exam({ ...givenFlags(command), report: undefined }, commandIn(words, command), options),
  );
}

export function addExplore(root: Command): void {
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
    .option(
      "--shallow <n>",
      "draw N cells, spread over points and faults, the same ones for the same seed (default: as many as fit into ten minutes)",
    )
    .option("--max-time <duration>", "begin no cell after this time, and name those that were not run")
    .option("--fault <file...>", "scenarios of your own, each with one rule, as further faults")
    .option("--jobs <n>", "runs at a time (default: number of cores)")
    .option(
      "--timeout <duration>",
      "longest time that the command may wait for an answer, or send nothing, beyond the wait of the fault itself; a command that stays busy is ended after ten times this (default: 60s)",
    )
    .option("--report <file...>", "write the report: .json, .xml (JUnit), .html or .md")
    .option("--fail-on <level>", "exit status 1 when a cell counts as must, or as should as well (default: must)")
    .option("--ignore <check...>", "checks that do not count, such as tls.reuse")
    .option("--baseline <file>", "findings that are known, by the names of cells; YAML")
    .option("--keep <folder>", "keep the scenario that reproduces each finding, its journal and the output");
  const ofExplore = settingNames.filter(isOfUser);
  addSettings(explore, ofExplore, { keyType: "ec", log: "none", seed: "1" });
  explore.action(async (words: readonly string[], options: ExploreFlags, command: Command) =>
    (await import("./explore.js")).explore(
      { ...givenFlags(command), report: undefined },
      commandIn(words, command),
      options,
    ),
  );
}

export function addDoctor(root: Command): void {
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

/**
 * The command to run. Without the two dashes, flags with several values would take it as a value, and it would get the
 * flags that stand after it.
 * @throws SettingError
 */
function commandIn(words: readonly string[], command: Command): [string, ...string[]] {
  const [first, ...rest] = words;
  const given = command.parent?.args ?? [];
  const hasDashes = given.at(-words.length - 1) === "--";
  const own = rest.find((word) => command.options.some(({ long }) => long === word.split("=")[0]));
  if (first !== undefined && own !== undefined && !hasDashes)
    throw new SettingError(
      `${own.split("=")[0]} stands after the command, which would get it: put the options of ${command.name()} first, then -- and the command, as in payments-sandbox ${command.name()} ${own.split("=")[0]} … -- ${first}.`,
    );
  if (first !== undefined) return [first, ...rest];
  throw new SettingError(
    `There is no command to run: put -- before it, as in payments-sandbox ${command.name()}${command.name() === "doctor" ? " --server-defects" : ""} -- node client.mjs.`,
  );
}
