import { reasonPhrase } from "../connection/raw-answer.js";
import type { Exchange } from "./exchange.js";
import type { ExplanationContext } from "./explanation-context.js";
import { type redactForm, redactText } from "./redact.js";
import type { JournalEntry } from "./ring-buffer.js";
import { detailOf } from "./view.js";

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
  const detail = detailOf(entry, context);
  const { id, client, operation, list, code, fault, correlationId, delivered, tokenId, walk, stream } = detail;
  const { duration, connectionId, status, request, answer } = detail;
  const url = urlOf(detail.target, origin);
  const httpVersion = detail.httpVersion ?? "HTTP/1.1";
  const headers = named(request.headers);
  const answerHeaders = named(answer.headers);
  const isPacked = headerOf(answerHeaders, "content-encoding") !== undefined;
  return {
    startedDateTime: detail.receivedAt,
    time: duration,
    request: {
      method: detail.method,
      url,
      httpVersion,
      cookies: [],
      headers,
      queryString: decodedQuery(url),
      ...(request.form && { postData: postDataOf(request.form, headers) }),
      headersSize: unknown,
      bodySize: unknown,
    },
    response: {
      status,
      statusText: statusTextOf(status, httpVersion),
      httpVersion,
      cookies: [],
      headers: answerHeaders,
      content: {
        // Before it was compressed: the text has no secrets any more, so it is not measured.
        size: (isPacked ? undefined : answer.sent) ?? unknown,
        mimeType: headerOf(answerHeaders, "content-type") ?? "",
        ...contentOf(answer, delivered),
      },
      redirectURL: headerOf(answerHeaders, "location") ?? "",
      headersSize: unknown,
      bodySize: answer.sent ?? unknown,
    },
    cache: {},
    timings: timingsOf(duration, entry.item),
    ...(connectionId !== null && { connection: String(connectionId) }),
    comment: detail.explanation,
    _sandbox: {
      id,
      client,
      operation,
      list,
      code,
      fault,
      correlationId,
      delivered,
      tokenId,
      walk,
      stream,
      reset: answer.reset,
      connectionEnd: detail.connection?.end ?? null,
      goaway: detail.connection?.goaway ?? null,
    },
  };
}

/** HTTP/2 has no reason phrase (RFC 9113 §8.3.2). Without an answer there is no status. */
function statusTextOf(status: number, httpVersion: string): string {
  return status === 0 || httpVersion === "HTTP/2" ? "" : reasonPhrase(status);
}

/** An answer is received at once, unless a fault sends it in parts. */
function timingsOf(duration: number, { sending = 0 }: Exchange) {
  const receive = Math.min(sending, duration);
  return { send: 0, wait: duration - receive, receive };
}

/** The text of the body, if all of it was sent: a part of it could hold a part of a secret. */
function contentOf({ body, length, sent }: ReturnType<typeof detailOf>["answer"], delivered: boolean | null) {
  if (delivered === null) return { comment: "It is not known yet how much of the body was sent." };
  if (delivered === false && sent === null) return { comment: `It is not known how much of ${length} bytes was sent.` };
  if (delivered === false && sent === 0) return { comment: "No body was sent." };
  if (delivered === false) return { comment: `${sent} of ${length} bytes of the body were sent, and not the end.` };
  if (sent !== null && sent < length) return { comment: `${sent} of ${length} bytes of the body were sent.` };
  return body === null ? { comment: "The body was too long to be kept." } : { text: body };
}

/** Characters that a path and a query cannot have (RFC 3986 §3.3), although URLs of browsers can. */
const unfit = /%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gi;

/** If no request could be read, the target is not a path. */
function urlOf(target: string, origin: string): string {
  const whole = target.startsWith("/") ? `${origin}${target}` : target;
  const url = new URL(/^https?:/i.test(whole) && URL.canParse(whole) ? whole : origin);
  return url.origin + (url.pathname + url.search).replaceAll(unfit, encodeURIComponent);
}

/** Redacted a second time: a token that was encoded twice can be recognised only now. */
function decodedQuery(url: string): NameAndValue[] {
  return named([...new URL(url).searchParams].map((pair) => pair.map((part) => redactText(part)) as [string, string]));
}

function postDataOf(form: ReturnType<typeof redactForm>, headers: readonly NameAndValue[]) {
  const params = form.flatMap(({ name, values }) => values.map((value) => ({ name, value: value ?? "" })));
  const text = new URLSearchParams(params.map(({ name, value }): [string, string] => [name, value])).toString();
  return { mimeType: headerOf(headers, "content-type") ?? "", params, text };
}

function named(pairs: readonly (readonly [string, string])[]): NameAndValue[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function headerOf(headers: readonly NameAndValue[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}
