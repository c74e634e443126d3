import { thousands } from "../../base/text/numbers.js";
import { alpnProtocols } from "../connection/alpn.js";
import { tlsVersions } from "../connection/tls-version.js";
import { mostStreams, type ValueKinds } from "./setting-kinds.js";

/**
 * The settings of `payments-sandbox start`: one table, from which flags, environment variables, the keys of
 * `sandbox.yaml` with their schema, the options of the library and docs/reference/settings.md derive. A flag overrides its
 * variable, the variable overrides the file, the file overrides the default.
 */
export interface SettingRow {
  /** The flag, as the help shows it. The variable derives from it: `--admin-port` is `SANDBOX_ADMIN_PORT`. */
  readonly flag: string;
  /**
   * The key in `sandbox.yaml`, with a dot if it is inside another; null if it makes no sense in a file. Not given: the
   * name of the setting.
   */
  readonly key?: string | null;
  /** A kind of value, or the values themselves if there are only some. */
  readonly kind: keyof ValueKinds | readonly string[];
  /** What it does. If `kind` is a list of values, they are put before it where it is shown. */
  readonly description: string;
  /** The value if none is given. Without it, the setting is undefined then, or what `complete.ts` makes of it. */
  readonly default?: unknown;
  /** How the default is described, if it is not the value itself. */
  readonly shownDefault?: string;
}

