import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownFaults } from "../../src/cli/explore/own-faults.js";
import { layerOf, scenarioOf } from "../../src/explore/cell-scenario.js";
import { pointName } from "../../src/explore/point.js";
import { workFolder } from "../cli/command.js";
import { points, reachedPoints } from "./points.js";

/** Reads a file, and returns the fault with the points at which it can act. */
async function read(text: string, name = "own.yaml") {
  const path = join(workFolder({ [name]: text }), name);
  const [own] = await ownFaults([path]);
  if (own === undefined) throw new Error("no fault");
  const at = reachedPoints.filter((point) => own.isAt(point));
  for (const { role } of at) await layerOf(role, await scenarioOf(role, own.fault));
  return { ...own.fault, points: at.map(({ id }) => id) };
}

const rule = (text: string) => `description: my own\nrules:\n  - ${text.replaceAll("\n", "\n    ")}\n`;
const status = "then: { respond: { status: 418 } }";

describe("a fault of the user's own", () => {
  it("has the name of its file, and acts everywhere unless its rule says where", async () => {
    const everywhere = points.map(pointName);
    expect(await read(rule(status), "teapot.yaml")).toMatchObject({ name: "teapot", always: true, points: everywhere });
    const once = await read(rule(`limit: 1\n${status}`));
    expect(once).toMatchObject({ always: false, passes: true, points: everywhere });
  });

  it.each([
    ["{ operation: ping }", ["ping"]],
    ["{ operation: token }", ["token.first", "token.renewal"]],
    ["{ operation: token, token: renewal }", ["token.renewal"]],
    ["{ operation: list, page: last }", ["list.payments.last"]],
    ["{ operation: list, list: payouts }", ["list.payouts.only"]],
  ])("with the condition %s is at %j", async (when, expected) => {
    expect((await read(rule(`when: ${when}\n${status}`))).points).toEqual(expected);
  });

  it("may leave a request open", async () => {
    expect(await read(rule("limit: 1\nthen: { connection: { kind: stall, duration: 1h } }"))).toMatchObject({
      holds: true,
    });
    expect(await read(rule("then: { connection: hang }"))).toMatchObject({ holds: true });
    expect(await read(rule(status))).toMatchObject({ holds: false });
  });

  it("that changes pages is at pages only", async () => {
    const lists = points.map(pointName).filter((name) => name.startsWith("list."));
    expect((await read(rule("then: { page: { empty: true } }"))).points).toEqual(lists);
  });

  it.each([
    ["no rule", "description: nothing\nserver: { certificate: expired }\n", /give a scenario with one rule/],
    ["two rules", `${rule(status)}  - ${status}\n`, /give a scenario with one rule/],
    [
      "a part besides its rule",
      `${rule(status)}server: { certificate: expired }\n`,
      /its part "server" cannot be kept/,
    ],
    ["another condition", rule(`when: { headers: { A: b } }\n${status}`), /its condition "headers" cannot be kept/],
    ["the number of a page", rule(`when: { page: 2 }\n${status}`), /its condition "page" is a number/],
    ["a key that a point decides", rule(`skip: 2\n${status}`), /its key "skip" cannot be kept/],
    ["a probability", rule(`probability: 0.5\n${status}`), /its key "probability" cannot be kept/],
    ["a limit above 1", rule(`limit: 3\n${status}`), /its limit is 3; give 1/],
    ["an unknown key", rule(`nothing: 2\n${status}`), /own\.yaml:3:5: .*nothing/],
    ["no YAML", "rules: [", /own\.yaml:/],
  ])("is refused with %s", async (_what, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it("is refused with the name of a fault that exists, or with one that cannot be a name", async () => {
    await expect(read(rule(status), "reset.yaml")).rejects.toThrow(/"reset" is the name of another fault/);
    await expect(read(rule(status), "my fault.yaml")).rejects.toThrow(/my fault\.yaml"/);
    const [one, other] = [workFolder({ "own.yaml": rule(status) }), workFolder({ "own.yaml": rule(status) })];
    await expect(ownFaults([join(one, "own.yaml"), join(other, "own.yaml")])).rejects.toThrow(
      /"own" is the name of another fault/,
    );
  });

  it("is refused if its file cannot be read", async () => {
    await expect(ownFaults([join(workFolder(), "nowhere.yaml")])).rejects.toThrow(
      /nowhere\.yaml: There is no such file/,
    );
    const folder = workFolder();
    writeFileSync(join(folder, "bytes.yaml"), Buffer.from([0xff, 0xfe, 0xff]));
    await expect(ownFaults([join(folder, "bytes.yaml")])).rejects.toThrow(/bytes\.yaml/);
  });
});
