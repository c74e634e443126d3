import type { Finding } from "./finding.js";
import type { ExchangeObservation, HandshakeObservation } from "./observation.js";
import type { Sent } from "./sending.js";

/** Judges one client by a group of checks. Its state is bounded, and depends on nothing but what it is fed. */
export interface Judge {
  /** An exchange is over. */
  exchange(observed: ExchangeObservation, sent: Sent): void;
  /** A handshake failed, or a connection was closed without a request. */
  handshake?(observed: HandshakeObservation): void;
  /** What is known now, one finding for each check of the group. */
  findings(): readonly Finding[];
  /** Gives up what only the future could decide: the client is about to be forgotten. */
  giveUp?(): void;
}
