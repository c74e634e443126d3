import type { Socket } from "node:net";
import { afterRead } from "./after-read.js";

const ending = new WeakSet<Socket>();
const lingering = new WeakSet<Socket>();
const discarding = new WeakSet<Socket>();

/**
 * Closes a connection on which the client may still be sending: sends a FIN, then reads and discards input until the
 * client closes, too, or the time is over. If a socket is closed with unread data, the system sends a RST, and the
 * client loses the answer (RFC 9112 §9.6).
 * @param timeoutMs how long the client may continue to send, in milliseconds
 */
export function lingerAndClose(socket: Socket, timeoutMs: number): void {
  if (lingering.has(socket) || socket.destroyed) return;
  lingering.add(socket);
  closeWithin(socket, timeoutMs);
  discardInput(socket);
  socket.end();
}

/** Destroys a connection that is still open after a time in milliseconds: that of the first call. */
export function closeWithin(socket: Socket, timeoutMs: number): void {
  // Each of many streams may ask for the end of their connection.
  if (ending.has(socket)) return;
  ending.add(socket);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once("close", () => clearTimeout(timer));
}

/**
 * Reads and discards all further input, without the HTTP parser: a client that continues to send requests takes no
 * memory.
 */
export function discardInput(socket: Socket): void {
  if (discarding.has(socket)) return;
  discarding.add(socket);
  afterRead(() => {
    if (socket.destroyed) return;
    socket.resume();
    // After the event on which Node's HTTP server starts to read again after backpressure.
    process.nextTick(() => {
      socket.removeAllListeners("data");
      // Node's HTTP server stops reading a socket on which another listener reads.
      socket.on("data", () => {});
    });
  });
}
