import type { Client } from "../clients.js";
import { type Clock, monotonicNow } from "../clock.js";
import type { PeerCertificate } from "../connection/peer.js";
import type { RecordKeeper, TrafficListener } from "../events.js";
import type { Connection } from "../tls/connection.js";
import type { HandshakeFailure } from "../tls/handshake-failure.js";
import type { ConsoleLog } from "./console-log.js";
import type { Exchange, ExchangeListener } from "./exchange.js";
import type { ExplanationContext } from "./explanation-context.js";
import type { HandshakeCertificate, HandshakeRecord } from "./journal.js";
import { redactText } from "./redact.js";

/**
 * Puts what reached the sandbox into the journal, tells the listeners, and writes it to the console as far as the
 * configuration requests it.
 */
export class Recorder implements ExchangeListener {
  constructor(
    private readonly journal: RecordKeeper,
    private readonly log: ConsoleLog,
    private readonly machineClock: Clock,
    /** How often the scenario and the clocks of a client, or of peers without one, were changed. */
    private readonly epochOf: (client: Client | undefined) => number,
    private readonly explanations: ExplanationContext,
    private readonly listeners: readonly TrafficListener[],
  ) {}

  exchange(exchange: Exchange): void {
    if (exchange.isReplaced) return;
    exchange.recordedAt(this.machineClock.now(), this.epochOf(exchange.client));
    const number = this.journal.requests.add(exchange);
    for (const listener of this.listeners) listener.answered?.(exchange, number);
    exchange.recorded(number, this);
    if (this.log.wants(exchange)) this.log.exchange(number, exchange, this.explanations);
  }

  over(exchange: Exchange, id: number): void {
    for (const listener of this.listeners) listener.over?.(exchange, id);
    this.journal.over(id);
  }

  /** A failed handshake, unless the client only checked whether the port is open. */
  failedHandshake({ certificate, ...failure }: HandshakeFailure): void {
    if (failure.bytesRead === 0 && failure.cause !== "time-out") return;
    this.#handshake({ ...failure, certificate: certificate && kept(certificate) });
  }

  /** A connection that was closed without a request. */
  unusedConnection({ facts, peer }: Connection): void {
    const { id, remoteAddress, remotePort, serverName, protocol, serverDefect } = facts;
    this.#handshake({
      at: this.machineClock.now(),
      cause: "no-request",
      code: undefined,
      alert: undefined,
      reason: "",
      connection: id,
      remoteAddress,
      remotePort,
      serverName,
      protocol,
      serverDefect,
      certificate: peer.kind === "certificate" ? kept(peer.certificate) : undefined,
    });
  }

  #handshake({ reason, serverName, ...facts }: HandshakeRecord): void {
    const { clients } = this.explanations;
    const handshake: HandshakeRecord = {
      ...facts,
      reason: redactText(reason),
      serverName: serverName && redactText(serverName),
      registration: facts.certificate && clients.byThumbprint(facts.certificate.thumbprint)?.registration,
      overAt: monotonicNow(),
    };
    const number = this.journal.handshakes.add(handshake);
    for (const listener of this.listeners) listener.handshake?.(handshake, number);
    this.log.handshake(handshake);
  }
}

/** What the journal keeps of a certificate. */
function kept({ subject, thumbprint, notBefore, notAfter }: PeerCertificate): HandshakeCertificate {
  return { subject: redactText(subject), thumbprint, notBefore, notAfter };
}
