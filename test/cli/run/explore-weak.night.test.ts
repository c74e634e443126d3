import { expect, it } from "vitest";
import { all, verdicts, verdictsOverHttp2 } from "./explored.js";

// More of explore-weak.test.ts.

it.each([
  [
    "waiting",
    "*.first/hang,*.last/stall",
    all("hung", "token.first/hang", "list.payouts.first/hang", "list.payouts.last/stall"),
  ],
  [
    "fragile",
    "ping/html-502,ping/truncate",
    { ...all("crashed", "ping/html-502"), ...all("recovered", "ping/truncate") },
  ],
])("a client with one weakness, over HTTP/2: %s", async (weakness, cells, expected) => {
  const { found } = await verdictsOverHttp2(weakness, cells, "--timeout", "5s");
  expect(found).toEqual(expected);
});

it("a client without a weakness has no finding that must be fixed, with every fault of a page", async () => {
  const { code, must, found } = await verdicts("none", "*.middle/*,token.first/hang");
  expect({ code, must, found }).toMatchObject({ code: 0, must: [] });
  expect(Object.values(found)).not.toContain("not-reached");
});
