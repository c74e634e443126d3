import type { Socket } from "node:net";

export interface LingerLimits {
  readonly drainTimeoutMs: number;
  readonly maxDrainedBytes: number;
}

const lingering = new WeakSet<Socket>();

/**
 * Closes a connection on which the client may still be sending: says that nothing more will come, then reads and throws away what
 * comes in, until the client closes too or a limit is reached.
 *
 * A socket that is closed with unread data makes the system send a RST, which takes the answer from under the client's hands
 * (RFC 9112 §9.6).
 */
export function lingerAndClose(socket: Socket, limits: LingerLimits): void {
  if (lingering.has(socket) || socket.destroyed) return;
  lingering.add(socket);

  let left = limits.maxDrainedBytes;
  const timer = setTimeout(() => socket.destroy(), limits.drainTimeoutMs);
  socket.once("close", () => clearTimeout(timer));
  // The HTTP parser must see none of it.
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  socket.resume();
  socket.end();
}
