import type { Client } from "../clients.js";
import type { Peer } from "../connection/peer.js";

/** What a rotation means for the certificate of a request. */
export interface Renewal {
  /** Whether it replaces another certificate of the client. */
  readonly replaces: boolean;
  /** How long both are valid, in milliseconds, if another one replaces it. */
  readonly overlap: number | undefined;
}

/** Undefined without a certificate. */
export function renewalOf({ ends }: Client, peer: Peer): Renewal | undefined {
  if (peer.kind === "none") return undefined;
  const { thumbprint } = peer.certificate;
  const end = ends.get(thumbprint);
  return {
    replaces: [...ends.values()].some(({ by }) => by === thumbprint),
    overlap: end?.by === undefined ? undefined : end.at - end.since,
  };
}
