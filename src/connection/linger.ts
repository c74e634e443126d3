import type { Socket } from "node:net";

const lingering = new WeakSet<Socket>();
const discarding = new WeakSet<Socket>();

/**
 * Closes a connection on which the client may still be sending: sends a FIN, then reads and discards input until the client closes too
 * or the time is up. A socket that is closed with unread data makes the system send a RST, and the client loses the answer (RFC 9112
 * §9.6).
 * @param timeoutMs how long the client may go on sending, in milliseconds
 */
export function lingerAndClose(socket: Socket, timeoutMs: number): void {
  if (lingering.has(socket) || socket.destroyed) return;
  lingering.add(socket);
  closeWithin(socket, timeoutMs);
  discardInput(socket);
  socket.end();
}

/** Destroys a connection that is still open after a time in milliseconds. */
export function closeWithin(socket: Socket, timeoutMs: number): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once("close", () => clearTimeout(timer));
}

/** Reads and discards what comes in from now on, past the HTTP parser: a client that goes on sending requests costs no memory. */
export function discardInput(socket: Socket): void {
  if (discarding.has(socket)) return;
  discarding.add(socket);
  // Not during a read, when the parser may be at work.
  setImmediate(() => {
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
