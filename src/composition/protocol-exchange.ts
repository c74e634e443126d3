import type { ClientRegistry } from "../clients.js";
import type { Clock } from "../clock.js";
import { noPeer } from "../connection/peer.js";
import { Exchange } from "../journal/exchange.js";
import { factsOf } from "../tls/connection.js";
import type { ProtocolProblem } from "../tls/protocol-problem.js";

/** Makes the exchange of something that never became a request to the API: it is its client's all the same. */
export function protocolExchange(
  { peer = noPeer, connection, incoming, line }: ProtocolProblem,
  clients: ClientRegistry,
  clock: Clock,
): Exchange {
  const client = peer.kind === "certificate" ? clients.byThumbprint(peer.certificate.thumbprint) : undefined;
  const { method = line?.method ?? "-", url = line?.target ?? "-", rawHeaders = [] } = incoming ?? {};
  const exchange = new Exchange(peer, method, url, rawHeaders, (client?.clock ?? clock).now());
  exchange.client = client;
  exchange.connection = connection && factsOf(connection);
  return exchange;
}
