import type {
  ExchangeObservation,
  HandshakeObservation,
  PageObservation,
  TokenRequestObservation,
} from "./observation.js";

/**
 * How a client says that it has finished its work, and that it went well: a test declares it (`finished`), or the
 * command of an exam has ended with 0. The second may have left a walk on purpose.
 */
export type Finish = "declared" | "ended-with-0" | undefined;

type Change = Partial<ExchangeObservation>;

/** One step of a conversation: an exchange in which only what matters is said, a handshake, or time that passes. */
export type Step =
  | { readonly exchange: Change }
  | { readonly handshake: Partial<HandshakeObservation> }
  | { readonly wait: number };

/** A short conversation of one client, which shows a check: its page and its test are made from it. */
export interface Conversation {
  /** What the client sends in a run without a fault, if the check counts calls. */
  readonly plain?: readonly Step[];
  readonly steps: readonly Step[];
  readonly finish?: Finish;
}

/** `Retry-After: 1`, as the judges get it. */
export const oneSecond = { wait: 1000, grace: 50 } as const;

/** A ping with the token `first`. */
export function ping(change: Change = {}): Step {
  return { exchange: { token: "first", tokenSent: "header", ...change } };
}

/** A ping that is refused with 401 and `invalid_token`. */
export function refusedPing(change: Change = {}): Step {
  return ping({ status: 401, invalidToken: true, ...change });
}

/** A token request that gets the token `first`, or another one. */
export function token(name = "first", change: Change = {}): Step {
  return {
    exchange: {
      method: "POST",
      target: "/oauth/v2/oauth-token",
      operation: "token",
      tokenRequest: issuing(name, "bearer"),
      ...change,
    },
  };
}

/** A correct token request, and the token that it gets. */
export function issuing(token: string, type: string): TokenRequestObservation {
  const issued = { token, type, lifetime: 300_000 };
  return { form: usualForm, otherMediaType: false, basic: false, inUrl: [], issued };
}

/** The form of a correct token request. */
export const usualForm: ReadonlyMap<string, readonly (string | null)[]> = new Map([
  ["grant_type", ["client_credentials"]],
  ["client_id", ["demo"]],
  ["scope", ["read"]],
]);

/** A token request that is answered with an error, or has another form. */
export function refusedToken(change: Change, form: ReadonlyMap<string, readonly (string | null)[]> = usualForm): Step {
  const tokenRequest = { ...issuing("none", "bearer"), form, issued: undefined };
  return token("none", { status: 400, tokenRequest, ...change });
}

/** A list request: without a cursor, the first page. */
export function page(given: Partial<PageObservation> = {}, change: Change = {}): Step {
  const cursor = given.cursor === undefined ? "" : `?cursor=${given.cursor}`;
  return {
    exchange: {
      token: "first",
      tokenSent: "header",
      target: `/v1/payments${cursor}`,
      operation: "list",
      page: { ...usualPage, ...given },
      ...change,
    },
  };
}

const usualPage: PageObservation = {
  cursor: undefined,
  understood: true,
  rows: 10,
  next: undefined,
  walk: "payments",
  place: undefined,
  isOld: false,
};

/** A list request that is refused because of its cursor. */
export function refusedPage(cursor: string, code = "INVALID_CURSOR", isInjected = true): Step {
  const refusal = isInjected ? undefined : { code, kind: "list" };
  return page({ cursor, understood: false, rows: undefined }, { status: 400, code, refusal });
}

/** Time that passes, in milliseconds. */
export function wait(duration: number): Step {
  return { wait: duration };
}

/** A connection that ended without a request. */
export function handshake(change: Partial<HandshakeObservation>): Step {
  return { handshake: change };
}

/** A step in words, for the page of a check. */
export function described(step: Step): string {
  if ("wait" in step) return `${step.wait} ms pass`;
  if ("handshake" in step) return describedHandshake(step.handshake);
  const { method = "GET", target = "/v1/ping", connection = 1, certificate } = step.exchange;
  const facts = [
    ...sentWith(step.exchange),
    connection === 1 ? undefined : "on another connection",
    certificate?.replaces === true ? "with the new certificate" : undefined,
  ].filter((fact) => fact !== undefined);
  return `\`${[method, target, ...facts].join(" ")}\`: ${answered(step.exchange)}`;
}

function describedHandshake({ cause, serverDefect, alert }: Partial<HandshakeObservation>): string {
  if (cause === "plain-http") return "plain HTTP to the port of HTTPS";
  const shown = serverDefect === undefined ? "" : `, whose server certificate was defective (${serverDefect})`;
  return `a connection without a request${shown}${alert === undefined ? "" : `: the client sent the alert ${alert}`}`;
}

function sentWith({ token, tokenSent, tokenRequest, correlationId, ...others }: Change): (string | undefined)[] {
  const names = [...(tokenRequest?.form?.keys() ?? [])].map((name) => `${name}=${tokenRequest?.form?.get(name) ?? ""}`);
  return [
    tokenRequest === undefined ? undefined : `(${names.join(", ")})`,
    token === undefined ? undefined : `with the token ${token}`,
    tokenSent === "url" ? "with the token in the URL" : undefined,
    correlationId === undefined ? undefined : `with the correlation ID ${correlationId}`,
    "thumbprint" in others && others.thumbprint === undefined ? "without a client certificate" : undefined,
    others.host === undefined ? undefined : `to ${others.host}`,
    others.serverDefect === undefined ? undefined : `although the server certificate is ${others.serverDefect}`,
    others.expected === undefined ? undefined : `which expects ${others.expected}`,
    others.protocol === undefined ? undefined : `over ${others.protocol}`,
  ];
}

function answered(change: Change): string {
  const { status = 200, code, refusal, invalidToken, retryAfter, ending, tokenRequest, page, http2Fault } = change;
  if (change.endedByClient === true) return "the client gave it up";
  if (http2Fault !== undefined) return http2Fault === "refused" ? "REFUSED_STREAM" : "GOAWAY left it out";
  if (ending !== undefined && ending !== "delivered") return "the connection broke";
  const issued = tokenRequest?.issued;
  const parts = [
    String(status),
    invalidToken === true ? "invalid_token" : code,
    refusal === undefined ? undefined : `refused by the sandbox itself (${refusal.code})`,
    retryAfter === undefined ? undefined : `Retry-After: ${retryAfter.wait / 1000}`,
    issued === undefined ? undefined : `the token ${issued.token}, ${issued.type}`,
    page?.rows === undefined ? undefined : page.rows === 0 ? "no rows" : "rows",
    page?.next === undefined ? undefined : `the cursor ${page.next}`,
    change.redirectsTo === undefined ? undefined : `Location: ${change.redirectsTo}`,
    certificateState(change),
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

function certificateState({ certificate }: Change): string | undefined {
  if (certificate?.hasEnded === true) return "the certificate has ended";
  return certificate?.chain === "missing" ? "the intermediate CA was not sent" : undefined;
}
