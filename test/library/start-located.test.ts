import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatProblem } from "../../src/base/yaml/problem.js";
import { checkConfiguration } from "../../src/library/check-configuration.js";
import { startSandbox } from "../../src/library/composition/sandbox.js";
import { located, locatedConfiguration } from "../../src/library/start-located.js";
import type { GivenSettings } from "../../src/sandbox/config/settings.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "located-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The problems that a start with this configuration file and these flags reports. */
async function complaint(text: string, flags: GivenSettings = {}, environment = {}): Promise<string> {
  writeFileSync(join(folder, "sandbox.yaml"), text);
  try {
    const configuration = await locatedConfiguration(flags, environment, folder);
    const own = { ...configuration, port: 0, adminPort: 0, certs: undefined, keyType: "ec" } as const;
    const sandbox = await located(own, () => startSandbox(own, { output: { log: () => {}, warn: () => {} } }));
    await sandbox.close(0);
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, "");
  }
  return "";
}

const wrong = `basePath: nope
publicUrl: http://localhost
scenario: maintenanse
scenarios: nowhere
clients: [{ clientId: one, certificates: [missing.pem] }]
lists: { a: { path: no-slash } }
`;

describe("a start", () => {
  it("that fails writes nothing more to the certificates folder", { tags: "slow" }, async () => {
    const certs = join(folder, "certs");
    const flags = { certs, scenario: "no-such" };
    const configuration = await locatedConfiguration(flags, {}, folder);
    await expect(startSandbox(configuration)).rejects.toThrow(/no-such/);
    const names = readdirSync(certs, { recursive: true });
    expect(names).toContain("misfits/expired/key.pem");
    expect(names.filter((name) => String(name).startsWith(".making-"))).toEqual([]);
  });

  it.each([
    ["prot: 1", '1:1: Unknown key "prot"'],
    ["basePath: nope", '1:11: The base path "nope" must begin with /'],
    // These are found only when the sandbox starts.
    ["scenario: maintenanse", '1:11: There is no scenario "maintenanse"; similar names: maintenance.'],
    ["hostnames: [bad host]", "1:13: "],
    ["lists: { payouts: { count: 1000000000 } }", "1:19: lists.payouts.spacing: the oldest rows would be before"],
  ])("says where the file is wrong: %s", async (text, message) => {
    expect(await complaint(`${text}\n`)).toContain(`sandbox.yaml:${message}`);
  });

  it("reports everything that check reports", async () => {
    const told = await complaint(wrong);
    const { problems } = await checkConfiguration(join(folder, "sandbox.yaml"));
    expect(problems).toHaveLength(6);
    expect(told).toBe(problems.map(formatProblem).join("\n").replaceAll(`${folder}/`, ""));
    // A key that does not fit the schema does not hide other problems either.
    expect((await complaint(`${wrong}prot: 1\n`)).split("\n")).toHaveLength(7);
  });

  it("distinguishes a flag from the file", async () => {
    const flag = { basePath: "flag" };
    const message = '--base-path: The base path "flag" must begin with /; give a path such as /business/api.';
    expect(await complaint("port: 0\n", flag)).toBe(message);
    expect(await complaint("scenario: flaky\n", { scenario: "maintenanse" })).toMatch(
      /^--scenario: There is no scenario/,
    );
    const both = await complaint(wrong.replace(/^(clients|publicUrl).*\n/gm, ""), flag);
    // The base path of the file has no effect, so it is not named.
    expect(both.split("\n")).toEqual([message, ...Array(3).fill(expect.stringMatching(/^sandbox\.yaml:\d/))]);
    expect(await complaint(wrong, {}, { SANDBOX_PORT: "x" })).toMatch(/^SANDBOX_PORT is "x".*\nsandbox\.yaml:1:11: /);
  });

  it("ignores a value of the file that a flag replaces", async () => {
    const flags = { basePath: "/b", publicUrl: "https://a.test", scenario: "flaky" };
    expect(await complaint("basePath: nope\npublicUrl: x\nscenario: maintenanse\n", flags)).toBe("");
  });
});
