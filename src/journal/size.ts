import type { Peer } from "../connection/peer.js";
import type { Exchange } from "./exchange.js";

// Measured on Node 20: what the heap grows by for an exchange of each kind, without the texts that were sent.
const constant = 800;
const perHeader = 24;
const perParameter = 150;
const listQuery = 300;
const certificateFacts = 500;

/**
 * Makes the function that estimates what an exchange takes in memory, in bytes. Characters are counted as bytes: almost all of
 * them are ASCII, and engines keep those in one.
 *
 * Connections with one certificate share its facts, so they are counted where the exchange before was another peer's: exact for one
 * client that is busy, too much for several that take turns, and never too little.
 */
export function exchangeSizes(): (exchange: Exchange) => number {
  let previous: Peer | undefined;
  return (exchange) => {
    const { rawHeaders, peer, form } = exchange;
    let size = constant + exchange.target.length + exchange.keptCharacters;
    for (let index = 0; index < rawHeaders.length; index++) size += perHeader + (rawHeaders[index] as string).length;
    if (form) size += sizeOfForm(form);
    if (exchange.listQuery) size += listQuery;
    if (peer !== previous) size += sizeOfPeer(peer);
    previous = peer;
    return size;
  };
}

function sizeOfForm(form: NonNullable<Exchange["form"]>): number {
  let size = 0;
  for (const [name, values] of form) {
    size += perParameter + name.length;
    for (const value of values) size += perHeader + (value?.length ?? 0);
  }
  return size;
}

function sizeOfPeer(peer: Peer): number {
  if (peer.kind === "none") return 0;
  const { subject, issuer, pem } = peer.certificate;
  return certificateFacts + subject.length + issuer.length + pem.length;
}
