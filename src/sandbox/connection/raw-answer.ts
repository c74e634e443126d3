import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../clock.js";
import { lingerAndClose } from "./linger.js";
import type { DeliveryListener } from "./passage.js";

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
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}`,
    ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(answer.body)}`,
    `Date: ${new Date(clock.now()).toUTCString()}`,
    "Connection: close",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n${isHead ? "" : answer.body}`, (error) => answer.delivery?.closed(!error));
  lingerAndClose(socket, drainTimeoutMs);
}
