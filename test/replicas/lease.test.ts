import { describe, expect, it } from "vitest";
import { isBefore, Lease, leaseDuration } from "../../src/replicas/lease.js";

describe("a lease", () => {
  it("starts when it was requested, and ends by the clock of this process", () => {
    let now = 1000;
    const lease = new Lease(() => now);
    expect(lease.isGood).toBe(false);
    now = 1500;
    lease.renewed(1000, "5-0", "5-0");
    expect(lease.isGood).toBe(true);
    now = 1000 + leaseDuration - 1;
    expect(lease.isGood).toBe(true);
    now += 1;
    expect(lease.isGood).toBe(false);
  });

  it("is valid again after its end once everything is applied for which others did not wait", () => {
    let now = 0;
    const lease = new Lease(() => now);
    lease.renewed(0, "9-2", "9-1");
    expect(lease.isGood).toBe(false);
    lease.applied("9-2");
    expect(lease.isGood).toBe(true);
    now = 100;
    lease.renewed(100, "12-0", "9-2");
    expect(lease.isGood).toBe(true);
    lease.end();
    expect(lease.isGood).toBe(false);
    lease.applied("12-0");
    expect(lease.isGood).toBe(false);
  });

  it("a renewal that was answered too late has no effect", () => {
    let now = 0;
    const lease = new Lease(() => now);
    now = leaseDuration + 500;
    lease.renewed(0, "1-0", "1-0");
    expect(lease.isGood).toBe(false);
  });

  it.each([
    ["1-2", "1-10", true],
    ["2-0", "10-0", true],
    ["10-0", "10-0", false],
    ["10-1", "9-5", false],
  ])("%s before %s: %s", (one, other, expected) => {
    expect(isBefore(one, other)).toBe(expected);
  });
});
