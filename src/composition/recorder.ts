import type { Clock } from "../clock.js";
import type { ConsoleLog } from "../journal/console-log.js";
import type { Exchange, ExchangeListener } from "../journal/exchange.js";
import type { ExplanationContext } from "../journal/explain.js";
import type { HandshakeRecord, Journal } from "../journal/journal.js";

/** Told of what was put into the journal: of exchanges once they are over. */
export interface RecordListener extends ExchangeListener {
  handshake(handshake: HandshakeRecord, id: number): void;
}

/** Puts what reached the sandbox into the journal, and on the console as far as the configuration asks for it. */
export class Recorder {
  constructor(
    private readonly journal: Journal,
    private readonly log: ConsoleLog,
    private readonly machineClock: Clock,
    private readonly explanations: () => ExplanationContext,
    private readonly listener: RecordListener | undefined,
  ) {}

  exchange(exchange: Exchange): void {
    exchange.recordedAt(this.machineClock.now());
    const number = this.journal.requests.add(exchange);
    if (this.listener) exchange.tellWhenOver(this.listener, number);
    if (this.log.wants(exchange)) this.log.exchange({ number, item: exchange }, this.explanations());
  }

  handshake(handshake: HandshakeRecord | undefined): void {
    if (!handshake) return;
    const number = this.journal.handshakes.add(handshake);
    this.listener?.handshake(handshake, number);
    this.log.handshake({ number, item: handshake });
  }
}
