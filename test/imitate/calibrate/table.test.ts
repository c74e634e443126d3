import { describe, expect, it } from "vitest";
import { type ComparedSetting, type Findings, isDrift } from "../../../src/imitate/calibrate/findings.js";
import { comparisonText, driftText, findingsText } from "../../../src/imitate/calibrate/table.js";

function finding(place: string, had: unknown, value: unknown, same = false): ComparedSetting {
  const reading = { place: place.split("/"), value, evidence: [], certainty: "certain" as const, remarks: [] };
  return { had, reading, same, written: true };
}

const refusal = { status: 404, code: "NOT_FOUND", wwwAuthenticate: "none", body: "full" };
const settings = [
  finding(
    "lists/payments/fields",
    { status: { type: "uuid" }, id: { type: "uuid" } },
    { status: { type: "boolean" }, id: { type: "uuid" }, [`note${"s".repeat(60)}`]: { type: "uuid" } },
  ),
  finding("lists/payments/filters", { status: "status", old: "old" }, { status: "state", kind: "kind" }),
  finding("assumptions/http.not-found", refusal, { status: 410 }),
  finding("lists/payments/pageSize", { default: 10, maximum: 100 }, { default: 10, maximum: 50 }),
  finding("lists/payments/envelope", { items: "items", total: "total" }, { items: "data", extra: { kind: "list" } }),
  finding("assumptions/token.lifetime", 60, 60, true),
];
const findings: Findings = {
  settings,
  remarks: [{ id: "list.endpoints", text: "It is so." }],
  unknown: ["http.unavailable"],
};
const changes = [
  "  lists.payments.fields.status: was string, is boolean",
  `  lists.payments.fields.note${"s".repeat(60)}: was absent, is string`,
  "  lists.payments.filters.status: was status, is state",
  "  lists.payments.filters.kind: was absent, is kind",
  "  lists.payments.filters.old: was old, is absent",
  "  http.not-found.status: was 404, is 410",
  "  lists.payments.pageSize.maximum: was 100, is 50",
  "  lists.payments.envelope.items: was items, is data",
  "  lists.payments.envelope.extra: was absent, is { kind: list }",
  "  lists.payments.envelope.total: was total, is absent",
];

it("what differs is told leaf by leaf, whole, and what is the same or unknown only if everything is asked for", () => {
  const short = [
    "6 settings seen, 5 of them different in the sandbox; 1 unknown:",
    ...changes,
    "Not imitated:",
    "  list.endpoints: It is so.",
  ];
  expect(findingsText(findings, false)).toBe(`${short.join("\n")}\n`);
  const rest = ["The same:", "  token.lifetime: 60", "Unknown, and not changed:", "  http.unavailable"];
  expect(findingsText(findings, true)).toBe(`${[...short, ...rest].join("\n")}\n`);
  expect(driftText(findings, ["and so on"], "sandbox.yaml", false)).toBe(
    `${["The service does not do what sandbox.yaml says:", ...changes, "  and so on"].join("\n")}\n`,
  );
  expect(driftText({ ...findings, settings: settings.filter(({ same }) => same) }, [], "sandbox.yaml", false)).toBe("");
});

describe("a rate limit", () => {
  const limit = finding("assumptions/http.rate-limit", { status: 429 }, { status: 429, code: "SLOW" });
  it("that is met is no change", () => expect(isDrift({ ...limit, written: false })).toBe(false));
  it("that the file describes otherwise is one", () => expect(isDrift(limit)).toBe(true));
});

const answer = (point: string, says: string, ...whats: string[]) => ({
  point,
  observation: {
    step: { id: says, says },
    request: { method: "GET", path: "/", headers: {}, identity: "client" } as const,
    outcome: { failure: "ECONNRESET" },
  },
  differences: whats.map((what) => ({ what, service: "200", sandbox: "400" })),
});

it("answers about one point count as one, and equal differences are one line", () => {
  const compared = [
    answer("page", "page 2", "status"),
    answer("page", "page 3", "status"),
    answer("page", "page 4", "status", "code"),
    answer("first", "first"),
    answer("last", "last", "status"),
  ];
  expect(comparisonText(compared, false)).toBe(
    `${[
      "1 of 3 answers is the same.",
      "Not the same:",
      "  page 2, and 3 more: status: the service 200, the sandbox 400",
      "  page 4: code: the service 200, the sandbox 400",
    ].join("\n")}\n`,
  );
});

it("a report has at most 40 lines, unless everything is asked for", () => {
  const many = Array.from({ length: 60 }, (_, place) => place);
  const all = {
    settings: many.map((place) => finding(`assumptions/a.${place}`, 1, 2)),
    remarks: many.map((place) => ({ id: "list.endpoints" as const, text: String(place) })),
    unknown: [],
  };
  const compared = many.map((place) => answer(String(place), String(place), `what ${place}`));
  const lines = (verbose: boolean) =>
    `${findingsText(all, verbose)}${comparisonText(compared, verbose)}Written`.split("\n");
  expect(lines(false).length).toBeLessThanOrEqual(38);
  expect(lines(false)).toContain("  … and 49 more, with --verbose");
  expect(lines(true).length).toBeGreaterThan(180);
  const drift = `${driftText(all, [], "f", false)}${comparisonText(compared, false)}`;
  expect(drift.split("\n").length).toBeLessThanOrEqual(40);
});
