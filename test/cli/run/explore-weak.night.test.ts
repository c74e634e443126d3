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

it("a client has the same matrix one cell after the other and many at once", async () => {
  const cells = "*/reset,*/hang,*/error-503,*/garbage,*/slow,*/unknown-code,*/reset-always";
  for (const weakness of ["none", "partial", "resigned"]) {
    const [one, many] = [await verdicts(weakness, cells, "--jobs", "1"), await verdicts(weakness, cells)];
    expect({ weakness, ...many.found }).toEqual({ weakness, ...one.found });
  }
});

it("a client without a weakness has no finding that must be fixed, with every fault of a page", async () => {
  const { code, must, found } = await verdicts("none", "*.middle/*,token.first/hang");
  expect({ code, must, found }).toMatchObject({ code: 0, must: [] });
  expect(Object.values(found)).not.toContain("not-reached");
});

it("a client with one weakness tries nothing again", async () => {
  const { code, found } = await verdicts("resigned", "*/reset,*.last/error-503,*.last/hang,ping/error-500-always");
  expect(code).toBe(0);
  expect(found).toEqual({
    ...all("gave-up", "token.first/reset", "ping/reset", "list.payouts.first/reset", "list.payouts.middle/reset"),
    ...all("gave-up", "list.payouts.last/reset", "list.payouts.last/error-503", "list.payouts.last/hang"),
    ...all("failed-clearly", "ping/error-500-always"),
  });
});

it("a client with one weakness is ended by a signal when it gets HTML", async () => {
  const { code, found } = await verdicts("fragile", "*/html-502,token.first/not-json,ping/error-500");
  expect(code).toBe(1);
  expect(found).toEqual({
    ...all("crashed", "token.first/html-502", "token.first/not-json", "ping/html-502"),
    ...all("crashed", "list.payouts.first/html-502", "list.payouts.middle/html-502", "list.payouts.last/html-502"),
    ...all("recovered", "ping/error-500"),
  });
});

it("a client with one weakness returns what it has, over HTTP/2", async () => {
  const { found } = await verdictsOverHttp2("partial", "list.*/stream-refused,ping/goaway");
  expect(found).toEqual({
    ...all("wrong", "list.payouts.middle/stream-refused", "list.payouts.last/stream-refused"),
    ...all("gave-up", "list.payouts.first/stream-refused", "ping/goaway"),
  });
});

it("takes a page of HTML for the answer of a ping", async () => {
  const { code, found } = await verdicts("credulous", "ping/not-json,list.payouts.middle/not-json");
  expect(code).toBe(0);
  expect(found).toEqual({
    ...all("wrong", "ping/not-json"),
    ...all("failed-clearly", "list.payouts.middle/not-json"),
  });
});

it("does not wait as long as Retry-After says", async () => {
  const { code, found } = await verdicts("hasty", "*/error-429,ping/error-500");
  expect(code).toBe(1);
  expect(found).toEqual({
    ...all("misbehaved", "ping/error-429", "list.payouts.first/error-429", "list.payouts.middle/error-429"),
    ...all("misbehaved", "list.payouts.last/error-429", "token.first/error-429"),
    ...all("recovered", "ping/error-500"),
  });
});

it("tries again at once, without end", async () => {
  const { code, found } = await verdicts("endless", "ping/reset-always,ping/slow", "--timeout", "1s");
  expect(code).toBe(1);
  expect(found).toEqual({
    ...all("misbehaved", "ping/reset-always"),
    ...all("recovered", "ping/slow"),
  });
});

it("never renews a refused token", async () => {
  const { code, found } = await verdicts("stubborn", "*/unauthorized,ping/reset");
  expect(code).toBe(0);
  expect(found).toEqual({
    ...all("gave-up", "ping/unauthorized", "list.payouts.first/unauthorized", "list.payouts.middle/unauthorized"),
    ...all("gave-up", "list.payouts.last/unauthorized"),
    ...all("recovered", "ping/reset"),
  });
});
