import { monotonicNow } from "../clock.js";
import type { Wire } from "../connection/wire.js";

/** Timers are not more exact than this, in milliseconds. */
const shortestPause = 10;

/** However late the timers are, no larger part comes at once. */
const largestPart = 1 / 16;

/**
 * Bytes in equal pieces, each after a pause. On a busy machine pauses are longer, and pieces too. It ends early if the
 * client is gone.
 * @param duration how long all of them take, in milliseconds
 */
export async function* inPieces(bytes: Uint8Array, duration: number, wire: Wire): AsyncGenerator<Uint8Array> {
  const pieces = Math.max(1, Math.min(bytes.length, Math.ceil(duration / shortestPause)));
  const startOf = (piece: number) => Math.floor((bytes.length * piece) / pieces);
  const most = Math.max(1, Math.floor(pieces * largestPart));
  const startedAt = monotonicNow();
  for (let sent = 0; sent < pieces; ) {
    // Measured from the start, so that late timers do not add up.
    if (await wire.clientGone(startedAt + (duration * (sent + 1)) / pieces - monotonicNow())) return;
    const due = Math.floor(((monotonicNow() - startedAt) / Math.max(duration, 1)) * pieces);
    const next = Math.min(pieces, sent + most, Math.max(sent + 1, due));
    yield bytes.subarray(startOf(sent), startOf(next));
    sent = next;
  }
}
