import { expect, it } from "vitest";
import { createExposition } from "../../../src/admin/metrics/exposition.js";
import { type Metric, metricTables } from "../../../src/admin/metrics/table.js";

const counter = (labels: string[], values: [string[], number][]): Metric => ({
  facts: { name: "sandbox_things_total", type: "counter", labels, help: "Things." },
  read: () => values.map(([given, value]) => ({ labels: given, value })),
});

const durations: Metric = {
  facts: { name: "sandbox_wait_seconds", type: "histogram", labels: ["operation"], help: "Waits." },
  read: () => [
    { labels: ["ping"], value: { bounds: [0.5, 1], counts: [2, 1, 3], sum: 9.5 } },
    { labels: ["list"], value: { bounds: [0.5, 1], counts: [0, 0, 1], sum: 4 } },
  ],
};

const seriesOf = async (metric: Metric, format: "text" | "openmetrics" = "text") =>
  (await createExposition([metric])(format)).body.split("\n").filter((line) => line !== "");

it("a counter has its suffix in both formats, however often it is scraped", async () => {
  const scrape = createExposition([counter([], [[[], 3]])]);
  const text = "# HELP sandbox_things_total Things.\n# TYPE sandbox_things_total counter\nsandbox_things_total 3\n";
  const open = "# HELP sandbox_things Things.\n# TYPE sandbox_things counter\nsandbox_things_total 3\n# EOF\n";
  for (const format of ["text", "openmetrics", "text", "openmetrics"] as const)
    expect((await scrape(format)).body).toBe(format === "text" ? text : open);
  expect((await scrape("text")).contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect((await scrape("openmetrics")).contentType).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
});

it.each(["text", "openmetrics"] as const)(
  "each bucket of a histogram counts the smaller values, too (%s)",
  async (format) => {
    expect((await seriesOf(durations, format)).slice(2, 12)).toEqual([
      'sandbox_wait_seconds_bucket{operation="ping",le="0.5"} 2',
      'sandbox_wait_seconds_bucket{operation="ping",le="1.0"} 3',
      'sandbox_wait_seconds_bucket{operation="ping",le="+Inf"} 6',
      'sandbox_wait_seconds_sum{operation="ping"} 9.5',
      'sandbox_wait_seconds_count{operation="ping"} 6',
      'sandbox_wait_seconds_bucket{operation="list",le="0.5"} 0',
      'sandbox_wait_seconds_bucket{operation="list",le="1.0"} 0',
      'sandbox_wait_seconds_bucket{operation="list",le="+Inf"} 1',
      'sandbox_wait_seconds_sum{operation="list"} 4',
      'sandbox_wait_seconds_count{operation="list"} 1',
    ]);
  },
);

it("values are read again for each scrape", async () => {
  let count = 0;
  const scrape = createExposition([{ ...counter([], []), read: () => [{ labels: [], value: ++count }] }]);
  await scrape("text");
  expect((await scrape("text")).body).toContain("sandbox_things_total 2\n");
});

it("a label with every special character of the format is still one label", async () => {
  const hostile = 'a"} 99\nsandbox_things_total{code="b\\';
  expect((await seriesOf(counter(["code"], [[[hostile], 1]]))).slice(2)).toEqual([
    'sandbox_things_total{code="a\\"} 99\\nsandbox_things_total{code=\\"b\\\\"} 1',
  ]);
});

it("the names of all metrics are unique, and end according to the conventions of Prometheus", () => {
  const all = Object.values(metricTables).flatMap((table) => Object.values(table));
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { name, type } of all) {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name.endsWith("_total")).toBe(type === "counter");
  }
});
