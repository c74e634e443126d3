import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { located } from "../composition/start-located.js";
import type { Configuration } from "../config/configuration.js";
import { misspeltVariables } from "../config/misspelt-variables.js";
import { resolveConfiguration } from "../config/resolve.js";
import { type GivenSettings, SettingError, settingFacts } from "../config/settings.js";
import { failureLevel } from "../exam/report.js";
import { environmentVariables } from "../pki/environment.js";
import { type Sandbox, startSandbox } from "../sandbox.js";
import { writeReportFiles } from "./report/files.js";
import { terminalText } from "./report/terminal.js";
import { type Ending, runCommand } from "./run/command.js";
import { isFailed, type ReportFlags, type ReportRequest, reportOnRun, reportRequest } from "./run/report.js";
import { SignalRelay } from "./run/signals.js";
import { summaryText } from "./run/summary.js";
import { Tally } from "./run/tally.js";

/**
 * `payments-sandbox run -- COMMAND …`: runs a command against a sandbox of its own, on free ports, with certificates in a temporary
 * folder, and ends as the command ended, or with 1 where the report says so. Standard output belongs to the command; a summary goes to
 * standard error.
 * @throws SettingError for a flag that cannot be used
 */
export async function run(
  flags: GivenSettings,
  command: readonly [string, ...string[]],
  reportFlags: ReportFlags = {},
): Promise<void> {
  const request = await reportRequest(reportFlags);
  const relay = new SignalRelay();
  const folder = await temporaryFolder();
  // For an unexpected end of the process; the usual end waits for what is still being written there.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);
  try {
    const configuration = await ownConfiguration(request ? { ...flags, report: "on" } : flags, folder);
    const ending = await runAgainst(configuration, folder, command, relay, request);
    await rm(folder, { recursive: true, force: true });
    end(ending, relay);
  } finally {
    removeFolder();
    process.off("exit", removeFolder);
    relay.close();
  }
}

/** With mode 0700, so that other users cannot read the keys. */
async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "payments-sandbox-"));
  } catch (error) {
    throw new SettingError(`No temporary folder can be made: ${(error as Error).message}. TMPDIR says where.`);
  }
}

/** The configuration that `start` would have here, except for what two sandboxes must not share. */
async function ownConfiguration(flags: GivenSettings, folder: string): Promise<Configuration> {
  // The summary is enough: the log appears between the lines of the command only on request.
  const environment = { [settingFacts("log").variable]: "none", ...process.env };
  for (const sentence of misspeltVariables(process.env)) process.stderr.write(`payments-sandbox: ${sentence}\n`);
  const configuration = await resolveConfiguration(flags, environment, process.cwd());
  return {
    ...configuration,
    port: 0,
    adminPort: 0,
    defectPorts: 0,
    publicUrl: undefined,
    certs: folder,
    hostCerts: folder,
    freshCerts: false,
    // RSA keys for every identity would take a second.
    keyType: configuration.keyType ?? "ec",
  };
}

async function runAgainst(
  configuration: Configuration,
  folder: string,
  command: readonly [string, ...string[]],
  relay: SignalRelay,
  request: ReportRequest | undefined,
): Promise<Ending> {
  const write = (text: string) => process.stderr.write(text);
  const start = () => startSandbox(configuration, undefined, { log: write, warn: write }, true);
  const sandbox = await located(configuration, start);
  try {
    const tally = new Tally(sandbox);
    await sandbox.identities;
    if (relay.received !== undefined) return { kind: "signal", signal: relay.received };
    const ending = await runCommand(command, { ...process.env, ...variablesOf(sandbox, folder) }, relay);
    if (ending.kind === "not-started") write(`payments-sandbox: ${ending.reason}\n`);
    else write(summaryText(tally, sandbox.seed));
    if (request === undefined) return ending;
    const report = await reportOnRun(sandbox, statusOf(ending), request);
    write(terminalText(report, { level: failureLevel(request.failOn), coloured: showsColours(process.stderr) }));
    await writeReportFiles(report, request.files, request.failOn);
    return isFailed(report, request) && statusOf(ending) === 0 ? { kind: "exit", status: 1 } : ending;
  } finally {
    await sandbox.close(0);
    await sandbox.identities.catch(() => {});
  }
}

/** Node reads NO_COLOR and TERM. */
function showsColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors();
}

function variablesOf({ url, defectUrls, adminUrl, adminToken }: Sandbox, folder: string): Record<string, string> {
  return {
    ...environmentVariables({ clientId: "demo", folder: "clients/demo" }, { url, defectUrls, certsPath: folder }),
    SANDBOX_ADMIN_URL: adminUrl,
    ...(adminToken && { SANDBOX_ADMIN_TOKEN: adminToken.value }),
  };
}

/** The exit status of a command, or 128 plus the number of its signal, as in shells. */
function statusOf(ending: Ending): number {
  return ending.kind === "signal" ? 128 + (constants.signals[ending.signal] ?? 0) : ending.status;
}

/** Ends as the command did. */
function end(ending: Ending, relay: SignalRelay): void {
  process.exitCode = statusOf(ending);
  // A shell that runs several commands goes on after one that "handled" Ctrl+C, and stops after one that it ended.
  if (ending.kind === "signal" && ending.signal === "SIGINT") {
    relay.close();
    process.kill(process.pid, ending.signal);
  }
}
