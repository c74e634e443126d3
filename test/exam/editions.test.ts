import { describe, expect, it } from "vitest";
import { chooseDrills, openScenarios } from "../../src/cli/exam/drills.js";
import { checkFacts, checkIds, newestEdition } from "../../src/exam/checks.js";
import { checksOf, hasDrill, isEdition, levelIn, resultsIn } from "../../src/exam/editions.js";
import { checksOf as resultsOfAll } from "./formats/sample.js";

/** Edition 1, as it was published: this list does not change. */
const first = [
  "token.no-secret must",
  "token.form must",
  "token.reused should",
  "token.shared should",
  "token.expired should",
  "token.refused must",
  "token.certificate must",
  "token.header must",
  "token.type must",
  "tls.server-certificate must",
  "tls.encrypted must",
  "tls.version should",
  "tls.reuse should",
  "retry.after must",
  "retry.paced should",
  "retry.bounded must",
  "retry.permanent must",
  "list.filters must",
  "list.cursor must",
  "list.restart must",
  "list.page-size must",
  "list.empty-page must",
  "list.loop must",
  "request.path must",
  "request.parameters should",
  "request.values must",
  "request.correlation-id must",
  "h2.refused-retried should",
  "h2.goaway must",
];

describe("edition 1", () => {
  it("keeps its checks and their levels", () => {
    expect(checksOf(1).map((id) => `${id} ${levelIn(id, 1)}`)).toEqual(first);
    expect(resultsIn(resultsOfAll(), 1).map(({ id, level }) => `${id} ${level}`)).toEqual(first);
  });

  it("keeps its fifty drills, and plain", async () => {
    const drills = chooseDrills(await openScenarios(undefined), [], 1).map(({ name }) => name);
    expect(drills).toHaveLength(51);
    expect(drills.slice(0, 3)).toEqual(["plain", "announced-lifetime-differs", "connection-closed"]);
    for (const name of ["maintenance", "wrong-token-type", "h2"]) expect(hasDrill(name, true, 1)).toBe(name !== "h2");
  });

  it("has the drills of the user", () => {
    expect(hasDrill("mine", false, 1)).toBe(true);
  });
});

describe("edition 2", () => {
  it("has none of the drills that came with edition 3", () => {
    expect([2, 3].map((edition) => hasDrill("server-certificate-incomplete", true, edition))).toEqual([false, true]);
    expect(hasDrill("redirected", true, 2)).toBe(true);
  });
});

describe("the newest edition", () => {
  it("has every check with its own level", () => {
    expect(checksOf(newestEdition)).toEqual(checkIds);
    expect(checkIds.filter((id) => levelIn(id, newestEdition) !== checkFacts(id).level)).toEqual([]);
  });

  it("has every drill, and is the default", async () => {
    const library = await openScenarios(undefined);
    const expected = library.all().filter(({ scenario }) => scenario?.expectation !== undefined);
    expect(chooseDrills(library, [])).toHaveLength(expected.length + 1);
    expect(hasDrill("brand-new", true, newestEdition)).toBe(true);
  });

  it("is the last one that can be chosen", () => {
    const chosen = ["0", "1", String(newestEdition), String(newestEdition + 1), "01x", "", "-1", "1.0"];
    expect(chosen.filter(isEdition)).toEqual(["1", String(newestEdition)]);
  });
});
