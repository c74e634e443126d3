import type { Metrics } from "../../admin/metrics/metrics.js";
import { adminLimits } from "../../admin/server.js";
import type { Spans } from "../../admin/spans.js";
import { requireOpenFiles } from "../../base/files/open-files.js";
import type { Exam } from "../../exam/exam.js";
import type { RunKeeper } from "../../kept/keeper.js";
import type { Operation } from "../../sandbox/api/service.js";
import type { ClientRegistry } from "../../sandbox/clients.js";
import type { AdjustableClock, Clock } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import type { ExplanationContext } from "../../sandbox/journal/explanation-context.js";
import type { Journal } from "../../sandbox/journal/journal.js";
import type { Recorder } from "../../sandbox/journal/recorder.js";
import type { List } from "../../sandbox/lists/list.js";
import type { OpenCertificates } from "../../sandbox/pki/certs.js";
import type { ScenarioEngine } from "../../sandbox/scenarios/engine.js";
import { defaultLimits } from "../../sandbox/tls/limits.js";
import type { ServerCertificates, ServerRenewals } from "../server-certificates/server-certificates.js";
import type { Identities } from "./certificates.js";
import type { openShared } from "./shared.js";

/** Where a sandbox writes what people read while it runs. Texts are whole lines. */
export interface Output {
  /** What reached the sandbox, as far as the configuration requests it. */
  log(text: string): void;
  /** Problems that do not stop the sandbox, such as a scenario that cannot be read. */
  warn(text: string): void;
  /** Whether the log goes to a terminal that shows colours. */
  readonly colours?: boolean;
}

/** What the other parts of a sandbox are made from. */
export interface Foundation {
  readonly configuration: Configuration;
  readonly connections: ConnectionLimits;
  readonly machineClock: Clock;
  readonly output: Output;
  readonly lists: readonly List[];
  readonly operations: readonly Operation[];
  readonly certs: OpenCertificates;
  /** Undefined for a sandbox that shares no state. */
  readonly shared: Awaited<ReturnType<typeof openShared>>;
  /** What the random decisions of scenarios are drawn from. */
  readonly seed: string;
  readonly clock: AdjustableClock;
  readonly clients: ClientRegistry;
  readonly identities: Identities;
  readonly serverCertificates: ServerCertificates;
  readonly serverRenewals: ServerRenewals;
  readonly scenarios: ScenarioEngine;
}

/** What records the traffic of a sandbox, and what reads the records. */
export interface Records {
  readonly recorder: Recorder;
  readonly journal: Journal;
  /** For the explanations of the journal's entries. */
  readonly explanations: ExplanationContext;
  readonly metrics: Metrics;
  /** What judges the clients; undefined if the setting `report` is off. */
  readonly exam: Exam | undefined;
  /** What sends spans; undefined unless the setting `otlp` has a collector. */
  readonly spans: Spans | undefined;
  /** What keeps the run; undefined unless the setting `keep` has a folder. */
  readonly keeper: RunKeeper | undefined;
}

/**
 * Closes a part of a sandbox.
 * @param gracePeriod for what is in flight, in milliseconds
 */
export type Close = (gracePeriod: number) => unknown;

/** The parts of a sandbox that have to be closed, in the order in which they were opened. */
export class Closers {
  readonly #all: Close[] = [];
  #closing: Promise<void> | undefined;

  add(close: Close): void {
    this.#all.push(close);
  }

  /**
   * Closes one part after the other, the newest first, even if one of them fails.
   * @throws the first error
   */
  close(gracePeriod: number): Promise<void> {
    this.#closing ??= this.#closeAll(gracePeriod);
    return this.#closing;
  }

  async #closeAll(gracePeriod: number): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#all.toReversed()) {
      try {
        await close(gracePeriod);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

/**
 * Files that connections leave free: what the process has open, and what it loads when it is first used. Node does not
 * try again to load a file that it once could not open.
 */
const keptForFiles = 192;

/** How many connections each port takes. */
export interface ConnectionLimits {
  readonly api: number;
  readonly admin: number;
}

/**
 * The usual limits, or less if the process may open few files: the API gets three quarters of what is left.
 * @param openFiles how many files the process may open
 * @throws OpenFilesError when that is too few
 */
export function connectionLimits(openFiles: number): ConnectionLimits {
  requireOpenFiles(openFiles);
  const left = openFiles - keptForFiles;
  const admin = Math.min(adminLimits.mostConnections, Math.floor(left / 4));
  return { admin, api: Math.min(defaultLimits.maxConnections, left - admin) };
}
