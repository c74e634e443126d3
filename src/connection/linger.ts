import type { Socket } from "node:net";

const lingering = new WeakSet<Socket>();

/**
 * Closes a connection on which the client may still be sending: says that nothing more will come, then reads and throws away what
 * comes in, until the client closes too or the time is up.
 *
 * A socket that is closed with unread data makes the system send a RST, which takes the answer from under the client's hands
 * (RFC 9112 §9.6).
 *
 * @param timeoutMs how long the client may go on sending, in milliseconds
 */
export function lingerAndClose(socket: Socket, timeoutMs: number): void {
  if (lingering.has(socket) || socket.destroyed) return;
  lingering.add(socket);
  closeWithin(socket, timeoutMs);
  discardInput(socket);
  socket.end();
}

/** Sees to it that a connection is closed when the time is up, in milliseconds. */
export function closeWithin(socket: Socket, timeoutMs: number): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once("close", () => clearTimeout(timer));
}

/**
 * Reads and throws away what comes in from now on. A parser that was fed by the socket gets no more of it, so that a client that goes
 * on sending requests costs no memory.
 */
export function discardInput(socket: Socket): void {
  // Not inside of a read: the parser may be at work on what was read.
  setImmediate(() => {
    if (socket.destroyed) return;
    socket.resume();
    // After its event, on which Node's HTTP server starts to read again where a body had been too much for its reader.
    process.nextTick(() => {
      socket.removeAllListeners("data");
      // Node's HTTP server lets go of a socket that has a listener of another for data.
      socket.on("data", () => {});
    });
  });
}
