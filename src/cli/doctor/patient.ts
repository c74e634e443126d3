import type { X509Certificate } from "node:crypto";
import type { Item } from "../../admin/call-types.js";
import type { AdminClient } from "../../library/admin-client.js";
import type { ClientInfo } from "../../library/answers.js";
import type { AlpnProtocol } from "../../sandbox/connection/alpn.js";
import type { TlsVersionRange } from "../../sandbox/connection/tls-version.js";
import type { Inputs } from "./inputs.js";

/** What is known of the client and its sandbox. Each question adds what it has found out, for the next ones. */
export interface Patient {
  readonly inputs: Inputs;
  /** What the client trusts. Undefined if no CA was given; empty if its file could not be read. */
  given?: readonly X509Certificate[];
  /** The CAs that a connection trusts; those of the system when undefined. */
  authorities?: readonly X509Certificate[] | undefined;
  leaf?: X509Certificate | undefined;
  /** The other certificates of the same file, in their order. */
  chain: readonly X509Certificate[];
  /** What a connection presents; undefined if the files cannot be used for a connection. */
  tls?: KeyMaterial | undefined;
  /** Undefined if the admin API does not answer. */
  sandbox?: SandboxView | undefined;
  /** The first answer of the API. */
  answer?: Answer;
  /** The newest answer to a ping. */
  pong?: Answer | undefined;
  token?: string | undefined;
}

export type KeyMaterial =
  | { readonly cert: string; readonly key: string; readonly passphrase?: string }
  | { readonly pfx: Buffer; readonly passphrase?: string };

/** An answer of the API. */
export interface Answer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The machine's time in the middle of the exchange, in milliseconds since the epoch. */
  readonly at: number;
  /** What the server chose by ALPN; undefined if it chose nothing, and HTTP/1.1 was used. */
  readonly chosen: AlpnProtocol | undefined;
}

/** What the sandbox itself knows, from its admin API. */
export interface SandboxView {
  readonly admin: AdminClient;
  /** Its CA, and the next one when that is announced. */
  readonly authorities: readonly X509Certificate[];
  /** The port of the API, if the port that was given has a defective certificate on purpose. */
  readonly usualApiPort: string | undefined;
  /** Before every path of the API: `/business/api`, or nothing. */
  readonly basePath: string;
  readonly versions: TlsVersionRange;
  readonly clients: readonly ClientInfo[];
  /** The client for which the certificate is registered. */
  readonly holder: ClientInfo | undefined;
  /** Where the certificate is in the certs folder, and what it is for; undefined for any other certificate. */
  readonly standing: StandingIdentity | undefined;
  /** The clocks that were moved: the sandbox's, and the client's, which goes by it. The last one is what it sees. */
  readonly movedClocks: readonly MovedClock[];
  /** The scenario that is active for the client, and what ends it. */
  readonly scenario: { readonly name: string | null; readonly end: string };
}

export interface MovedClock {
  /** As the first words of a sentence, and in the middle of one. */
  readonly title: string;
  readonly name: string;
  readonly now: string;
  readonly mode: string;
  readonly fix: string;
}

type StandingIdentity = Item<"GET /identities">;
