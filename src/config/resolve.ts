import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { seedPattern } from "../scenarios/draw.js";
import type { Configuration } from "./configuration.js";
import { emptyFile, readConfigurationFile } from "./file.js";
import { type GivenSettings, SettingError, settingsFromEnvironment } from "./settings.js";

/** The file that is read when none is named, if it is there. */
const usualFile = "sandbox.yaml";

/**
 * Puts flags, environment, file and defaults together: a flag stands before its variable, the variable before the file.
 * @param folder what relative paths of flags and variables are relative to
 * @throws SettingError or FileError, with the source of what is wrong
 */
export async function resolveConfiguration(
  flags: GivenSettings,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<Configuration> {
  const fromEnvironment = settingsFromEnvironment(environment);
  const path = await configurationFile(flags.config ?? fromEnvironment.config, folder);
  const file = path === undefined ? emptyFile : await readConfigurationFile(path);
  const pick = <Name extends keyof GivenSettings>(name: Name): GivenSettings[Name] =>
    flags[name] ?? fromEnvironment[name] ?? file.settings[name];
  const certs = resolve(folder, pick("certs") ?? "certs");
  const host = pick("host");
  return {
    port: pick("port") ?? 8443,
    adminPort: pick("adminPort") ?? 8090,
    hosts: host === undefined ? ["127.0.0.1", "::1"] : [host],
    adminHost: pick("adminHost") ?? "127.0.0.1",
    adminAuth: pick("adminAuth") ?? "auto",
    adminToken: pick("adminToken"),
    certs,
    hostCerts: pick("hostCerts") ?? certs,
    publicUrl: publicUrl(pick("publicUrl")),
    hostnames: pick("hostnames") ?? [],
    keyType: pick("keyType"),
    freshCerts: pick("freshCerts") ?? false,
    scenario: pick("scenario"),
    scenarios: await scenariosFolder(pick("scenarios"), folder),
    seed: checkedSeed(pick("seed")),
    file: path,
    log: pick("log") ?? "refusals",
    logFormat: pick("logFormat") ?? "text",
    journal: file.journal,
    tls: file.tls,
    clients: file.clients,
    lists: file.lists,
    assumptions: file.assumptions,
  };
}

async function configurationFile(named: string | undefined, folder: string): Promise<string | undefined> {
  const path = resolve(folder, named ?? usualFile);
  try {
    await access(path);
    return path;
  } catch {
    if (named === undefined) return undefined;
    throw new SettingError(`There is no configuration file ${path}.`);
  }
}

async function scenariosFolder(named: string | undefined, folder: string): Promise<string | undefined> {
  const path = resolve(folder, named ?? "scenarios");
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return path;
  if (named === undefined) return undefined;
  throw new SettingError(`There is no folder of scenarios ${path}.`);
}

function checkedSeed(seed: string | undefined): string | undefined {
  if (seed === undefined || seedPattern.test(seed)) return seed;
  throw new SettingError(`The seed ${JSON.stringify(seed)} must have letters, digits, ".", "_" and "-", at most 64.`);
}

function publicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.pathname !== "/" || url.search !== "") {
    throw new SettingError(`The public URL ${JSON.stringify(text)} must have the form https://HOST:PORT.`);
  }
  return url.origin;
}
