import { describe, expect, it } from "vitest";
import { inferredSchema } from "../../../src/sandbox/api/openapi/row-schema.js";
import { defaultLists, type ListSettings } from "../../../src/sandbox/lists/settings.js";
import { createHarness } from "../api/harness.js";
import { changedAssumptions, documentOf, unusualLists } from "./documents.js";
import type { Document } from "./validate.js";

describe("real answers match the document", () => {
  // The harness asserts this for every answer.
  async function open(lists: Readonly<Record<string, ListSettings>>, assumptions = {}) {
    const harness = await createHarness({ lists, assumptions });
    const token = await harness.tokenFor();
    return (target: string, headers: string[] = []) => harness.send(target, { token, headers });
  }

  it("of lists of any shape, page by page", async () => {
    const get = await open(unusualLists);
    let rows = 0;
    for (let after: string | null = ""; after !== null; ) {
      const { json } = await get(`/v2/accounts/a%2Fb/invoices?limit=2${after === "" ? "" : `&after=${after}`}`);
      rows += json.data.length;
      after = json.paging.next;
    }
    expect(rows).toBe(9);
    expect((await get("/v2/accounts/1/invoices?limit=1")).json.code).toBe("INVALID_PAGE_SIZE");
    expect((await get("/v1/own-items?pageSize=1")).json.items).toHaveLength(1);
    expect((await get("/v1/others")).json).toEqual({ items: [] });
  });

  it("with changed assumptions", async () => {
    const get = await open(defaultLists, changedAssumptions()).catch((error) => error);
    // The correlation ID is required, also for the token request.
    expect(get).toBeInstanceOf(Error);
    const { send, postToken } = await createHarness({ assumptions: changedAssumptions() });
    const id = ["X-Request-Id", "abc"];
    const form = "grant_type=client_credentials&client_id=demo&scope=read";
    const { json } = await postToken(form, { headers: id });
    expect(json.expires_in).toBe(60);
    expect(Object.keys((await postToken(form)).json)).toEqual(["message", "code"]);
    expect((await send("/v1/ping", { token: json.access_token, headers: id })).status).toBe(202);
    expect((await send("/v1/ping", { headers: id })).json.code).toBe("NOBODY");
    const text = { method: "POST", body: form, headers: ["Content-Type", "text/plain"] };
    expect((await send("/oauth/v2/oauth-token", text)).status).toBe(415);
  });

  it("of a ping without a body", async () => {
    const { values } = changedAssumptions();
    const bodiless = { ...values, "correlation.required": false, "ping.response": { status: 204, body: null } };
    const get = await open(defaultLists, { values: bodiless });
    const answer = await get("/v1/ping");
    expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([204, "", null]);
  });
});

describe("the document reflects the configuration:", async () => {
  const document = await documentOf(unusualLists, changedAssumptions());
  const invoices = document.paths["/v2/accounts/{accountId}/invoices"].get;

  it("names, limits and places of parameters", () => {
    expect(invoices.parameters.slice(0, 5)).toMatchObject([
      { name: "accountId", in: "path", required: true },
      { name: "limit", in: "query", schema: { minimum: 2, maximum: 5, default: 4 } },
      { name: "after", in: "query", "x-assumed": "list.cursor" },
      { name: "since", in: "query", schema: { format: "date-time" } },
      { name: "state", in: "query", schema: { examples: ["open", "paid", "null", "3", "true"] } },
    ]);
    expect(document.components.parameters.CorrelationId).toMatchObject({
      name: "X-Request-Id",
      required: true,
      schema: { pattern: "^(?:[a-z]{3,8})$" },
    });
  });

  it("the envelope, and the way to the next page", () => {
    const { schemas } = document.components;
    expect(schemas.InvoicesPage.properties.paging).toMatchObject({
      required: ["next", "more", "size", "count", "total"],
      properties: { next: { type: ["string", "null"] } },
    });
    expect(invoices.responses[200].links.nextPage.parameters).toEqual({
      "path.accountId": "$request.path.accountId",
      "query.limit": "$request.query.limit",
      "query.since": "$request.query.since",
      "query.state": "$request.query.state",
      "query.after": "$response.body#/paging/next",
    });
  });

  it("the members of rows", () => {
    expect(document.components.schemas.InvoicesItem.properties).toEqual({
      account: { type: "string" },
      "in.voice": { type: "string", pattern: "^a\\.b_[0-9A-HJKMNP-TV-Z]{12}$" },
      state: { type: ["string", "null", "integer", "boolean"], enum: ["open", "paid", null, 3, true] },
      due: { type: "integer", minimum: -3, maximum: 4 },
      total: { type: "string", pattern: "^-?\\d+\\.\\d{3}$" },
      rate: { type: "number", minimum: 0, maximum: 2 },
      whole: { type: "string", pattern: "^\\d+$" },
      fixed: expect.objectContaining({ const: { list: [1, "x"] } }),
      open: { type: "boolean" },
      title: { type: "string" },
      dates: { type: "object", required: ["issued"], properties: { issued: { type: "string", format: "date-time" } } },
    });
  });

  it("statuses, codes and messages of refusals", () => {
    const { responses } = document.paths["/v1/ping"].get;
    expect(Object.keys(responses)).not.toContain("429");
    const examplesOf = (status: number): Document => responses[status].content["application/json"].examples;
    expect(examplesOf(403)).toMatchObject({
      NOBODY: { value: { message: "Who are you?", code: "NOBODY" }, "x-assumed": "bearer.missing-token" },
      FORBIDDEN: { "x-assumed": "bearer.insufficient-scope" },
    });
    expect(responses[403].headers["WWW-Authenticate"].schema.enum).toHaveLength(2);
    const { TokenError } = document.components.schemas;
    expect(TokenError.required).toEqual(["error", "error_description"]);
  });
});

describe("the schema of a user's own items", () => {
  it.each([
    [[], {}],
    [[null], { type: "null" }],
    [[1, 2], { type: "integer" }],
    [[1, 2.5], { type: "number" }],
    [["a", null], { type: ["string", "null"] }],
    [["2026-01-01T00:00:00Z"], { type: "string", format: "date-time" }],
    [["2026-01-01T00:00:00Z", "a"], { type: "string" }],
    [["a", 1, null], { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] }],
    [[["a"], []], { type: "array", items: { type: "string" } }],
    [[{ a: 1 }, {}], { type: "object", properties: { a: { type: "integer" } } }],
    [[{ a: 1 }, { a: null }], { type: "object", required: ["a"], properties: { a: { type: ["integer", "null"] } } }],
  ])("of %j is %j", (values, schema) => {
    expect(inferredSchema(values)).toEqual(schema);
  });
});
