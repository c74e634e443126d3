import { describe, expect, it } from "vitest";
import { assumptionIds, defaultAssumptions } from "../../../src/sandbox/assumptions.js";
import { errorCodes } from "../../../src/sandbox/errors.js";
import { defaultLists } from "../../../src/sandbox/lists/settings.js";
import { operationNames } from "../../../src/sandbox/operations.js";
import { changedAssumptions, documentOf, mediaOf, variants } from "./documents.js";
import type { Document } from "./validate.js";
import { itIsValid } from "./validity.js";

describe.each(variants.slice(0, 2))("the document %s", (_name, document) => itIsValid(document));

describe.each(variants)("the document %s", (_name, document) => {
  it("has no broken reference and no unused component", () => {
    const references = new Set(nodesOf(document).flatMap(({ $ref }) => $ref ?? []));
    const components = Object.entries<Document>(document.components)
      .filter(([kind]) => kind !== "securitySchemes")
      .flatMap(([kind, all]) => Object.keys(all).map((name) => `#/components/${kind}/${name}`));
    expect([...references].sort()).toEqual(components.sort());
  });

  it("has unique operation ids", () => {
    const ids = operationsOf(document).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has an example for every answer with a body, except for those of scenarios", () => {
    for (const operation of operationsOf(document)) {
      for (const [status, response] of Object.entries<Document>(operation.responses)) {
        if (status === "default" || response.$ref !== undefined || !response.content) continue;
        const [media] = Object.values<Document>(response.content);
        expect(Object.keys(media.examples), `${operation.operationId} ${status}`).not.toEqual([]);
      }
    }
  });
});

describe("the document has the content of the tables:", async () => {
  const document = await documentOf();

  it("every error code", async () => {
    const codes = new Set(
      mediaOf(document).flatMap(([, { examples = {} }]) =>
        Object.values<Document>(examples).map(({ value }) => value.code),
      ),
    );
    // Only a configured answer has it.
    const configured = ["UNSUPPORTED_MEDIA_TYPE"];
    expect(errorCodes.filter((code) => !codes.has(code))).toEqual(configured);
    expect(JSON.stringify(await documentOf(defaultLists, changedAssumptions()))).toContain("UNSUPPORTED_MEDIA_TYPE");
  });

  it("every assumption, as a mark and with its reasons", async () => {
    // A parent can be unknown only if configured items have one.
    const own = { own: { path: "/v1/{a}/own", items: [{ a: "b" }], dateField: null } };
    // Answers have no header of an encoding unless they are compressed.
    const changed = await documentOf(defaultLists, changedAssumptions());
    const documents = [document, changed, await documentOf({ ...defaultLists, ...own })];
    const marks = new Set(documents.flatMap(nodesOf).flatMap((node) => node["x-assumed"] ?? []));
    // These affect connections, and a method that the document does not have.
    const shaping = assumptionIds.filter((id) => id !== "http.versions" && id !== "http.head");
    const unmarked = shaping.filter((id) => !marks.has(id));
    const fix =
      "for each: a refusal in `refuses` of the step that throws it, any other in `assumed` of the `openApi` of its operation";
    expect(unmarked, fix).toEqual([]);
    expect([...marks].sort()).toEqual([...shaping].sort());
    expect(Object.keys(document["x-assumptions"])).toEqual(assumptionIds);
  });

  it("every operation, under a tag that is explained", () => {
    const named = document.tags.map(({ name }: Document) => name);
    expect(
      operationsOf(document)
        .flatMap(({ tags }) => tags)
        .filter((tag) => !named.includes(tag)),
    ).toEqual([]);
    expect(document.tags.map(({ description }: Document) => typeof description)).toEqual(named.map(() => "string"));
  });

  it("the certificate for every operation, the token for all except one", () => {
    const operations = operationsOf(document);
    expect(operations.length).toBeGreaterThanOrEqual(operationNames.length);
    for (const { operationId, security } of operations) {
      const token = operationId === "token" ? {} : { oauth2: ["read"] };
      expect([operationId, security]).toEqual([operationId, [{ mutualTLS: [], ...token }]]);
    }
    const { mutualTLS, oauth2 } = document.components.securitySchemes;
    expect(mutualTLS.type).toBe("mutualTLS");
    expect(oauth2.flows.clientCredentials).toMatchObject({
      tokenUrl: "https://localhost:8443/oauth/v2/oauth-token",
      scopes: { read: expect.any(String) },
    });
  });

  it.each([
    ["url", "https://bank.test:9443/business/api"],
    ["path", "/business/api"],
  ] as const)("the link of the next page, as a %s, begins where the API is", async (linkForm, base) => {
    const path = "/v2/accounts/{account}/transfers";
    const lists = { transfers: { path, envelope: { nextLink: "next", linkForm } } };
    const document = await documentOf(lists, defaultAssumptions(), "https://bank.test:9443/business/api");
    const { examples } = document.paths[path].get.responses["200"].content["application/json"];
    expect(examples.page.value.next).toMatch(new RegExp(`^${base}/v2/accounts/example/transfers\\?cursor=[\\w-]+$`));
  });

  it("the same every time", async () => {
    expect(await documentOf()).toEqual(document);
  });
});

/** Every object of a document that is not data. */
function nodesOf(value: Document): Document[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.entries(value).flatMap(([name, member]) => (name === "value" ? [] : nodesOf(member)))];
}

function operationsOf(document: Document): Document[] {
  return Object.values<Document>(document.paths).flatMap((path) => Object.values<Document>(path));
}
