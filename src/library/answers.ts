import type { ConnectionEnd } from "../sandbox/connection/connection-facts.js";
import type { Http2ErrorCode } from "../sandbox/connection/http2-error.js";
import type { ServerIssuer } from "../sandbox/connection/server-certificate.js";
import type { ServerDefect } from "../sandbox/connection/server-defect.js";
import type { OperationName } from "../sandbox/operations.js";

/**
 * The answers of the admin API. These types do not derive from the schemas of `src/admin`, so that the package's
 * declarations need no other package. A test keeps both equal.
 */

/** `GET /health`. */
export interface Health {
  /** `ok` only when every identity is ready; `unavailable` if the shared state cannot be reached. */
  readonly status: "ok" | "starting" | "failed" | "unavailable";
  /** Why it is `unavailable`. */
  readonly reason?: string | undefined;
  readonly identities: "ready" | "pending" | "failed";
  readonly version: string;
  /** Seconds since the start. */
  readonly uptime: number;
  readonly ports: { readonly api: number; readonly admin: number };
}

/** A clock as it is now. */
export interface ClockState {
  readonly mode: "real" | "offset" | "frozen";
  /** The current time on this clock, RFC 3339. */
  readonly now: string;
  /** Milliseconds ahead of its base clock: the sandbox's for a client, the machine's for the sandbox. 0 when frozen. */
  readonly offset: number;
}

/** A certificate that is registered for a client. */
export interface RegisteredCertificate {
  /** RFC 8705 §3.1: base64url of the SHA-256 of the certificate. */
  readonly thumbprint: string;
  readonly subject: string | null;
  readonly serialNumber: string | null;
  readonly notBefore: string | null;
  readonly notAfter: string | null;
  /** Whether it is valid now, on the client's clock; null if only the thumbprint is known. */
  readonly valid: boolean | null;
  /** From this instant on it is refused, although it is within its dates; null if no end was set. */
  readonly endsAt: string | null;
  /** Why it ends then: another one replaces it, or the admin API or a scenario ended it. */
  readonly ended: "renewed" | "expired" | "revoked" | null;
  /** Its folder in the certificates folder. */
  readonly identity: string | null;
  /** Whether the files at `downloads` of the client are those of this certificate. */
  readonly hasFiles: boolean;
}

/** A client as the sandbox knows it. */
export interface ClientInfo {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly grantTypes: readonly string[];
  readonly seed: string;
  readonly certificates: readonly RegisteredCertificate[];
  /** The scenario that was chosen for this client only; null if none was. */
  readonly scenario: string | null;
  readonly clock: ClockState;
  /** Paths of its files on the admin port; empty if the sandbox does not have its key. */
  readonly downloads: readonly string[];
}

/** The scenario that is active. */
export interface ActiveScenario {
  /** null for none. */
  readonly name: string | null;
  /** Whether it is the client's own, or the one for all. */
  readonly source: "client" | "all" | "none";
}

/** A scenario that can be chosen. */
export interface ScenarioSummary {
  readonly name: string;
  /** null if no version of it was ever valid. */
  readonly description: string | null;
  readonly origin: "uploaded" | "folder" | "built-in";
  /** Number of its rules. */
  readonly rules: number;
  /** Problems of its newest text, with line and column; the last valid text stays in use. */
  readonly problems: readonly string[];
  /** Warnings, with line and column: rules that can never act. */
  readonly warnings: readonly string[];
}

