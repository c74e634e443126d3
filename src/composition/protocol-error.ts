import { protocolErrorParts } from "../api/error-response.js";
import type { Service } from "../api/service.js";
import { noPeer } from "../connection/peer.js";
import { Exchange } from "../journal/exchange.js";
import { factsOf } from "../tls/connection.js";
import type { UnansweredRequest } from "../tls/protocol-problem.js";

/** Records what never became a request to the API as an exchange of its client, and makes the answer to it. */
export function protocolError(problem: UnansweredRequest, { clients, clock, assumptions, onExchange }: Service) {
  const { connection, incoming } = problem;
  const peer = connection?.peer ?? noPeer;
  const client = peer.kind === "certificate" ? clients.byThumbprint(peer.certificate.thumbprint) : undefined;
  const { method = "-", url = "-", rawHeaders = [] } = incoming ?? {};
  const exchange = new Exchange(peer, method, url, rawHeaders, (client?.clock ?? clock).now());
  exchange.client = client;
  exchange.connection = connection && factsOf(connection);
  const parts = protocolErrorParts(problem, exchange, assumptions);
  onExchange?.(exchange);
  return { ...parts, delivery: exchange };
}
