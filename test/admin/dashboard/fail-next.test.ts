import { expect, it } from "vitest";
import { failures, scenarioOf } from "../../../src/admin/dashboard/client/fail-next.js";
import { textOfDefinition } from "../../../src/sandbox/scenarios/definition.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";

it.each(failures)("$name is a scenario of one rule", async (failure) => {
  const operations = ["token", "ping", "list"];
  const whens = [undefined, ...(failure.operations ?? operations).map((operation) => ({ operation }))];
  for (const when of whens) {
    const { rules } = await parseScenario(textOfDefinition(scenarioOf(failure, when)), "x", "x", ["payments"]);
    expect(rules).toMatchObject([{ name: failure.name, limit: 1 }]);
  }
});
