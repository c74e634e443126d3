import type { DefectUrls } from "../connection/server-defect.js";
import type {
  ActiveScenario,
  Assumption,
  ClientInfo,
  Exchange,
  ExchangeDetail,
  Handshake,
  Health,
  ScenarioSummary,
} from "./answers.js";
import type {
  ClientHandle,
  ClientReport,
  ClockControl,
  NewClientOptions,
  ReportOptions,
  RequestFilters,
} from "./client-handle.js";
import type { ScenarioDefinition } from "./definition.js";

/**
 * A sandbox, as a test suite sees it. Everything goes through the admin API, so a test in another language can do the same.
 */
export interface SandboxHandle {
  /** Base URL of the API. */
  readonly url: string;
  /**
   * Base URLs of the same API behind a server certificate that is expired, of a wrong host, untrusted: a client must refuse each.
   * Throws `NO_DEFECT_PORTS` where the sandbox was started without `--defect-ports`.
   *
   * @example
   * ```ts
   * await expect(ping({ ...client.tls, baseUrl: sandbox.defectUrls.expired })).rejects.toThrow(/expired/);
   * expect(await client.countRequests()).toBe(0);
   * ```
   */
  readonly defectUrls: DefectUrls;
  /** Base URL of the admin API. */
  readonly adminUrl: string;
  /** The CA to trust, PEM. */
  readonly ca: string;
  /** What the random decisions of scenarios are drawn from, where it is known. */
  readonly seed: string | undefined;
  /** The sandbox's clock, which stands behind that of every client. */
  readonly clock: ClockControl;

  /** A client that is there: `demo`, `other`, or one that was made. */
  client(clientId: string): Promise<ClientHandle>;
  /**
   * Makes a client for a test: registered, with certificate and key.
   *
   * @example
   * ```ts
   * const client = await sandbox.createClient({ seed: "42" });
   * ```
   */
  createClient(options?: NewClientOptions): Promise<ClientHandle>;
  /**
   * An identity that was made with the sandbox, by its name: a client's, or a misfit that must be refused. The handle is that of the
   * client that the identity belongs to or pretends to be.
   *
   * @example
   * ```ts
   * const expired = await sandbox.identity("expired");
   * await expect(expired.token()).rejects.toThrow();
   * ```
   */
  identity(name: string): Promise<ClientHandle>;
  /** The registered clients. */
  clients(): Promise<ClientInfo[]>;

  /**
   * Activates a scenario for all clients that have none of their own: by name, or as a definition, which is uploaded. `null`: none.
   */
  useScenario(scenario: string | ScenarioDefinition | null): Promise<ActiveScenario>;
  /** No scenario for all clients. */
  clearScenario(): Promise<ActiveScenario>;
  /** The scenario that is active for all clients. */
  scenario(): Promise<ActiveScenario>;
  /** The scenarios that can be chosen. */
  scenarios(): Promise<ScenarioSummary[]>;
  /**
   * Uploads a scenario, as YAML or as an object. It is kept in memory and stands before a file of the same name.
   *
   * @example
   * ```ts
   * await sandbox.defineScenario("slow-pages", {
   *   rules: [{ when: { operation: "list" }, then: { delay: { min: "1s", max: "3s" } } }],
   * });
   * ```
   */
  defineScenario(name: string, scenario: string | ScenarioDefinition): Promise<ScenarioSummary>;
  /** Forgets an uploaded scenario; a file of the same name comes back into force. */
  removeScenario(name: string): Promise<void>;

  /** What reached the API, newest first. */
  requests(filters?: RequestFilters & { readonly limit?: number | undefined }): Promise<Exchange[]>;
  /** How many exchanges match. */
  countRequests(filters?: RequestFilters): Promise<number>;
  /** One exchange, with everything that is known about it. */
  request(id: string): Promise<ExchangeDetail>;
  /** Removes exchanges from the journal: those that match, or all of them and the handshakes. */
  clearRequests(filters?: RequestFilters): Promise<void>;
  /** Failed handshakes, and connections that were closed without a request, newest first. */
  handshakes(): Promise<Handshake[]>;

  /** The report on all clients, as {@link ClientHandle.report} has it for one. */
  report(options?: ReportOptions): Promise<ClientReport>;

  /** What the interface leaves open, and what the sandbox does there. */
  assumptions(): Promise<Assumption[]>;
  health(): Promise<Health>;
  /** Resets all clients: scenarios, counters, clocks, the journal and the report. Keeps clients, tokens and uploaded scenarios. */
  reset(): Promise<void>;

  /** Ends this handle, and the sandbox itself if the handle has started it. Calling it again does nothing. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A sandbox that was started here. */
export interface StartedSandbox extends SandboxHandle {
  readonly seed: string;
  /** The token that the admin API demands, for other programs; undefined when it demands none. */
  readonly adminToken: string | undefined;
}
