import type { DeliveryListener, Passage } from "../connection/passage.js";

/**
 * What becomes of an answer. `open`: the application gives it. `withheld`: a fault gives it, or it waits to be sent, and
 * nothing else may be answered. `replaced`: the server has given another one. `broken`: it is broken on purpose.
 */
export type AnswerState = "open" | "withheld" | "replaced" | "broken";

/** An answer on its way, over any version of HTTP: the part of it that its senders use. */
export interface Outgoing extends Passage {
  readonly headersSent: boolean;
  /** When a fault has written the head, or the first of its bytes, on the monotonic clock. */
  begunAt: number | undefined;
  /** Bytes of the body that a fault has sent, and that were passed to the network. */
  partsSent: number | undefined;
  state: AnswerState;
  /** Whether nothing can be sent any more. */
  readonly isGone: boolean;
  /** Notified when the answer has left, or its connection or stream is gone. */
  deliveryListener: DeliveryListener | undefined;
  writeHead(status: number, headers: Record<string, string | number | string[]>): unknown;
  /** Sends the headers, if they would otherwise wait for the body. */
  flushHeaders(): void;
  /** @param sent called when the bytes were passed to the network, or can no longer be */
  write(chunk: Buffer, sent?: (error?: Error | null) => void): boolean;
  end(chunk?: string | Buffer): unknown;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
}
