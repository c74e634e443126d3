import type { IncomingMessage } from "node:http";
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
 * @param incoming the request whose body is still on its way, if there is one
 */
export function lingerAndClose(socket: Socket, timeoutMs: number, incoming?: IncomingMessage): void {
  if (lingering.has(socket) || socket.destroyed) return;
  lingering.add(socket);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once("close", () => clearTimeout(timer));
  // The parser stops the socket while nobody reads the body; then only reading the body starts it again.
  incoming?.removeAllListeners("data").resume();
  socket.resume();
  socket.end();
}
