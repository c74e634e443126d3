import type { IncomingMessage } from "node:http";

/** What Node keeps of a body that is read as a stream. */
interface BodyState {
  _dumped: boolean;
  readonly _readableState: Record<"ended" | "endEmitted" | "destroyed" | "closed" | "closeEmitted", boolean>;
}

/**
 * Has the body of a GET or HEAD that has none end at once, without its events. Returns whether the request is one of these.
 *
 * Node reads every body to its end when the answer has left, an empty one in three turns of its queue: a twelfth of a ping. Since 24.12
 * it has the option `optimizeEmptyRequests` for it, which does the same for every method. This is for the Nodes before it, and leaves
 * forms alone, whose reader waits for the end. A client that goes away is told by the answer's `close`, no more by the request's `aborted`.
 */
export function endEmptyBody(incoming: IncomingMessage): boolean {
  const { method, headers } = incoming;
  if (method !== "GET" && method !== "HEAD") return false;
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return false;
  const body = incoming as unknown as BodyState;
  const state = body._readableState;
  body._dumped = true;
  state.ended = true;
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
  return true;
}