export const settingsTable = {
  port: {
    flag: "--port <number>",
    kind: "port",
    description: "port of the API; 0 takes a free one",
    default: 8443,
  },
  adminPort: {
    flag: "--admin-port <number>",
    kind: "port",
    description: "port of the admin API; 0 takes a free one",
    default: 8090,
  },
  defectPorts: {
    flag: "--defect-ports [ports]",
    kind: "defect ports",
    description:
      "ports of the API with a server certificate that is expired, for a wrong host, untrusted: three from 8444 or this one on; 0: free ones; a range such as 8444-8448: as many, in the order of docs/guide/connect.md; all: free ones for all defects",
    shownDefault: "off",
  },
  host: {
    flag: "--host <address>",
    kind: "text",
    description: "address that the API binds to",
    shownDefault: "loopback, IPv4 and IPv6",
  },
  adminHost: {
    flag: "--admin-host <address>",
    kind: "text",
    description: "address that the admin API binds to",
    shownDefault: "loopback, IPv4 and IPv6",
  },
  adminAuth: {
    flag: "--admin-auth <mode>",
    kind: ["auto", "token", "none"],
    description: "whether the admin API requires a token; auto: unless it binds to loopback",
    default: "auto",
  },
  adminToken: {
    flag: "--admin-token <token>",
    kind: "text",
    description: "the token of the admin API",
    shownDefault: "generated and printed if required",
  },
  certs: {
    flag: "--certs <folder>",
    kind: "path",
    description: "folder of the CA, the identities and the keys",
    shownDefault: "certs",
  },
  hostCerts: {
    flag: "--host-certs <folder>",
    kind: "text",
    description: "that folder on the host, for client.env (in a container)",
    shownDefault: "the folder of --certs",
  },
  publicUrl: {
    flag: "--public-url <url>",
    kind: "text",
    description: "base URL of clients if ports are mapped (in a container)",
    shownDefault: "https://localhost:PORT",
  },
  basePath: {
    flag: "--base-path <path>",
    kind: "text",
    description: "path before every path of the API, such as /business/api; part of the base URL of clients",
    default: "",
    shownDefault: "none",
  },
  hostnames: {
    flag: "--hostname <name>",
    kind: "list",
    description: "further name or address in the server certificate; may be repeated, or separated by commas",
    default: [],
    shownDefault: "none",
  },
  alpn: {
    flag: "--alpn <protocols>",
    key: "tls.alpn",
    kind: "protocols",
    description: "offered versions of HTTP, the preferred one first: h2, http/1.1, or both",
    default: alpnProtocols,
    shownDefault: "h2,http/1.1",
  },
  tlsMinVersion: {
    flag: "--tls-min-version <version>",
    key: "tls.minVersion",
    kind: tlsVersions,
    description: "lowest version of TLS that the API accepts",
    default: "1.2",
  },
  tlsMaxVersion: {
    flag: "--tls-max-version <version>",
    key: "tls.maxVersion",
    kind: tlsVersions,
    description: "highest version of TLS that the API accepts",
    default: "1.3",
  },
  keepAlive: {
    flag: "--keep-alive <time>",
    key: "http.keepAlive",
    kind: "idle time",
    description: "how long a connection stays open without a request, from 100ms to 24h",
    default: "65s",
  },
  keepAliveNotice: {
    flag: "--keep-alive-notice <state>",
    key: "http.keepAliveNotice",
    kind: ["on", "off"],
    description:
      "whether clients are told how long, by Keep-Alive with whole seconds over HTTP/1.1, and of the end, by GOAWAY over HTTP/2",
    default: "on",
  },
  maxStreams: {
    flag: "--max-streams <number>",
    key: "http.maxStreams",
    kind: "streams",
    description: `how many requests a client may have open on a connection of HTTP/2, from 1 to ${thousands(mostStreams)}`,
    default: 100,
  },
  serverCertificate: {
    flag: "--server-certificate <file>",
    kind: "path",
    description:
      "server certificate from your own CA, PEM; ca.pem then has its root, too. Renewed and defective ones come from the sandbox's CA",
    shownDefault: "one that the sandbox issues",
  },
  serverKey: {
    flag: "--server-key <file>",
    kind: "path",
    description: "key of the server certificate, PEM, without a password",
    shownDefault: "none",
  },
  serverChain: {
    flag: "--server-chain <file>",
    kind: "path",
    description: "issuers of the server certificate up to the root, PEM, unless its file has them",
    shownDefault: "none",
  },
  caNames: {
    flag: "--ca-names <state>",
    key: "tls.caNames",
    kind: ["on", "off"],
    description:
      "whether a handshake that requires no certificate names the accepted CAs: the sandbox's, those of tls.clientCa, the issuers of registered certificates. Clients of Java and Go then send no certificate of another issuer",
    default: "off",
  },
  keyType: {
    flag: "--key-type <type>",
    kind: ["rsa", "ec"],
    description: "keys of the CA and the identities, RSA-2048 or P-256",
    shownDefault: "rsa",
  },
  nameConstraints: {
    flag: "--name-constraints <form>",
    key: "tls.nameConstraints",
    kind: ["names", "strict"],
    description:
      "what a new CA may issue for: DNS names, or addresses as well, in a critical extension (RFC 5280 §4.2.1.10), which clients on BoringSSL, such as Bun, and mbedTLS refuse",
    shownDefault: "names",
  },
  freshCerts: {
    flag: "--fresh-certs",
    key: null,
    kind: "switch",
    description: "create the CA and all identities again; the variable is 1 or 0",
    default: false,
    shownDefault: "off",
  },
  scenario: {
    flag: "--scenario <name>",
    kind: "text",
    description: "scenario for all clients",
    shownDefault: "none",
  },
  scenarios: {
    flag: "--scenarios <folder>",
    kind: "path",
    description: "folder of your own scenarios, reloaded when saved; they override built-in ones",
    shownDefault: "scenarios",
  },
  seed: {
    flag: "--seed <text>",
    kind: "seed",
    description: "seed of the random decisions of scenarios",
    shownDefault: "random, printed at start",
  },
  log: {
    flag: "--log <what>",
    kind: ["none", "refusals", "requests"],
    description: "nothing, refusals with their reason, or every request is written to the console",
    default: "refusals",
  },
  logFormat: {
    flag: "--log-format <format>",
    kind: ["text", "json"],
    description: "lines for people, or one JSON object per line",
    default: "text",
  },
  report: {
    flag: "--report <state>",
    kind: ["on", "off"],
    description: "whether clients are judged for the report; off costs nothing",
    default: "on",
  },
  keep: {
    flag: "--keep <folder>",
    kind: "path",
    description:
      "write what happens into a new folder there, without secrets; payments-sandbox open shows it when the sandbox has ended",
    shownDefault: "off",
  },
  keepSize: {
    flag: "--keep-size <megabytes>",
    kind: "megabytes",
    description: "how much of a run is kept; the oldest requests are removed first",
    default: 64,
  },
  otlp: {
    flag: "--otlp <url>",
    kind: "text",
    description: "send a span for each request to this OpenTelemetry collector, such as http://localhost:4318",
    shownDefault: "off",
  },
  shared: {
    flag: "--shared <url>",
    kind: "text",
    description:
      "share the state in this Redis: redis://HOST:PORT, or rediss:// for TLS; SANDBOX_SHARED_USER and SANDBOX_SHARED_PASSWORD log in",
    shownDefault: "off",
  },
  sharedCa: {
    flag: "--shared-ca <file>",
    kind: "path",
    description: "CA of the Redis at rediss://, PEM",
    shownDefault: "those that Node trusts",
  },
  sharedCert: {
    flag: "--shared-cert <file>",
    kind: "path",
    description: "client certificate for the Redis at rediss://, PEM",
    shownDefault: "none",
  },
  sharedKey: {
    flag: "--shared-key <file>",
    kind: "path",
    description: "key of the client certificate, PEM",
    shownDefault: "none",
  },
  config: {
    flag: "--config <file>",
    key: null,
    kind: "text",
    description: "configuration file",
    shownDefault: "sandbox.yaml, if there is one",
  },
} as const satisfies Record<string, SettingRow>;
