import { describe, expect, it } from "vitest";
import { parseYaml } from "../../../src/base/yaml/document.js";
import { documentText, readKnownLists, readTargets } from "../../../src/cli/calibrate/lists.js";
import { startSandbox } from "../../../src/index.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import { calibrated, temporaryFile } from "./service.js";

const row = {
  type: "object",
  properties: {
    id: { type: "string", format: "uuid" },
    phase: { type: "string", enum: ["BOOKED", "PLANNED", "REFUSED"] },
    remark: { type: "string", nullable: true },
    bookedAt: { type: "string", format: "date-time" },
  },
};
const parameter = (name: string, schema: object) => ({ name, in: "query", schema });
const operation = {
  parameters: [
    parameter("maxItems", { type: "integer", minimum: 2, maximum: 30, default: 6 }),
    parameter("bookmark", { type: "string" }),
    parameter("bookedSince", { type: "string", format: "date-time" }),
    parameter("bookedUntil", { type: "string", format: "date-time" }),
    parameter("phase", { type: "string" }),
  ],
  responses: {
    200: {
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: {
              bookings: { type: "array", items: row },
              bookmark: { type: "string", nullable: true },
            },
          },
        },
      },
    },
  },
};
const document = JSON.stringify({
  openapi: "3.0.3",
  info: { title: "Bank", version: "1" },
  servers: [{ url: "https://bank.example/api/v9" }],
  paths: {
    "/bookings": { get: operation },
    "/empty": { get: operation },
    "/accounts/{account-id}/bookings": { get: operation },
  },
});

const list = {
  parameters: { pageSize: "maxItems", cursor: "bookmark", fromCreatedAt: "bookedSince", toCreatedAt: "bookedUntil" },
  pageSize: { default: 6, minimum: 2, maximum: 30 },
  envelope: { items: "bookings", nextCursor: "bookmark", lastCursor: "null" },
  filters: { phase: "phase" },
  dateField: "bookedAt",
  fields: {
    id: { type: "uuid" },
    phase: { type: "choice", values: ["BOOKED", "PLANNED"] },
    remark: { type: "constant", value: null },
    bookedAt: { type: "createdAt" },
  },
} as const;

describe("with the document of the service", () => {
  it("the lists are requested by its names, and what is seen completes it", { tags: "slow" }, async () => {
    await using sandbox = await startSandbox({
      basePath: "/api",
      lists: {
        bookings: { ...list, path: "/v9/bookings", count: 200 },
        empty: { ...list, path: "/v9/empty", count: 0 },
      },
    });
    const client = await sandbox.createClient({ clientId: "tester" });
    const known = await readKnownLists(temporaryFile("bank.json", document), "/api", emptyFile);
    const lists = readTargets([], known);
    const service = { url: new URL(sandbox.url), ca: sandbox.ca, client: client.tls, other: undefined };
    const { yaml, run } = await calibrated(service, "tester", { lists });
    const { value } = await parseYaml(yaml, "sandbox.yaml");
    const { filters, fields, ...rest } = list;
    expect(value).toMatchObject({
      basePath: "/api",
      lists: {
        bookings: {
          ...rest,
          path: "/v9/bookings",
          filters,
          fields: {
            ...fields,
            // The document has an additional value, and the type of a remark.
            phase: { type: "choice", values: ["BOOKED", "PLANNED", "REFUSED"] },
            remark: { type: "text" },
          },
        },
        empty: { ...rest, path: "/v9/empty", filters, pageSize: { minimum: 2, maximum: 30 } },
      },
    });
    // No other name is tried.
    const paths = [...run.seen.values()].map(({ request }) => request.path);
    expect(paths.filter((path) => /[?&](pageSize|cursor|from\w*)=/.test(path))).toEqual([]);
  });

  it("what the document does not say is not taken for documented: limits of page sizes, values of filters", async () => {
    const bare = JSON.parse(document);
    const [size, , , , phase] = operation.parameters;
    bare.paths = {
      "/bookings": {
        get: {
          ...operation,
          parameters: [
            { ...size, schema: { type: "integer" } },
            operation.parameters[1],
            phase,
            parameter("remark", {}),
          ],
        },
      },
    };
    const found = await readKnownLists(temporaryFile("bank.json", JSON.stringify(bare)), "", emptyFile);
    const [target] = readTargets([], found);
    expect(target?.documented).toMatchObject({ parameters: { pageSize: "maxItems" }, pageSize: {} });
    expect(Object.keys(target?.documented?.pageSize ?? {})).toEqual([]);
    expect(target?.documented?.fields?.["remark"]).toMatchObject({ type: "choice" });
    expect(target?.documentedFields["remark"]).toMatchObject({ type: "text" });
  });

  it("a value for a parameter of a path is given with --list, and is not written", async () => {
    const known = await readKnownLists(temporaryFile("bank.json", document), "", emptyFile);
    const text = documentText("bank.json", known, [], readTargets([], known));
    expect(text).toBe(
      "bank.json: 3 lists, 2 of them probed.\n" +
        "  Not probed, because a value is needed: --list '/api/v9/accounts/{accountId=VALUE}/bookings'\n",
    );
    const [target] = readTargets(["/api/v9/accounts/{accountId=4711}/bookings"], known);
    expect(target).toMatchObject({
      path: "/api/v9/accounts/{accountId}/bookings",
      target: "/api/v9/accounts/4711/bookings",
      documented: { parameters: { pageSize: "maxItems" } },
    });
    // The document names the parameter, so the path does not have to.
    expect(readTargets(["/accounts/ada/bookings"], known)[0]).toMatchObject({ values: { accountId: "ada" } });
  });

  it("lists that the configuration has keep their names", async () => {
    const lists = { ...emptyFile.lists, mine: { path: "/api/v9/bookings" }, payments: { path: "/v8/payments" } };
    const known = await readKnownLists(undefined, "/api", { ...emptyFile, lists });
    expect(readTargets(["/v9/bookings", "/v1/payments", "/v1/payouts"], known)).toMatchObject([
      { name: "mine" },
      { name: "payments-2" },
      { name: "payouts" },
    ]);
  });
});
