import type { Exchange, JournalItem } from "../../../src/admin/dashboard/view/data.js";

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
    duration: 1,
    delivered: true,
    httpVersion: "HTTP/1.1",
    stream: null,
    connectionId: 1,
    tokenId: null,
    walk: null,
    explanation: "Ping was answered for demo.",
    ...changes,
  };
}

/** A failed handshake as an item of the journal. */
export function handshakeItem(order: number): Extract<JournalItem, { kind: "handshake" }> {
  return {
    kind: "handshake",
    key: `h${order}`,
    order,
    id: String(order),
    time,
    cause: "plain-http",
    code: null,
    alert: null,
    connectionId: null,
    remoteAddress: "127.0.0.1",
    remotePort: 4711,
    serverName: null,
    serverDefect: null,
    serverCertificate: null,
    protocol: null,
    certificate: null,
    explanation: "Plain HTTP was sent to the port that speaks HTTPS.",
  };
}
