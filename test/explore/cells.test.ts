import { describe, expect, it } from "vitest";
import { namePattern } from "../../src/base/text/name.js";
import { layerOf, scenarioOf } from "../../src/explore/cell-scenario.js";
import { exploreFaults, faultsAt } from "../../src/explore/faults.js";
import { pointName } from "../../src/explore/point.js";
import { readScenario } from "../../src/sandbox/scenarios/parse.js";
import { cellName, cells, points } from "./points.js";

describe("the points", () => {
  it("are named by their roles", () => {
    expect(points.map(pointName)).toEqual([
      "token.first",
      "token.renewal",
      "ping",
      "list.payouts.only",
      "list.payments.first",
      "list.payments.middle",
      "list.payments.last",
    ]);
  });
});

describe("the faults that can happen at a point", () => {
  const everywhere = ["reset", "close", "hang", "truncate", "stall", "garbage", "stream-refused", "goaway", "slow"];
  const codes = ["html-502", "error-500", "error-503", "error-429"];
  const ofPage = ["unknown-field", "empty-page", "short-page", "duplicate-row"];
  const staying = ["reset-always", "hang-always", "error-500-always", "error-503-always"];
  const namesAt = (index: number, http2 = true) =>
    faultsAt(points[index] ?? { operation: "ping" }, http2).map(({ name }) => name);

  it("of a token request", () => {
    const names = [...everywhere, ...codes, "unknown-code", "early-expiry", "not-json", "unknown-field", ...staying];
    expect(namesAt(0)).toEqual([...names, "invalid-client-always"]);
    expect(namesAt(1)).toEqual(namesAt(0));
  });

  it("of a ping", () => {
    const names = [...everywhere, ...codes, "unauthorized", "unknown-code", "not-json", "unknown-field", ...staying];
    expect(namesAt(2)).toEqual([...names, "unauthorized-always", "forbidden-always"]);
  });

  it("of a page: a cursor can be refused only if one is sent", () => {
    const page = (...more: string[]) => [
      ...[...everywhere, ...codes, "unauthorized", "unknown-code", ...more],
      ...["not-json", ...ofPage, ...staying, "unauthorized-always", "forbidden-always"],
    ];
    expect([namesAt(3), namesAt(4)]).toEqual([page(), page()]);
    expect([namesAt(5), namesAt(6)]).toEqual([page("cursor-refused"), page("cursor-refused")]);
  });

  it("over HTTP/1.1 there are no streams", () => {
    const missing = namesAt(2).filter((name) => !namesAt(2, false).includes(name));
    expect(missing).toEqual(["stream-refused", "goaway"]);
  });

  it("have a name once at each point, and once comes before always", () => {
    for (const [index] of points.entries()) expect(new Set(namesAt(index)).size).toBe(namesAt(index).length);
    const always = exploreFaults.map((fault) => fault.always);
    expect(always.lastIndexOf(false)).toBeLessThan(always.indexOf(true));
  });

  it("say which of them stay, or say that a repetition cannot help", () => {
    const staying = exploreFaults.filter(({ passes, always }) => !passes && !always).map(({ name }) => name);
    expect(staying).toEqual(["unknown-code", "cursor-refused", "not-json"]);
    expect(exploreFaults.filter(({ passes, always }) => passes && always)).toEqual([]);
  });
});

describe("the scenario of a cell", () => {
  it("is short, and can be read", async () => {
    const [point] = points.slice(5);
    const [truncate] = exploreFaults.filter(({ name }) => name === "truncate");
    const [down] = exploreFaults.filter(({ name }) => name === "error-503-always");
    if (!point || !truncate || !down) throw new Error("missing");
    expect((await scenarioOf(point, truncate)).yaml).toBe(
      [
        "description: The failure truncate at list.payments.middle, once; after POST /reset of the admin API, once more. Made by payments-sandbox explore.",
        "rules:",
        "  - name: truncate",
        "    when: { operation: list, list: payments, page: middle }",
        "    limit: 1",
        "    share: all",
        "    then: { connection: truncate }",
        "",
      ].join("\n"),
    );
    expect((await scenarioOf(point, down)).yaml).toBe(
      [
        "description: The failure error-503 at list.payments.middle, from there on. Made by payments-sandbox explore.",
        "rules:",
        "  - name: error-503-always",
        "    when: { operation: list, list: payments }",
        "    from: { page: middle }",
        "    share: all",
        "    then:",
        "      error: { code: SERVICE_UNAVAILABLE, retryAfter: 1s }",
        "",
      ].join("\n"),
    );
  });

  it.each(cells.map(([point, fault]) => [cellName(point, fault), point, fault] as const))(
    "%s is accepted",
    async (name, point, fault) => {
      const scenario = await scenarioOf(point, fault);
      const { name: file, yaml, content } = scenario;
      expect(file).toMatch(namePattern);
      const reviewed = await readScenario(yaml, file, file, ["payments", "payouts"]);
      expect(reviewed).toMatchObject({ problems: [], scenario: { name: file } });
      expect(reviewed.scenario?.rules).toMatchObject([{ name: fault.name, share: "all" }]);
      expect(content.rules).toHaveLength(1);
      expect(await layerOf(point, scenario)).toMatchObject({ name: `explore:${name.split("/")[0]}` });
    },
  );

  it("has a name of its own also for lists with long names", async () => {
    const [fault] = exploreFaults;
    if (!fault) throw new Error("missing");
    const names = await Promise.all(
      ["a", "b"].map(async (end) =>
        scenarioOf({ operation: "list", list: `${"x".repeat(63)}${end}`, role: "middle" }, fault),
      ),
    );
    expect(new Set(names.map(({ name }) => name)).size).toBe(2);
    for (const { name } of names) expect(name).toMatch(namePattern);
  });
});
