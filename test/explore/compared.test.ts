import { expect, it } from "vitest";
import { comparedText } from "../../src/explore/compared.js";
import { cellOf } from "./sample.js";

it("says what is new, gone and the same, and of what nothing is known", () => {
  const cells = [
    cellOf("ping", "reset", { verdict: "gave-up", counts: "should" }),
    cellOf("ping", "close", { verdict: "hung", counts: "must", known: "ticket 7" }),
    cellOf("ping", "hang"),
    cellOf("ping", "stall", { verdict: "not-judged", counts: "said" }),
  ];
  const former = new Set(["ping/close", "ping/hang", "ping/stall", "token.first/hang"]);
  expect(comparedText("the baseline", former, cells)).toBe(
    "Compared with the baseline: 1 new (ping/reset), 1 gone (ping/hang), 1 the same (ping/close). Nothing is known of 2 others (ping/stall, token.first/hang).",
  );
  expect(comparedText("the baseline", new Set(["ping/close"]), cells.slice(1, 2))).toBe(
    "Compared with the baseline: 0 new, 0 gone, 1 the same (ping/close).",
  );
});
