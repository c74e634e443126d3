import { describe, expect, expectTypeOf, it } from "vitest";
import { type CheckId, checkFacts, checkIds, isCheckId } from "../../src/exam/checks.js";
import { Examiner } from "../../src/exam/examiner.js";
import { mostEvidence } from "../../src/exam/finding.js";
import { countsAsFailure, plainReport, verdictOfChecks, withoutIgnored } from "../../src/exam/report.js";
import * as scenarios from "../../src/sandbox/scenarios/expectation.js";
import { MadeUpClient } from "./observed.js";

describe("the table of checks", () => {
  it.each(checkIds)("%s has everything that a report needs", (id) => {
    const { source, fix, exercisedBy, failsWhen } = checkFacts(id);
    expect(isCheckId(id)).toBe(true);
    expect(source).not.toBe("");
    expect(fix).toMatch(/^[A-Z].*[^.]\.$/s);
    const failure = typeof failsWhen === "string" ? failsWhen : failsWhen.never;
    for (const text of [exercisedBy, failure]) expect(text).toMatch(/^[a-z].*[^.]$/s);
  });
});

it("a scenario can expect exactly the checks of the table, in the same order", () => {
  expect(scenarios.checkIds).toEqual(checkIds);
  expectTypeOf<scenarios.CheckId>().toEqualTypeOf<CheckId>();
});

describe("a report", () => {
  it("has every check in the order of the table, even before the first request", () => {
    const results = new Examiner().results();
    expect(results.map(({ id }) => id)).toEqual(checkIds);
    expect(results.every(({ verdict }) => verdict === "not-exercised")).toBe(true);
    expect(verdictOfChecks(results, "must")).toBe("not-exercised");
  });

  it("counts a failed should as a warning, which fails a drill only if that is requested", () => {
    const client = new MadeUpClient();
    client.does({ unknown: [{ name: "x", near: undefined }] });
    const results = client.examiner.results();
    const { summary, drills } = plainReport(results);
    expect(summary).toMatchObject({ fail: 0, warn: 1 });
    expect(summary.pass + summary.fail + summary.warn + summary.notExercised).toBe(checkIds.length);
    expect(drills[0]?.verdict).toBe("pass");
    expect(plainReport(results, { failOn: "should" }).drills[0]?.verdict).toBe("fail");
    expect(results.filter((check) => countsAsFailure(check, "never"))).toEqual([]);
    const rest = withoutIgnored(results, new Set(["request.parameters"]));
    expect(plainReport(rest).summary.warn).toBe(0);
  });

  it("distinguishes clients, and combines them in the report on all", () => {
    const client = new MadeUpClient();
    client.does({ client: "one" });
    client.does({ client: "two", protocol: "TLSv1.2" });
    expect(client.verdict("tls.version", "one")).toBe("pass");
    expect(client.verdict("tls.version", "two")).toBe("fail");
    expect(client.verdict("tls.version", "three")).toBe("not-exercised");
    expect(client.result("tls.version")).toMatchObject({ verdict: "fail", exchanges: ["2"] });
  });

  it("is reset for one client, or for all", () => {
    const client = new MadeUpClient();
    for (const name of ["one", "two"]) client.does({ client: name, protocol: "TLSv1.2" });
    client.examiner.reset("one");
    expect(client.verdict("tls.version", "one")).toBe("not-exercised");
    expect(client.verdict("tls.version")).toBe("fail");
    client.examiner.reset();
    expect(client.verdict("tls.version")).toBe("not-exercised");
  });

  it("names the first few exchanges", () => {
    const client = new MadeUpClient();
    for (let count = 0; count < 100; count++) client.does({ protocol: "TLSv1.2", tokenSent: "url" });
    expect(client.result("token.header").exchanges).toEqual(
      [...Array(mostEvidence).keys()].map((id) => String(id + 1)),
    );
  });
});

describe("bounds", () => {
  it("the clients that were idle longest are dropped, but their failures are kept", () => {
    const client = new MadeUpClient(new Examiner(20));
    client.does({ client: "first", protocol: "TLSv1.2" });
    client.reads({ next: "a", rows: 0 }, { client: "second" });
    for (let count = 0; count < 100; count++) {
      client.does({ client: "busy" });
      client.does({ client: `other ${count}` });
      expect(client.examiner.size).toBeLessThanOrEqual(20);
    }
    expect(client.verdict("tls.version", "first")).toBe("not-exercised");
    expect(client.verdict("tls.version", "busy")).toBe("pass");
    expect(client.result("tls.version")).toMatchObject({ verdict: "fail", exchanges: ["1"] });
    // The client may have sent the cursor since.
    expect(client.verdict("list.empty-page")).toBe("not-exercised");
  });
});
