import type { ClientRequest, IncomingMessage } from "node:http";
import { readBody } from "../sandbox/connection/bounded-body.js";

/** A server that does not end its answer, or changes the protocol. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";

  constructor(
    readonly kind: "too-late" | "upgraded",
    message: string,
  ) {
    super(message);
  }
}

interface Limits {
  /**
   * For the whole exchange: a server that sends single bytes would restart an idle timer again and again. In
   * milliseconds; no limit when undefined.
   */
  readonly timeoutMs: number | undefined;
  /** Longest answer, in bytes. */
  readonly longest: number;
}

interface Received {
  readonly head: IncomingMessage;
  /** Undefined if it is too long. */
  readonly body: Buffer | undefined;
}

/**
 * Sends the content of a request, and reads the whole answer. The promise always settles.
 * @throws ExchangeError, and what Node's client throws
 */
export function exchange(
  outgoing: ClientRequest,
  content: string | Uint8Array | undefined,
  { timeoutMs, longest }: Limits,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    if (timeoutMs !== undefined) {
      const timer = setTimeout(() => {
        reject(new ExchangeError("too-late", `no whole answer within ${timeoutMs / 1000} s`));
        outgoing.destroy();
      }, timeoutMs);
      outgoing.on("close", () => clearTimeout(timer));
    }
    let received: IncomingMessage | undefined;
    // Bytes that follow a whole answer do not spoil it.
    outgoing.on("error", (error) => {
      if (received?.complete !== true) reject(error);
    });
    outgoing.on("upgrade", (_incoming, socket) => {
      reject(new ExchangeError("upgraded", "the server answered 101 Switching Protocols"));
      socket.destroy();
    });
    outgoing.on("response", (head) => {
      received = head;
      readBody(head, longest).then((body) => resolve({ head, body }), reject);
    });
    outgoing.end(content);
  });
}
