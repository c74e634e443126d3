import { lowerFirst } from "../../../base/text/letters.js";
import { quote } from "../../../base/text/printable.js";
import { operations } from "../../operations.js";
import { instant, paragraph, span } from "../format.js";
import type { CauseKind, KnownParties, RefusedRequest } from "./cause-kind.js";
import { nameOf } from "./certificate.js";

/** The causes that are in an access token, or in what a client asks for when it gets one. */
export const tokenCauses = {
  "token-missing": {
    explain: ({ reason }: { reason: string }, { peer }, { basePath }) => {
      const endpoint = `POST ${basePath}${operations.token.path}`;
      return paragraph(
        `No usable access token: ${reason}.`,
        peer.kind === "none"
          ? `There is no client certificate either: connect with one, such as clients/demo, get a token from ${endpoint} with it, and send \`Authorization: Bearer TOKEN\`.`
          : `Get one from ${endpoint} over this connection's certificate and send \`Authorization: Bearer TOKEN\`.`,
      );
    },
  },
  "other-scheme": {
    explain: () =>
      "The Authorization header has another scheme than Bearer, which is judged like a bad token (`bearer.other-scheme`). Send `Authorization: Bearer TOKEN`.",
    partOf: () => "bearer.other-scheme",
  },
  "token-repeated": {
    explain: () =>
      "The Authorization header was sent more than once. Send it once: often an interceptor and the request itself both set it.",
  },
  "token-in-url": {
    explain: () =>
      "The access token was sent as a query parameter. Send it in the Authorization header only; URLs end up in logs.",
  },
  "token-unusable": {
    explain: ({ reason }: { reason: string }) =>
      `The access token is not one of this sandbox: ${lowerFirst(reason)} Get a new one; tokens of a sandbox with another certs folder, or of one that had its certificates in memory and was restarted, are not valid here.`,
  },
  "token-expired": {
    explain: ({ expiredAt, now, issuedTo }: { expiredAt: number; now: number; issuedTo: string }, { token }) =>
      `The access token was issued to ${issuedTo} and expired at ${instant(expiredAt)}; at the sandbox it is ${instant(now)}, ${span(now - expiredAt)} later. Tokens live ${span(token ? token.expiresAt - token.issuedAt : 0)}: get a new one shortly before that, or on a 401.`,
    dependsOnTime: () => true,
  },
  "token-of-another-certificate": {
    explain: explainBinding,
    partOf: ({ used }: BoundToken) => (used === undefined ? "certificate.handshake" : undefined),
  },
  "token-revoked": {
    explain: ({ issuedTo }: { issuedTo: string }) =>
      `The access token, which was issued to ${issuedTo}, was revoked by a scenario. Get a new token on a 401, and do not send the old one again.`,
  },
  "token-ended": {
    explain: ({ issuedTo, at, byScenario }: EndedToken) =>
      `The access token, which was issued to ${issuedTo}, was ended at ${instant(at)}, because the client got another one${byScenario ? ": a scenario issued it, as to another worker" : " (`token.earlier: ends`)"}. Get a new token on a 401, and let all workers share one.`,
    partOf: ({ byScenario }: EndedToken) => (byScenario ? undefined : "token.earlier"),
  },
  "token-of-removed-client": {
    explain: ({ issuedTo }: { issuedTo: string }, { client }) =>
      `The access token was issued to ${issuedTo}, but its certificate now belongs to ${client?.id}. Get a new token.`,
  },
  "scope-too-small": {
    explain: ({ granted, needed }: { granted: readonly string[]; needed: string }) =>
      `The access token has the scope ${quote(granted.join(" "))}; this needs ${quote(needed)}. Ask for scope=${needed}.`,
    partOf: () => "token.scopes",
  },
  "scope-not-allowed": {
    explain: ({ asked, allowed }: { asked: string; allowed: readonly string[] }, { client }) =>
      `The scope ${quote(asked)} is more than ${client?.id} may ask for, which is ${quote(allowed.join(" "))}. Ask for less, or create the client with more: \`scopes\` in POST /clients on the admin port, or in \`clients\` of sandbox.yaml.`,
  },
  "grant-not-allowed": {
    explain: ({ client }: { client: string }) =>
      `The client ${client} is registered without the grant client_credentials (\`grantTypes\` in sandbox.yaml).`,
  },
  "client-authentication": {
    explain: ({ method }: { method: string }) =>
      `The client sent ${method}. It is authenticated by its certificate alone: configure the OAuth library for tls_client_auth (or self_signed_tls_client_auth), or "none".`,
  },
} as const satisfies Record<string, CauseKind>;

type EndedToken = { readonly issuedTo: string; readonly at: number; readonly byScenario: boolean };

type BoundToken = {
  readonly issuedTo: string;
  /** The thumbprint of the certificate that the token is bound to. */
  readonly bound: string;
  /** That of the certificate of the connection; undefined if there is none. */
  readonly used: string | undefined;
};

/** For a token over a connection with another certificate than the one that it was issued for, or without one. */
function explainBinding(
  { issuedTo, bound, used }: BoundToken,
  { peer }: RefusedRequest,
  sandbox: KnownParties,
): string {
  const { clients } = sandbox;
  const registered = clients.get(issuedTo)?.certificates.get(bound);
  const boundName = sandbox.identity(bound)?.folder ?? registered?.subject ?? "one that is no longer registered";
  const issued = `The access token was issued to ${issuedTo} for its certificate ${boundName} (thumbprint ${bound})`;
  if (used === undefined || peer.kind === "none") {
    return `${issued}, but this connection has no client certificate. Give the HTTP client that certificate and its key for every request, not only for the one that gets the token.`;
  }
  const holder = clients.byThumbprint(used);
  return paragraph(
    `${issued}, but this connection uses ${nameOf(peer.certificate, sandbox)}, ${holder ? `registered for ${holder.id}` : "not registered for any client"}.`,
    registered?.subject === peer.certificate.subject
      ? "The two have the same subject, but a token is bound to the certificate itself: a renewed certificate needs a new token."
      : "",
    "Send a token only over the certificate that it was issued for: get a new one over this connection, and keep tokens by certificate.",
  );
}
