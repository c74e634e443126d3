import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepDeclarationsOf } from "../../scripts/declarations.mjs";
import { importScripts } from "../../scripts/import-scripts.mjs";
import { workFolder } from "../cli/command.js";
import { project, root, runNode } from "./project.js";

const tsc = join(root, "node_modules/typescript/bin/tsc");

/** As strict as TypeScript can be, with a check of every declaration. */
const tsconfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    module: "nodenext",
    target: "es2022",
    types: ["node"],
    noEmit: true,
  },
  files: ["main.ts"],
});

const main = `
import { connectSandbox, type ClientHandle, SandboxError, type SandboxHandle, startSandbox } from "business-payments-sandbox";

export async function example(): Promise<number> {
  await using sandbox = await startSandbox({ lists: { invoices: { spacing: "6h" } }, assumptions: { "token.lifetime": 60 } });
  const client: ClientHandle = await sandbox.createClient({ seed: "1" });
  await client.useScenario({ rules: [{ when: { operation: "ping" }, then: { error: "VALIDATION_ERROR" } }] });
  const other: SandboxHandle = await connectSandbox();
  const answer = await client.request("/v1/ping").catch((error: unknown) => {
    if (error instanceof SandboxError) return error.status;
    throw error;
  });
  await other.close();
  return typeof answer === "number" ? answer : (answer?.status ?? 0);
}
// @ts-expect-error: no such option
void startSandbox({ prot: 1 });
`;

/** Types that are written out, as the source has them and as the package declares them. */
function comparison(types: string): string {
  const names = [
    ...["ActiveScenario", "Assumption", "AssumptionOptions", "CheckResult", "ClientInfo", "ClockState", "Exchange"],
    "ExchangeDetail",
    ...["Handshake", "Health", "RegisteredCertificate", "Report", "ScenarioSummary", "Verdict"],
  ];
  return `
import type * as source from ${JSON.stringify(join(root, "src/index.js"))};
import type * as shipped from ${JSON.stringify(join(types, "index.js"))};
type Same<A, B> = [A, keyof A] extends [B, keyof B] ? ([B, keyof B] extends [A, keyof A] ? true : false) : false;
${names.map((name) => `export const ${name}: Same<source.${name}, shipped.${name}> = true;`).join("\n")}
export const rule = (given: shipped.ScenarioDefinition) => Object.keys(given) as (keyof source.ScenarioDefinition)[];
export const lists = (given: shipped.StartOptions["lists"]): source.StartOptions["lists"] => given;
export const list = (given: NonNullable<source.StartOptions["lists"]>[string]) => Object.keys(given) as (keyof NonNullable<shipped.StartOptions["lists"]>[string])[];
`;
}

describe("the package's declarations", () => {
  it("are self-contained, without any of the bundled packages", async () => {
    const types = join(workFolder(), "types");
    const emitted = await runNode(root, [tsc, "-p", "tsconfig.types.json", "--outDir", types]);
    expect(emitted).toMatchObject({ code: 0, stdout: "" });
    const [{ writePackageTypes }] = await importScripts(root, ["package-types.ts"]);
    writePackageTypes(types, root);
    keepDeclarationsOf(join(types, "index.d.ts"), types);
    const compilerOptions = { typeRoots: [join(root, "node_modules/@types")] };
    const own = {
      extends: join(root, "tsconfig.json"),
      compilerOptions,
      include: [],
      files: ["same.mts", join(root, "src/sandbox/pki/node-forge-asn1.d.ts")],
    };
    const compared = workFolder({ "tsconfig.json": JSON.stringify(own), "same.mts": comparison(types) });
    expect(await runNode(compared, [tsc])).toMatchObject({ code: 0, stdout: "" });
    expect(readdirSync(types, { recursive: true }).map(String).sort()).toContain("library/client-handle.d.ts");

    const packageJson = JSON.stringify({
      name: "business-payments-sandbox",
      type: "module",
      exports: { ".": { types: "./index.d.ts" } },
    });
    writeFileSync(join(types, "package.json"), packageJson);
    const folder = project(
      { "tsconfig.json": tsconfig, "main.ts": main },
      { "business-payments-sandbox": types, "@types/node": join(root, "node_modules/@types/node") },
    );
    expect(await runNode(folder, [tsc])).toMatchObject({ code: 0, stdout: "" });
  });

  it("stay during a quick build, which removes everything else that an earlier build has made", async () => {
    const dist = workFolder({ "chunk-of-an-earlier-build.js": "" });
    mkdirSync(join(dist, "types"));
    writeFileSync(join(dist, "types/index.d.ts"), "export {};\n");
    const built = await runNode(root, [join(root, "scripts/build.mjs"), "--quick", "--out", dist]);
    expect(built).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readdirSync(dist)).toEqual(expect.arrayContaining(["cli.js", "index.js", "types"]));
    expect(readdirSync(dist)).not.toContain("chunk-of-an-earlier-build.js");
    expect(readFileSync(join(dist, "types/index.d.ts"), "utf8")).toBe("export {};\n");
  });
});
