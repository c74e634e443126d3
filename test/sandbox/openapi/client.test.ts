import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationNames } from "../../../src/sandbox/operations.js";
import { openSandbox, type RunningSandbox } from "../conformance/sandbox.js";
import { DrivenClient, type Exchange } from "./driven-client.js";
import { assertAnswerMatchesOpenApi, type Document } from "./validate.js";

/** A list with names that no client could guess. */
const yaml = `
lists:
  invoices:
    path: /v2/accounts/{accountId}/invoices
    count: 7
    spacing: 6h
    fields:
      account: { type: parameter, name: accountId }
      state: { type: choice, values: [open, paid] }
      created: { type: createdAt }
    dateField: created
    filters: { state: state }
    parameters: { pageSize: limit, cursor: after, fromCreatedAt: from, toCreatedAt: to }
    envelope: { items: data, nextCursor: paging.next, hasMore: paging.more, lastCursor: "null" }
`;

let sandbox: RunningSandbox;
let document: Document;
let client: DrivenClient;

beforeAll(async () => {
  sandbox = await openSandbox({ yaml });
  document = await (await fetch(`${sandbox.adminUrl}/openapi.json`)).json();
  client = new DrivenClient(document, { clientId: "demo", ca: sandbox.ca, ...sandbox.identity("demo") });
});

afterAll(async () => {
  client.close();
  await sandbox.close();
});

/** Calls, and asserts that the document describes the answer. */
async function call(id: string, parameters: Record<string, string> = {}): Promise<Exchange> {
  const exchange = await client.call(id, parameters);
  const { method, target, answer } = exchange;
  await assertAnswerMatchesOpenApi(document, method, target, answer.status, answer.headers, answer.text);
  return exchange;
}

describe("a client that knows only the document", () => {
  it("calls every operation", async () => {
    const ids = client.operations.map(({ id }) => id);
    // Each list has its own operation; any other operation has its own name.
    const lists = ["listPayments", "listPayouts", "listInvoices"];
    expect([...ids].sort()).toEqual([...operationNames.filter((name) => name !== "list"), ...lists].sort());
    for (const { id } of client.operations) expect((await call(id)).answer.status).toBe(200);
  });

  it.each([
    ["listPayouts", { "query.pageSize": "7" }, "items", 25],
    ["listInvoices", { "path.accountId": "a/b", "query.limit": "2" }, "data", 7],
    ["listPayments", { "query.status": "FAILED", "query.pageSize": "100" }, "items", 400],
  ])("walks %s by its link, filters unchanged", async (id, parameters, items, count) => {
    const rows: unknown[] = [];
    for (let page: Exchange | undefined = await call(id, parameters); page; ) {
      expect(page.answer.status).toBe(200);
      rows.push(...page.answer.json[items]);
      page = await client.follow(page, "nextPage");
    }
    expect(rows).toHaveLength(count);
  });

  it("is refused if it breaks the schema of a parameter", async () => {
    let refused = 0;
    for (const { id, operation } of client.operations) {
      for (const { name, in: place, schema } of operation.parameters.filter((each: Document) => !each.$ref)) {
        const bad = badValues(schema);
        for (const value of bad) {
          const { answer } = await call(id, { [`${place}.${name}`]: value });
          // Nothing has to be at a path with such a value.
          const refusals = place === "path" ? [400, 404] : [400];
          expect(refusals, `${id}: ${name}=${value}`).toContain(answer.status);
          refused += 1;
        }
      }
    }
    expect(refused).toBeGreaterThan(20);
  });

  it("gets each error that a parameter can cause", async () => {
    expect((await call("ping", { "query.produceError": "true" })).answer.json.code).toBe("EXAMPLE_ERROR");
    const id = { "header.X-Correlation-ID": "not-a-uuid" };
    expect((await call("ping", id)).answer.json.code).toBe("INVALID_CORRELATION_ID");
    const scenario = { "header.Sandbox-Scenario": "no-such-scenario" };
    expect((await call("ping", scenario)).answer.json.code).toBe("UNKNOWN_SCENARIO");
    const injected = await call("ping", { "header.Sandbox-Scenario": "maintenance" });
    expect([injected.answer.status, injected.answer.headers["retry-after"]]).toEqual([503, "1"]);
  });
});

/** Values that a schema excludes, and that a query can contain. */
function badValues({ type, format, minimum, maximum, maxLength }: Document): string[] {
  if (type === "integer") return [`${minimum - 1}`, `${maximum + 1}`, "one", "1.5"];
  if (type === "boolean") return ["1", "TRUE"];
  if (format === "date-time") return ["2026-01-01", "today"];
  return maxLength < 1000 ? ["x".repeat(maxLength + 1)] : [];
}
