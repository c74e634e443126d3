import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../../support/eventually.js";
import { type OutsideClient, openScenarioSandbox, type ScenarioSandbox } from "./sandbox.js";

const answering = (code: string) => `description: Answers with ${code}.\nrules:\n  - then: { error: ${code} }\n`;

let sandbox: ScenarioSandbox;
let client: OutsideClient;
const warnings: string[] = [];

beforeAll(async () => {
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    warnings.push(String(text));
    return true;
  });
  sandbox = await openScenarioSandbox({ scenario: "mine" }, { "mine.yaml": answering("NOT_FOUND") });
  client = await sandbox.client();
  await client.activate(null);
  await client.token();
  await sandbox.admin("DELETE", `/clients/${client.id}/scenario`);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await sandbox.close();
});

/** Waits until a ping is answered with this code. */
async function pingHas(code: string | undefined): Promise<void> {
  await expect.poll(async () => (await client.get("/v1/ping")).json.code).toBe(code);
}

describe("a running sandbox", () => {
  it("has the scenario of --scenario active for all from the start", () => pingHas("NOT_FOUND"));

  it("uses a saved file without a restart", async () => {
    writeFileSync(join(sandbox.folder, "mine.yaml"), answering("FORBIDDEN"));
    await pingHas("FORBIDDEN");
  });

  it("keeps the last valid one if a broken one is saved, and reports its position once", async () => {
    const file = join(sandbox.folder, "mine.yaml");
    writeFileSync(file, "description: x\nrules:\n  - than: { error: NOT_FOUND }\n");
    await eventually(() => warnings.length > 0);
    expect(warnings).toEqual([`payments-sandbox: ${file}:3:5: Unknown key "than" in rules[0]. Did you mean "then"?\n`]);
    await pingHas("FORBIDDEN");
    writeFileSync(join(sandbox.folder, "other.yaml"), answering("UNAUTHORIZED"));
    await eventually(async () => {
      const { items } = (await sandbox.admin("GET", "/scenarios")) as { items: { name: string }[] };
      return items.some(({ name }) => name === "other");
    });
    expect(warnings).toHaveLength(1);
    writeFileSync(file, answering("VALIDATION_ERROR"));
    await pingHas("VALIDATION_ERROR");
  });

  it("says once that a saved file names a list that does not exist", async () => {
    warnings.length = 0;
    const file = join(sandbox.folder, "odd.yaml");
    writeFileSync(file, "description: x\nrules:\n  - { when: { list: paymants }, then: { error: NOT_FOUND } }\n");
    await eventually(() => warnings.length > 0);
    expect(warnings).toEqual([
      `payments-sandbox: ${file}:3:21: There is no list "paymants". Did you mean "payments"?\n`,
    ]);
    writeFileSync(join(sandbox.folder, "mine.yaml"), answering("FORBIDDEN"));
    await pingHas("FORBIDDEN");
    expect(warnings).toHaveLength(1);
  });
});

describe("a start", () => {
  it("with an unknown --scenario fails, and names similar ones", async () => {
    await expect(openScenarioSandbox({ scenario: "maintenanse" })).rejects.toThrow(
      'There is no scenario "maintenanse"; similar names: maintenance.',
    );
  });

  it("with a --scenario for a list that does not exist fails, and names similar ones", async () => {
    const odd = "description: x\nrules:\n  - { when: { list: paymants }, then: { delay: 1ms } }\n";
    await expect(openScenarioSandbox({ scenario: "odd" }, { "odd.yaml": odd })).rejects.toThrow(
      'The scenario "odd" cannot be used: its file is broken (There is no list "paymants". Did you mean "payments"?)',
    );
  });

  it("with a broken --scenario fails, and names the problem", async () => {
    const broken = { "mine.yaml": "description: x\nrules:\n  - then: { connection: rest }\n" };
    await expect(openScenarioSandbox({ scenario: "mine" }, broken)).rejects.toThrow(
      /^The scenario "mine" cannot be used: its file is broken \(rules\[0\]\.then\.connection: unknown kind/,
    );
  });
});
