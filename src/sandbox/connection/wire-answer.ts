import type { AnswerHeaders } from "./header-names.js";

/** A complete answer, as a fault sends it. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** What is sent after the head. */
  readonly body: Buffer;
  /** The length that the head announces, in bytes; undefined for none. */
  readonly length: number | undefined;
  /**
   * Whether the body is sent without its length: over HTTP/1.1 in chunks (RFC 9112 §7.1), over HTTP/2 without
   * `content-length`.
   */
  readonly chunked: boolean;
}

/**
 * Whether an answer can have a body: not with these statuses (RFC 9110 §15.3.5, §15.3.6 and §15.4.5), and not if it
 * answers HEAD (§9.3.2).
 */
export function hasBody(status: number, method?: string): boolean {
  return status !== 204 && status !== 205 && status !== 304 && method !== "HEAD";
}

/**
 * The answer to a request with this method. It is the one place that decides what of a body is sent, and how the head
 * announces it.
 */
export function wireAnswer(
  method: string | undefined,
  { status, headers, body, chunked = false }: Omit<WireAnswer, "length" | "chunked"> & { readonly chunked?: boolean },
): WireAnswer {
  const whole = hasBody(status) ? body : noBody;
  const isChunked = chunked && whole.length > 0;
  // RFC 9110 §8.6: an answer with 204 has no length, and that of a 304 would be the length of another answer. The
  // answer to HEAD announces the length of the one to GET.
  const length = isChunked || status === 204 || status === 304 ? undefined : whole.length;
  const isSent = hasBody(status, method);
  return { status, headers, body: isSent ? whole : noBody, length, chunked: isChunked && isSent };
}

const noBody = Buffer.alloc(0);

/** The chunks of a body that is sent without its length. */
export function halvesOf(body: Buffer): readonly Buffer[] {
  const half = Math.ceil(body.length / 2);
  return [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
}
