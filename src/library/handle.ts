import type { AdminClient } from "./admin-client.js";
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
import { findClient, findIdentity, mintClient } from "./client.js";
import { clockAt } from "./clock-control.js";
import { Connections } from "./connections.js";
import type { ScenarioDefinition } from "./definition.js";
import { countOf, exchangesOf, queryOf } from "./filters.js";
import type {
  ClientHandle,
  ClientReport,
  ClockControl,
  NewClientOptions,
  ReportOptions,
  RequestFilters,
  SandboxHandle,
} from "./handles.js";
import { reportOn } from "./report.js";
import { activate, upload } from "./scenario-control.js";

/** What a handle is told about its sandbox. */
export interface HandleFacts {
  readonly url: string;
  readonly ca: string;
  readonly seed: string | undefined;
  /** What ends the sandbox, if the handle has started it. */
  readonly stop?: () => Promise<void>;
}

/** 503 says that it is not ready yet. */
export function healthOf(admin: AdminClient): Promise<Health> {
  return admin.json("GET", "/health", { accept: 503 });
}

/** A sandbox behind its admin API. */
export class Handle implements SandboxHandle {
  readonly url: string;
  readonly ca: string;
  readonly seed: string | undefined;
  readonly clock: ClockControl;
  readonly #admin: AdminClient;
  readonly #connections = new Connections();
  readonly #stop: () => Promise<void>;
  #closed: Promise<void> | undefined;

  constructor(admin: AdminClient, { url, ca, seed, stop = async () => {} }: HandleFacts) {
    this.url = url;
    this.ca = ca;
    this.seed = seed;
    this.clock = clockAt("/clock", admin);
    this.#admin = admin;
    this.#stop = stop;
  }

  get adminUrl(): string {
    return this.#admin.url;
  }

  client(clientId: string): Promise<ClientHandle> {
    return findClient(clientId, { url: this.url, ca: this.ca }, this.#parts);
  }

  identity(name: string): Promise<ClientHandle> {
    return findIdentity(name, { url: this.url, ca: this.ca }, this.#parts);
  }

  createClient(options: NewClientOptions = {}): Promise<ClientHandle> {
    return mintClient(options, this.#parts);
  }

  clients(): Promise<ClientInfo[]> {
    return this.#items("/clients");
  }

  async useScenario(scenario: string | ScenarioDefinition | null): Promise<ActiveScenario> {
    const active = await activate("/scenario", scenario, this.#admin);
    // A defect of the server's certificate shows in a new handshake only.
    this.#connections.renew();
    return active;
  }

  async clearScenario(): Promise<ActiveScenario> {
    const active = await this.#admin.json<ActiveScenario>("DELETE", "/scenario");
    this.#connections.renew();
    return active;
  }

  scenario(): Promise<ActiveScenario> {
    return this.#admin.json("GET", "/scenario");
  }

  scenarios(): Promise<ScenarioSummary[]> {
    return this.#items("/scenarios");
  }

  defineScenario(name: string, scenario: string | ScenarioDefinition): Promise<ScenarioSummary> {
    return upload(name, scenario, this.#admin);
  }

  removeScenario(name: string): Promise<void> {
    return this.#admin.run("DELETE", `/scenarios/${encodeURIComponent(name)}`);
  }

  requests({ limit, ...filters }: RequestFilters & { limit?: number | undefined } = {}): Promise<Exchange[]> {
    return exchangesOf(filters, this.#admin, limit);
  }

  countRequests(filters: RequestFilters = {}): Promise<number> {
    return countOf(filters, this.#admin);
  }

  request(id: string): Promise<ExchangeDetail> {
    return this.#admin.json("GET", `/requests/${encodeURIComponent(id)}`);
  }

  clearRequests(filters: RequestFilters = {}): Promise<void> {
    return this.#admin.run("DELETE", "/requests", { query: queryOf(filters) });
  }

  handshakes(): Promise<Handshake[]> {
    return this.#admin.all("/handshakes");
  }

  report(options: ReportOptions = {}): Promise<ClientReport> {
    return reportOn(undefined, options, this.#admin);
  }

  assumptions(): Promise<Assumption[]> {
    return this.#items("/assumptions");
  }

  health(): Promise<Health> {
    return healthOf(this.#admin);
  }

  reset(): Promise<void> {
    return this.#admin.run("POST", "/reset", { json: {} });
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    this.#connections.close();
    this.#admin.close();
    await this.#stop();
  }

  get #parts() {
    return { admin: this.#admin, connections: this.#connections };
  }

  async #items<T>(path: string): Promise<T[]> {
    const { items } = await this.#admin.json<{ items: T[] }>("GET", path);
    return items;
  }
}
