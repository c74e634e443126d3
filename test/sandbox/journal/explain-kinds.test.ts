import { expect, it } from "vitest";
import { answerExplanations, createOperations } from "../../../src/sandbox/api/operations.js";
import { defaultAssumptions } from "../../../src/sandbox/assumptions.js";
import { ClientRegistry } from "../../../src/sandbox/clients.js";
import { systemClock } from "../../../src/sandbox/clock.js";
import { noPeer } from "../../../src/sandbox/connection/peer.js";
import { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { explain } from "../../../src/sandbox/journal/explain.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import type { ListQuery } from "../../../src/sandbox/lists/query.js";
import { defaultLists } from "../../../src/sandbox/lists/settings.js";
import { operationNames } from "../../../src/sandbox/operations.js";
import type { ActingRule } from "../../../src/sandbox/scenarios/engine.js";
import type { Rule } from "../../../src/sandbox/scenarios/rule.js";
import { startShared } from "../../admin/fixture.js";
import { withFacts } from "../../support/exchange-facts.js";
import { newestExplanation } from "./explained.js";

// Every kind of operation and every kind of fault has an explanation.

const lists = Object.entries(defaultLists).map(([name, list]) => compileList(name, list));
const context = {
  clients: new ClientRegistry(systemClock, "seed"),
  basePath: "",
  identity: () => undefined,
  explainAnswer: answerExplanations(createOperations(lists, defaultAssumptions())),
};

it.each(operationNames)("a successful answer of the operation %s is explained", (operation) => {
  const exchange = new Exchange(noPeer, "GET", "/", [], 0);
  const listQuery = { page: 1, pageSize: 10, unmatched: [] } as unknown as ListQuery;
  withFacts(exchange, { operation, listQuery });
  exchange.answered(200, {}, "");
  expect(explain(exchange, context)).toMatch(/^[A-Z].*\.$/);
});

it("if a rule sent the answer, the explanation does not mention the operation", async () => {
  const sandbox = await startShared();
  const client = await sandbox.mint({ seed: "s" });
  const rule = "{ name: ours, then: { respond: { status: 200, body: {} } } }";
  await sandbox.admin.putYaml("/scenarios/in-place", `description: x\nrules: [${rule}]\n`);
  await sandbox.admin.put(`/clients/${client.clientId}/scenario`, { name: "in-place" });
  expect((await client.requestToken()).json).toEqual({});
  expect(await newestExplanation(sandbox)).toMatch(
    /^The rule ours of the scenario in-place acted: an answer of its own with status 200\. To repeat the fault/,
  );
});

it("the journal names a fault by its own words", () => {
  const exchange = new Exchange(noPeer, "GET", "/v1/ping", [], 0);
  const key = { scenario: "a", rule: "b", count: 1, seed: "s" };
  const rule = { name: "b", words: "a delay of 1 ms, and another" } as Rule;
  const fault: ActingRule = { key, rule, counter: undefined };
  withFacts(exchange, { fault, injected: "a/b#1;seed=s" });
  expect(explain(exchange, context)).toContain("The rule b of the scenario a acted: a delay of 1 ms, and another.");
});
