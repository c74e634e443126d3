import { STATUS_CODES } from "node:http";
import { isoInstant } from "../clock.js";
import type { Exchange } from "./exchange.js";
import type { ExplanationContext } from "./explanation-context.js";
import { redactForm, redactHeaders, redactTarget, redactText } from "./redact.js";
import type { JournalEntry } from "./ring-buffer.js";
import { redactedBody, summaryOf } from "./view.js";

/** Unknown values are -1 (HAR 1.2). */
const unknown = -1;

interface NameAndValue {
  readonly name: string;
  readonly value: string;
}

/**
 * An exchange as an entry of an HTTP Archive (HAR 1.2), without secrets. Members that begin with `_` are specific to
 * this sandbox.
 * @param origin of the API, such as `https://localhost:8443`
 */
export function harEntryOf(entry: JournalEntry<Exchange>, context: ExplanationContext, origin: string) {
  const { item: exchange } = entry;
  const { duration, connection, method, status, answerLength } = exchange;
  const { id, client, operation, list, code, fault, correlationId, delivered, tokenId, walk, stream, explanation } =
    summaryOf(entry, context);
  const url = urlOf(exchange, origin);
  const answerHeaders = named(redactHeaders(Object.entries(exchange.answerHeaders ?? {}).flat()));
  const body = redactedBody(exchange);
  return {
    startedDateTime: isoInstant(exchange.receivedAt),
    time: duration,
    request: {
      method,
      url,
      httpVersion: exchange.connection?.httpVersion ?? "HTTP/1.1",
      cookies: [],
      headers: named(redactHeaders(exchange.rawHeaders)),
      queryString: decodedQuery(url),
      ...postDataOf(exchange),
      headersSize: unknown,
      bodySize: unknown,
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? "",
      httpVersion: exchange.connection?.httpVersion ?? "HTTP/1.1",
      cookies: [],
      headers: answerHeaders,
      content: {
        size: answerLength,
        mimeType: headerOf(answerHeaders, "content-type") ?? "",
        ...(body === null ? { comment: "The body was too long to be kept." } : { text: body }),
      },
      redirectURL: headerOf(answerHeaders, "location") ?? "",
      headersSize: unknown,
      bodySize: unknown,
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    ...(connection ? { connection: String(connection.id) } : {}),
    comment: explanation,
    _sandbox: { id, client, operation, list, code, fault, correlationId, delivered, tokenId, walk, stream },
  };
}

/** Characters that a path and a query cannot have (RFC 3986 §3.3), although URLs of browsers can. */
const unfit = /%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gi;

/** If no request could be read, the target is not a path. */
function urlOf({ target }: Exchange, origin: string): string {
  const redacted = redactTarget(target);
  const whole = redacted.startsWith("/") ? `${origin}${redacted}` : redacted;
  const url = new URL(/^https?:/i.test(whole) && URL.canParse(whole) ? whole : origin);
  return url.origin + (url.pathname + url.search).replaceAll(unfit, encodeURIComponent);
}

/** Redacted a second time: a token that was encoded twice can be recognised only now. */
function decodedQuery(url: string): NameAndValue[] {
  return named([...new URL(url).searchParams].map((pair) => pair.map(redactText) as [string, string]));
}

function postDataOf({ form, rawHeaders }: Exchange) {
  if (form === undefined) return {};
  const params = redactForm(form).flatMap(({ name, values }) => values.map((value) => ({ name, value: value ?? "" })));
  const text = new URLSearchParams(params.map(({ name, value }): [string, string] => [name, value])).toString();
  const mimeType = headerOf(named(redactHeaders(rawHeaders)), "content-type") ?? "";
  return { postData: { mimeType, params, text } };
}

function named(pairs: readonly (readonly [string, string])[]): NameAndValue[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function headerOf(headers: readonly NameAndValue[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}
