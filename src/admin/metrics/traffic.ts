import type { AssumptionSettings } from "../../sandbox/assumptions.js";
import { errorCodes } from "../../sandbox/errors.js";
import type { TrafficListener } from "../../sandbox/events.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { HandshakeRecord, Journal } from "../../sandbox/journal/journal.js";
import type { ScenarioLibrary } from "../../sandbox/scenarios/library.js";
import type { TlsServer } from "../../sandbox/tls/server.js";
import { type Metric, metricsOf, sandboxMetrics, single } from "./table.js";
import { Histograms, Tally } from "./tally.js";

/** Upper bounds of the durations of requests, in seconds: from what a ping takes to what a scenario may delay. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Replaces labels that a client, or a text from run time, could choose. */
const fixed = { noOperation: "none", otherCode: "other", uploaded: "uploaded" } as const;

/**
 * Counts what reaches the sandbox, for as long as it runs. The journal cannot count that: it is bounded and can be
 * cleared.
 */
export class Traffic implements TrafficListener {
  readonly #requests = new Tally();
  readonly #durations = new Histograms(durationBounds);
  readonly #handshakes = new Tally();
  readonly #codes: ReadonlySet<string>;
  readonly #library: Pick<ScenarioLibrary, "get">;

  constructor({ errors }: Pick<AssumptionSettings, "errors">, library: Pick<ScenarioLibrary, "get">) {
    const configured = Object.values(errors).flatMap(({ code }) => code ?? []);
    this.#codes = new Set([...errorCodes, ...configured]);
    this.#library = library;
  }

  answered({ operation, status, code, injected, fault }: Exchange): void {
    this.#requests.add(
      operation ?? fixed.noOperation,
      String(status),
      code === undefined || this.#codes.has(code) ? (code ?? "") : fixed.otherCode,
      injected === undefined ? "" : this.#faultLabel(fault?.key.scenario ?? ""),
    );
  }

  over({ operation, duration }: Exchange): void {
    this.#durations.observe(operation ?? fixed.noOperation, duration / 1000);
  }

  handshake({ cause }: HandshakeRecord): void {
    this.#handshakes.add(cause);
  }

  metrics(journal: Journal, connections: TlsServer["connections"]): readonly Metric[] {
    return metricsOf(sandboxMetrics, {
      requests: () => this.#requests.samples,
      requestDuration: () => this.#durations.samples,
      handshakeFailures: () => this.#handshakes.samples,
      connections: () => single(connections().total),
      openConnections: () => [
        { labels: ["established"], value: connections().open },
        { labels: ["handshake"], value: connections().inHandshake },
      ],
      journalEntries: () => [
        { labels: ["requests"], value: journal.requests.count },
        { labels: ["handshakes"], value: journal.handshakes.count },
      ],
      journalBytes: () => single(journal.requests.bytes),
    });
  }

  /** The scenario of a fault, if it comes from a file: an upload can have any name. */
  #faultLabel(scenario: string): string {
    const origin = this.#library.get(scenario)?.origin;
    return origin === "built-in" || origin === "folder" ? scenario : fixed.uploaded;
  }
}
