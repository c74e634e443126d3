import type { DeliveryListener, Passage } from "../connection/passage.js";

/** An answer on its way, over whichever version of HTTP: what those who give it need of it. */
export interface Outgoing extends Passage {
  readonly headersSent: boolean;
  /** Whether nothing can be sent any more. */
  readonly isGone: boolean;
  /** Whether a fault has taken the place of the answer, so that nothing else may be answered. */
  isWithheld: boolean;
  /** Told when the answer has left, or its connection or stream is gone. */
  deliveryListener: DeliveryListener | undefined;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  /** Sends the headers, where that waits for the body. */
  flushHeaders?(): void;
  /** @param sent called when the bytes were handed over, or cannot be any more */
  write(chunk: Buffer, sent?: () => void): boolean;
  end(chunk?: string | Buffer): unknown;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
  /** It is broken on purpose. Its listener is told at once: a client that keeps its side open may hold up the end. */
  breakOff(): void;
}
