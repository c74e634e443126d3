import { describe, expect, it } from "vitest";
import { AdjustableClock, firstClockInstant, isoInstant, lastClockInstant } from "../../src/sandbox/clock.js";

const start = Date.UTC(2026, 5, 1);
const day = 86_400_000;

function clocks() {
  const machine = { time: start, now: () => machine.time };
  const sandbox = new AdjustableClock(machine);
  return { machine, sandbox, client: new AdjustableClock(sandbox) };
}

describe("an adjustable clock", () => {
  it("shows the time of its base clock until it is moved", () => {
    const { machine, sandbox } = clocks();
    expect(sandbox.now()).toBe(start);
    sandbox.offsetBy(1000);
    machine.time += 5;
    expect(sandbox.now()).toBe(start + 1005);
    sandbox.advance(-1000);
    expect(sandbox.setting).toEqual({ mode: "real" });
    expect(sandbox.now()).toBe(start + 5);
  });

  it("does not run when it is frozen, and advances in steps", () => {
    const { machine, sandbox } = clocks();
    sandbox.freezeAt(start);
    machine.time += day;
    expect(sandbox.now()).toBe(start);
    sandbox.advance(301_000);
    expect(sandbox.now()).toBe(start + 301_000);
    sandbox.reset();
    expect(sandbox.now()).toBe(start + day);
  });

  it("adds its offset to that of its base clock, also when that is frozen", () => {
    const { machine, sandbox, client } = clocks();
    client.offsetBy(day);
    sandbox.offsetBy(day);
    expect(client.now()).toBe(start + 2 * day);
    sandbox.freezeAt(start);
    machine.time += day;
    expect(client.now()).toBe(start + day);
  });

  it("does not move with its base clock while it is frozen", () => {
    const { sandbox, client } = clocks();
    client.freezeAt(start - day);
    sandbox.advance(10 * day);
    expect(client.now()).toBe(start - day);
  });

  it("never leaves the range of years that can be written", () => {
    for (const distance of [1e12 * day, -1e12 * day, 1e300, -1e300]) {
      const { sandbox, client } = clocks();
      client.advance(distance);
      sandbox.advance(distance);
      const expected = distance > 0 ? lastClockInstant : firstClockInstant;
      expect([sandbox.now(), client.now()]).toEqual([expected, expected]);
      client.freezeAt(distance);
      expect(client.now()).toBe(expected);
    }
    expect(isoInstant(lastClockInstant)).toBe("9999-12-31T23:59:59.000Z");
    expect(isoInstant(lastClockInstant + day)).toBe("+010000-01-01T23:59:59.000Z");
    expect(isoInstant(9e15)).toBeNull();
    expect(isoInstant(Number.NaN)).toBeNull();
  });
});
