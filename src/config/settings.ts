import { type AlpnProtocol, alpnProtocols } from "../connection/alpn.js";

/**
 * The settings of `payments-sandbox start`: one table, from which flags, environment variables, the keys of `sandbox.yaml`
 * and docs/settings.md derive. A flag stands before its variable, the variable before the file, the file before the default.
 */
interface SettingFacts {
  /** The flag, as the help shows it. */
  readonly flag: string;
  readonly variable: string;
  /** The key in `sandbox.yaml`, with a dot where it lies in another; null where it makes no sense in a file. */
  readonly key: string | null;
  readonly kind: "port" | "three ports" | "text" | "list" | "protocols" | "switch" | readonly string[];
  readonly description: string;
  /** How the default is described. */
  readonly shownDefault: string;
}

const settingsTable = {
  port: {
    flag: "--port <number>",
    variable: "SANDBOX_PORT",
    key: "port",
    kind: "port",
    description: "port of the API; 0 takes a free one",
    shownDefault: "8443",
  },
  adminPort: {
    flag: "--admin-port <number>",
    variable: "SANDBOX_ADMIN_PORT",
    key: "adminPort",
    kind: "port",
    description: "port of the admin API; 0 takes a free one",
    shownDefault: "8090",
  },
  defectPorts: {
    flag: "--defect-ports [first]",
    variable: "SANDBOX_DEFECT_PORTS",
    key: "defectPorts",
    kind: "three ports",
    description:
      "serve the API on three more ports with a server certificate that is expired, of a wrong host, untrusted: from 8444 on, or from this port on; 0 takes free ones",
    shownDefault: "off",
  },
  host: {
    flag: "--host <address>",
    variable: "SANDBOX_HOST",
    key: "host",
    kind: "text",
    description: "address that the API binds to",
    shownDefault: "loopback, IPv4 and IPv6",
  },
  adminHost: {
    flag: "--admin-host <address>",
    variable: "SANDBOX_ADMIN_HOST",
    key: "adminHost",
    kind: "text",
    description: "address that the admin API binds to",
    shownDefault: "127.0.0.1",
  },
  adminAuth: {
    flag: "--admin-auth <mode>",
    variable: "SANDBOX_ADMIN_AUTH",
    key: "adminAuth",
    kind: ["auto", "token", "none"],
    description: "whether the admin API demands a token; auto: none on a loopback bind, a token on any other",
    shownDefault: "auto",
  },
  adminToken: {
    flag: "--admin-token <token>",
    variable: "SANDBOX_ADMIN_TOKEN",
    key: "adminToken",
    kind: "text",
    description: "the token of the admin API",
    shownDefault: "made and printed where one is demanded",
  },
  certs: {
    flag: "--certs <folder>",
    variable: "SANDBOX_CERTS",
    key: "certs",
    kind: "text",
    description: "folder of the CA, the identities and the keys",
    shownDefault: "certs",
  },
  hostCerts: {
    flag: "--host-certs <folder>",
    variable: "SANDBOX_HOST_CERTS",
    key: "hostCerts",
    kind: "text",
    description: "the same folder as the host sees it, for the paths in client.env (in a container)",
    shownDefault: "the folder of --certs",
  },
  publicUrl: {
    flag: "--public-url <url>",
    variable: "SANDBOX_PUBLIC_URL",
    key: "publicUrl",
    kind: "text",
    description: "base URL that clients use, where ports are mapped (in a container)",
    shownDefault: "https://localhost:PORT",
  },
  basePath: {
    flag: "--base-path <path>",
    variable: "SANDBOX_BASE_PATH",
    key: "basePath",
    kind: "text",
    description: "path before every path of the API, such as /business/api; it belongs to the base URL of clients",
    shownDefault: "none",
  },
  hostnames: {
    flag: "--hostname <name>",
    variable: "SANDBOX_HOSTNAME",
    key: "hostnames",
    kind: "list",
    description: "a further name or address in the server certificate; may be repeated",
    shownDefault: "none",
  },
  alpn: {
    flag: "--alpn <protocols>",
    variable: "SANDBOX_ALPN",
    key: "tls.alpn",
    kind: "protocols",
    description: "versions of HTTP that are offered by ALPN, the preferred one first: h2, http/1.1, or both",
    shownDefault: "h2,http/1.1",
  },
  keyType: {
    flag: "--key-type <type>",
    variable: "SANDBOX_KEY_TYPE",
    key: "keyType",
    kind: ["rsa", "ec"],
    description: "keys of the CA and the identities: RSA-2048, or P-256",
    shownDefault: "rsa",
  },
  freshCerts: {
    flag: "--fresh-certs",
    variable: "SANDBOX_FRESH_CERTS",
    key: null,
    kind: "switch",
    description: "make the CA and all identities again",
    shownDefault: "off",
  },
  scenario: {
    flag: "--scenario <name>",
    variable: "SANDBOX_SCENARIO",
    key: "scenario",
    kind: "text",
    description: "scenario that is active for all clients",
    shownDefault: "none",
  },
  scenarios: {
    flag: "--scenarios <folder>",
    variable: "SANDBOX_SCENARIOS",
    key: "scenarios",
    kind: "text",
    description: "folder of your own scenarios, reloaded when a file is saved; they stand before the built-in ones",
    shownDefault: "scenarios, if there is one",
  },
  seed: {
    flag: "--seed <text>",
    variable: "SANDBOX_SEED",
    key: "seed",
    kind: "text",
    description: "what the random decisions of scenarios are drawn from",
    shownDefault: "random, printed at start",
  },
  log: {
    flag: "--log <what>",
    variable: "SANDBOX_LOG",
    key: "log",
    kind: ["none", "refusals", "requests"],
    description: "what is written to the console: nothing, refusals with their reason, or every request",
    shownDefault: "refusals",
  },
  logFormat: {
    flag: "--log-format <format>",
    variable: "SANDBOX_LOG_FORMAT",
    key: "logFormat",
    kind: ["text", "json"],
    description: "lines for people, or one JSON object a line",
    shownDefault: "text",
  },
  report: {
    flag: "--report <state>",
    variable: "SANDBOX_REPORT",
    key: "report",
    kind: ["on", "off"],
    description: "whether clients are judged for the report on them; off costs nothing",
    shownDefault: "on",
  },
  shared: {
    flag: "--shared <url>",
    variable: "SANDBOX_SHARED",
    key: "shared",
    kind: "text",
    description:
      "share the state with other sandboxes in this Redis: redis://HOST:PORT, or rediss:// for TLS; SANDBOX_SHARED_USER and SANDBOX_SHARED_PASSWORD log in",
    shownDefault: "off",
  },
  sharedCa: {
    flag: "--shared-ca <file>",
    variable: "SANDBOX_SHARED_CA",
    key: "sharedCa",
    kind: "text",
    description: "CA of the Redis at rediss://, PEM",
    shownDefault: "those that Node trusts",
  },
  sharedCert: {
    flag: "--shared-cert <file>",
    variable: "SANDBOX_SHARED_CERT",
    key: "sharedCert",
    kind: "text",
    description: "client certificate for the Redis at rediss://, PEM",
    shownDefault: "none",
  },
  sharedKey: {
    flag: "--shared-key <file>",
    variable: "SANDBOX_SHARED_KEY",
    key: "sharedKey",
    kind: "text",
    description: "its key, PEM",
    shownDefault: "none",
  },
  config: {
    flag: "--config <file>",
    variable: "SANDBOX_CONFIG",
    key: null,
    kind: "text",
    description: "configuration file",
    shownDefault: "sandbox.yaml, if there is one",
  },
} as const satisfies Record<string, SettingFacts>;

