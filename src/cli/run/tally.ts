import type { Sandbox } from "../../library/composition/sandbox.js";
import { isEndedByServer } from "../../sandbox/connection/connection-facts.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import { explain } from "../../sandbox/journal/explain.js";
import { explainHandshake } from "../../sandbox/journal/explain-handshake.js";
import { explainDefect } from "../../sandbox/journal/explain-server-defect.js";
import type { HandshakeRecord } from "../../sandbox/journal/journal.js";
import { redactTarget } from "../../sandbox/journal/redact.js";
import type { JournalEntry } from "../../sandbox/journal/ring-buffer.js";

/** Refusals of one kind, or failed handshakes of one kind. */
export interface Group {
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
    const key = [outcome, operation, exchange.refusal?.reason.kind, ruleOf(exchange), defect?.defect].join(" ");
    count(this.refusals, key, () => ({
      what: `${outcome}  ${exchange.method} ${redactTarget(exchange.target)}`,
      explanation: explain(exchange, this.#explanations),
    }));
  }

  #addHandshake({ item }: JournalEntry<HandshakeRecord>): void {
    const shown = item.serverDefect ?? item.serverCertificate?.renewal;
    if (item.cause === "reset-by-scenario" || shown?.chosenBy === "scenario") this.acted = true;
    const end = isEndedByServer(item.end) ? "sandbox" : "client";
    count(
      this.handshakes,
      `${item.cause} ${end} ${item.alert} ${item.serverDefect?.defect} ${shown?.chosenBy}`,
      () => ({
        what: "",
        explanation: explainHandshake(item),
      }),
    );
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

/** Scenario and rule of a fault, without the count that makes its handle unique. */
function ruleOf({ injected }: Exchange): string | undefined {
  return injected?.split("#", 1)[0];
}
