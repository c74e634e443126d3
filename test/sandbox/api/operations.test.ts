import { describe, expect, it } from "vitest";
import { createOperations } from "../../../src/sandbox/api/operations.js";
import type { Operation } from "../../../src/sandbox/api/service.js";
import { defaultAssumptions } from "../../../src/sandbox/assumptions.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { defaultLists } from "../../../src/sandbox/lists/settings.js";
import { operations as table } from "../../../src/sandbox/operations.js";
import { exampleOf } from "../openapi/driven-client.js";
import type { Document } from "../openapi/validate.js";
import { type ApiAnswer, createHarness } from "./harness.js";

const settings = { ...defaultLists, rows: { path: "/v1/accounts/{accountId}/rows" } };
const lists = Object.entries(settings).map(([name, list]) => compileList(name, list));
const operations = createOperations(lists, defaultAssumptions());

/** Sends a request that an operation accepts, except for a parameter that it does not know and the given headers. */
async function sender(unknown: "ignore" | "refuse") {
  const { values } = defaultAssumptions();
  const assumptions = { values: { ...values, "request.unknown-parameters": unknown } };
  const { send, tokenFor, document } = await createHarness({ lists: settings, assumptions });
  const token = await tokenFor();
  return (operation: Operation, headers: readonly string[] = []): Promise<ApiAnswer> => {
    const { method, path } = operation;
    const described = (document as Document).paths[path.text][method.toLowerCase()];
    const target = path.parameters.reduce((text, name) => {
      const parameter = described.parameters.find((one: { in: string; name: string }) => one.name === name);
      return text.replace(`{${name}}`, encodeURIComponent(exampleOf(parameter)));
    }, path.text);
    const form = "grant_type=client_credentials&client_id=demo&scope=read";
    const more =
      operation.name === "token"
        ? { body: form, headers: ["Content-Type", "application/x-www-form-urlencoded", ...headers] }
        : { token, headers };
    return send(`${target}?never-heard-of=1`, { method, ...more });
  };
}

describe.each(operations)("$name $path.text", (operation) => {
  const { name, method, path, steps } = operation;

  it("has the method and the path of the table", () => {
    expect({ method, path: table[name].path ?? path.text }).toEqual({ method: table[name].method, path: path.text });
  });

  it.each(steps)("has a section of the interface for its step $name", ({ section }) => {
    expect(section).toMatch(/^\d/);
  });

  // §4: every call carries an access token, except the one that gets it.
  it.skipIf(name === "token")("begins with the steps for the token, its scope and the correlation ID", () => {
    expect(steps.slice(0, 3).map((step) => step.name)).toEqual(["access-token", "scope", "correlation-id"]);
  });

  it.each(["ignore", "refuse"] as const)("names a query parameter that it does not know, with %s", async (unknown) => {
    const { status, headers } = await (await sender(unknown))(operation);
    expect(headers.get("sandbox-assumed")).toContain("request.unknown-parameters");
    expect(status < 400).toBe(unknown === "ignore");
  });

  it("two errors at once: the answer names the order of the checks", async () => {
    const correlation = ["X-Correlation-ID", "not a UUID"];
    const { status, headers } = await (await sender("refuse"))(operation, correlation);
    expect(status).toBe(400);
    expect(headers.get("sandbox-assumed")).toContain("checks.order");
  });
});
