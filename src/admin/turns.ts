import { setImmediate } from "node:timers/promises";
import { monotonicNow } from "../sandbox/clock.js";
import { AdminError } from "./error.js";

/** How long a request may work before others are served, in milliseconds. */
const turnTime = 10;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop. Each caller gets a turn of its own, in the order of the calls: Node runs
 * all callbacks of `setImmediate` that wait before it reads from a connection, so without an order a hundred requests
 * would together keep the API waiting. The order is one for the process, as its event loop is.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/**
 * The items. When they have taken `turnTime`, the rest follows in a later turn: work over a full journal takes seconds.
 * @param signal aborted when the caller of the admin API has disconnected
 * @throws AdminError when it is
 */
export async function* inTurns<T>(items: Iterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  let end = monotonicNow() + turnTime;
  for (const item of items) {
    yield item;
    if (monotonicNow() < end) continue;
    await nextTurn();
    if (signal?.aborted) throw new AdminError("INVALID_REQUEST", "The caller has disconnected.");
    end = monotonicNow() + turnTime;
  }
}
