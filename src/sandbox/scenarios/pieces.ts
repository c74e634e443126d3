import { monotonicNow } from "../clock.js";
import type { Wire } from "../connection/wire.js";

/** Timers are not more exact than this, in milliseconds. */
const shortestPause = 10;

/**
 * Bytes in equal pieces, each after a pause. It ends early if the client is gone.
 * @param duration how long all of them take, in milliseconds
 */
export async function* inPieces(bytes: Uint8Array, duration: number, wire: Wire): AsyncGenerator<Uint8Array> {
  const pieces = Math.max(1, Math.min(bytes.length, Math.ceil(duration / shortestPause)));
  const startOf = (piece: number) => Math.floor((bytes.length * piece) / pieces);
  const startedAt = monotonicNow();
  for (let piece = 0; piece < pieces; piece++) {
    // Measured from the start, so that late timers do not add up.
    if (await wire.clientGone(startedAt + (duration * (piece + 1)) / pieces - monotonicNow())) return;
    yield bytes.subarray(startOf(piece), startOf(piece + 1));
  }
}
