import { createHmac } from "node:crypto";
import { redacted } from "../base/text/user-information.js";
import type { ExchangeObservation } from "../exam/observation.js";
import { type ObservationContext, observeExchange } from "../exam/observe/exchange.js";
import type { AnswerHeaders } from "../sandbox/connection/header-names.js";
import { claimsOfExchange } from "../sandbox/journal/claimed-clients.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { exchangeText } from "../sandbox/journal/exchange-text.js";
import { redactForm, redactHeaders, redactTarget, redactText } from "../sandbox/journal/redact.js";
import { isSecretName } from "../sandbox/journal/secret-names.js";

/** The text of an object as one line. Nothing in it is a secret: each text is redacted as the journal redacts what it shows. */
export function lineOf(value: object): string {
  return `${JSON.stringify(value, redactedText)}\n`;
}

function redactedText(_: string, value: unknown): unknown {
  return typeof value === "string" ? redactText(value) : value;
}

/** What is named by one of these members has its value beside the name. */
const namingMembers = ["name", "filter", "parameter"] as const;

const isSecret = (name: unknown) => typeof name === "string" && isSecretName(name, "parameter");

/** Facts without the values of secret names: of a pair, of a member, or beside a name. */
function withoutNamedSecrets<Facts>(facts: Facts): Facts {
  if (Array.isArray(facts)) {
    const [name, value] = facts;
    const isSecretPair = facts.length === 2 && isSecret(name) && typeof value === "string";
    return (isSecretPair ? [name, redacted] : facts.map(withoutNamedSecrets)) as Facts;
  }
  if (typeof facts !== "object" || facts === null) return facts;
  const all = Object.entries(facts);
  const naming = all.find(([name, value]) => namingMembers.some((each) => each === name) && isSecret(value))?.[0];
  const kept = all.map(([name, value]) => {
    const isHidden = typeof value === "string" && name !== naming && (naming !== undefined || isSecret(name));
    return [name, isHidden && name !== "code" ? redacted : withoutNamedSecrets(value)];
  });
  return Object.fromEntries(kept) as Facts;
}

/**
 * The facts of an exchange, without the secrets that only their places reveal. The claims of a token are kept, because
 * the token is not.
 */
export function keptExchange(exchange: Exchange) {
  const { target, rawHeaders, sentHeaders, answerHeaders, form } = exchange;
  const { refusal, listQuery, ...text } = exchangeText(exchange);
  return {
    ...text,
    refusal: refusal && { ...refusal, reason: withoutNamedSecrets(refusal.reason) },
    listQuery: listQuery && withoutNamedSecrets(listQuery),
    target: redactTarget(target),
    rawHeaders: redactHeaders(rawHeaders).flat(),
    sentHeaders: sentHeaders && redactHeaders(sentHeaders).flat(),
    answerHeaders: answerHeaders && redactAnswerHeaders(answerHeaders),
    form: form && redactForm(form).map(({ name, values }) => [name, values] as const),
    claims: claimsOfExchange(exchange),
  };
}

function redactAnswerHeaders(headers: AnswerHeaders): AnswerHeaders {
  const valuesOf = (name: string, values: readonly string[]) =>
    redactHeaders(values.flatMap((value) => [name, value])).map(([, value]) => value);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? valuesOf(name, [value]).join() : valuesOf(name, value),
    ]),
  );
}

/**
 * What the judges get of an exchange; undefined if it says nothing about its client.
 * @param key of this run. A hash of a short secret could be guessed. With a key that is not kept, equal texts are still
 *   recognised
 */
export function keptObservation(exchange: Exchange, id: number, context: ObservationContext, key: Buffer) {
  const observed = exchange.passage && observeExchange(exchange, id, exchange.passage, context);
  if (observed === undefined) return undefined;
  const blind = (text: string | undefined) =>
    text === undefined ? undefined : createHmac("sha256", key).update(text).digest("base64url");
  const { tokenRequest, page } = observed;
  return {
    ...observed,
    target: redactTarget(observed.target),
    body: blind(observed.body),
    token: blind(observed.token),
    correlationId: blind(observed.correlationId),
    tokenRequest: tokenRequest && {
      ...tokenRequest,
      form: tokenRequest.form && redactForm(tokenRequest.form).map(({ name, values }) => [name, values] as const),
      issued: tokenRequest.issued && { ...tokenRequest.issued, token: blind(tokenRequest.issued.token) },
    },
    page: page && { ...page, cursor: blind(page.cursor), next: blind(page.next), walk: blind(page.walk) },
  };
}

export type KeptObservation = NonNullable<ReturnType<typeof keptObservation>>;

/** The same as the judges get it. */
export function observationIn({ tokenRequest, ...observed }: KeptObservation): ExchangeObservation {
  return {
    ...observed,
    tokenRequest: tokenRequest && { ...tokenRequest, form: tokenRequest.form && new Map(tokenRequest.form) },
  } as ExchangeObservation;
}
