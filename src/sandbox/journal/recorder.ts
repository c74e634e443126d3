import type { Client, ClientRegistry } from "../clients.js";
import type { AdjustableClock, Clock } from "../clock.js";
import type { PeerCertificate } from "../connection/peer.js";
import type { RecordKeeper, TrafficListener } from "../events.js";
import type { ScenarioEngine } from "../scenarios/engine.js";
import type { Connection } from "../tls/connection.js";
import type { HandshakeFailure } from "../tls/handshake-failure.js";
import type { HandshakeCertificate, HandshakeRecord } from "./entry.js";
import type { Exchange, ExchangeListener } from "./exchange.js";
import { redactText } from "./redact.js";

/** Puts what reached the sandbox into the journal, and tells the listeners. */
export class Recorder implements ExchangeListener {
  constructor(
    private readonly journal: RecordKeeper,
    private readonly machineClock: Clock,
    /** What the entries tell the changes of. */
    private readonly changed: { readonly scenarios: ScenarioEngine; readonly clock: AdjustableClock },
    private readonly clients: Pick<ClientRegistry, "byThumbprint">,
    private readonly listeners: readonly TrafficListener[],
  ) {}

  exchange(exchange: Exchange): void {
    if (exchange.isReplaced) return;
    exchange.recordedAt(this.machineClock.now(), this.#changesFor(exchange.client));
    const number = this.journal.requests.add(exchange);
    for (const listener of this.listeners) listener.answered?.(exchange, number);
    exchange.recorded(number, this);
  }

  /** How often the scenario and the clocks of a client, or of peers without one, were changed. */
  #changesFor(client: Client | undefined): number {
    const { scenarios, clock } = this.changed;
    return scenarios.changesFor(client) + (client?.clock.changes ?? 0) + clock.changes;
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
    const { id, remoteAddress, remotePort, serverName, protocol, serverDefect, serverCertificate, end } = facts;
    this.#handshake({
      at: this.machineClock.now(),
      cause: "no-request",
      code: undefined,
      alert: undefined,
      reason: "",
      connection: id,
      end,
      remoteAddress,
      remotePort,
      serverName,
      protocol,
      serverDefect,
      serverCertificate,
      certificate: peer.kind === "certificate" ? kept(peer.certificate) : undefined,
    });
  }

  #handshake({ reason, serverName, ...facts }: HandshakeRecord): void {
    const handshake: HandshakeRecord = {
      ...facts,
      reason: redactText(reason),
      serverName: serverName && redactText(serverName),
      registration: facts.certificate && this.clients.byThumbprint(facts.certificate.thumbprint)?.registration,
    };
    const number = this.journal.handshakes.add(handshake);
    for (const listener of this.listeners) listener.handshake?.(handshake, number);
  }
}

/** What the journal keeps of a certificate. */
function kept({ subject, thumbprint, notBefore, notAfter }: PeerCertificate): HandshakeCertificate {
  return { subject: redactText(subject), thumbprint, notBefore, notAfter };
}
