import { expect, it } from "vitest";
import { calibrations, planOf, planText } from "../../../src/imitate/calibrate/plan.js";
import { type CalibrationOptions, SeenAnswers } from "../../../src/imitate/calibrate/seen-answers.js";
import { listTargets } from "../../../src/imitate/calibrate/targets.js";

const options: CalibrationOptions = {
  clientId: "acme",
  scope: "read",
  otherScope: "small",
  lists: listTargets(["/v1/payments", "/accounts/{accountId=acc-1}/transfers"]),
  other: true,
  newId: () => "0b9f2c7e-5d3a-4f61-9b0e-2f6a1c8d7e55",
};
const plan = planOf(options);

it("a probe finds nothing without an answer", () => {
  for (const probe of Object.values(calibrations)) expect(probe.read(new SeenAnswers(options, new Map()))).toEqual([]);
});

it("every step of every probe is in the plan, once", () => {
  const known = new SeenAnswers(options, new Map());
  const steps = Object.values(calibrations).flatMap((probe) => probe.steps(known));
  const ids = plan.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // The renewal of a token is sent between the steps.
  expect(steps.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual(["session.renewed"]);
});

it("it only reads", () => {
  const known = new SeenAnswers(options, new Map(), true);
  const requests = plan.flatMap((step) => step.request(known) ?? []);
  for (const { method, path } of requests) {
    if (method === "POST") expect(path).toBe("/oauth/v2/oauth-token");
    else expect(method).toBe("GET");
  }
  expect(requests.length).toBeGreaterThan(20);
});

it("the parameters of a documented list are printed by their names", () => {
  const settings = { path: "/v1/payments", parameters: { pageSize: "maxItems", cursor: "bookmark" } };
  const documented = [{ template: "/v1/payments", settings, documented: {} }];
  const all = { ...options, lists: listTargets(["/v1/payments"], { documented }) };
  const text = planText(planOf(all), all, "");
  expect(text.match(/\?bookmark=CURSOR10&maxItems=9$/gm)).toHaveLength(1);
  expect(text).not.toMatch(/\?cursor=/);
});

it("it can be printed: the requests to a service that keeps the interface, in order", () => {
  const text = planText(plan, options, "/api");
  expect(text.match(/^\d+\. /gm)?.length).toBeGreaterThan(70);
  expect(text).toContain("   GET /api/v1/payments?cursor=CURSOR10\n   Authorization: Bearer TOKEN\n");
  expect(text).toContain("   GET /api/accounts/payments-sandbox-calibrate/transfers\n");
  expect(text).toMatch(/a token request without a certificate, without a certificate/);
});
