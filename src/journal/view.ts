import { type AssumptionId, assumption } from "../assumptions.js";
import { isoInstant } from "../clock.js";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import { type ErrorCode, errorFacts, isErrorCode } from "../errors.js";
import type { Exchange } from "./exchange.js";
import { type ExplanationContext, explain } from "./explain.js";
import { explainHandshake } from "./explain-handshake.js";
import type { HandshakeRecord } from "./journal.js";
import { redactForm, redactHeaders, redactTarget, redactText } from "./redact.js";
import type { Basis } from "./refusal.js";
import type { JournalEntry } from "./ring.js";

/** One check of an exchange, as it went. */
export interface Decision {
  readonly step: string;
  readonly checks: string;
  readonly outcome: "passed" | "refused" | "not reached";
  /** The sections of the interface and the assumptions that the check rests on. */
  readonly restsOn: readonly string[];
  /** Of these, the one that the refusal rests on. */
  readonly basis: string | undefined;
}

/** The decisions of an exchange in order, derived from how far it came. */
export function decisionsOf({ steps, stepsPassed, refusal, injected }: Exchange): Decision[] {
  const stopped = refusal !== undefined || injected !== undefined;
  return steps.map(({ name, checks, refuses }, index) => {
    const passed = index < stepsPassed;
    const refused = index === stepsPassed && stopped;
    return {
      step: name,
      checks,
      outcome: passed ? "passed" : refused ? "refused" : "not reached",
      restsOn: name === injection ? ["sandbox"] : [...new Set(refuses.map((id) => referenceOf(basisFor(id))))],
      basis: refused ? basisOf(refusal?.basis) : undefined,
    };
  });
}

/** The step that a scenario puts in can refuse with any code: it rests on nothing but the scenario. */
const injection = "scenario";

function basisFor(id: ErrorCode | AssumptionId): Basis {
  return isErrorCode(id) ? errorFacts(id).basis : id;
}

function basisOf(basis: Basis | undefined): string | undefined {
  return basis && referenceOf(basis);
}

/** `§7`, `sandbox`, or an assumption with its section: `token.invalid-client (§4.1 rule 1)`. */
function referenceOf(basis: Basis): string {
  return basis === "§7" || basis === "sandbox" ? basis : `${basis} (§${assumption(basis).section})`;
}

/** An exchange as one item of `GET /requests`: what assertions need, and the explanation. */
export function summaryOf({ number, item: exchange }: JournalEntry<Exchange>, context: ExplanationContext) {
  return {
    id: String(number),
    time: isoInstant(exchange.now),
    receivedAt: isoInstant(exchange.receivedAt),
    client: exchange.token?.clientId ?? exchange.client?.id ?? null,
    certificateClient: exchange.client?.id ?? null,
    operation: exchange.operation ?? null,
    list: exchange.list ?? null,
    method: exchange.method,
    target: redactTarget(exchange.target),
    status: exchange.status,
    code: exchange.code ?? null,
    fault: exchange.injected ?? null,
    correlationId: redactText(exchange.correlationId),
    duration: exchange.duration,
    delivered: exchange.delivered ?? null,
    explanation: explain(exchange, context),
  };
}

/** An exchange with everything that is known about it: `GET /requests/ID`. */
export function detailOf(entry: JournalEntry<Exchange>, context: ExplanationContext) {
  const { item: exchange } = entry;
  const { peer, connection, form, refusal, token, client } = exchange;
  const certificate = peer.kind === "certificate" ? peer.certificate : undefined;
  return {
    ...summaryOf(entry, context),
    peer: certificate
      ? {
          subject: certificate.subject,
          issuer: certificate.issuer,
          serialNumber: certificate.serialNumber,
          thumbprint: certificate.thumbprint,
          notBefore: isoInstant(certificate.notBefore),
          notAfter: isoInstant(certificate.notAfter),
          chain: peer.kind === "certificate" ? peer.chain : "untrusted",
          chainReason: peer.kind === "certificate" ? peer.chainReason : "",
          identity: context.identity(certificate.thumbprint)?.folder ?? null,
        }
      : null,
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
    request: {
      line: `${exchange.method} ${redactTarget(exchange.target)} HTTP/1.1`,
      headers: redactHeaders(exchange.rawHeaders),
      form: form ? redactForm(form) : null,
    },
    decisions: decisionsOf(exchange),
    basis: basisOf(refusal?.basis) ?? null,
    answer: {
      status: exchange.status,
      headers: redactHeaders(Object.entries(exchange.answerHeaders ?? {}).flat()),
      body: exchange.answerBody === undefined ? null : redactText(exchange.answerBody),
      length: exchange.answerLength,
    },
  };
}

/** Without what only the sandbox itself can relate to. */
function connectionView({ begunAt: _, serverDefect, ...facts }: ConnectionFacts) {
  return { ...facts, serverDefect: serverDefect ?? null };
}

/** A failed handshake, or a connection without a request, as one item of `GET /handshakes`. */
export function handshakeView({ number, item }: JournalEntry<HandshakeRecord>) {
  return {
    id: String(number),
    time: isoInstant(item.at),
    cause: item.cause,
    code: item.code ?? null,
    alert: item.alert ?? null,
    remoteAddress: item.remoteAddress,
    remotePort: item.remotePort,
    serverName: item.serverName ?? null,
    protocol: item.protocol ?? null,
    serverDefect: item.serverDefect ?? null,
    certificate: item.certificate
      ? {
          subject: item.certificate.subject,
          thumbprint: item.certificate.thumbprint,
          notBefore: isoInstant(item.certificate.notBefore),
          notAfter: isoInstant(item.certificate.notAfter),
        }
      : null,
    explanation: explainHandshake(item),
  };
}
