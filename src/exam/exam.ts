import { monotonicNow } from "../sandbox/clock.js";
import type { Passage } from "../sandbox/connection/passage.js";
import type { TrafficListener } from "../sandbox/events.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { HandshakeRecord } from "../sandbox/journal/journal.js";
import { Examiner } from "./examiner.js";
import type { ExchangeObservation, HandshakeObservation } from "./observation.js";
import { type ObservationContext, observeExchange } from "./observe/exchange.js";
import { plainReport, type Report } from "./report.js";

/** How long a report waits for what is still open, and how often it looks, in milliseconds. */
const wait = { timeoutMs: 1000, pollMs: 10 };

/** The exam of a sandbox: it passes finished exchanges and handshakes to the judges, and reports their results. */
export class Exam implements TrafficListener {
  readonly examiner: Examiner = new Examiner();
  readonly #parts: ObservationContext;
  #isBusy: () => boolean = () => false;

  constructor(parts: ObservationContext) {
    this.#parts = parts;
  }

  /** @param isBusy whether an exchange or a connection is open whose end is not in the journal: reports wait for it */
  waitFor(isBusy: () => boolean): void {
    this.#isBusy = isBusy;
  }

  over(exchange: Exchange, id: number, passage: Passage | undefined): void {
    const observed = this.observe(exchange, id, passage);
    if (observed !== undefined) this.examiner.exchange(observed);
  }

  handshake(handshake: HandshakeRecord, id: number): void {
    this.examiner.handshake(this.observeHandshake(handshake, id));
  }

  /** What the judges get of a finished exchange; undefined if it is not for them. */
  observe(exchange: Exchange, id: number, passage: Passage | undefined): ExchangeObservation | undefined {
    return observeExchange(exchange, id, passage, monotonicNow(), this.#parts);
  }

  /** The same of a handshake. */
  observeHandshake({ certificate, cause, protocol, serverDefect }: HandshakeRecord, id: number): HandshakeObservation {
    const holder = certificate && this.#parts.clients.byThumbprint(certificate.thumbprint);
    return { id, client: holder?.registration ?? "", cause, protocol, serverDefect: serverDefect?.defect };
  }

  /**
   * The report on one client, or on all, as a plain report of one drill. It waits up to a second for exchanges and
   * connections that are about to end.
   */
  async report(client?: string): Promise<Report> {
    await this.settle();
    return this.present(client);
  }

  /** The report on what is known now. */
  present(client?: string): Report {
    return plainReport(this.examiner.results(this.registrationOf(client)));
  }

  /** Waits up to a second for exchanges and connections that are about to end. */
  async settle(): Promise<void> {
    const until = monotonicNow() + wait.timeoutMs;
    do await new Promise((resolve) => setTimeout(resolve, wait.pollMs));
    while (this.#isBusy() && monotonicNow() < until);
  }

  /** Forgets what is known: about one client, or about all. */
  reset(client?: string): void {
    this.examiner.reset(this.registrationOf(client));
  }

  /** A client that was removed and made again with the same id is another one, and has no history. */
  registrationOf(client: string | undefined): string | undefined {
    return client === undefined ? undefined : (this.#parts.clients.get(client)?.registration ?? client);
  }
}
