import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { describe, expect, it } from "vitest";
import { mediaOf, variants } from "./documents.js";
import { type Document, schemaProblems } from "./validate.js";

// More of document.test.ts.

describe.each(variants.slice(2))("the document %s", (_name, document) => {
  it("is valid OpenAPI 3.1, its schemas included", async () => {
    const check = await validate("https://spec.openapis.org/oas/3.1/schema-base");
    expect(check(document, "BASIC")).toEqual({ valid: true });
  });

  it("has examples that fit their schemas", async () => {
    let examples = 0;
    for (const [pointer, media] of mediaOf(document)) {
      for (const [name, { value }] of Object.entries<Document>(media.examples ?? {})) {
        expect(await schemaProblems(document, `${pointer}/schema`, value, `${pointer} ${name}`)).toEqual([]);
        examples += 1;
      }
    }
    expect(examples).toBeGreaterThan(30);
  });
});
