import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { beforeAll, describe, expect, it } from "vitest";
import { adminOpenApi } from "../../src/admin/openapi.js";
import { adminRoutes } from "../../src/admin/routes/table.js";
import { version } from "../../src/base/files/version.js";
import { type Document, schemaProblems } from "../sandbox/openapi/validate.js";
import { startShared, type TestSandbox } from "./fixture.js";

const document = adminOpenApi(version) as Document;

const operations: Document[] = Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Document>(methods).map(([method, operation]) => ({
    ...operation,
    name: `${method.toUpperCase()} ${path}`,
  })),
);

describe("the OpenAPI document of the admin API", () => {
  it("is valid OpenAPI 3.1, its schemas included", async () => {
    const check = await validate("https://spec.openapis.org/oas/3.1/schema-base");
    expect(check(document, "BASIC")).toEqual({ valid: true });
  });

  it("has every route of the table, and no other", () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(
      adminRoutes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it("has unique operation ids", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain("postClientsIdClock");
  });

  it("has no broken reference and no unused component", () => {
    const references = new Set([...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]+)"/g)].map((match) => match[1]));
    const schemas = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...references].sort()).toEqual(schemas.sort());
  });

  it("declares every parameter of a path, and describes every route", () => {
    for (const { name, parameters, summary, tags } of operations) {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = parameters.filter((parameter: Document) => parameter.in === "path" && parameter.required);
      expect([name, declared.map((parameter: Document) => parameter.name)]).toEqual([name, inPath]);
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(document.tags.map((tag: Document) => tag.name)).toContain(tags[0]);
    }
  });

  it("says which answers the guard gives, and that health needs no token", () => {
    for (const { name, responses, security } of operations) {
      if (name === "GET /health") {
        expect(security).toEqual([]);
        expect(Object.keys(responses)).toEqual(["200", "503"]);
      } else {
        expect(responses).toMatchObject({ 401: {}, 403: {} });
      }
    }
  });

  it("requires a body only where an empty one is refused", () => {
    const demanding = operations.filter(({ requestBody }) => requestBody?.required).map(({ name }) => name);
    expect(demanding.sort()).toEqual([
      "POST /clients/{id}/clock",
      "POST /clock",
      "POST /scenario/check",
      "PUT /clients/{id}/clock",
      "PUT /clients/{id}/expected",
      "PUT /clients/{id}/scenario",
      "PUT /clock",
      "PUT /scenario",
      "PUT /scenarios/{name}",
    ]);
  });
});

describe("the served document", () => {
  let sandbox: TestSandbox;

  beforeAll(async () => {
    sandbox = await startShared();
    await sandbox.sandbox.identities;
    const client = await sandbox.mint({ clientId: "one" });
    await client.ping();
    await client.send("/v1/ping");
  });

  it("is the one above, and there is one for the business interface", async () => {
    expect((await sandbox.admin.get("/admin-openapi.json")).json).toEqual(JSON.parse(JSON.stringify(document)));
    const business = (await sandbox.admin.get("/openapi.json")).json;
    expect(business.openapi).toBe("3.1.0");
    expect(Object.keys(business.paths)).toEqual(expect.arrayContaining(["/oauth/v2/oauth-token", "/v1/ping"]));
  });

  const paths = [
    "/health",
    "/clients",
    "/clients/{id}",
    "/identities",
    "/scenarios",
    "/scenario",
    "/clock",
    "/assumptions",
    "/requests",
    "/requests/{id}",
    "/requests/count",
    "/handshakes",
  ];

  it.each(paths)("GET %s fits its JSON Schema", async (path) => {
    const id = path.startsWith("/requests") ? "2" : "one";
    const { json } = await sandbox.admin.get(path.replace("{id}", id));
    const pointer = `/paths/${path.replaceAll("/", "~1")}/get/responses/200/content/application~1json/schema`;
    expect(await schemaProblems(document, pointer, json, path)).toEqual([]);
  });
});
