import { describe, expect, it } from "vitest";
import { sectionOfStep } from "../../src/admin/dashboard/view/interface-sections.js";
import { createOperations } from "../../src/api/operations.js";
import { defaultAssumptions } from "../../src/assumptions.js";
import { compileList } from "../../src/lists/list.js";
import { operations as table } from "../../src/operations.js";

const lists = [compileList("payments", {}), compileList("rows", { path: "/v1/accounts/{accountId}/rows" })];

describe.each(createOperations(lists, defaultAssumptions()))("$name $path.text", ({ name, method, path, steps }) => {
  it("has the method and the path of the table", () => {
    expect({ method, path: table[name].path ?? path.text }).toEqual({ method: table[name].method, path: path.text });
  });

  it.each(steps.map((step) => step.name))("has a section of the interface for its step %s", (step) => {
    expect(sectionOfStep(name, step)).toMatch(/^\d/);
  });
});
