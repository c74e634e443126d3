import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../clock.js";
import { framingHeaders } from "./header-names.js";
import { wholeHeaders } from "./http1-headers.js";
import { lingerAndClose } from "./linger.js";
import type { DeliveryListener } from "./passage.js";
import { halvesOf, type WireAnswer, wireAnswer } from "./wire-answer.js";

/** The answer to the client. `Content-Length`, `Date` and `Connection` are added to the headers when it is written. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly delivery?: DeliveryListener;
}

/**
 * Writes an answer without an HTTP exchange of Node, and closes the connection (RFC 9112 §9.6).
 * @param method of the request, as far as it is known
 */
export function answerAndClose(
  socket: Socket,
  answer: ProtocolAnswer,
  clock: Clock,
  drainTimeoutMs: number,
  method?: string,
): void {
  if (!socket.writable) {
    answer.delivery?.closed(false);
    socket.destroy();
    return;
  }
  const whole = wireAnswer(method, { ...answer, body: Buffer.from(answer.body) });
  const { headers, head, body } = lastAnswerOf(whole, clock.now());
  answer.delivery?.headed?.(headers);
  socket.write(Buffer.concat([head, body]), (error) => answer.delivery?.closed(!error));
  lingerAndClose(socket, drainTimeoutMs);
}

/** Headers that say how the answer is sent, and that its connection ends. */
const ofConnection: ReadonlySet<string> = new Set([...framingHeaders, "connection"]);

/**
 * The bytes of the last answer of a connection, and its headers, names and values in turn.
 * @param now for `Date`, in milliseconds since the epoch
 * @param isOld whether the request is HTTP/1.0, which has no chunks (RFC 9112 §6.1): the body ends with the connection
 */
export function lastAnswerOf({ status, headers, body, length, chunked }: WireAnswer, now: number, isOld = false) {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name.toLowerCase())));
  const isInChunks = chunked && !isOld;
  const all = wholeHeaders(own, {
    length: chunked ? undefined : length,
    hasBody: chunked,
    knowsChunks: !isOld,
    isKept: false,
    now,
  });
  let head = `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n`;
  for (let at = 0; at < all.length; at += 2) head += `${all[at]}: ${all[at + 1]}\r\n`;
  const sent = isInChunks ? inChunks(halvesOf(body)) : body;
  return { headers: all, head: Buffer.from(`${head}\r\n`, "latin1"), body: sent };
}

/** The reason phrase of a status line (RFC 9112 §4), as Node writes it. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? "unknown";
}

/**
 * A body in chunks (RFC 9112 §7.1).
 * @param parts none of them is empty
 */
function inChunks(parts: readonly Uint8Array[]): Buffer {
  const chunks = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
  return Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]);
}
