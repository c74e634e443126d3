import type { AssumptionSettings } from "../sandbox/assumptions.js";
import type { Configuration } from "../sandbox/config/configuration.js";

/**
 * The version of the format of a kept run. It changes when a file of an earlier version cannot be read any more, or an
 * earlier release would misread a new one.
 */
export const formatVersion = 1;

/** By which the file of a run is recognised. */
export const kindOfRun = "payments-sandbox run";

/** The files of a run, in its folder. */
export const runFiles = {
  /** What is the same from start to end. */
  facts: "run.json",
  /** Clients, clocks and scenarios, a line for each change: the last one about a thing is true. */
  state: "state.ndjson",
  /** The verdicts of an exam on the run. */
  report: "report.json",
  /** Requests, failed handshakes and resets of the report, a line for each, as they end. */
  requests: (number: number) => `requests-${number}.ndjson`,
} as const;

/** The number of a file of requests; undefined for other files. */
export function numberOfRequests(name: string): number | undefined {
  const [, digits] = /^requests-([1-9]\d{0,8})\.ndjson$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** What a run is, apart from what happened in it. Instants are milliseconds since the epoch, on the machine's clock. */
export interface RunFacts extends Pick<Configuration, "basePath" | "lists" | "tlsMaxVersion"> {
  readonly kind: typeof kindOfRun;
  readonly format: typeof formatVersion;
  /** Of the package that wrote it. */
  readonly version: string;
  /** Identifies the start of the sandbox, as `Journal.run`. */
  readonly run: string;
  readonly begunAt: number;
  /** The base URL of the API. */
  readonly url: string;
  readonly seed: string;
  /** The scenario that was active for all at the start. */
  readonly scenario: string | undefined;
  /** Whether clients were judged. */
  readonly isJudged: boolean;
  readonly assumptions: AssumptionSettings;
}