/** One request and its answer. */
export interface Exchange {
  readonly id: string;
  /**
   * When its turn came, on the clock of the certificate's client: over HTTP/1.1, a request waits for the answers to
   * those before it on its connection. For a request that is not processed, when that was certain.
   */
  readonly time: string;
  /** The same on the machine's clock. */
  readonly receivedAt: string;
  /** The client that the token was issued for; without a token, the one of the certificate. */
  readonly client: string | null;
  /** The client for which the certificate of the connection is registered. */
  readonly certificateClient: string | null;
  /**
   * The client that the request claims to come from, if it is a different one: `client_id` of a form, or of a token
   * that was not accepted.
   */
  readonly claimedClient: string | null;
  readonly operation: OperationName | null;
  /** The name of the list. */
  readonly list: string | null;
  readonly method: string;
  readonly target: string;
  /** 0 if no answer was made: a fault broke the exchange before that, or the request was not processed. */
  readonly status: number;
  /** The error code. */
  readonly code: string | null;
  /** The injected fault, as the header `Sandbox-Replay` accepts it. */
  readonly fault: string | null;
  /** The deliberate defect of the certificate that the server presented; the client did not refuse it. */
  readonly serverDefect: ServerDefect | null;
  readonly correlationId: string;
  /** Milliseconds until the whole answer was passed to the network; until the answer began, if `delivered` is null. */
  readonly duration: number;
  /**
   * Whether the whole answer was passed to the network; null until that is known. False for answers that a fault broke,
   * and for requests that were not processed, too.
   */
  readonly delivered: boolean | null;
  /** The number of the connection. */
  readonly connectionId: number | null;
  /** The version that client and server agreed on; HTTP/1.1 also means HTTP/1.0. */
  readonly httpVersion: "HTTP/1.1" | "HTTP/2" | null;
  /** The stream of HTTP/2; null over HTTP/1.1. */
  readonly stream: number | null;
  /** The id (`jti`) of the token that was sent, or issued. */
  readonly tokenId: string | null;
  /** The id of a walk through a list: all pages of one walk have the same id. */
  readonly walk: string | null;
  /** What happened, why, and how to fix it. */
  readonly explanation: string;
}

/** One exchange with everything that is known about it. */
export interface ExchangeDetail extends Exchange {
  /** The certificate of the connection; null if there was none. */
  readonly peer: {
    readonly subject: string;
    readonly issuer: string;
    readonly serialNumber: string;
    readonly thumbprint: string;
    readonly notBefore: string | null;
    readonly notAfter: string | null;
    readonly chain: "trusted" | "untrusted";
    readonly chainReason: string;
    readonly identity: string | null;
  } | null;
  readonly registered: { readonly client: string; readonly thumbprints: readonly string[] } | null;
  readonly token: {
    readonly issuedTo: string;
    readonly scope: string;
    readonly thumbprint: string;
    readonly issuedAt: string | null;
    readonly expiresAt: string | null;
    readonly id: string;
  } | null;
  readonly connection: {
    readonly id: number;
    readonly remoteAddress: string;
    readonly remotePort: number;
    readonly serverName?: string | undefined;
    readonly protocol: string;
    readonly cipher: string;
    readonly httpVersion: "HTTP/1.1" | "HTTP/2";
    /** The thumbprint of the certificate that the server presented. */
    readonly serverCertificate: string | null;
    /** Who closed or reset it first; null as long as it is open. */
    readonly end: ConnectionEnd | null;
    /** The first GOAWAY that the sandbox sent on purpose (RFC 9113 §6.8). */
    readonly goaway: { readonly code: Http2ErrorCode; readonly lastStream: number } | null;
  } | null;
  /** The trace of the header `traceparent` (W3C Trace Context); null if it is missing or not valid. */
  readonly trace: {
    readonly id: string;
    /** The span of the client that sent the request. */
    readonly parent: string;
    /** Whether the client may have recorded the trace. */
    readonly sampled: boolean;
  } | null;
  readonly request: {
    readonly line: string;
    /** As they were sent, without tokens. */
    readonly headers: readonly (readonly [string, string])[];
    readonly form: readonly { readonly name: string; readonly values: readonly (string | null)[] }[] | null;
  };
  /** The checks, in order. */
  readonly decisions: readonly {
    readonly step: string;
    readonly checks: string;
    readonly outcome: "passed" | "refused" | "not reached";
    /** Sections of the interface, and assumptions with their sections. */
    readonly restsOn: readonly string[];
    /** The one of these that the refusal is based on. */
    readonly basis?: string | undefined;
  }[];
  /** The section of the interface, or the assumption, that the refusal is based on. */
  readonly basis: string | null;
  readonly answer: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    /** null if it was too long to be kept. */
    readonly body: string | null;
    /** The length of the whole body, in bytes. */
    readonly length: number;
    /**
     * How many bytes of the body were passed to the network; null until that is known, and if it is not: a client that
     * goes away has received an unknown part.
     */
    readonly sent: number | null;
    /**
     * The code of the RST_STREAM that ended the stream of HTTP/2 before the answer was over, whoever sent it; null if
     * none did.
     */
    readonly reset: Http2ErrorCode | null;
  };
  /** The path of the page about the error code, on the admin port; null without one. */
  readonly errorPage: string | null;
  /**
   * The id of an exchange to compare it with: the nearest earlier one of the same client, operation and list that
   * succeeded, of the same walk or with the same target if there is one; else the first later one; null if there is
   * none.
   */
  readonly lastGood: string | null;
}

