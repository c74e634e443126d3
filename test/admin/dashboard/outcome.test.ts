import { describe, expect, it } from "vitest";
import { exchangeOutcome } from "../../../src/admin/dashboard/client/requests/request-row.js";
import { exchangeItem } from "./items.js";

describe("the outcome", () => {
  it.each([
    ["success", exchangeItem(1)],
    ["refused", exchangeItem(1, { status: 401, code: "UNAUTHORIZED" })],
    ["refused", exchangeItem(1, { status: 0 })],
    ["injected", exchangeItem(1, { status: 503, fault: "a/b#1;seed=c" })],
    ["injected", exchangeItem(1, { status: 200, fault: "a/b#1;seed=c" })],
  ])("is %s", (outcome, item) => {
    expect(exchangeOutcome(item)).toBe(outcome);
  });
});
