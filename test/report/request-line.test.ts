import { describe, expect, it } from "vitest";
import { fittingRequest } from "../../src/report/request-line.js";

const cursor = "x".repeat(100);

describe("a request as evidence", () => {
  it.each([
    ["0.31 s GET /v1/ping: 200", "0.31 s GET /v1/ping: 200"],
    [
      `0.31 s GET /v1/payouts?pageSize=7&cursor=${cursor}: 503 SERVICE_UNAVAILABLE, not delivered whole (the fault)`,
      "0.31 s GET /v1/payouts?…: 503 SERVICE_UNAVAILABLE, not delivered whole (the fault)",
    ],
    [
      `12.00 s GET /v1/payouts?pageSize=7&cursor=${cursor}: no answer`,
      "12.00 s GET /v1/payouts?pageSize=7&cursor=xxxxxxxxxxxxxxxxxxxxxx…: no answer",
    ],
  ])("%s is cut in its query only", (line, shown) => {
    expect(fittingRequest(line, 76).join(" ")).toBe(shown);
  });

  it.each([20, 30, 44, 76])(
    "keeps its status, and that it met the fault, in %d columns, whatever its length",
    (width) => {
      for (const target of [`/v1/payouts?cursor=${cursor}`, `/v1/${cursor}`, "/v1/ping", "*", cursor]) {
        const lines = fittingRequest(`0.31 s GET ${target}: 503 SERVICE_UNAVAILABLE (the fault)`, width);
        expect(lines.filter((line) => line.length > width)).toEqual([]);
        expect(lines.join(" ")).toMatch(/: 503 SERVICE_UNAVAILABLE \(the fault\)$/);
      }
    },
  );

  it("has what was wrong in it on the next lines, and a query that is as long as it can be", () => {
    expect(
      fittingRequest(
        `0.31 s GET /v1/payments?pageSize=101: 400 INVALID_PAGE_SIZE. ${"It is wrong. ".repeat(9)}`,
        76,
      )[0],
    ).toBe("0.31 s GET /v1/payments?pageSize=101: 400 INVALID_PAGE_SIZE. It is wrong. It");
  });

  it("is wrapped if it is any other text", () => {
    expect(fittingRequest("… and 7 more.", 20)).toEqual(["… and 7 more."]);
    expect(fittingRequest("a ".repeat(30), 20).every((line) => line.length <= 20)).toBe(true);
  });
});
