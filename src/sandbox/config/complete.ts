import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { largestPem, readRegularFile, unreadableBecause } from "../../base/files/regular-file.js";
import { quote } from "../../base/text/printable.js";
import { shownUrl } from "../../base/text/user-information.js";
import { serverDefects, usualDefectPorts } from "../connection/server-defect.js";
import { versionsIn } from "../connection/tls-version.js";
import { pathFault } from "../lists/path.js";
import type { Configuration, FileConfiguration, ServerFiles, SharedSettings } from "./configuration.js";
import { portRange } from "./setting-kinds.js";
import {
  type GivenSettings,
  SettingError,
  type SettingName,
  type TakesProblem,
  throwProblem,
  withDefaults,
} from "./settings.js";

/**
 * Fills in the defaults. Without a folder for certificates, they are only in memory. Without a folder for scenarios,
 * there are only the built-in ones.
 * @param file the configuration besides the settings; its own settings are ignored
 * @param login user and password for Redis, if its URL has none
 * @param wrong takes the problem of a setting, which is left out
 * @throws SettingError for the first problem, if `wrong` is not given
 */
export async function configurationOf(
  settings: GivenSettings,
  file: FileConfiguration,
  folder: string,
  login: Login = {},
  wrong: TakesProblem = throwProblem,
): Promise<Configuration> {
  const valid = async <Value>(read: () => Value | Promise<Value>, otherwise: Value): Promise<Value> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      wrong(error);
      return otherwise;
    }
  };
  const { settings: _ofFile, ...parts } = file;
  const {
    host,
    adminHost,
    config: _config,
    shared: _url,
    sharedCa: _ca,
    sharedCert: _cert,
    sharedKey: _key,
    serverCertificate,
    serverKey,
    serverChain,
    ...plain
  } = withDefaults(settings);
  const certs = settings.certs === undefined ? undefined : resolve(folder, settings.certs);
  const addresses = {
    port: plain.port,
    adminPort: plain.adminPort,
    defectPorts: defectPorts(settings.defectPorts),
    hosts: hostsOf(host),
    adminHosts: hostsOf(adminHost),
  };
  await valid(() => checkPorts(addresses), undefined);
  await valid(() => checkVersions(plain), undefined);
  return {
    ...plain,
    ...addresses,
    adminToken: await valid(() => checkedToken(settings.adminToken), undefined),
    certs,
    hostCerts: settings.hostCerts ?? certs,
    publicUrl: await valid(() => publicUrl(settings.publicUrl), undefined),
    basePath: await valid(() => basePath(settings.basePath), ""),
    scenarios: await valid(() => scenariosFolder(settings.scenarios, folder), undefined),
    file: undefined,
    given: {},
    keep: settings.keep === undefined ? undefined : resolve(folder, settings.keep),
    otlp: await valid(() => tracesUrl(settings.otlp), undefined),
    server: await valid(() => serverFiles({ serverCertificate, serverKey, serverChain }, settings, folder), undefined),
    shared: await valid(() => sharedSettings(settings, folder, login), undefined),
    ...parts,
  };
}

/** The addresses to bind to: if none is given, both of loopback, because `localhost` means either. */
function hostsOf(given: string | undefined): readonly string[] {
  return given === undefined ? ["127.0.0.1", "::1"] : [given];
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

/** @throws SettingError for what does not fit */
async function serverFiles(
  given: Pick<GivenSettings, "serverCertificate" | "serverKey" | "serverChain">,
  { hostnames = [], publicUrl }: GivenSettings,
  folder: string,
): Promise<ServerFiles | undefined> {
  const [certificate, key, chain] = await Promise.all(
    (["serverCertificate", "serverKey", "serverChain"] as const).map((name) => pemOf(name, given[name], folder)),
  );
  if (certificate === undefined && key === undefined && chain === undefined) return undefined;
  if (certificate === undefined)
    throw new SettingError(
      "The server's key and chain need its certificate: give --server-certificate.",
      "serverCertificate",
    );
  if (key === undefined)
    throw new SettingError("The server's certificate needs its key: give --server-key.", "serverKey");
  const host = publicUrl !== undefined && URL.canParse(publicUrl) ? new URL(publicUrl).hostname : "localhost";
  const { checkServerFiles } = await import("./server-files.js");
  return checkServerFiles({ certificate, key, chain }, [host, ...hostnames], given);
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

function defectPorts(given: GivenSettings["defectPorts"] = false): readonly number[] {
  if (given === false) return [];
  if (given === "all") return serverDefects.map(() => 0);
  if (given === 0) return [0, 0, 0];
  const [first, last] = portRange(String(given)) ?? [given === true ? 8444 : Number(given)];
  return Array.from({ length: last === undefined ? usualDefectPorts : last - first + 1 }, (_, index) => first + index);
}

/** @throws SettingError when the sandbox would use one of its own ports twice */
function checkPorts({
  port,
  adminPort,
  defectPorts,
  hosts,
  adminHosts,
}: Pick<Configuration, "port" | "adminPort" | "defectPorts" | "hosts" | "adminHosts">): void {
  const api = [port, ...defectPorts].filter((each) => each > 0);
  if (api.slice(1).includes(port))
    throw new SettingError(`The port ${port} is that of the API, and one of the defect ports.`, "defectPorts");
  if (adminHosts.some((host) => hosts.includes(host)) && api.includes(adminPort)) {
    const other = adminPort === port ? "that of the API" : "one of the defect ports";
    throw new SettingError(`The port ${adminPort} is the admin port, and ${other}.`, "adminPort");
  }
}

/** @throws SettingError if no version of TLS is left */
function checkVersions({ tlsMinVersion, tlsMaxVersion }: Pick<Configuration, "tlsMinVersion" | "tlsMaxVersion">): void {
  if (versionsIn({ min: tlsMinVersion, max: tlsMaxVersion }).length === 0)
    throw new SettingError(
      `The lowest version of TLS is ${tlsMinVersion}, and the highest is ${tlsMaxVersion}, so none is left. Lower tls.minVersion (--tls-min-version), or raise tls.maxVersion (--tls-max-version).`,
      "tlsMinVersion",
    );
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
  const fault = path.endsWith("/")
    ? "has two / at the end"
    : (pathFault(path) ?? (path.includes("{") ? "has a parameter" : undefined));
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
