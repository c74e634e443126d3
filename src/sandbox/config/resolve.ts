import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { largestPem, readRegularFile, unreadableBecause } from "../../base/files/regular-file.js";
import { definedOnly } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import { shownUrl } from "../../base/text/user-information.js";
import { alpnProtocols } from "../connection/alpn.js";
import { serverDefects, usualDefectPorts } from "../connection/server-defect.js";
import { pathFault } from "../lists/path.js";
import { seedPattern } from "../scenarios/draw.js";
import type { Configuration, FileConfiguration, SharedSettings } from "./configuration.js";
import { emptyFile, readConfigurationFile } from "./file.js";
import {
  flagName,
  type GivenSettings,
  SettingError,
  type SettingName,
  settingFacts,
  settingsFromEnvironment,
} from "./settings.js";

/** The file that is read when none is named, if it exists. */
const usualFile = "sandbox.yaml";

/**
 * Merges flags, environment, file and defaults: a flag overrides its variable, the variable overrides the file.
 * @param folder relative paths of flags and variables start here
 * @throws SettingError or FileError, with the source of the problem
 */
export async function resolveConfiguration(
  flags: GivenSettings,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<Configuration> {
  const fromEnvironment = settingsFromEnvironment(environment);
  const path = await configurationFile(flags, environment, folder);
  const file = path === undefined ? emptyFile : await readConfigurationFile(path);
  const settings = { ...file.settings, ...definedOnly(fromEnvironment), ...definedOnly(flags) };
  const { certs = "certs", scenarios = await usualScenarios(folder) } = settings;
  const login = { user: environment["SANDBOX_SHARED_USER"], password: environment["SANDBOX_SHARED_PASSWORD"] };
  try {
    return { ...(await configurationOf({ ...settings, certs, scenarios }, file, folder, login)), file: path };
  } catch (error) {
    throw error instanceof SettingError ? withSource(error, definedOnly(flags), definedOnly(fromEnvironment)) : error;
  }
}

/**
 * The same error, with the flag or the variable that the setting is from. A setting of the file gets its line and
 * column later.
 */
function withSource(error: SettingError, flags: GivenSettings, fromEnvironment: GivenSettings): SettingError {
  const { message, setting } = error;
  if (setting === undefined) return error;
  if (setting in flags) return new SettingError(`${flagName(setting)}: ${message}`, setting);
  if (setting in fromEnvironment) return new SettingError(`${settingFacts(setting).variable}: ${message}`, setting);
  return error;
}

/**
 * Fills in the defaults. Without a folder for certificates, they are only in memory. Without a folder for scenarios,
 * there are only the built-in ones.
 * @param file the configuration besides the settings; its own settings are ignored
 * @param login user and password for Redis, if its URL has none
 * @throws SettingError
 */
export async function configurationOf(
  settings: GivenSettings,
  file: FileConfiguration,
  folder: string,
  login: Login = {},
): Promise<Configuration> {
  const { host } = settings;
  const { settings: _ofFile, ...parts } = file;
  const certs = settings.certs === undefined ? undefined : resolve(folder, settings.certs);
  const addresses = {
    port: settings.port ?? 8443,
    adminPort: settings.adminPort ?? 8090,
    defectPorts: defectPorts(settings.defectPorts),
    hosts: host === undefined ? ["127.0.0.1", "::1"] : [host],
    adminHost: settings.adminHost ?? "127.0.0.1",
  };
  checkPorts(addresses);
  return {
    ...addresses,
    adminAuth: settings.adminAuth ?? "auto",
    adminToken: checkedToken(settings.adminToken),
    certs,
    hostCerts: settings.hostCerts ?? certs,
    publicUrl: publicUrl(settings.publicUrl),
    basePath: basePath(settings.basePath),
    hostnames: settings.hostnames ?? [],
    alpn: settings.alpn ?? alpnProtocols,
    keyType: settings.keyType,
    freshCerts: settings.freshCerts ?? false,
    scenario: settings.scenario,
    scenarios: await scenariosFolder(settings.scenarios, folder),
    seed: checkedSeed(settings.seed),
    file: undefined,
    log: settings.log ?? "refusals",
    logFormat: settings.logFormat ?? "text",
    report: settings.report ?? "on",
    otlp: tracesUrl(settings.otlp),
    shared: await sharedSettings(settings, folder, login),
    ...parts,
  };
}

/**
 * The configuration file that is read; undefined if there is none.
 * @throws SettingError when the named file does not exist
 */
export async function configurationFile(
  flags: GivenSettings,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<string | undefined> {
  const named = flags.config ?? (environment[settingFacts("config").variable] || undefined);
  const path = resolve(folder, named ?? usualFile);
  try {
    await access(path);
    return path;
  } catch {
    if (named === undefined) return undefined;
    const source = flags.config === undefined ? settingFacts("config").variable : flagName("config");
    throw new SettingError(`${source}: There is no configuration file ${path}.`);
  }
}

interface Login {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** @throws SettingError */
async function sharedSettings(
  { shared: url, sharedCa, sharedCert, sharedKey }: GivenSettings,
  folder: string,
  login: Login,
): Promise<SharedSettings | undefined> {
  if (url === undefined) return undefined;
  const { protocol, hostname, username, password, pathname } = URL.canParse(url) ? new URL(url) : ({} as Partial<URL>);
  const isAddress = (protocol === "redis:" || protocol === "rediss:") && hostname && /^(\/\d*)?$/.test(pathname ?? "");
  if (!isAddress || !isDecodable(`${username}${password}`)) {
    // The URL may have a password, so the message does not repeat it.
    throw new SettingError(
      "The setting shared must have the form redis://HOST:PORT/DATABASE, where the database is a number, or rediss://.",
      "shared",
    );
  }
  if (protocol === "redis:" && (sharedCa ?? sharedCert ?? sharedKey) !== undefined)
    throw new SettingError("A CA and a client certificate for Redis need a URL that begins with rediss://.", "shared");
  if ((sharedCert === undefined) !== (sharedKey === undefined))
    throw new SettingError("A client certificate for Redis and its key go together.", "sharedCert");
  return {
    url,
    user: username ? undefined : login.user || undefined,
    password: password ? undefined : login.password || undefined,
    ca: await pemOf("sharedCa", sharedCa, folder),
    cert: await pemOf("sharedCert", sharedCert, folder),
    key: await pemOf("sharedKey", sharedKey, folder),
  };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

async function pemOf(name: SettingName, path: string | undefined, folder: string): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return (await readRegularFile(resolve(folder, path), largestPem)).toString("utf8");
  } catch (error) {
    throw new SettingError(`The file ${path} cannot be read: ${unreadableBecause(error)}.`, name);
  }
}

/** @throws SettingError for a range that begins after its end, or has more ports than there are defects */
function defectPorts(given: GivenSettings["defectPorts"] = false): readonly number[] {
  if (given === false) return [];
  if (given === "all") return serverDefects.map(() => 0);
  if (given === 0) return [0, 0, 0];
  if (typeof given !== "string") {
    const first = given === true ? 8444 : given;
    return [first, first + 1, first + 2];
  }
  const [first = 0, last = 0] = given.split("-").map(Number);
  const count = last - first + 1;
  if (first < 1 || last > 65_535 || count < usualDefectPorts || count > serverDefects.length)
    throw new SettingError(
      `"${given}" is not a range of ${usualDefectPorts} to ${serverDefects.length} ports. Give one such as 8444-8446 or 8444-${8443 + serverDefects.length}.`,
      "defectPorts",
    );
  return Array.from({ length: count }, (_, index) => first + index);
}

/** @throws SettingError when the sandbox would use one of its own ports twice */
function checkPorts({
  port,
  adminPort,
  defectPorts,
  hosts,
  adminHost,
}: Pick<Configuration, "port" | "adminPort" | "defectPorts" | "hosts" | "adminHost">): void {
  const api = [port, ...defectPorts].filter((each) => each > 0);
  if (api.slice(1).includes(port))
    throw new SettingError(`The port ${port} is that of the API, and one of the defect ports.`, "defectPorts");
  if (hosts.includes(adminHost) && api.includes(adminPort)) {
    const other = adminPort === port ? "that of the API" : "one of the defect ports";
    throw new SettingError(`The port ${adminPort} is the admin port, and ${other}.`, "adminPort");
  }
}

/** The folder of scenarios that is used when none is named. */
export async function usualScenarios(folder: string): Promise<string | undefined> {
  return (await isFolder(resolve(folder, "scenarios"))) ? "scenarios" : undefined;
}

async function scenariosFolder(named: string | undefined, folder: string): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const path = resolve(folder, named);
  if (await isFolder(path)) return path;
  throw new SettingError(`There is no folder of scenarios ${path}.`, "scenarios");
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function checkedSeed(seed: string | undefined): string | undefined {
  if (seed === undefined || seedPattern.test(seed)) return seed;
  throw new SettingError(
    `The seed ${quote(seed)} may have letters, digits, ".", "_" and "-" only, at most 64.`,
    "seed",
  );
}

/** The token is a secret: the message does not repeat it. */
function checkedToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[!-~]+$/.test(token)) return token;
  throw new SettingError(
    "The admin token must have printable ASCII characters without spaces: it is sent in a header.",
    "adminToken",
  );
}

function basePath(text: string | undefined): string {
  if (text === undefined || text === "/") return "";
  const path = text.replace(/\/$/, "");
  const fault = pathFault(path) ?? (path.includes("{") ? "has a parameter" : undefined);
  if (fault === undefined) return path;
  throw new SettingError(`The base path ${quote(text)} ${fault}; give a path such as /business/api.`, "basePath");
}

function publicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.pathname !== "/" || url.search !== "") {
    throw new SettingError(
      `The public URL ${quote(shownUrl(text))} must have the form https://HOST:PORT.`,
      "publicUrl",
    );
  }
  return url.origin;
}

/** The URL of the traces of a collector: without a path, the one that OTLP defines. */
function tracesUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new SettingError(`The URL ${quote(shownUrl(text))} for spans must have the form http://HOST:PORT.`, "otlp");
  if (url.pathname === "/") url.pathname = "/v1/traces";
  return url.href;
}
