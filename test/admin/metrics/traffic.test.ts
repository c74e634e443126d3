import { expect, it } from "vitest";
import { Traffic } from "../../../src/admin/metrics/traffic.js";
import type { AssumptionSettings } from "../../../src/sandbox/assumptions.js";
import { noPeer } from "../../../src/sandbox/connection/peer.js";
import { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { Journal } from "../../../src/sandbox/journal/journal.js";
import type { ActiveFault } from "../../../src/sandbox/scenarios/engine.js";
import type { LibraryEntry } from "../../../src/sandbox/scenarios/library.js";

const origins: Readonly<Record<string, LibraryEntry["origin"]>> = {
  outage: "built-in",
  mine: "folder",
  "made-by-test-4711": "uploaded",
};

const library = {
  get: (name: string) => (origins[name] === undefined ? undefined : ({ origin: origins[name] } as LibraryEntry)),
};

function countedAs(facts: Partial<Exchange>, errors: AssumptionSettings["errors"] = {}) {
  const traffic = new Traffic({ errors }, library);
  traffic.answered(Object.assign(new Exchange(noPeer, "GET", "/v1/ping", [], 0), facts));
  const metrics = traffic.metrics(new Journal(), () => ({ total: 0, open: 0, inHandshake: 0 }));
  const requests = metrics.find(({ facts: { name } }) => name === "payments_sandbox_requests_total");
  return requests?.read().map(({ labels }) => labels);
}

const faultOf = (scenario: string) => ({
  injected: `${scenario}/rule#1;seed=s`,
  fault: { key: { scenario } } as ActiveFault,
});

it("a successful answer has no code and no fault", () => {
  expect(countedAs({ operation: "ping", status: 200 })).toEqual([["ping", "200", "", ""]]);
});

it("requests without an operation have one name, and a missing answer has the status 0", () => {
  expect(countedAs({})).toEqual([["none", "0", "", ""]]);
});

it("a code from the table or the configuration is kept", () => {
  expect(countedAs({ status: 401, code: "UNAUTHORIZED" })).toEqual([["none", "401", "UNAUTHORIZED", ""]]);
  const errors = { "bearer.invalid-token": { code: "E-17" } };
  expect(countedAs({ status: 401, code: "E-17" }, errors)).toEqual([["none", "401", "E-17", ""]]);
});

it("a code that a scenario made up becomes `other`", () => {
  expect(countedAs({ status: 400, code: 'x"\n4711' })).toEqual([["none", "400", "other", ""]]);
});

it.each([
  ["outage", "outage"],
  ["mine", "mine"],
  ["made-by-test-4711", "uploaded"],
  ["removed-since", "uploaded"],
])("a fault of the scenario %s is counted as %s", (scenario, label) => {
  expect(countedAs({ status: 503, ...faultOf(scenario) })).toEqual([["none", "503", "", label]]);
});

it("a fault that did not act is not counted", () => {
  expect(countedAs({ status: 200, ...faultOf("outage"), injected: undefined })).toEqual([["none", "200", "", ""]]);
});
