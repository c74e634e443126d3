import { Metrics } from "../../admin/metrics/metrics.js";
import { Traffic } from "../../admin/metrics/traffic.js";
import type { Spans } from "../../admin/spans.js";
import type { Exam } from "../../exam/exam.js";
import { answerExplanations, stepsOf } from "../../sandbox/api/operations.js";
import { protocolName } from "../../sandbox/connection/tls-version.js";
import { ConsoleLog } from "../../sandbox/journal/console-log.js";
import type { ExplanationContext } from "../../sandbox/journal/explanation-context.js";
import { Journal } from "../../sandbox/journal/journal.js";
import { Recorder } from "../../sandbox/journal/recorder.js";
import type { Foundation } from "./foundation.js";

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
}

/** Opens the journal, the console log, the metrics and the exam. */
export async function openRecords(foundation: Foundation): Promise<Records> {
  const { configuration, machineClock, output, lists, operations, shared, clock, clients, identities, scenarios } =
    foundation;
  const { assumptions, basePath, report } = configuration;
  // Redis keeps only the newest entries. So all replicas keep the same ones.
  const journal = new Journal({ ...configuration.journal, ...(shared && { refusals: 0 }) });
  const explanations: ExplanationContext = {
    clients,
    basePath,
    identity: (thumbprint) => identities.store.inFolder(thumbprint),
    explainAnswer: answerExplanations(operations),
  };
  const steps = stepsOf(operations);
  const correlationHeader = assumptions.values["correlation.header"].toLowerCase();
  const highestProtocol = protocolName(configuration.tlsMaxVersion);
  const examParts = { lists, stepsOf: steps, correlationHeader, clients, highestProtocol };
  const exam = report === "on" ? new (await import("../../exam/exam.js")).Exam(examParts) : undefined;
  const writer = shared?.prepare({ journal, clients, exam, stepsOf: steps });
  const log =
    configuration.log === "none"
      ? undefined
      : new ConsoleLog(configuration.log, configuration.logFormat, explanations, output.log, output.colours);
  const metrics = new Metrics();
  const traffic = new Traffic(metrics, assumptions, scenarios.library);
  const { otlp } = configuration;
  const spans = otlp === undefined ? undefined : await openSpans(otlp, explanations, output.warn);
  const listeners = [traffic, writer ?? exam, log, spans].filter((listener) => listener !== undefined);
  const recorder = new Recorder(writer?.keeper ?? journal, machineClock, { scenarios, clock }, clients, listeners);
  return { recorder, journal, explanations, metrics, exam, spans };
}

/** OpenTelemetry is loaded only where spans are sent. */
async function openSpans(url: string, explanations: ExplanationContext, warn: (text: string) => void): Promise<Spans> {
  const { Spans } = await import("../../admin/spans.js");
  return new Spans(url, explanations, warn);
}
