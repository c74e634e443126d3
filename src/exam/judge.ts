import type { Finding } from "./finding.js";
import type { ExchangeObservation, HandshakeObservation } from "./observation.js";
import type { Sent } from "./sending.js";

/**
 * Judges one client by a group of checks. Its state is bounded, and depends only on the observations. The state is in
 * fields that `structuredClone` copies, `private` and not `#`: the examiner saves and restores it.
 */
export interface Judge {
  /** An exchange is over. */
  exchange(observed: ExchangeObservation, sent: Sent): void;
  /** A handshake failed, or a connection was closed without a request. */
  handshake?(observed: HandshakeObservation): void;
  /**
   * The present findings, one for each check of the group.
   * @param isFinished whether the client says that it has finished its work, and that it went well
   */
  findings(isFinished: boolean): readonly Finding[];
  /** Drops what only later requests could decide, because the client is about to be forgotten. */
  giveUp?(): void;
}
