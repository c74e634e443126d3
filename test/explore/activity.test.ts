import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ActivityLimit } from "../../src/cli/explore/activity.js";
import { Journal } from "../../src/sandbox/journal/journal.js";
import { delivered } from "./exchanges.js";

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A limit of one minute, and a way to let a request arrive. */
function limited(given: Partial<ConstructorParameters<typeof ActivityLimit>[1]> = {}) {
  const journal = new Journal();
  const limit = new ActivityLimit({ journal }, { timeout: minute, ...given });
  const silence = () => limit.longestSilence;
  const reason = () => (limit.signal.aborted ? limit.signal.reason : undefined);
  const request = (injected?: string) =>
    journal.requests.add(
      delivered({ rawHeaders: [], peer: { kind: "none" } as never, ...(injected && { injected }) }, 1).item,
    );
  return { journal, reason, request, silence };
}

describe("a command is ended", () => {
  it("when it is silent for the time-out", () => {
    const { reason, request } = limited();
    vi.advanceTimersByTime(minute - 5000);
    request();
    vi.advanceTimersByTime(minute - 5000);
    expect(reason()).toBeUndefined();
    vi.advanceTimersByTime(5000);
    expect(reason()).toBe("hung");
  });

  it("and its longest silence is known", () => {
    const { silence, request } = limited();
    vi.advanceTimersByTime(9000);
    request();
    vi.advanceTimersByTime(30_000);
    request();
    vi.advanceTimersByTime(3000);
    expect(silence()).toBe(30_000);
  });

  it("not while an answer is on its way", () => {
    const { reason, request, journal } = limited();
    const number = request();
    vi.advanceTimersByTime(minute - 5000);
    journal.over(number);
    vi.advanceTimersByTime(minute - 5000);
    expect(reason()).toBeUndefined();
  });

  it("not while the fault itself keeps it waiting", () => {
    const { reason } = limited({ timeout: 1000, waits: 2000 });
    vi.advanceTimersByTime(2900);
    expect(reason()).toBeUndefined();
    vi.advanceTimersByTime(100);
    expect(reason()).toBe("hung");
  });

  it("not because the machine was asleep", () => {
    const { reason } = limited();
    vi.setSystemTime(Date.now() + 60 * minute);
    vi.advanceTimersByTime(3000);
    expect(reason()).toBeUndefined();
  });

  it("when it is busy for ten time-outs", () => {
    const { reason, request } = limited();
    for (let half = 0; half < 19; half += 1) {
      vi.advanceTimersByTime(minute / 2);
      request();
    }
    expect(reason()).toBeUndefined();
    vi.advanceTimersByTime(minute / 2);
    expect(reason()).toBe("busy");
  });

  it("when it meets the fault too often", () => {
    const { reason, request } = limited({
      isEndless: (faults) => faults > 3,
      isFault: ({ injected }) => injected !== undefined,
    });
    for (let count = 0; count < 3; count += 1) request("explore:ping/reset#1");
    for (let count = 0; count < 9; count += 1) request();
    expect(reason()).toBeUndefined();
    request("explore:ping/reset#4");
    expect(reason()).toBe("endless");
  });
});
