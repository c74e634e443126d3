import type { ClientRegistry } from "../clients.js";
import type { CursorDetail, ListProblem } from "../lists/problems.js";
import type { Peer, PeerCertificate } from "../peer.js";
import type { Fault } from "../scenarios/definition.js";
import { faultHandle } from "../scenarios/engine.js";
import type { Exchange } from "./exchange.js";
import type { Cause } from "./refusal.js";

/** What explanations look up beside the exchange itself. */
export interface ExplanationContext {
  readonly clients: ClientRegistry;
  /** What is known about certificates by their thumbprint: the folder that one lies in, and what it is for. */
  readonly identity: (thumbprint: string) => { readonly folder: string; readonly purpose: string } | undefined;
}

/** Says in plain words what happened and why; for a refusal also what mends it. The one source of console, admin API and dashboard. */
export function explain(exchange: Exchange, context: ExplanationContext): string {
  const sentences = [
    exchange.refusal ? explainCause(exchange.refusal.reason, exchange, context) : explainSuccess(exchange),
  ];
  if (exchange.injected !== undefined && exchange.fault)
    sentences.push(explainFault(exchange.injected, exchange.fault.rule.fault));
  else if (exchange.fault)
    sentences.push(`The rule ${faultHandle(exchange.fault.key)} matched, but did not come to act.`);
  if (exchange.delivered === false) sentences.push("The client was gone before the whole answer had left.");
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function explainSuccess(exchange: Exchange): string {
  const { operation, client, listQuery, list, now, status } = exchange;
  if (status === 0) return "No answer was given.";
  if (status < 200 || status > 299) return "";
  if (operation === "token")
    return `A token was issued to ${client?.id}, bound to the certificate of this connection, at ${instant(now)}.`;
  if (operation === "list" && listQuery)
    return `Page ${listQuery.page} of ${list} was served to ${client?.id}, up to ${listQuery.pageSize} rows.`;
  if (operation === "ping") return `Ping was answered for ${client?.id}.`;
  return "";
}

function explainFault(handle: string, fault: Fault): string {
  const kinds = (["delay", "error", "respond", "connection", "rateLimit", "token", "page"] as const).filter(
    (kind) => fault[kind],
  );
  const named = kinds
    .map((kind) => (kind === "connection" ? `connection ${fault.connection?.kind}` : kind))
    .join(" and ");
  return `The scenario did this (${named}): ${handle}. To see it again, send the header Sandbox-Replay with that value.`;
}

function explainCause(cause: Cause, exchange: Exchange, context: ExplanationContext): string {
  switch (cause.kind) {
    case "no-certificate":
      return "This connection has no client certificate. Give the HTTP client a certificate and its key, such as clients/demo/cert.pem and clients/demo/key.pem; some clients send one only if it is set for this very host and port.";
    case "certificate-unregistered":
      return explainUnregistered(exchange.peer, context);
    case "certificate-of-another-client":
      return `The certificate of this connection is registered for ${cause.holder}, but client_id is ${cause.asked}. Send client_id=${cause.holder}, or connect with the certificate of ${cause.asked}.`;
    case "unknown-client":
      return `There is no client ${quote(cause.asked)}. The certificate of this connection belongs to ${exchange.client?.id}: send client_id=${exchange.client?.id}, or register the client (POST /clients on the admin port, or \`clients\` in sandbox.yaml).`;
    case "certificate-expired":
      return `The certificate of this connection (${describe(exchange.peer, context)}) expired at ${instant(cause.notAfter)}; at the sandbox it is ${instant(cause.now)}. Connect with a certificate that is still valid, or turn the sandbox's clock back.`;
    case "certificate-not-yet-valid":
      return `The certificate of this connection (${describe(exchange.peer, context)}) is valid only from ${instant(cause.notBefore)}; at the sandbox it is ${instant(cause.now)}. Connect with another certificate, or advance the sandbox's clock.`;
    case "certificate-usage":
      return `The certificate of this connection (${describe(exchange.peer, context)}) may not be used by a client: its (extended) key usage lacks client authentication. Have one issued with extendedKeyUsage clientAuth.`;
    case "token-missing":
      return `No usable access token: ${cause.reason}. Get one from POST /oauth/v2/oauth-token over this connection's certificate and send \`Authorization: Bearer TOKEN\`.`;
    case "token-repeated":
      return "The Authorization header was sent more than once. Send it once: often an interceptor and the request itself both set it.";
    case "token-in-url":
      return "The access token was sent as a query parameter. Send it in the Authorization header only; URLs end up in logs.";
    case "token-unusable":
      return `The access token is not one of this sandbox: ${lowerFirst(cause.reason)} Get a new one; tokens of a sandbox with another certs folder are not good here.`;
    case "token-expired":
      return `The access token was issued to ${cause.issuedTo} and expired at ${instant(cause.expiredAt)}; at the sandbox it is ${instant(cause.now)}, ${seconds(cause.now - cause.expiredAt)} later. Tokens live ${seconds(tokenLifetime(exchange))}: get a new one shortly before that, or on a 401.`;
    case "token-of-another-certificate":
      return explainBinding(cause, exchange.peer, context);
    case "token-of-removed-client":
      return `The access token was issued to ${cause.issuedTo}, but its certificate belongs to ${exchange.client?.id} by now. Get a new token.`;
    case "scope-too-small":
      return `The access token has the scope ${quote(cause.granted.join(" "))}; this needs ${quote(cause.needed)}. Ask for scope=${cause.needed}.`;
    case "scope-not-allowed":
      return `The scope ${quote(cause.asked)} is more than ${exchange.client?.id} may ask for: ${quote(cause.allowed.join(" "))}.`;
    case "grant-not-allowed":
      return `The client ${cause.client} is registered without the grant client_credentials (\`grantTypes\` in sandbox.yaml).`;
    case "correlation-id":
      return `The correlation ID was refused: ${cause.reason}. Send a UUID, once, or leave the header out.`;
    case "parameter":
      return `The parameter ${cause.name} was refused: ${cause.reason}.`;
    case "media-type":
      return `The body was sent as ${cause.sent === undefined ? "no (or more than one) content type" : quote(cause.sent)}. Send Content-Type: application/x-www-form-urlencoded.`;
    case "client-authentication":
      return `The client sent ${cause.method}. It is authenticated by its certificate alone: configure the OAuth library for tls_client_auth (or self_signed_tls_client_auth), or "none".`;
    case "list":
      return explainListProblem(cause.problem);
    case "no-such-path":
      return `Nothing answers at this path. Paths are compared letter by letter; there are ${cause.known.join(", ")}.`;
    case "method":
      return `The path answers to ${cause.allowed.join(", ")} only, and ${exchange.method} was sent.`;
    case "body-too-large":
      return `The body is larger than ${cause.limit} bytes.`;
    case "protocol":
      return cause.reason;
    case "example":
      return "The request asked for the example error with produceError=true.";
    case "injected":
      return "A scenario gave this answer; nothing was wrong with the request so far.";
    case "unknown-scenario":
      return exchange.refusal?.message ?? "";
    case "internal":
      return `The sandbox failed; this is a bug in it: ${cause.error instanceof Error ? cause.error.message : String(cause.error)}`;
  }
}

function explainUnregistered(peer: Peer, context: ExplanationContext): string {
  if (peer.kind === "none") return "";
  const { certificate } = peer;
  const known = context.identity(certificate.thumbprint);
  const twin = known ? undefined : sameSubject(certificate, context);
  const why = known
    ? `It is ${known.folder}: ${known.purpose}`
    : twin
      ? `Its subject is that of a certificate of ${twin}, but it is another certificate: registration goes by the exact certificate, so one that was issued anew must be registered anew.`
      : peer.chain === "untrusted"
        ? `Nobody trusted has issued it: ${peer.chainReason}`
        : "";
  return `The certificate of this connection (${certificate.subject}, thumbprint ${certificate.thumbprint}) is not registered for any client. ${ended(why)} Connect with a registered one, such as clients/demo, or register it: POST /clients on the admin port, or \`clients\` in sandbox.yaml.`;
}

function sameSubject({ subject }: PeerCertificate, { clients }: ExplanationContext): string | undefined {
  return clients.all().find((client) => [...client.certificates.values()].some((facts) => facts.subject === subject))
    ?.id;
}

function explainBinding(
  { issuedTo, bound, used }: Extract<Cause, { kind: "token-of-another-certificate" }>,
  peer: Peer,
  context: ExplanationContext,
): string {
  const holder = context.clients.byThumbprint(bound);
  const issued = `The access token was issued to ${issuedTo} over the certificate with thumbprint ${bound}${holder ? "" : " (which is not registered by now)"}`;
  const present =
    used === undefined
      ? "this connection has no client certificate"
      : `this connection uses ${describe(peer, context)}, thumbprint ${used}`;
  return `${issued}; ${present}. Send a token only over the certificate that it was issued for, and cache tokens by certificate.`;
}

function describe(peer: Peer, { clients, identity }: ExplanationContext): string {
  if (peer.kind === "none") return "no certificate";
  const { subject, thumbprint } = peer.certificate;
  const folder = identity(thumbprint)?.folder;
  const holder = clients.byThumbprint(thumbprint)?.id;
  const facts = [folder, holder ? `registered for ${holder}` : "not registered"].filter(Boolean);
  return `the certificate ${subject} (${facts.join(", ")})`;
}

function explainListProblem({ code, message, detail }: ListProblem): string {
  if (code === "CURSOR_FILTERS_CHANGED") {
    const changes = detail.changes.map(
      ({ filter, before, after }) => `${filter} was ${sent(before)} and is now ${sent(after)}`,
    );
    return `The filters changed during the walk: ${changes.join("; ")}. Repeat exactly the same filters with a cursor, or start again without one.`;
  }
  return code === "INVALID_CURSOR" ? explainCursor(detail) : message;
}

function explainCursor(detail: CursorDetail): string {
  const { reason, found, expected, issuedAt, now, lifetime } = detail;
  const mend = "Start again without a cursor.";
  switch (reason) {
    case "other-client":
      return `The cursor was given to the client ${found}, and ${expected} sent it. A cursor belongs to the client that it was given to. ${mend}`;
    case "other-list":
      return `The cursor is from the list ${found}, and was sent to ${expected}. ${mend}`;
    case "other-path":
      return `The cursor is from ${quote(found ?? "")}, and was sent to ${quote(expected ?? "")}: another parameter in the path. ${mend}`;
    case "expired":
      return `The cursor was issued at ${instant(issuedAt)} and is good for ${seconds(lifetime ?? 0)}; at the sandbox it is ${instant(now)}. ${mend}`;
    case "from-the-future":
      return `The cursor was issued at ${instant(issuedAt)}, but at the sandbox it is only ${instant(now)}: the clock was turned back. ${mend}`;
    case "wrong-key":
      return `The cursor was made by a sandbox with another certs folder, or its first characters were altered. ${mend}`;
    case "repeated":
      return "The cursor was sent more than once. Replace it in the URL of the next page instead of appending it.";
    case "empty":
      return "The cursor is empty. Leave the parameter out for the first page.";
    default:
      return `The cursor is not one that was given out (${reason}): it was cut short, altered, or percent-encoded twice. Send it exactly as it was received. ${mend}`;
  }
}

function tokenLifetime({ token }: Exchange): number {
  return token ? token.expiresAt - token.issuedAt : 0;
}

/** An instant as people compare them: UTC, to the second. */
export function instant(milliseconds: number | undefined): string {
  if (milliseconds === undefined || !Number.isFinite(milliseconds)) return "an unknown time";
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "Z");
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}

function sent(value: string | undefined): string {
  return value === undefined ? "not sent" : quote(value);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A sentence has one full stop. */
function ended(text: string): string {
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}
