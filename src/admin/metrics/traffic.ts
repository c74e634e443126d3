import type { Counter, Histogram } from "prom-client";
import type { AssumptionSettings } from "../../sandbox/assumptions.js";
import { errorCodes } from "../../sandbox/errors.js";
import type { TrafficListener } from "../../sandbox/events.js";
import type { HandshakeRecord } from "../../sandbox/journal/entry.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { Journal } from "../../sandbox/journal/journal.js";
import type { ScenarioLibrary } from "../../sandbox/scenarios/library.js";
import type { TlsServer } from "../../sandbox/tls/server.js";
import type { Metrics } from "./metrics.js";
import { sandboxMetrics } from "./table.js";

/** Upper bounds of the durations of requests, in seconds: from what a ping takes to what a scenario may delay. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Replaces labels that a client, or a text from run time, could choose. */
const fixed = { noOperation: "none", otherCode: "other", uploaded: "uploaded" } as const;

/**
 * Counts what reaches the sandbox, for as long as it runs. The journal cannot count that: it is bounded and can be
 * cleared.
 */
export class Traffic implements TrafficListener {
  readonly #requests: Counter;
  readonly #durations: Histogram;
  readonly #handshakes: Counter;
  readonly #codes: ReadonlySet<string>;
  readonly #library: Pick<ScenarioLibrary, "get">;

  constructor(metrics: Metrics, { errors }: Pick<AssumptionSettings, "errors">, library: Pick<ScenarioLibrary, "get">) {
    const configured = Object.values(errors).flatMap(({ code }) => code ?? []);
    this.#codes = new Set([...errorCodes, ...configured]);
    this.#library = library;
    this.#requests = metrics.counter(sandboxMetrics.requests);
    this.#durations = metrics.histogram(sandboxMetrics.requestDuration, durationBounds);
    this.#handshakes = metrics.counter(sandboxMetrics.handshakeFailures);
  }

  answered({ operation, status, code, injected, fault }: Exchange): void {
    const knownCode = code === undefined || this.#codes.has(code) ? (code ?? "") : fixed.otherCode;
    const faultLabel = injected === undefined ? "" : this.#faultLabel(fault?.key.scenario ?? "");
    this.#requests.labels(operation ?? fixed.noOperation, String(status), knownCode, faultLabel).inc();
  }

  over({ operation, duration }: Exchange): void {
    this.#durations.labels(operation ?? fixed.noOperation).observe(duration / 1000);
  }

  handshake({ cause }: HandshakeRecord): void {
    this.#handshakes.labels(cause).inc();
  }

  /** The scenario of a fault, if it comes from a file: an upload can have any name. */
  #faultLabel(scenario: string): string {
    const origin = this.#library.get(scenario)?.origin;
    return origin === "built-in" || origin === "folder" ? scenario : fixed.uploaded;
  }
}

/** Adds the metrics that journal and server already know. */
export function measureState(
  metrics: Metrics,
  { requests, handshakes }: Journal,
  connections: TlsServer["connections"],
): void {
  metrics.read(sandboxMetrics.connections, () => [[connections().total]]);
  metrics.read(sandboxMetrics.openConnections, () => [
    [connections().open, "established"],
    [connections().inHandshake, "handshake"],
  ]);
  metrics.read(sandboxMetrics.journalEntries, () => [
    [requests.count, "requests"],
    [handshakes.count, "handshakes"],
  ]);
  metrics.read(sandboxMetrics.journalBytes, () => [[requests.bytes]]);
}