/** A failed handshake, or a connection that was closed without a request. */
export interface Handshake {
  readonly id: string;
  readonly time: string | null;
  /** Such as `client-refused-our-certificate`. */
  readonly cause: string;
  readonly code: string | null;
  /** The alert that the client sent (RFC 8446 §6). */
  readonly alert: string | null;
  /** The number of the connection; null if the handshake failed. */
  readonly connectionId: number | null;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly serverName: string | null;
  readonly protocol: string | null;
  /** The client's certificate, if the sandbox received it. */
  readonly certificate: {
    readonly subject: string;
    readonly thumbprint: string;
    readonly notBefore: string | null;
    readonly notAfter: string | null;
  } | null;
  /** The thumbprint of the certificate that the server presented; null if the handshake did not come so far. */
  readonly serverCertificate: string | null;
  /** The deliberate defect of the server certificate; null for a valid one. */
  readonly serverDefect: ServerDefect | null;
  /** Why it failed, and how to fix it. */
  readonly explanation: string;
}

/** A point that the interface leaves open, and what the sandbox does there. */
export interface Assumption {
  readonly id: string;
  readonly section: string;
  readonly point: string;
  readonly choice: string;
  readonly why: string;
  /** The key in `sandbox.yaml` that changes it; null if there is none. */
  readonly key: string | null;
  /** The current setting, if there is one. */
  readonly setting: unknown;
  /** Whether it differs from the default. */
  readonly changed: boolean;
}

/** A check that was not exercised never counts as passed. */
export type Verdict = "pass" | "fail" | "not-exercised";

/** One check of a report: docs/admin-api.md, GET /report. */
export interface CheckResult {
  /** Such as `token.refused`. */
  readonly id: string;
  readonly level: "must" | "should";
  readonly verdict: Verdict;
  /** What happened, or what would exercise the check. */
  readonly message: string;
  /** What to change in the client. */
  readonly fix: string;
  /** The section of the interface, the RFC or the assumption that the rule comes from. */
  readonly source: string;
  /** Ids of exchanges: the first few that failed the check, or that exercised it. */
  readonly exchanges: readonly string[];
  /** The same for handshakes. */
  readonly handshakes: readonly string[];
  /** Why the failure does not count; missing if it does. */
  readonly known?: string | undefined;
}

/** Whether clients are correct: the verdict of every check. */
export interface Report {
  readonly version: 1;
  readonly drills: readonly {
    readonly name: string;
    readonly verdict: Verdict;
    readonly outcome: {
      readonly expected: "succeeds" | "fails" | "any";
      readonly exitStatus: number | null;
      readonly verdict: Verdict;
    };
    readonly checks: readonly CheckResult[];
    /** Errors that were provoked on purpose, and did not count; missing if there are none. */
    readonly expected?:
      | readonly { readonly code: string; readonly count: number; readonly exchanges: readonly string[] }[]
      | undefined;
  }[];
  /** Counts of checks. A failed `should` counts as `warn`. */
  readonly summary: {
    readonly pass: number;
    readonly fail: number;
    readonly warn: number;
    readonly notExercised: number;
    /** Failures that do not count; missing if there are none. */
    readonly known?: number | undefined;
  };
}

/** The certificate that the server shows. */
export interface ServerCertificate {
  readonly issuer: ServerIssuer;
  /** PEM; the certificate of the intermediate CA follows, if there is one. */
  readonly certificate: string;
  /** SHA-256 of the certificate, base64url. */
  readonly thumbprint: string;
  readonly notAfter: string;
}

/** The roots that clients trust once the next CA is announced, PEM. */
export interface NextCa {
  /** Both. */
  readonly ca: string;
  /** The new one alone. */
  readonly nextCa: string;
}
