import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { expect, it } from "vitest";
import { mediaOf } from "./documents.js";
import { type Document, schemaProblems } from "./validate.js";

/**
 * Tests of one document. Each takes a second, so document.test.ts runs them for some documents, document.slow.test.ts
 * for the others.
 */
export function itIsValid(document: Document): void {
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
}
