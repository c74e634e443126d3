import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settingFacts, settingNames } from "../../src/sandbox/config/settings.js";
import { root } from "../documentation/markdown.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = read("docs/reference/library.md");

/** What a section of the page names at the beginning of its rows, and in its text. */
function namedIn(section: string): readonly string[] {
  const [, text = ""] = new RegExp(`^### ${section}\\n([\\s\\S]*?)(?=^### |^<!--)`, "m").exec(page) ?? [];
  return [...text.matchAll(/`+ ?(\w+)/g)].map(([, name = ""]) => name);
}

/** Exported types that other pages tell: answers of the admin API, keys of a scenario, names of values. */
const elsewhere = [
  ...["AdminErrorCode", "Duration", "ErrorCode", "OperationName", "ServerDefect", "ServerIssuer", "ServerRenewal"],
  ...["ActiveScenario", "Assumption", "CheckResult", "ClientInfo", "ClockState", "Exchange", "ExchangeDetail"],
  "CountedScenario",
  ...["Handshake", "Health", "RegisteredCertificate", "Report", "ScenarioSummary", "Verdict"],
  ...["ScenarioCondition", "ScenarioDefinition", "ScenarioFault", "ScenarioRetryAfter", "ScenarioRule"],
  ...["ScenarioValue", "AssumptionOptions", "ClientOptions", "DefectUrls"],
];

const exported = [...read("src/index.ts").matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
  names.split(",").flatMap((name) => name.trim().replace(/^type /, "") || []),
);

describe("docs/reference/library.md", () => {
  it("has every export, except for types that other pages tell", () => {
    const told = [...page.matchAll(/^### (\w+)$/gm), ...page.matchAll(/^\| `(\w+Sandbox)\(options\?/gm)].map(
      ([, name]) => name,
    );
    expect([...told, ...elsewhere].sort()).toEqual(exported.sort());
  });

  it.each([
    ["SandboxHandle", "sandbox-handle"],
    ["StartedSandbox", "sandbox-handle"],
    ["StartOptions", "options"],
    ["ConnectOptions", "options"],
    ["ClientHandle", "client-handle"],
    ["ClockControl", "client-handle"],
    ["NewClientOptions", "client-handle"],
    ["RotateOptions", "client-handle"],
    ["ReportOptions", "client-handle"],
    ["ClientReport", "client-handle"],
    ["RequestFilters", "client-handle"],
    ["RequestOptions", "client-handle"],
    ["ApiAnswer", "client-handle"],
    ["TlsIdentity", "client-handle"],
  ])("has every member of %s", (type, file) => {
    const source = read(`src/library/${file}.ts`);
    const [, body = ""] = new RegExp(`^export interface ${type}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, "m").exec(source) ?? [];
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:<]/gm)].map(([, name = ""]) => name);
    expect(members.length).toBeGreaterThan(0);
    expect(members.filter((name) => !namedIn(type).includes(name))).toEqual([]);
  });

  it("names every setting that is an option", () => {
    const ofFile = settingNames.filter((name) => settingFacts(name).key === name);
    expect(ofFile.filter((name) => !namedIn("StartOptions").includes(name))).toEqual([]);
  });

  it("has every code that only the library has", () => {
    const codes = [...read("src/library/error.ts").matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code]) => code);
    expect(namedIn("SandboxErrorCode").filter((name) => /^[A-Z_]+$/.test(name))).toEqual(codes);
  });
});
