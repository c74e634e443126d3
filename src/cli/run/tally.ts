import { enumerated } from "../../base/text/enumerated.js";
import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import type { Sandbox } from "../../library/composition/sandbox.js";
import type { HandshakeRecord } from "../../sandbox/journal/entry.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import { explain } from "../../sandbox/journal/explain.js";
import { explainDefect, explainHandshake } from "../../sandbox/journal/explain-handshake.js";
import { redactTarget } from "../../sandbox/journal/redact.js";
import type { JournalEntry } from "../../sandbox/journal/ring-buffer.js";

/** Refusals of one kind, or failed handshakes of one kind. */
interface Group {
  /** What was refused first: status, code, method and target. Empty for handshakes. */
  readonly what: string;
  /** The explanation of the first one. */
  readonly explanation: string;
  count: number;
}

/** Most kinds that are kept, because a fuzzer can make any number of them. */
const mostGroups = 50;

/** Counts what reaches a sandbox, when it arrives: the journal keeps only the newest, and a test suite may empty it. */
export class Tally {
  requests = 0;
  /** How many requests of each operation. Requests without an operation are not counted here. */
  readonly counts = new Map<string, number>();
  /**
   * Counts by operation and list, and then by outcome: `200`, `400 INVALID_CURSOR`. These are answers that were made,
   * whether or not they arrived.
   */
  readonly operations = new Map<string, Map<string, number>>();
  readonly refusals = new Map<string, Group>();
  /** Requests on connections where the client should have refused the server's certificate, by its defect. */
  readonly unrefused = new Map<string, Group>();
  readonly handshakes = new Map<string, Group>();
  /** Whether a scenario has disturbed a request. */
  disturbed = false;
  /** The same, or whether the scenario for all disturbed a connection before its first request. */
  acted = false;
  readonly #explanations: Sandbox["explanations"];

