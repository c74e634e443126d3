import type { HandshakeRecord } from "./journal/entry.js";
import type { Exchange } from "./journal/exchange.js";

/**
 * What the service publishes. Metrics, the exam and replicas listen to it; the service knows none of them. A listener
 * is called in the turn of the event loop in which something happens: it must not throw and must not wait.
 */
export interface TrafficListener {
  /**
   * The answer to a request is known, and the journal has its entry.
   * @param id the number of the entry
   */
  answered?(exchange: Exchange, id: number): void;
  /**
   * The exchange is over: its answer was sent, or its connection is gone.
   * @param id the number of its entry in the journal
   */
  over?(exchange: Exchange, id: number): void;
  /**
   * A handshake failed, or a connection was closed without a request.
   * @param id the number of its entry in the journal
   */
  handshake?(handshake: HandshakeRecord, id: number): void;
}

/** Where records go. The journal is one; replicas that share a journal have another. Each record gets a number. */
export interface RecordKeeper {
  readonly requests: { add(exchange: Exchange): number };
  readonly handshakes: { add(handshake: HandshakeRecord): number };
  /** The answer of an exchange has left, or its connection is gone. */
  over(number: number): void;
}
