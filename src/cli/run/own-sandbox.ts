import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "../../library/composition/sandbox.js";
import { locatedConfiguration } from "../../library/start-located.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { misspeltVariables } from "../../sandbox/config/misspelt-variables.js";
import { type GivenSettings, SettingError, settingFacts } from "../../sandbox/config/settings.js";
import { environmentVariables } from "../../sandbox/pki/environment.js";
import { directVariables, sandboxHosts } from "../proxies.js";

/** Runs a task with a temporary folder, which is removed at its end. */
export async function inTemporaryFolder<Result>(task: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await temporaryFolder();
  // For an unexpected end of the process. The usual end waits for files that are still being written there.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);
  try {
    const result = await task(folder);
    await rm(folder, { recursive: true, force: true });
    return result;
  } finally {
    removeFolder();
    process.off("exit", removeFolder);
  }
}

/** It has mode 0700, so that other users cannot read the keys. */
async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "payments-sandbox-"));
  } catch (error) {
    throw new SettingError(`No temporary folder can be created: ${(error as Error).message}. TMPDIR names its place.`);
  }
}

/** The configuration that `start` would have here, except the settings that two sandboxes must not share. */
export async function ownConfiguration(flags: GivenSettings, folder: string): Promise<Configuration> {
  // The summary is enough. A log would mix with the output of the command, so it is only printed on request.
  const environment = { [settingFacts("log").variable]: "none", ...process.env };
  for (const sentence of misspeltVariables(process.env)) process.stderr.write(`payments-sandbox: ${sentence}\n`);
  const configuration = await locatedConfiguration(flags, environment, process.cwd());
  return {
    ...configuration,
    port: 0,
    adminPort: 0,
    defectPorts: [0, 0, 0],
    publicUrl: undefined,
    // Sandboxes with shared state would also share their clients.
    shared: undefined,
    certs: folder,
    hostCerts: folder,
    freshCerts: false,
    // RSA keys for every identity would take a second.
    keyType: configuration.keyType ?? "ec",
  };
}

/** The default seed of commands that run another one many times: the same for all, so that they can be compared. */
export const usualSeed = "1";

/**
 * The configuration of sandboxes in which a command is run many times. Their certificates are in a folder of their own.
 * @param folder of all runs
 */
export async function configurationOfRuns(flags: GivenSettings, folder: string): Promise<Configuration> {
  const certs = join(folder, "certs");
  await mkdir(certs, { mode: 0o700 });
  // Each run that is to be kept has a folder of its own.
  const configuration = { ...(await ownConfiguration({ ...flags, report: "on" }, certs)), keep: undefined };
  return { ...configuration, seed: configuration.seed ?? usualSeed };
}

/**
 * The environment of a command: that of this process, the variables of `client.env`, and the URL of the admin API. No
 * proxy is between the command and the sandbox.
 * @param configuration of the sandbox
 */
export function environmentOf(
  { url, defectUrls, adminUrl, adminToken }: Sandbox,
  configuration: Configuration,
): NodeJS.ProcessEnv {
  const folder = configuration.certs ?? "";
  return {
    ...process.env,
    ...directVariables(process.env, sandboxHosts(configuration)),
    ...environmentVariables({ clientId: "demo", folder: "clients/demo" }, { url, defectUrls, certsPath: folder }),
    SANDBOX_ADMIN_URL: adminUrl,
    ...(adminToken && { SANDBOX_ADMIN_TOKEN: adminToken.value }),
  };
}
