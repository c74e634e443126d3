import { expect, it } from "vitest";
import { Metrics } from "../../../src/admin/metrics/metrics.js";
import { sandboxMetrics, sharedMetrics } from "../../../src/admin/metrics/table.js";
import { Traffic } from "../../../src/admin/metrics/traffic.js";
import type { AssumptionSettings } from "../../../src/sandbox/assumptions.js";
import { noPeer } from "../../../src/sandbox/connection/peer.js";
import { Exchange } from "../../../src/sandbox/journal/exchange.js";
import type { ActingRule } from "../../../src/sandbox/scenarios/engine.js";
import type { LibraryEntry } from "../../../src/sandbox/scenarios/library.js";

const origins: Readonly<Record<string, LibraryEntry["origin"]>> = {
  outage: "built-in",
  mine: "folder",
  "made-by-test-4711": "uploaded",
};

const library = {
  get: (name: string) => (origins[name] === undefined ? undefined : ({ origin: origins[name] } as LibraryEntry)),
};

async function countedAs(facts: Partial<Exchange>, errors: AssumptionSettings["errors"] = {}) {
  const metrics = new Metrics();
  const traffic = new Traffic(metrics, { errors }, library);
  traffic.answered(Object.assign(new Exchange(noPeer, "GET", "/v1/ping", [], 0), facts));
  const { body } = await metrics.expose();
  return body.split("\n").filter((line) => line.startsWith("payments_sandbox_requests_total{"));
}

/** The line of a scrape for one request. */
const line = (operation: string, status: string, code = "", fault = "") => [
  `payments_sandbox_requests_total{operation="${operation}",status="${status}",code="${code}",fault="${fault}"} 1`,
];

const faultOf = (scenario: string) => ({
  injected: `${scenario}/rule#1;seed=s`,
  fault: { key: { scenario } } as ActingRule,
});

it("a successful answer has no code and no fault", async () => {
  expect(await countedAs({ operation: "ping", status: 200 })).toEqual(line("ping", "200", "", ""));
});

it("requests without an operation have one name, and a missing answer has the status 0", async () => {
  expect(await countedAs({})).toEqual(line("none", "0", "", ""));
});

it("a code from the table or the configuration is kept", async () => {
  expect(await countedAs({ status: 401, code: "UNAUTHORIZED" })).toEqual(line("none", "401", "UNAUTHORIZED", ""));
  const errors = { "bearer.invalid-token": { code: "E-17" } };
  expect(await countedAs({ status: 401, code: "E-17" }, errors)).toEqual(line("none", "401", "E-17", ""));
});

it("a code that a scenario made up becomes `other`", async () => {
  expect(await countedAs({ status: 400, code: 'x"\n4711' })).toEqual(line("none", "400", "other", ""));
});

it.each([
  ["outage", "outage"],
  ["mine", "mine"],
  ["made-by-test-4711", "uploaded"],
  ["removed-since", "uploaded"],
])("a fault of the scenario %s is counted as %s", async (scenario, label) => {
  expect(await countedAs({ status: 503, ...faultOf(scenario) })).toEqual(line("none", "503", "", label));
});

it("a fault that did not act is not counted", async () => {
  expect(await countedAs({ status: 200, ...faultOf("outage"), injected: undefined })).toEqual(
    line("none", "200", "", ""),
  );
});

it("a label with every special character of the format is still one label", async () => {
  const hostile = 'a"} 99\nx{code="b\\';
  const lines = await countedAs({ status: 400, code: hostile }, { "bearer.invalid-token": { code: hostile } });
  expect(lines).toEqual(line("none", "400", 'a\\"} 99\\nx{code=\\"b\\\\'));
});

it("the names of all metrics are unique, and end according to the conventions of Prometheus", () => {
  const all = [sandboxMetrics, sharedMetrics].flatMap((table) => Object.values(table));
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { name, type } of all) {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name.endsWith("_total")).toBe(type === "counter");
  }
});
