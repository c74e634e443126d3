import { expect, it } from "vitest";
import { listTargets } from "../../src/imitate/calibrate/targets.js";
import { answers, documentOf, imported, pageOf, proof } from "./import/importing.js";

const rows = answers(pageOf({ id: { type: "string" } }, { next: { type: "string", nullable: true } }));
const document = documentOf({
  "/api/payments/": { get: rows },
  "/api/accounts/{account_id}/payments/": {
    get: { ...rows, parameters: [{ name: "account_id", in: "path", required: true, schema: { type: "string" } }] },
  },
});

it("import keeps the slash at the end of a path", async () => {
  const { lists, notes } = await imported(document);
  expect(Object.entries(lists).map(([name, { path }]) => [name, path])).toEqual([
    ["payments", "/api/payments/"],
    ["accountsPayments", "/api/accounts/{account_id}/payments/"],
  ]);
  expect(notes.filter((note) => note.includes("segment"))).toEqual([]);
});

it("such lists answer as the document says", async () => {
  const proven = await proof(document);
  expect(proven.map(({ name, faults }) => [name, faults])).toEqual([
    ["payments", []],
    ["accountsPayments", []],
  ]);
});

it("calibrate takes such a path, and names the list by its last word", () => {
  expect(listTargets(["/api/payments/", "/accounts/{accountId=42}/things/"])).toMatchObject([
    { name: "payments", path: "/api/payments/", target: "/api/payments/" },
    {
      name: "things",
      path: "/accounts/{accountId}/things/",
      target: "/accounts/42/things/",
      strangers: { accountId: expect.stringMatching(/^\/accounts\/[^/]+\/things\/$/) },
    },
  ]);
});

it.each(["/", "//", "/a//", "/a//b/"])("calibrate refuses %s", (path) => {
  expect(() => listTargets([path])).toThrow("is not a path such as /v1/payments");
});
