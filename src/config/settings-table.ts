/**
 * The settings of `payments-sandbox start`: one table, from which flags, environment variables, the keys of `sandbox.yaml`
 * and docs/settings.md derive. A flag overrides its variable, the variable overrides the file, the file overrides the default.
 */
export interface SettingFacts {
  /** The flag, as the help shows it. */
  readonly flag: string;
  readonly variable: string;
  /** The key in `sandbox.yaml`, with a dot if it is inside another; null if it makes no sense in a file. */
  readonly key: string | null;
  readonly kind: "port" | "three ports" | "text" | "list" | "protocols" | "switch" | readonly string[];
  /** What it does. If `kind` is a list of values, they are put before it where it is shown. */
  readonly description: string;
  /** How the default is described. */
  readonly shownDefault: string;
}

export const settingsTable = {
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
      "serve the API on three more ports with a server certificate that is expired, for a wrong host, untrusted: from 8444 on, or from this port on; 0 takes free ones",
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
    description: "whether the admin API requires a token; with auto, unless it binds to loopback",
    shownDefault: "auto",
  },
  adminToken: {
    flag: "--admin-token <token>",
    variable: "SANDBOX_ADMIN_TOKEN",
    key: "adminToken",
    kind: "text",
    description: "the token of the admin API",
    shownDefault: "generated and printed if one is required",
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
    description: "keys of the CA and the identities, RSA-2048 or P-256",
    shownDefault: "rsa",
  },
  freshCerts: {
    flag: "--fresh-certs",
    variable: "SANDBOX_FRESH_CERTS",
    key: null,
    kind: "switch",
    description: "create the CA and all identities again",
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
    description: "folder of your own scenarios, reloaded when a file is saved; they override the built-in ones",
    shownDefault: "scenarios, if there is one",
  },
  seed: {
    flag: "--seed <text>",
    variable: "SANDBOX_SEED",
    key: "seed",
    kind: "text",
    description: "seed of the random decisions of scenarios",
    shownDefault: "random, printed at start",
  },
  log: {
    flag: "--log <what>",
    variable: "SANDBOX_LOG",
    key: "log",
    kind: ["none", "refusals", "requests"],
    description: "nothing, refusals with their reason, or every request is written to the console",
    shownDefault: "refusals",
  },
  logFormat: {
    flag: "--log-format <format>",
    variable: "SANDBOX_LOG_FORMAT",
    key: "logFormat",
    kind: ["text", "json"],
    description: "lines for people, or one JSON object per line",
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
    description: "key of the client certificate for the Redis at rediss://, PEM",
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
