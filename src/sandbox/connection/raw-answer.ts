import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../clock.js";
import { framingHeaders } from "./header-names.js";
import { lingerAndClose } from "./linger.js";
import type { DeliveryListener } from "./passage.js";
import type { WireAnswer } from "./wire.js";

/** The answer to the client. `Content-Length`, `Date` and `Connection` are added to the headers when it is written. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly delivery?: DeliveryListener;
}

/**
 * Writes an answer without an HTTP exchange of Node, and closes the connection (RFC 9112 §9.6).
 * @param isHead whether it is the answer to HEAD, which has no body (RFC 9110 §9.3.2)
 */
export function answerAndClose(
  socket: Socket,
  answer: ProtocolAnswer,
  clock: Clock,
  drainTimeoutMs: number,
  isHead = false,
): void {
  if (!socket.writable) {
    answer.delivery?.closed(false);
    socket.destroy();
    return;
  }
  const head = lastHeadOf({ ...answer, body: Buffer.from(answer.body) }, clock.now());
  socket.write(head + (isHead ? "" : answer.body), (error) => answer.delivery?.closed(!error));
  lingerAndClose(socket, drainTimeoutMs);
}

/** Headers that say how the answer is sent, and that its connection ends. */
const ofConnection: ReadonlySet<string> = new Set([...framingHeaders, "connection"]);

/**
 * Status line and headers of the last answer of a connection, with the empty line after them.
 * @param now for `Date`, in milliseconds since the epoch
 */
export function lastHeadOf({ status, headers, body, chunked }: WireAnswer, now: number): string {
  // RFC 9110 §8.6: an answer with 204 has no length, and that of a 304 would be the length of another answer.
  const length = status === 204 || status === 304 ? [] : [`Content-Length: ${body.length}`];
  return [
    `HTTP/1.1 ${status} ${reasonPhrase(status)}`,
    ...Object.entries(headers)
      .filter(([name]) => !ofConnection.has(name.toLowerCase()))
      .map(([name, value]) => `${name}: ${value}`),
    ...(chunked ? ["Transfer-Encoding: chunked"] : length),
    `Date: ${new Date(now).toUTCString()}`,
    "Connection: close",
    "",
    "",
  ].join("\r\n");
}

/** The reason phrase of a status line (RFC 9112 §4), as Node writes it. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? "unknown";
}

/**
 * A body in chunks (RFC 9112 §7.1).
 * @param parts none of them is empty
 */
export function inChunks(parts: readonly Uint8Array[]): Buffer {
  const chunks = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
  return Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]);
}
