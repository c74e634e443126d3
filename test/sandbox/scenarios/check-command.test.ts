import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { check } from "../../../src/cli/check.js";
import type { GivenSettings } from "../../../src/sandbox/config/settings.js";
import { readScenarioFolder } from "../../../src/sandbox/scenarios/folder.js";
import { builtInScenarios } from "../../../src/sandbox/scenarios/library.js";

const good = "description: x\nrules:\n  - then: { error: NOT_FOUND }\n";
const bad = "description: x\nrules:\n  - wen: { page: 1 }\n    then: { error: NOT_FUOND }\n";

let folder: string;
let printed: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "check-")));
  printed = "";
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = 0;
  rmSync(folder, { recursive: true, force: true });
});

function save(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The lines that the command prints, and its exit status. */
async function run(files: readonly string[], flags: GivenSettings = {}): Promise<[lines: string[], status: number]> {
  process.exitCode = 0;
  // Paths of the command line are relative to the current folder, which a test cannot change in a worker.
  await check(
    files.map((file) => join(folder, file)),
    flags,
  );
  return [printed.split("\n").slice(0, -1), Number(process.exitCode)];
}

describe("check FILE…", () => {
  it("has a line for each file, and exit status 0 if all are valid", async () => {
    save("one.yaml", good);
    save("two.yml", good);
    expect(await run(["one.yaml", "two.yml"])).toEqual([["✓ one.yaml", "✓ two.yml"], 0]);
  });

  it("has the problems below a bad file, with file:line:column, and exit status 1", async () => {
    save("one.yaml", good);
    save("two.yaml", bad);
    expect(await run(["one.yaml", "two.yaml"])).toEqual([
      [
        "✓ one.yaml",
        "✗ two.yaml",
        '  two.yaml:3:5: Unknown key "wen" in rules[0]. Did you mean "when"?',
        '  two.yaml:4:20: rules[0].then.error: unknown error code "NOT_FUOND". Did you mean "NOT_FOUND"?',
      ],
      1,
    ]);
  });

  it("reports a file that is missing, not text, or badly named", async () => {
    save("binary.yaml", Buffer.from([0xff, 0xfe, 0x00, 0x80]));
    save("my file.yaml", good);
    const [lines, status] = await run(["nothing.yaml", "binary.yaml", "my file.yaml"]);
    expect(lines).toEqual([
      "✗ nothing.yaml",
      "  nothing.yaml: There is no such file.",
      "✗ binary.yaml",
      "  binary.yaml: This is not text in UTF-8.",
      "✗ my file.yaml",
      expect.stringMatching(/^ {2}my file\.yaml: A scenario has the name of its file: use letters/),
    ]);
    expect(status).toBe(1);
  });

  it("checks all scenarios in a folder", async () => {
    mkdirSync(join(folder, "mine"));
    save("mine/a.yaml", good);
    save("mine/b.yaml", bad);
    save("mine/notes.txt", "no scenario");
    symlinkSync("/etc/hostname", join(folder, "mine", "link.yaml"));
    const [lines, status] = await run(["mine"]);
    expect(lines.filter((line) => !line.startsWith(" "))).toEqual([
      "✓ mine/a.yaml",
      "✗ mine/b.yaml",
      "✗ mine/link.yaml",
    ]);
    expect(lines.at(-1)).toBe("  mine/link.yaml: This is a link that leads out of the folder.");
    expect(status).toBe(1);
  });

  it("reports a folder without a scenario", async () => {
    mkdirSync(join(folder, "certs"));
    save("certs/a.json", "{}");
    expect(await run(["certs"])).toEqual([
      ["✗ certs", "  certs: There is no scenario in this folder: no file NAME.yaml or NAME.yml."],
      1,
    ]);
  });

  it("knows the lists of the configuration that a start would read, which a variable can name", async () => {
    save("other.yaml", "lists: { orders: {} }\n");
    save("a.yaml", "description: x\nrules:\n  - { when: { list: orders }, then: { error: NOT_FOUND } }\n");
    vi.stubEnv("SANDBOX_CONFIG", join(folder, "other.yaml"));
    expect(await run(["a.yaml"])).toEqual([["✓ a.yaml"], 0]);
  });

  it("checks a file called sandbox.yaml as a configuration, and the one of --config", async () => {
    save("sandbox.yaml", "port: 70000\nprot: 1\n");
    save("other.yaml", "adminPort: 9000\n");
    const [lines, status] = await run(["sandbox.yaml"], { config: join(folder, "other.yaml") });
    expect(lines).toEqual([
      "✓ other.yaml",
      "✗ sandbox.yaml",
      "  sandbox.yaml:1:7: port: give a whole number, a port from 0 to 65535",
      '  sandbox.yaml:2:1: Unknown key "prot". Did you mean "port"?',
    ]);
    expect(status).toBe(1);
  });

  it("names a file outside the current folder by its full path", async () => {
    const outside = join(builtInScenarios, "slow.yaml");
    await check([outside], {});
    expect(printed).toBe(`✓ ${outside}\n`);
  });
});

describe("check of a configuration", () => {
  it.each([
    ["lists: { a: { path: /v1/ping } }", "1:21: lists.a.path: /v1/ping is taken by ping"],
    ["scenario: maintenanse", '1:11: There is no scenario "maintenanse"; similar names: maintenance.'],
    ["clients: [{ clientId: demo, certificates: [ca.pem] }]", /^1:\d+: /],
    ["clients: [{ clientId: mine, certificates: [missing.pem] }]", /^1:44: There is no file .*missing\.pem\.$/],
  ])("%s", async (text, problem) => {
    save("sandbox.yaml", `${text}\n`);
    save("ca.pem", "");
    const [lines, status] = await run(["sandbox.yaml"]);
    expect([lines[0], status]).toEqual(["✗ sandbox.yaml", 1]);
    const found = lines[1]?.replace("  sandbox.yaml:", "");
    if (typeof problem === "string") expect(found).toBe(problem);
    else expect(found).toMatch(problem);
  });
});

describe("check finds everything at once:", () => {
  it("schema errors, unreadable files, and contradictions", async () => {
    save(
      "sandbox.yaml",
      `port: 70000
basePath: nope
publicUrl: http://localhost
scenario: maintenanse
hostnames: [bad host]
assumptions: { token.lifetim: 5 }
clients:
  - { clientId: one, certificates: [missing.pem] }
  - { clientId: demo, certificates: [other.pem] }
lists:
  a: { path: /v1/ping, count: -1 }
  b: { path: no-slash, order: newest-first, cursorLifetime: 0s }
  c: { items: rows.yaml }
  d: { path: /v1/payments }
`,
    );
    const [lines, status] = await run(["sandbox.yaml"]);
    const found = lines.slice(1).map((line) => line.replace(/^ {2}sandbox\.yaml:(\d+):\d+: /, "$1 "));
    expect(found).toEqual([
      expect.stringMatching(/^1 port/),
      expect.stringMatching(/^2 The base path "nope"/),
      expect.stringMatching(/^3 The public URL/),
      expect.stringMatching(/^4 There is no scenario "maintenanse"/),
      expect.stringMatching(/^5 .*bad host/),
      expect.stringMatching(/^6 .*Did you mean "token.lifetime"/),
      expect.stringMatching(/^8 There is no file/),
      expect.stringMatching(/^9 .*demo/),
      expect.stringMatching(/^9 There is no file/),
      expect.stringMatching(/^11 lists\.a\.path: .*taken by ping/),
      expect.stringMatching(/^11 lists\.a\.count/),
      expect.stringMatching(/^12 lists\.b\.path/),
      expect.stringMatching(/^12 lists\.b\.cursorLifetime/),
      expect.stringMatching(/^13 There is no file/),
      expect.stringMatching(/^14 lists\.d\.path: .*taken by the list "payments"/),
    ]);
    expect(status).toBe(1);
  });

  /** The problems of a configuration, each with its line. */
  async function problemsIn(text: string): Promise<string[]> {
    save("sandbox.yaml", text);
    return (await run(["sandbox.yaml"]))[0]
      .slice(1)
      .map((line) => line.replace(/^ {2}sandbox\.yaml:(\d+):\d+: /, "$1 "));
  }

  it("every wrong item of a list", async () => {
    const text = `lists:
  own:
    filters: { status: status }
    items:
      - { createdAt: "2026-11-20T00:00:00Z", status: NEW }
      - { createdAt: 2026-02-30, status: [NEW] }
      - 7
      - { status: NEW }
      - { createdAt: yesterday }
    pageSize: { default: 1000 }
`;
    expect(await problemsIn(text)).toEqual([
      "6 lists.own.items[1].createdAt: is not a date: there is no such date in the calendar",
      "6 lists.own.items[1].status: is tested by a filter and must be a scalar",
      "7 lists.own.items[2]: must be an object",
      "8 lists.own.items[3]: has no createdAt; name the items' date in dateField, or set dateField to null",
      "9 lists.own.items[4].createdAt: is not a date or a date-time: a date such as 2026-01-31 or an RFC 3339 date-time such as 2026-01-31T09:30:00Z is needed",
      "10 lists.own.pageSize.default: 1000 is not from 1 to 100",
    ]);
  });

  it("every mistake inside one key of a list", async () => {
    const text = `lists:
  own:
    pageSize:
      minimum: 0
      maximum: 99999
    parameters:
      cursor: page
      pageSize: page
      fromCreatedAt: page
    envelope:
      items: data.rows
      nextCursor: data
      extra: { "": 1, data.rows.x: 2 }
    fields:
      status: { type: choice, values: [A], weights: [0] }
      reference: { type: text, template: "{" }
      createdAt: { type: createdAt }
      nested:
        type: object
        fields:
          id: { type: id, length: 1 }
          amount: { type: integer, min: 2, max: 1 }
`;
    expect(await problemsIn(text)).toEqual([
      "4 lists.own.pageSize.minimum: give a whole number from 1 to 10,000",
      "5 lists.own.pageSize.maximum: give a whole number from 1 to 10,000",
      '7 lists.own.parameters.cursor: the name "page" is used twice',
      '9 lists.own.parameters.fromCreatedAt: the name "page" is used twice',
      expect.stringMatching(/^12 lists\.own\.envelope\.nextCursor: "data" is used twice/),
      expect.stringMatching(/^13 lists\.own\.envelope\.extra\.: a member's name is empty/),
      expect.stringMatching(/^13 lists\.own\.envelope\.extra\.data\.rows\.x: "data\.rows" is not an object/),
      "15 lists.own.fields.status.weights[0]: give whole numbers from 1 on",
      "16 lists.own.fields.reference.template: a single brace; write {{ or }}",
      expect.stringMatching(/^21 lists\.own\.fields\.nested\.fields\.id\.length: /),
      "22 lists.own.fields.nested.fields.amount.min: must not be larger than max",
    ]);
  });

  it("every filter that no row can have", async () => {
    const text = `lists:
  own:
    filters:
      a: nothing
      status: status
      b: reference
`;
    expect((await problemsIn(text)).map((line) => line.slice(0, 25))).toEqual([
      '4 lists.own.filters.a: "n',
      '6 lists.own.filters.b: "r',
    ]);
  });

  it("twenty of many wrong items", async () => {
    expect(await problemsIn(`lists: { own: { items: [${"1, ".repeat(100)}1] } }\n`)).toHaveLength(20);
  });

  it("merge keys, which YAML 1.2 does not support", async () => {
    const text = `lists:
  one: &one { count: 5 }
  two: { <<: *one }
`;
    expect(await problemsIn(text)).toEqual([
      '3 Unknown key "<<" in lists.two. YAML 1.2 has no merge keys: write out the keys of the alias.',
    ]);
  });

  it("items that are not shown under any path", async () => {
    const text = `lists:
  own:
    path: /v1/accounts/{accountId}/entries
    dateField: null
    items:
      - { accountId: a, n: 1 }
      - { acountId: a, n: 2 }
      - { accountId: null, n: 3 }
`;
    expect(await problemsIn(`${text}      - 5\n`)).toHaveLength(3);
    printed = "";
    const hidden = "has no accountId, which selects the items of a path; no path shows it";
    expect(await problemsIn(text)).toEqual([`7 lists.own.items[1]: ${hidden}`, `8 lists.own.items[2]: ${hidden}`]);
    expect(process.exitCode).toBe(1);
  });

  it("each wrong client, and each wrong member", async () => {
    const text = `clients:
  - { clientId: one, certificates: [missing-1.pem], scopes: 3 }
  - { clientId: "o n e", certificates: [missing-2.pem] }
  - 7
  - { clientId: demo, certificates: 5 }
  - { clientId: two, certificate: [x.pem], certificates: [missing-3.pem] }
tls: { clientCertificate: perhaps, clientCa: [missing-4.pem] }
`;
    const missing = (line: number, file: number) => `${line} There is no file ${join(folder, `missing-${file}.pem`)}.`;
    expect((await problemsIn(text)).sort()).toEqual([
      missing(2, 1),
      "2 clients[0].scopes: give a list of scopes",
      missing(3, 2),
      expect.stringMatching(/^3 clients\[1\]\.clientId: use letters/),
      "4 clients[2]: give keys and values here",
      '5 There is a client "demo" already.',
      "5 clients[3].certificates: give a list of PEM files",
      missing(6, 3),
      '6 Unknown key "certificate" in clients[4]. Did you mean "certificates"?',
      missing(7, 4),
      "7 tls.clientCertificate: give one of request, require",
    ]);
  });

  it.each([
    ["journal: { requests: 0 }", "journal.requests: give a whole number from 1 to 1,000,000"],
    ["journal: { handshakes: 1000001 }", "journal.handshakes: give a whole number from 1 to 1,000,000"],
    ["lists: { payments: { count: -1 } }", "lists.payments.count: give a whole number from 0 on"],
  ])("the message names the range: %s", async (text, message) => {
    expect(await problemsIn(`${text}\n`)).toEqual([`1 ${message}`]);
  });

  it("a configuration is recognised by its content, whatever its name", async () => {
    save("mine.yaml", "prot: 1\nadminPort: 9000\n");
    save("scenario.yaml", good);
    save("neither.yaml", "x: 1\n");
    const [lines] = await run(["mine.yaml", "scenario.yaml", "neither.yaml"]);
    expect(lines.slice(0, 3)).toEqual([
      "✗ mine.yaml",
      '  mine.yaml:1:1: Unknown key "prot". Did you mean "port"?',
      "✓ scenario.yaml",
    ]);
    expect(lines[3]).toBe("✗ neither.yaml");
  });

  it("a scenario is recognised by any of its keys, but not by $schema, which a configuration may have", async () => {
    save("misspelt.yaml", "$schema: x\nexpect: { outcome: succeeds }\nrule: []\n");
    expect((await run(["misspelt.yaml"]))[0].join("\n")).toContain('Unknown key "rule". Did you mean "rules"?');
    save("configured.yaml", "$schema: x\nadminPort: 9000\n");
    expect((await run(["configured.yaml"]))[0]).toContain("✓ configured.yaml");
  });

  it("a rule for an unknown list", async () => {
    save("mine.yaml", "lists: { invoices: { count: 5 } }\n");
    const rule = (list: string) =>
      `description: x\nrules:\n  - when: { list: ${list} }\n    then: { error: NOT_FOUND }\n`;
    save("one.yaml", rule("paymnets"));
    save("two.yaml", rule("invoices"));
    expect(await run(["one.yaml", "two.yaml"])).toEqual([
      [
        "✗ one.yaml",
        '  one.yaml:3:19: There is no list "paymnets". Did you mean "payments"?',
        "✗ two.yaml",
        '  two.yaml:3:19: There is no list "invoices". Known are: payments, payouts.',
      ],
      1,
    ]);
    expect((await run(["two.yaml", "mine.yaml"]))[0]).toContain("✓ two.yaml");
  });
});

describe("check without a file", () => {
  it("checks everything that a start would read", async () => {
    mkdirSync(join(folder, "mine"));
    save("sandbox.yaml", "scenarios: mine\nscenario: one\n");
    save("mine/one.yaml", good);
    const { files } = await readScenarioFolder(builtInScenarios);
    const [lines, status] = await run([]);
    expect(lines).toEqual(["✓ sandbox.yaml", "✓ mine/one.yaml", `✓ ${files.length} built-in scenarios`]);
    expect(status).toBe(0);
  });

  it("continues after a broken sandbox.yaml", async () => {
    mkdirSync(join(folder, "scenarios"));
    save("sandbox.yaml", "port: [\n");
    save("scenarios/one.yaml", bad);
    const [lines, status] = await run([]);
    expect(lines).toContain("✗ sandbox.yaml");
    expect(lines).toContain("✗ scenarios/one.yaml");
    expect(status).toBe(1);
  });

  it("uses the folder of --scenarios, and says if it does not exist", { tags: "slow" }, async () => {
    const [lines, status] = await run([], { scenarios: join(folder, "nowhere") });
    expect(lines.slice(0, 2)).toEqual(["✗ nowhere", "  nowhere: There is no such folder."]);
    expect(status).toBe(1);
  });

  it("checks only the built-in scenarios if there is nothing else", async () => {
    const [lines, status] = await run([]);
    expect(lines).toEqual([expect.stringMatching(/^✓ [3-9]\d built-in scenarios$/)]);
    expect(status).toBe(0);
  });
});
