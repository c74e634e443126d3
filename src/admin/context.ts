import type { AssumptionSettings } from "../assumptions.js";
import type { ClientRegistry, RegisteredCertificate } from "../clients.js";
import type { AdjustableClock, Clock } from "../clock.js";
import type { ExplanationContext } from "../journal/explanation-context.js";
import type { Journal } from "../journal/journal.js";
import type { Exposition, MetricsFormat } from "../metrics/exposition.js";
import type { OperationName } from "../operations.js";
import type { ScenarioEngine } from "../scenarios/engine.js";
import type { Guard } from "./guard.js";
import type { IdentityStore, KeptIdentity } from "./identities.js";
import type { ReportAnswer } from "./report-schema.js";

/** The state of the sandbox, for `GET /health`. */
export interface Health {
  /** `ok` only when everything is there, the identities included; `unavailable` where the state that sandboxes share cannot be reached. */
  readonly status: "ok" | "starting" | "failed" | "unavailable";
  /** Why it is `unavailable`. */
  readonly reason?: string | undefined;
  readonly identities: "ready" | "pending" | "failed";
  readonly version: string;
  /** Seconds since the start. */
  readonly uptime: number;
  readonly ports: { readonly api: number; readonly admin: number };
}

/** Where the files of an identity are downloaded, if it is not in the certificates folder. */
export interface Downloads {
  /** The admin API as its caller reached it. */
  readonly url: string;
  /** Where the files are below it: `clients/demo`. */
  readonly path: string;
  /** Begins the names of the saved files. */
  readonly name: string;
  readonly demandsToken: boolean;
}

/** The judges of the clients, as the admin API uses them. */
interface Examination {
  /** The report on a client, or on all of them. */
  report(client?: string): Promise<ReportAnswer>;
  /** Forgets what is known: about a client, or about all of them. */
  reset(client?: string): void;
}

/** What the admin API needs of a sandbox that shares its state with others. */
export interface AdminSharing {
  /** Why nothing can be answered now; undefined where it can. */
  unavailable(): string | undefined;
  /**
   * Runs a route that changes the state, at every replica.
   * @param route method and path, as in the table of routes
   * @param input plain data: what the handler is given, but for the signal
   * @returns what its handler returned here, once all that live have run it
   */
  run(route: string, input: object): Promise<unknown>;
  /** Resolves once the journal has everything that any replica had answered when it was called. */
  synchronise(): Promise<void>;
  /** Keeps the journal up to date, for a reader that waits for new entries. @returns what ends it */
  follow(): () => void;
}

/** What the admin API works with. Made once per sandbox, in `sandbox.ts`. */
export interface AdminContext {
  readonly guard: Guard;
  /** Aborted when the sandbox stops: streams end, instead of holding it up. */
  readonly closing: AbortSignal;
  /** The streams of events that are open. */
  readonly streams: Set<unknown>;
  readonly health: () => Health;
  /** The CA's certificate, PEM. Its key is never given out. */
  readonly caPem: string;
  /** Base URL of the API; known once it listens. */
  readonly url: () => string;
  /**
   * Sends one request, as it is written, to the sandbox's own API, and reads until the connection is closed.
   * Rejects when the handshake fails.
   */
  readonly sendToApi: (
    identity: Pick<KeptIdentity, "certPem" | "keyPem"> | undefined,
    text: string,
    signal: AbortSignal,
  ) => Promise<{
    readonly answer: string;
    /** The port of the sending end, by which the journal knows the connection. */
    readonly localPort: number;
    /** Why the connection ended, where it was not closed in order. */
    readonly problem: string | undefined;
  }>;
  readonly clock: AdjustableClock;
  /** Dates the journal. */
  readonly machineClock: Clock;
  /** The path of an operation, with parameters in braces and the base path. */
  readonly pathOf: (operation: OperationName, list: string | undefined) => string | undefined;
  readonly clients: ClientRegistry;
  readonly identities: IdentityStore;
  /** Reads a certificate, PEM. Throws when it is not a certificate. */
  readonly readCertificate: (pem: string) => RegisteredCertificate;
  /** The text of `client.env` for an identity. */
  readonly environmentOf: (
    identity: Pick<KeptIdentity, "folder" | "clientId">,
    downloads: Downloads,
  ) => Promise<string>;
  readonly scenarios: ScenarioEngine;
  /** The scenario that was active for all at the start: where a reset returns to. */
  readonly initialScenario: string | undefined;
  readonly journal: Journal;
  readonly explanations: ExplanationContext;
  /** What judges the clients; undefined where the setting `report` is off. */
  readonly exam: Examination | undefined;
  /** What a scrape is answered with. */
  readonly metrics: (format: MetricsFormat) => Promise<Exposition>;
  readonly assumptions: AssumptionSettings;
  /** The OpenAPI document of the business interface. */
  readonly openApi: () => Promise<object>;
  /** The OpenAPI document of the admin API. */
  readonly adminOpenApi: () => Promise<object>;
  /** Undefined for a sandbox that is alone. */
  readonly shared?: AdminSharing | undefined;
}
