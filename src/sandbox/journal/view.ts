import { hash } from "node:crypto";
import { assumption } from "../assumptions.js";
import { isoInstant } from "../clock.js";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import { type Basis, basisOf } from "../errors.js";
import type { ListQuery } from "../lists/query.js";
import { claimedClient, clientIdOf, tokenIdOf } from "./claimed-clients.js";
import { type AnyEntry, type HandshakeRecord, isRequest } from "./entry.js";
import type { Exchange } from "./exchange.js";
import { explain } from "./explain.js";
import { explainHandshake } from "./explain-handshake.js";
import type { ExplanationContext } from "./explanation-context.js";
import { redactForm, redactHeaders, redactTarget, redactText } from "./redact.js";
import type { JournalEntry } from "./ring-buffer.js";
import { traceOf } from "./trace.js";

/** The checks of an exchange in order: how each ended, and what it is based on. */
function decisionsOf({ steps, stepsPassed, refusal, injected }: Exchange) {
  const stopped = refusal !== undefined || injected !== undefined;
  return steps.map(({ name, section, checks, refuses }, index) => {
    const refused = index === stepsPassed && stopped;
    return {
      step: name,
      section,
      checks,
      outcome: index < stepsPassed ? "passed" : refused ? "refused" : "not reached",
      // The step of a scenario can refuse with any code: it is based only on the scenario.
      restsOn: name === "scenario" ? ["sandbox"] : [...new Set(refuses.map((id) => referenceOf(basisOf(id))))],
      basis: refused && refusal ? referenceOf(refusal.basis) : undefined,
    };
  });
}

/** `§7`, `sandbox`, or an assumption with its section: `token.invalid-client (§4.1 rule 1)`. */
function referenceOf(basis: Basis): string {
  return basis === "§7" || basis === "sandbox" ? basis : `${basis} (§${assumption(basis).section})`;
}

/** An entry as one item of `GET /journal`. */
export function itemOf(entry: AnyEntry, context: ExplanationContext) {
  const { number, order } = entry;
  return isRequest(entry)
    ? { kind: "request", key: `r${number}`, order, ...summaryOf(entry, context) }
    : { kind: "handshake", key: `h${number}`, order, ...handshakeView(entry) };
}

/** An exchange as one item of `GET /requests`: what assertions need, and the explanation. */
export function summaryOf({ number, item: exchange }: JournalEntry<Exchange>, context: ExplanationContext) {
  const client = clientIdOf(exchange) ?? null;
  const claimed = claimedClient(exchange) ?? client;
  return {
    id: String(number),
    time: isoInstant(exchange.now),
    receivedAt: isoInstant(exchange.receivedAt),
    client,
    certificateClient: exchange.client?.id ?? null,
    claimedClient: claimed === client || claimed === null ? null : redactText(claimed),
    operation: exchange.operation ?? null,
    list: exchange.list ?? null,
    method: exchange.method,
    target: redactTarget(exchange.target),
    status: exchange.status,
    code: exchange.code ?? null,
    fault: exchange.injected ?? null,
    serverDefect: exchange.connection?.serverDefect?.defect ?? null,
    size: exchange.bodyLength,
    correlationId: redactText(exchange.correlationId),
    duration: exchange.duration,
    delivered: exchange.delivered ?? null,
    sent: exchange.sent ?? null,
    endedBy: exchange.endedBy ?? null,
    replica: exchange.replica ?? null,
    connectionId: exchange.connection?.id ?? null,
    httpVersion: exchange.connection?.httpVersion ?? null,
    stream: exchange.stream ?? null,
    tokenId: tokenIdOf(exchange) ?? null,
    walk: exchange.listQuery ? walkOf(exchange.listQuery) : null,
    explanation: explain(exchange, context),
  };
}

/** The same for all pages of a walk: the client, the list with its filters, and when the first page was requested. */
export function walkOf({ clientId, list, pathParameters, sent, begunAt }: ListQuery): string {
  return hash("sha256", JSON.stringify([clientId, list, pathParameters, sent, begunAt]), "base64url").slice(0, 12);
}

/** An exchange with all known facts except its neighbours: `GET /requests/ID`. */
export function detailOf(entry: JournalEntry<Exchange>, context: ExplanationContext) {
  const { item: exchange } = entry;
  const { connection, form, refusal, token, client, answerBody } = exchange;
  return {
    ...summaryOf(entry, context),
    peer: peerOf(exchange, context),
    registered: client ? { client: client.id, thumbprints: [...client.thumbprints] } : null,
    token: token
      ? {
          issuedTo: token.clientId,
          scope: token.scopes.join(" "),
          thumbprint: token.thumbprint,
          issuedAt: isoInstant(token.issuedAt),
          expiresAt: isoInstant(token.expiresAt),
          id: token.id,
        }
      : null,
    connection: connection ? connectionView(connection) : null,
    trace: traceOf(exchange.rawHeaders) ?? null,
    request: {
      line: `${exchange.method} ${redactTarget(exchange.target)} ${connection?.httpVersion ?? "HTTP/1.1"}`,
      headers: redactHeaders(exchange.rawHeaders),
      form: form ? redactForm(form) : null,
    },
    decisions: decisionsOf(exchange),
    basis: refusal ? referenceOf(refusal.basis) : null,
    answer: {
      status: exchange.status,
      headers: redactHeaders(exchange.headersOfAnswer),
      body: answerBody === undefined ? null : redactText(answerBody),
      length: exchange.answerLength,
      sent: exchange.sent ?? null,
      reset: exchange.reset ?? null,
    },
  };
}

function connectionView(connection: ConnectionFacts) {
  const { id, remoteAddress, remotePort, serverName, protocol, cipher, httpVersion, end, goaway } = connection;
  const { serverCertificate } = connection;
  const name = serverName && redactText(serverName);
  return {
    id,
    remoteAddress,
    remotePort,
    serverName: name,
    protocol,
    cipher,
    httpVersion,
    serverCertificate: serverCertificate?.thumbprint ?? null,
    end: end ?? null,
    goaway: goaway ?? null,
  };
}

function peerOf({ peer }: Exchange, { identity }: ExplanationContext) {
  if (peer.kind === "none") return null;
  const { certificate, chain, chainReason } = peer;
  const { subject, issuer, serialNumber, thumbprint } = certificate;
  return {
    subject: redactText(subject),
    issuer: redactText(issuer),
    serialNumber,
    thumbprint,
    ...validityOf(certificate),
    chain,
    chainReason,
    identity: identity(thumbprint)?.folder ?? null,
  };
}

function validityOf({ notBefore, notAfter }: { readonly notBefore: number; readonly notAfter: number }) {
  return { notBefore: isoInstant(notBefore), notAfter: isoInstant(notAfter) };
}

/** A failed handshake, or a connection without a request, as one item of `GET /handshakes`. */
export function handshakeView({ number, item }: JournalEntry<HandshakeRecord>) {
  const { certificate } = item;
  return {
    id: String(number),
    time: isoInstant(item.at),
    cause: item.cause,
    code: item.code ?? null,
    alert: item.alert ?? null,
    replica: item.replica ?? null,
    connectionId: item.connection ?? null,
    remoteAddress: item.remoteAddress,
    remotePort: item.remotePort,
    serverName: item.serverName ?? null,
    protocol: item.protocol ?? null,
    serverDefect: item.serverDefect?.defect ?? null,
    serverCertificate: item.serverCertificate?.thumbprint ?? null,
    certificate: certificate
      ? { subject: certificate.subject, thumbprint: certificate.thumbprint, ...validityOf(certificate) }
      : null,
    explanation: explainHandshake(item),
  };
}
