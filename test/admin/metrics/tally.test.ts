import { expect, it } from "vitest";
import { Histogram, Tally } from "../../../src/admin/metrics/tally.js";

it("counts by label set", () => {
  const tally = new Tally();
  for (const status of ["200", "404", "200"]) tally.add("ping", status);
  expect(tally.samples).toEqual([
    { labels: ["ping", "200"], value: 2 },
    { labels: ["ping", "404"], value: 1 },
  ]);
});

it("distinguishes label sets that are equal when they are joined", () => {
  const tally = new Tally();
  for (const labels of [
    ["a,b", "c"],
    ["a", "b,c"],
    ["a\nb", "c"],
    ["a", "b\nc"],
  ])
    tally.add(...labels);
  expect(tally.samples.map(({ value }) => value)).toEqual([1, 1, 1, 1]);
});

it("keeps a limited number of label sets, and also counts the others", () => {
  const tally = new Tally(2);
  for (let count = 0; count < 1000; count++) tally.add("ping", `fault-${count}`);
  tally.add("ping", "fault-1");
  expect(tally.samples).toEqual([
    { labels: ["ping", "fault-0"], value: 1 },
    { labels: ["ping", "fault-1"], value: 2 },
    { labels: ["other", "other"], value: 998 },
  ]);
});

it("a bound belongs to the bucket below it", () => {
  const histogram = new Histogram([1, 2]);
  for (const value of [0, 1, 1.5, 2, 2.5, 100]) histogram.observe(value);
  expect(histogram.counts).toEqual([2, 2, 2]);
  expect(histogram.sum).toBe(107);
});
