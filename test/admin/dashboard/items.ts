import type { Exchange, ExchangeDetail, JournalItem } from "../../../src/admin/dashboard/client/api.js";

const time = new Date(0).toISOString();

/** An exchange as an item of the journal. */
export function exchangeItem(
  order: number,
  changes: Partial<Exchange> = {},
): Extract<JournalItem, { kind: "request" }> {
  return {
    kind: "request",
    key: `r${order}`,
    order,
    id: String(order),
    time,
    receivedAt: time,
    client: "demo",
    certificateClient: "demo",
    claimedClient: null,
    operation: "ping",
    list: null,
    method: "GET",
    target: "/v1/ping",
    status: 200,
    code: null,
    fault: null,
    serverDefect: null,
    correlationId: "3494a6a8-0ef1-416c-81ee-6903b646bed2",
    size: 0,
    duration: 1,
    delivered: true,
    sent: 0,
    endedBy: null,
    httpVersion: "HTTP/1.1",
    stream: null,
    replica: null,
    connectionId: 1,
    tokenId: null,
    walk: null,
    explanation: "Ping was answered for demo.",
    ...changes,
  };
}

/** An exchange with all its details. */
export function exchangeDetail(changes: object = {}): ExchangeDetail {
  return {
    ...exchangeItem(1),
    peer: null,
    registered: null,
    token: null,
    connection: null,
    trace: null,
    request: { line: "GET /v1/ping HTTP/1.1", headers: [], form: null },
    decisions: [],
    basis: null,
    answer: { status: 200, headers: [], body: null, length: 0, sent: 0, reset: null },
    errorPage: null,
    lastGood: null,
    ...changes,
  } as ExchangeDetail;
}
