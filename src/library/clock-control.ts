import type { Duration } from "../duration.js";
import type { AdminClient } from "./admin-client.js";
import type { ClockState } from "./answers.js";

/**
 * The clock of one client, or of the whole sandbox. Tokens, the validity of certificates, cursors, rate limits and `createdAt` follow it.
 * A client's clock stands in front of the sandbox's.
 */
export interface ClockControl {
  /** The clock as it is now. */
  read(): Promise<ClockState>;
  /**
   * Moves the clock; a frozen one stays frozen, later. With a minus it goes back.
   *
   * @example
   * ```ts
   * await client.clock.advance("301s"); // its token of five minutes has expired
   * ```
   */
  advance(by: Duration): Promise<ClockState>;
  /** Lets the clock run this much ahead of the one behind it (or, with a minus, behind). */
  offset(by: Duration): Promise<ClockState>;
  /** Lets the clock run from an instant on. */
  set(to: Date | string): Promise<ClockState>;
  /** Stops the clock: at an instant, or where it stands. */
  freeze(at?: Date | string): Promise<ClockState>;
  /** Returns to real time. */
  reset(): Promise<ClockState>;
}

/** The clock at a path of the admin API. */
export function clockAt(path: string, admin: AdminClient): ClockControl {
  const put = (json: object): Promise<ClockState> => admin.json("PUT", path, { json });
  const read = (): Promise<ClockState> => admin.json("GET", path);
  return {
    read,
    advance: (by) => admin.json("POST", `${path}/advance`, { json: { by } }),
    offset: (by) => put({ offset: by }),
    set: (to) => put({ now: instant(to) }),
    freeze: async (at) => put({ frozenAt: at === undefined ? (await read()).now : instant(at) }),
    reset: () => admin.json("DELETE", path),
  };
}

/** An instant as the admin API reads it. A Date that is none stays one that the admin API refuses by name. */
export function instant(at: Date | string): string {
  if (typeof at === "string") return at;
  return Number.isNaN(at.getTime()) ? "Invalid Date" : at.toISOString();
}