/** The highest port that two others follow. */
export const lastFirstPort = 65_533;

export type SettingName = keyof typeof settingsTable;

type Kind<K> = K extends "port"
  ? number
  : K extends "three ports"
    ? number | boolean
    : K extends "text"
      ? string
      : K extends "list"
        ? readonly string[]
        : K extends "protocols"
          ? readonly AlpnProtocol[]
          : K extends "switch"
            ? boolean
            : K extends readonly (infer Choice)[]
              ? Choice
              : never;

/** Values given for settings, by whatever source. */
export type GivenSettings = { readonly [Name in SettingName]?: Kind<(typeof settingsTable)[Name]["kind"]> | undefined };

/** All settings, in the order of the table. */
export const settingNames = Object.keys(settingsTable) as SettingName[];

/** The facts of one setting, by their general type. */
export function settingFacts(name: SettingName): SettingFacts {
  return settingsTable[name];
}

/** A flag, a variable or a value in a file that cannot be used. The message names the source and what would do. */
export class SettingError extends Error {
  override readonly name = "SettingError";

  /** @param setting the setting that is wrong, where it is one of the table */
  constructor(
    message: string,
    readonly setting?: SettingName,
  ) {
    super(message);
  }
}

/**
 * Reads the text of a flag or variable.
 * @param source how the message calls it: `--port`, `SANDBOX_PORT`
 * @throws SettingError
 */
export function readSetting(name: SettingName, text: string, source: string): unknown {
  const { kind } = settingFacts(name);
  const wrong = (expected: string) => new SettingError(`${source} is ${JSON.stringify(text)}; ${expected}.`);
  if (kind === "port") {
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw wrong("give a port number from 0 to 65535");
    return Number(text);
  }
  if (kind === "three ports") {
    const [, first, last = Number(first) + 2] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
    if (first !== undefined && Number(first) <= lastFirstPort && Number(last) === Number(first) + 2)
      return Number(first);
    if (/^(true|yes|on)$/i.test(text)) return true;
    if (/^(false|no|off)$/i.test(text)) return false;
    throw wrong("give true, false, or the first of three ports, such as 8444 or 8444-8446");
  }
  if (kind === "switch") {
    if (/^(1|true|yes|on)$/i.test(text)) return true;
    if (/^(0|false|no|off)$/i.test(text)) return false;
    throw wrong("give true or false");
  }
  if (text.trim() === "") throw wrong("give a value, or leave it out");
  const items = text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  if (kind === "list") return items;
  if (kind === "protocols") {
    if (!areAlpnProtocols(items)) throw wrong("give h2, http/1.1, or both with a comma, each once");
    return items;
  }
  if (typeof kind !== "string" && !kind.includes(text)) throw wrong(`give one of ${kind.join(", ")}`);
  return text;
}

/** Whether these are versions of HTTP that can be offered: at least one, and each once. */
export function areAlpnProtocols(names: readonly string[]): names is readonly AlpnProtocol[] {
  const known: readonly string[] = alpnProtocols;
  return names.length > 0 && new Set(names).size === names.length && names.every((name) => known.includes(name));
}

/** Reads every setting for which the environment has a variable. An empty variable counts as unset. @throws SettingError */
export function settingsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): GivenSettings {
  const given: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { variable } = settingFacts(name);
    const text = environment[variable];
    if (text !== undefined && text !== "") given[name] = readSetting(name, text, variable);
  }
  return given as GivenSettings;
}

/** The name of a setting's flag, without its argument: `--admin-port`. */
export function flagName(name: SettingName): string {
  return settingFacts(name).flag.split(" ", 1)[0] as string;
}
