import { expect, it } from "vitest";
import { answers, documentOf, pageOf, proof } from "./importing.js";

// More of proof.test.ts.

it("thousands of schemas that refer to each other are read", async () => {
  const steps = Array.from({ length: 10_000 }, (_, step) => [
    `S${step}`,
    { type: "object", properties: { next: { $ref: `#/components/schemas/S${step + 1}` } } },
  ]);
  const schemas = { ...Object.fromEntries(steps), S10000: { type: "string" } };
  const document = documentOf({ "/parts": { get: answers(pageOf({ a: { $ref: "#/components/schemas/S0" } })) } });
  const [list] = await proof({ ...document, components: { schemas } });
  expect(list?.name).toBe("parts");
});
