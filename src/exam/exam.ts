import { monotonicNow } from "../sandbox/clock.js";
import type { TrafficListener } from "../sandbox/events.js";
import type { HandshakeRecord } from "../sandbox/journal/entry.js";
import { Exchange } from "../sandbox/journal/exchange.js";
import { Examiner } from "./examiner.js";
import { type CodedExchange, withExpected } from "./expected.js";
import { type ObservationContext, observeExchange } from "./observe/exchange.js";
import { observeHandshake } from "./observe/handshake.js";
import { plainReport, type Report } from "./report.js";

/** How long a report waits for what is still open, and how often it looks, in milliseconds. */
const wait = { timeoutMs: 1000, pollMs: 10 };

/**
 * How many exchanges and handshakes are judged at once. A request pays for the judges only in one of so many, when they
 * take a fraction of a millisecond.
 */
const batch = 128;

/** What a report is asked for. */
export interface ExamReportOptions {
  /**
   * Whether the client says that it has finished its work, and that it went well: then its walks are complete. The exit
   * status of a command says it less clearly.
   */
  readonly finished?: boolean | "ended-with-0" | undefined;
  /**
   * Whether the client was ended from outside: then what only its later requests could decide is not judged, now and
   * later.
   */
  readonly isCutShort?: boolean | undefined;
  /** Codes of errors that the client provoked on purpose. */
  readonly expected?: readonly string[] | undefined;
  /** The exchanges of the client in the journal that have a code. */
  readonly exchanges?: (() => Iterable<CodedExchange>) | undefined;
}

/**
 * The exam of a sandbox: it gives the judges what is over, in the order in which it was over, and reports the results.
 * Where replicas share a journal, `src/replicas` tells it what is over, with the ids of that journal.
 */
export class Exam implements TrafficListener {
  readonly examiner: Examiner = new Examiner();
  readonly #parts: ObservationContext;
  /** What is over and not judged. */
  #waiting: { readonly item: Exchange | HandshakeRecord; readonly id: number }[] = [];
  #isBusy: () => boolean = () => false;

  constructor(parts: ObservationContext) {
    this.#parts = parts;
  }

  over(exchange: Exchange, id: number): void {
    this.#add(exchange, id);
  }

  handshake(handshake: HandshakeRecord, id: number): void {
    this.#add(handshake, id);
  }

  /** @param isBusy whether an exchange or a connection is open whose end is not in the journal: reports wait for it */
  waitFor(isBusy: () => boolean): void {
    this.#isBusy = isBusy;
  }

  /**
   * The report on one client, or on all, as a plain report of one drill. It waits up to a second for exchanges and
   * connections that are about to end.
   */
  async report(client?: string, options: ExamReportOptions = {}): Promise<Report> {
    await this.settle();
    return this.present(client, options);
  }

  /** The report on what is over now. */
  present(
    client?: string,
    { finished, isCutShort = false, expected: codes = [], exchanges = () => [] }: ExamReportOptions = {},
  ): Report {
    const { examiner } = this;
    this.#judge();
    if (isCutShort) examiner.giveUp();
    const registration = this.registrationOf(client);
    const finish = finished === true ? "declared" : finished || undefined;
    const results = examiner.results(registration, finish);
    const { checks, expected } = withExpected(results, codes, codes.length > 0 ? exchanges() : []);
    expected.addAll(examiner.expected(registration));
    return plainReport(checks, { expected: expected.list() });
  }

  /** Waits up to a second for exchanges and connections that are about to end. */
  async settle(): Promise<void> {
    const until = monotonicNow() + wait.timeoutMs;
    do await new Promise((resolve) => setTimeout(resolve, wait.pollMs));
    while (this.#isBusy() && monotonicNow() < until);
  }

  /** Forgets what is known until now: about one client, or about all. */
  reset(client?: string): void {
    this.#judge();
    this.examiner.reset(this.registrationOf(client));
  }

  /** A client that was removed and made again with the same id is another one, and has no history. */
  registrationOf(client: string | undefined): string | undefined {
    return client === undefined ? undefined : (this.#parts.clients.get(client)?.registration ?? client);
  }

  #add(item: Exchange | HandshakeRecord, id: number): void {
    if (this.#waiting.push({ item, id }) === batch) this.#judge();
  }

  #judge(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { item, id } of waiting) {
      if (!(item instanceof Exchange)) this.examiner.handshake(observeHandshake(item, id));
      else {
        const observed = item.passage && observeExchange(item, id, item.passage, this.#parts);
        if (observed !== undefined) this.examiner.exchange(observed);
      }
    }
  }
}
