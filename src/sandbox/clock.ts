import type { Stored } from "./store.js";

/** A source of time. Everything that depends on time reads one of these. Only this file reads the system's. */
export interface Clock {
  /** The present instant, in milliseconds since the epoch. */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * A monotonic reading in milliseconds, for durations only: it never jumps when the clock is set. It starts at 0 with
 * the process.
 */
export function monotonicNow(): number {
  return performance.now();
}

/** How an {@link AdjustableClock} relates to the clock behind it. */
export type ClockSetting =
  | { readonly mode: "real" }
  | { readonly mode: "offset"; readonly offset: number }
  | { readonly mode: "frozen"; readonly at: number };

/** What a clock was set to, and how often. */
export interface ClockMemory {
  readonly setting: ClockSetting;
  readonly changes: number;
}

/**
 * 1970-01-01T00:00:00Z: before it, the NumericDates of a token (RFC 7519 §2) would be negative, and libraries refuse
 * these.
 */
export const firstClockInstant = 0;

/** 9999-12-31T23:59:59Z: later years have more than the four digits of RFC 3339. */
export const lastClockInstant = 253_402_300_799_000;

/** The range of a JavaScript date, in milliseconds before and after the epoch. */
const lastDate = 8.64e15;

/**
 * An instant as RFC 3339 text in UTC, with milliseconds; null if it is outside the range of a date, as in some
 * malformed certificates.
 */
export function isoInstant(milliseconds: number): string | null {
  return Math.abs(milliseconds) <= lastDate ? new Date(milliseconds).toISOString() : null;
}

/**
 * A clock that can be moved: by an offset to the clock behind it, or frozen at an instant. It stays within the years
 * 1970 to 9999. Behind a client's clock is the sandbox's clock; behind that is the machine's.
 */
export class AdjustableClock implements Clock, Stored<ClockMemory> {
  readonly #behind: Clock;
  #setting: ClockSetting = { mode: "real" };
  #changes = 0;

  constructor(behind: Clock) {
    this.#behind = behind;
  }

  get setting(): ClockSetting {
    return this.#setting;
  }

  /** How often the clock was moved, stopped or reset. */
  get changes(): number {
    return this.#changes;
  }

  now(): number {
    const setting = this.#setting;
    if (setting.mode === "real") return this.#behind.now();
    if (setting.mode === "frozen") return setting.at;
    return clamp(this.#behind.now() + setting.offset);
  }

  /** The time of the clock behind it. */
  behind(): number {
    return this.#behind.now();
  }

  /** Lets the clock run with a constant offset, in milliseconds, to the clock behind it. */
  offsetBy(offset: number): void {
    this.#set(offset === 0 ? { mode: "real" } : { mode: "offset", offset });
  }

  /** Stops the clock at an instant, in milliseconds since the epoch. */
  freezeAt(instant: number): void {
    this.#set({ mode: "frozen", at: clamp(instant) });
  }

  /** Moves the clock by a number of milliseconds; a frozen one stays frozen, at the later instant. */
  advance(by: number): void {
    const setting = this.#setting;
    if (setting.mode === "frozen") this.freezeAt(setting.at + by);
    else this.offsetBy((setting.mode === "offset" ? setting.offset : 0) + by);
  }

  memory(): ClockMemory {
    return { setting: this.#setting, changes: this.#changes };
  }

  restore({ setting, changes }: ClockMemory): void {
    this.#setting = setting;
    this.#changes = changes;
  }

  /** Returns to the time of the clock behind it. */
  reset(): void {
    this.#set({ mode: "real" });
  }

  #set(setting: ClockSetting): void {
    this.#setting = setting;
    this.#changes += 1;
  }
}

/** The offsets of a client's clock and the sandbox's add up: their sum has the same limits. */
function clamp(instant: number): number {
  return Math.min(Math.max(instant, firstClockInstant), lastClockInstant);
}
