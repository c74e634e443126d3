import { expect, it } from "vitest";
import type { ComparedSetting, Findings } from "../../../src/imitate/calibrate/findings.js";
import { comparisonText, findingsText } from "../../../src/imitate/calibrate/table.js";

function finding(place: string, had: unknown, value: unknown): ComparedSetting {
  const reading = { place: place.split("/"), value, evidence: [], certainty: "certain" as const, remarks: [] };
  return { id: "list.endpoints", place: place.split("/"), had, reading, same: false };
}

it("a table is for people: members of rows by name, refusals in short, the rest by the differences", () => {
  const findings: Findings = {
    settings: [
      finding(
        "lists/payments/fields",
        { status: { type: "uuid" }, id: { type: "uuid" } },
        { status: { type: "boolean" } },
      ),
      finding("lists/payments/filters", { status: "status" }, { status: "state", kind: "kind" }),
      finding(
        "assumptions/http.not-found",
        { status: 404, code: "NOT_FOUND", wwwAuthenticate: "none", body: "full" },
        { status: 410 },
      ),
      finding("lists/payments/pageSize", { default: 10, maximum: 100 }, { default: 10, maximum: 50 }),
    ],
    remarks: [],
    unknown: [],
  };
  expect(findingsText(findings)).toBe(
    `${[
      "setting                  the sandbox had     the service does               written",
      "lists.payments.fields    status, id          status                         yes, certain",
      "lists.payments.filters   { status: status }  { status: state, kind: kind }  yes, certain",
      "http.not-found           404                 410                            yes, certain",
      "lists.payments.pageSize  { maximum: 100 }    { maximum: 50 }                yes, certain",
    ].join("\n")}\n`,
  );
});

it("answers about one point count as one, and what differs in them is said once", () => {
  const answer = (point: string, says: string, ...whats: string[]) => ({
    point,
    observation: {
      step: { id: says, says },
      request: { method: "GET", path: "/", headers: {}, identity: "client" } as const,
      outcome: { failure: "ECONNRESET" },
    },
    differences: whats.map((what) => ({ what, service: "200", sandbox: "400" })),
  });
  const text = comparisonText([
    answer("page", "page 2", "status"),
    answer("page", "page 3", "status"),
    answer("page", "page 4", "status", "code"),
    answer("first", "first"),
  ]);
  expect(text).toBe(
    `${[
      "1 of 2 answers is the same.",
      "Not the same:",
      "   1. page 2: no answer (ECONNRESET)",
      "          status: the service 200, the sandbox 400",
      "      page 4: no answer (ECONNRESET)",
      "          code: the service 200, the sandbox 400",
    ].join("\n")}\n`,
  );
});
