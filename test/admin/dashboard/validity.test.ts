import { describe, expect, it } from "vitest";
import { stateOf } from "../../../src/admin/dashboard/client/validity.js";

const day = 86_400_000;
const at = (days: number) => new Date(days * day).toISOString();

/** A certificate that is valid from day 0 on. */
const own = (days: number) => ({ subject: "CN=x", notBefore: at(0), notAfter: at(days) });

describe("the state of a certificate", () => {
  it.each([
    ["the first day of a year", own(365), 0, "good", "valid, 365 d left"],
    ["before the last third of 300 days", own(300), 199.9, "good", "valid, 100 d 2 h left"],
    ["in the last third of 300 days", own(300), 200, "warn", "ends in 100 d"],
    ["before its last 30 days", own(60), 29.9, "good", "valid, 30 d 2 h left"],
    ["in its last 30 days", own(60), 30, "warn", "ends in 30 d"],
    ["two hours, when it is new", own(2 / 24), 0, "warn", "ends in 2 h"],
    ["after its end", own(30), 31, "bad", "expired 1 d ago"],
    ["before its beginning", own(30), -1, "bad", "not valid for 1 d yet"],
  ])("%s", (_, certificate, now, tone, text) => {
    expect(stateOf(certificate, now * day)).toEqual({ tone, text });
  });

  it("of one that was renewed is about to end during the overlap, and then ended", () => {
    const renewed = { ...own(365), endsAt: at(2), ended: "renewed" as const };
    expect(stateOf(renewed, 1.5 * day)).toEqual({ tone: "warn", text: "renewed, 12 h left" });
    expect(stateOf(renewed, 2 * day).tone).toBe("bad");
  });
});