  constructor({ journal, explanations }: Pick<Sandbox, "journal" | "explanations">) {
    this.#explanations = explanations;
    journal.requests.subscribe((entry) => this.#add(entry));
    journal.handshakes.subscribe((entry) => this.#addHandshake(entry));
  }

  /** Whether a request arrived, or a fault of the scenario kept it from arriving. */
  get reached(): boolean {
    return this.requests > 0 || this.acted;
  }

  /** Why a connection ended without a request: the explanation of the first one. Undefined if none did. */
  get failedHandshake(): string | undefined {
    const [first] = this.handshakes.values();
    return first?.explanation;
  }

  #add({ item: exchange }: JournalEntry<Exchange>): void {
    const outcome = outcomeOf(exchange);
    const operation = operationOf(exchange);
    this.requests += 1;
    if (exchange.operation !== undefined)
      this.counts.set(exchange.operation, (this.counts.get(exchange.operation) ?? 0) + 1);
    const outcomes = this.operations.get(operation) ?? new Map<string, number>();
    this.operations.set(operation, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
    if (exchange.injected !== undefined) this.disturbed = true;
    const defect = exchange.connection?.serverDefect;
    const renewal = exchange.connection?.serverCertificate?.renewal;
    if (exchange.injected !== undefined || (defect ?? renewal)?.chosenBy === "scenario") this.acted = true;
    if (defect !== undefined) {
      count(this.unrefused, `${defect.defect} ${defect.chosenBy}`, () => ({
        what: `${outcome}  ${exchange.method} ${redactTarget(exchange.target)}`,
        explanation: explainDefect(exchange.connection),
      }));
    }
    if (exchange.refusal === undefined && exchange.injected === undefined) return;
    const key = [
      outcome,
      operation,
      exchange.refusal?.reason.kind,
      withoutCount(exchange.injected ?? ""),
      defect?.defect,
    ].join(" ");
    count(this.refusals, key, () => ({
      what: `${outcome}  ${exchange.method} ${redactTarget(exchange.target)}`,
      explanation: explain(exchange, this.#explanations),
    }));
  }

  #addHandshake({ item }: JournalEntry<HandshakeRecord>): void {
    const shown = item.serverDefect ?? item.serverCertificate?.renewal;
    if (item.cause === "reset-by-scenario" || item.cause === "held-by-scenario" || shown?.chosenBy === "scenario")
      this.acted = true;
    // The same text is the same fix. Neither the time nor the count of a fault makes a kind.
    const key = explainHandshake({ ...item, at: 0, reason: withoutCount(item.reason) });
    count(this.handshakes, key, () => ({ what: "", explanation: explainHandshake(item) }));
  }
}

function count(groups: Map<string, Group>, key: string, make: () => Pick<Group, "what" | "explanation">): void {
  const group = groups.get(key);
  if (group) group.count += 1;
  else if (groups.size < mostGroups) groups.set(key, { ...make(), count: 1 });
}

function outcomeOf({ status, code }: Exchange): string {
  if (status === 0) return "no answer";
  return code === undefined ? String(status) : `${status} ${code}`;
}

function operationOf({ operation, list }: Exchange): string {
  if (operation === undefined) return "other";
  return list === undefined ? operation : `${operation} ${list}`;
}

/** Scenario and rule of a fault: its handle without the count that makes it unique. */
function withoutCount(handle: string): string {
  return handle.replace(/#\d+;seed=.*$/, "");
}

/** Most groups that are shown; the others are counted. */
const mostShown = 10;

/**
 * What the sandbox saw, as text for the end of a test run.
 * @param isCutShort whether a signal ended it
 * @param diversion what is told if nothing connected: sentences after others
 * @param unmatched the rules of its scenarios that matched no request
 */
export function summaryText(
  tally: Tally,
  seed: string,
  {
    isCutShort,
    diversion,
    unmatched,
  }: {
    readonly isCutShort: boolean;
    readonly diversion: string;
    readonly unmatched: Awaited<ReturnType<Sandbox["unmatchedRules"]>>;
  },
): string {
  const { requests, operations, refusals, unrefused, handshakes, disturbed } = tally;
  const width = Math.max(...[...operations.keys()].map((name) => name.length));
  const lines = [
    requests === 0
      ? `No request reached the sandbox.${isCutShort ? "" : ` Does the command use SANDBOX_URL and the files that SANDBOX_* name?${handshakes.size === 0 ? diversion : ""}`}`
      : `The sandbox saw ${counted(requests, "request")}:`,
    ...[...operations].map(([name, outcomes]) => `  ${name.padEnd(width)}  ${outcomesText(outcomes)}`),
    ...section("The client went on despite a certificate that it should have refused:", unrefused),
    ...section("Refused, or disturbed by a scenario:", refusals),
    ...section("Connections without a request:", handshakes),
    ...unmatched.map(unmatchedText),
    ...(disturbed ? [`The random decisions of scenarios can be repeated with --seed ${seed}.`] : []),
  ];
  return `\npayments-sandbox: ${lines.join("\n")}\n`;
}

function unmatchedText({ scenario, rules }: { readonly scenario: string; readonly rules: readonly string[] }): string {
  const rest = rules.length - mostShown;
  const shown = [...rules.slice(0, mostShown), ...(rest > 0 ? [`${rest} more`] : [])];
  return `No request matched ${rules.length === 1 ? "the rule" : "the rules"} ${enumerated(shown, "and")} of the scenario ${scenario}.`;
}

function outcomesText(outcomes: ReadonlyMap<string, number>): string {
  return [...outcomes].map(([outcome, count]) => `${outcome} ×${count}`).join(", ");
}

function section(title: string, groups: ReadonlyMap<string, Group>): string[] {
  if (groups.size === 0) return [];
  const shown = [...groups.values()].slice(0, mostShown);
  const lines = shown.flatMap(({ what, explanation, count }) => {
    const times = count === 1 ? "" : ` (×${count})`;
    return what === ""
      ? [`  ${printable(explanation)}${times}`]
      : [`  ${printable(what)}${times}`, `      ${printable(explanation)}`];
  });
  const rest = groups.size - shown.length;
  return [title, ...lines, ...(rest > 0 ? [`  … and ${counted(rest, "other kind")}`] : [])];
}
