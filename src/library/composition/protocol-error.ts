import { operationsAt, routeRefusal } from "../../sandbox/api/app.js";
import { protocolErrorParts } from "../../sandbox/api/error-response.js";
import type { Operation, Service } from "../../sandbox/api/service.js";
import { noPeer } from "../../sandbox/connection/peer.js";
import { Exchange } from "../../sandbox/journal/exchange.js";
import type { UnansweredRequest, UnprocessedRequest } from "../../sandbox/tls/unanswered-request.js";

/** Records input that never became a request to the API as an exchange of its client, and makes the answer to it. */
export function protocolError(problem: UnansweredRequest, service: Service, operations: readonly Operation[]) {
  const { assumptions, recorder } = service;
  const { connection, code } = problem;
  const exchange = exchangeOf(problem, service);
  // Without a readable request, there is no path.
  const here = operationsAt(exchange.target, service, operations);
  // The path may be known although the HTTP parser does not know the method.
  const refusal = code === "METHOD_NOT_ALLOWED" ? routeRefusal({ service, exchange }, here, operations) : undefined;
  const atTokenPath = here.some(({ name }) => name === "token");
  const parts = protocolErrorParts(problem, exchange, assumptions, atTokenPath, refusal);
  // Plain HTTP is in the journal as a failed handshake.
  if (connection !== undefined) recorder?.exchange(exchange);
  return { ...parts, delivery: exchange };
}

/** Records a request that was read, and is not processed. */
export function unprocessed(request: UnprocessedRequest, service: Service, operations: readonly Operation[]): void {
  const exchange = exchangeOf(request, service);
  const here = operationsAt(exchange.target, service, operations);
  // As for a request that is processed: with a method that the path does not accept, it is that of the path.
  const operation = here.find(({ method }) => method === exchange.method) ?? here[0];
  exchange.routed(operation?.name, operation?.list);
  exchange.notProcessed(request.reason, request.reset);
  service.recorder?.exchange(exchange);
}

function exchangeOf(
  { connection, incoming, stream, line }: Partial<UnansweredRequest>,
  { clients, clock, correlation }: Service,
): Exchange {
  const peer = connection?.peer ?? noPeer;
  const client = peer.kind === "certificate" ? clients.byThumbprint(peer.certificate.thumbprint) : undefined;
  const { method = line?.method ?? "-", url = line?.target ?? "-", rawHeaders = [] } = incoming ?? {};
  const exchange = new Exchange(peer, method, url, rawHeaders, (client?.clock ?? clock).now());
  exchange.cameFrom(client, connection?.facts, stream);
  exchange.correlatedBy(correlation.idFor(rawHeaders));
  return exchange;
}
