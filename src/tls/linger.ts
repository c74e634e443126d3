import type { IncomingMessage } from "node:http";
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
 *
 * @param incoming the request whose body is still on its way; without one, all that comes is thrown away unread.
 */
export function lingerAndClose(socket: Socket, limits: LingerLimits, incoming?: IncomingMessage): void {
  if (lingering.has(socket) || socket.destroyed) return;
  lingering.add(socket);

  const timer = setTimeout(() => socket.destroy(), limits.drainTimeoutMs);
  socket.once("close", () => clearTimeout(timer));
  let left = limits.maxDrainedBytes;
  const drop = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  };

  if (incoming !== undefined) {
    // The parser may have stopped the socket because nobody read the body; only reading the body starts it again.
    incoming.removeAllListeners("data");
    incoming.on("data", drop);
    incoming.once("end", () => socket.destroySoon());
    incoming.resume();
  } else {
    // It may be stopped here, too, and the parser starts it only on this event. A listener for data then disconnects the parser.
    socket.pause();
    socket.once("resume", () => {
      socket.removeAllListeners("data");
      socket.on("data", drop);
    });
    socket.resume();
  }
  socket.end();
}
