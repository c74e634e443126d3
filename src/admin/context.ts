import type { ReferencePage } from "../base/text/reference-page.js";
import type { AssumptionSettings } from "../sandbox/assumptions.js";
import type { ClientRegistry, RegisteredCertificate } from "../sandbox/clients.js";
import type { AdjustableClock, Clock } from "../sandbox/clock.js";
import type { ExplanationContext } from "../sandbox/journal/explanation-context.js";
import type { Journal } from "../sandbox/journal/journal.js";
import type { OperationName } from "../sandbox/operations.js";
import type { KeyedCertificate } from "../sandbox/pki/certs.js";
import type { HeldFile } from "../sandbox/scenarios/defaults.js";
import type { ScenarioEngine } from "../sandbox/scenarios/engine.js";
import type { ShippedScenario } from "../sandbox/scenarios/shipped.js";
import type { StateFiles, Store } from "../sandbox/store.js";
import type { Health } from "./common-schemas.js";
import type { ReportAnswer } from "./failures.js";
import type { Guard } from "./guard.js";
import type { IdentityStore, KeptIdentity } from "./identities.js";
import type { Metrics } from "./metrics/metrics.js";
import type { ServerCertificateControl } from "./server-certificate.js";

/** How the files of a rotation are held half done. */
interface Hold {
  /** The one that stays old; undefined for none. */
  readonly file?: HeldFile | undefined;
  /** For how long, by the machine's clock, in milliseconds; undefined: until it is told. */
  readonly time?: number | undefined;
}

/** Where the files of an identity can be downloaded, if it is not in the certificates folder. */
export interface Downloads {
  /** The URL by which the caller reached the admin API. */
  readonly url: string;
  /** The path of the files below it: `clients/demo`. */
  readonly path: string;
  /** The prefix of the names of the saved files. */
  readonly name: string;
  readonly demandsToken: boolean;
}

/** What a report is asked for. */
interface ReportChoice {
  readonly finished?: boolean | undefined;
  readonly expected?: readonly string[] | undefined;
  readonly exchanges?: (() => Iterable<{ readonly id: number; readonly code: string }>) | undefined;
}

/** The exam of the clients, as far as the admin API uses it. */
interface Examination {
  /** The report on a client, or on all of them. */
  report(client?: string, options?: ReportChoice): Promise<ReportAnswer>;
  /** Deletes what is known about a client, or about all clients. */
  reset(client?: string): void;
}

/** A run that has ended and was kept: it is only read. */
export interface ShownRun {
  /** When it began, and when its last entry ended; in milliseconds since the epoch on the machine's clock. */
  readonly begunAt: number;
  readonly endedAt: number;
  /** Of the sandbox that wrote it. */
  readonly version: string;
  /** What is not shown, and why, as sentences. */
  readonly notes: readonly string[];
  /** The runs beside it, itself included: their names, and the paths of their pages. */
  readonly runs: readonly { readonly name: string; readonly path: string; readonly isShown: boolean }[];
}

/** What the admin API works with. It is made once per sandbox, in `sandbox.ts`. */
export interface AdminContext {
  /** Undefined for a sandbox that runs. */
  readonly kept?: ShownRun | undefined;
  readonly guard: Guard;
  /** Aborted when the sandbox stops: streams end, so that they do not delay it. */
  readonly closing: AbortSignal;
  /** The open streams of events. */
  readonly streams: Set<unknown>;
  readonly health: () => Health;
  /** The server's certificate, and what clients trust. The keys of CAs never leave the sandbox. */
  readonly serverCertificates: ServerCertificateControl;
  /** Base URL of the API; known once the API listens. */
  readonly url: () => string;
  /**
   * Sends the text of one request to the sandbox's own API, and reads until the connection is closed. Rejects when the
   * handshake fails.
   */
  readonly sendToApi: (
    identity: KeyedCertificate | undefined,
    text: string,
    signal: AbortSignal,
  ) => Promise<{
    readonly answer: string;
    /** The local port, by which the journal identifies the connection. */
    readonly localPort: number;
    /** Why the connection ended, if it was not closed properly. */
    readonly problem: string | undefined;
  }>;
  readonly clock: AdjustableClock;
  /** The clock of the journal. */
  readonly machineClock: Clock;
  /** The path of an operation, with parameters in braces and the base path. */
  readonly pathOf: (operation: OperationName, list: string | undefined) => string | undefined;
  readonly clients: ClientRegistry;
  readonly identities: IdentityStore;
  /** Reads a certificate, PEM. Throws when it is not a certificate. */
  readonly readCertificate: (pem: string) => RegisteredCertificate;
  /** The files of an identity that has a folder of the certificates folder; undefined for others. */
  readonly filesOf: (identity: KeptIdentity, hold?: Hold) => Promise<StateFiles | undefined>;
  /** Puts all files that are held back into their places. Throws as `StateFiles.finish`. */
  readonly finishFiles: () => void;
  /** The text of `client.env` for an identity. */
  readonly environmentOf: (
    identity: Pick<KeptIdentity, "folder" | "clientId">,
    downloads: Downloads,
  ) => Promise<string>;
  readonly scenarios: ScenarioEngine;
  /** The scenario that was active for all at the start. A reset activates it again. */
  readonly initialScenario: string | undefined;
  readonly journal: Journal;
  /** Removes entries from the journal: all, or the chosen ones. */
  readonly removeEntries: Journal["remove"];
  readonly explanations: ExplanationContext;
  /** Judges the clients; undefined if the setting `report` is off. */
  readonly exam: Examination | undefined;
  /** A page about each check of the exam. */
  readonly checkPages: (scenarios: readonly ShippedScenario[]) => Promise<readonly ReferencePage[]>;
  /** The answer to a scrape. */
  readonly metrics: Pick<Metrics, "expose">;
  readonly assumptions: AssumptionSettings;
  /** The OpenAPI document of the business interface. */
  readonly openApi: () => Promise<object>;
  /** The OpenAPI document of the admin API. */
  readonly adminOpenApi: () => Promise<object>;
  readonly store: Store;
}
