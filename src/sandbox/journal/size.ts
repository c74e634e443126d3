import type { Peer } from "../connection/peer.js";
import type { Exchange } from "./exchange.js";

// Measured on Node 20: the growth of the heap for an exchange of each kind, without the texts that were sent.
const constant = 800;
const perHeader = 24;
const perParameter = 150;
const perListQuery = 300;
const certificateFacts = 500;

/**
 * Makes the function that estimates how much memory an exchange takes, in bytes. Almost all characters are ASCII, so
 * each counts as a byte.
 *
 * Connections with one certificate share its facts. They are counted if the peer differs from that of the previous
 * exchange. This is exact for one busy client, too much for several alternating clients, and never too little.
 */
export function exchangeSizes(): (exchange: Exchange) => number {
  let previous: Peer | undefined;
  return ({ target, rawHeaders, peer, form, listQuery, keptCharacters }) => {
    let size = constant + target.length + keptCharacters + (listQuery ? perListQuery : 0);
    for (const text of rawHeaders) size += perHeader + text.length;
    for (const [name, values] of form ?? []) {
      size += perParameter + name.length;
      for (const value of values) size += perHeader + (value?.length ?? 0);
    }
    if (peer !== previous && peer.kind === "certificate") {
      const { subject, issuer } = peer.certificate;
      size += certificateFacts + subject.length + issuer.length;
    }
    previous = peer;
    return size;
  };
}
