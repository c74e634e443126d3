import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join, normalize } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { copyOfCerts, workFolder } from "../cli/command.js";
import { patience } from "../support/patience.js";
import {
  emptyProject,
  installAsDocumented,
  installCommands,
  npmSucceeds,
  type Packed,
  packAndInstall,
} from "./packed.js";
import { root, runNode } from "./project.js";

let packed: Packed;

beforeAll(async () => {
  packed = await packAndInstall();
});

const read = (file: string) => readFileSync(join(packed.folder, file), "utf8");

/** Every file of the package matches one of these, and each has at least one file. */
const kinds = [
  /^(?:CHANGELOG\.md|LICENSE|README\.md|llms\.txt|package\.json|(?:baseline|explore|report|sandbox)\.schema\.json|sandbox\.yaml)$/,
  /^bin\/payments-sandbox\.mjs$/,
  /^dist\/(?:cli|index)\.js$/,
  /^dist\/[A-Za-z0-9-]+-[\w-]{8}\.js$/,
  /^dist\/THIRD-PARTY-NOTICES\.txt$/,
  /^dist\/dashboard\/(?:app\.css|(?:app|editor|shared)\.js|icon\.svg)$/,
  /^dist\/types\/(?:[a-z-]+\/)*[a-z0-9-]+\.d\.ts$/,
  /^deploy\/compose\/(?:compose\.yaml|haproxy\.cfg)$/,
  /^docs\/(?:README|benchmarks|dependencies|edge|security|shared)\.md$/,
  /^docs\/guide\/(?:agents|certificates|ci|connect|dashboard|exam|explore|lists|scenarios|tests)\.md$/,
  /^docs\/reference\/(?:admin-api|assumptions|calibrate|checks|commands|configuration|errors|explore|import|library|mcp|metrics|scenarios|settings)\.md$/,
  /^examples\/(?:[a-z0-9-]+\/)*(?!package-lock)[\w.-]+\.(?:cjs|go|java|json|md|mjs|mod|php|py|rb|sh|ts|yml)$/,
  /^scenarios\/(?:[a-z0-9-]+\.yaml|scenario\.schema\.json)$/,
];

/** Files that others refer to, directly or not, by relative names of scripts; `ending` replaces `.js`. */
function reachable(from: readonly string[], ending: ".js" | ".d.ts"): string[] {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, target = ""] of read(file).matchAll(/(?:from|import) ?\(?["`](\.{1,2}\/[\w/-]+)\.js["`]/g)) {
      visit(normalize(join(dirname(file), target + ending)));
    }
  };
  from.forEach(visit);
  return [...found].sort();
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const packageManifest = (name: string) => manifestOf(join(root, "node_modules", name));

/** Packages, and all that they depend on, and is installed. */
function withDependencies(names: readonly string[]): Set<string> {
  const found = new Set(names);
  for (const name of found) {
    const { dependencies, peerDependencies } = packageManifest(name);
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies }))
      if (existsSync(join(root, "node_modules", needed))) found.add(needed);
  }
  return found;
}

describe("the files of the package", () => {
  it("are exactly those that are needed", () => {
    expect(packed.files.filter((file) => !kinds.some((kind) => kind.test(file)))).toEqual([]);
    expect(kinds.filter((kind) => !packed.files.some((file) => kind.test(file)))).toEqual([]);
    for (const file of ["LICENSE", "README.md", "dist/dashboard/app.js", "dist/dashboard/app.css"]) {
      expect(packed.files).toContain(file);
    }
    const scenarios = readdirSync(join(root, "scenarios")).map((name) => `scenarios/${name}`);
    expect(packed.files.filter((file) => file.startsWith("scenarios/"))).toEqual(scenarios.sort());
  });

  it("are all used, and nothing is left of an earlier build", () => {
    const scripts = packed.files.filter((file) => /^dist\/[^/]+\.js$/.test(file));
    expect(reachable(["dist/cli.js", "dist/index.js"], ".js")).toEqual(scripts);
    const types = packed.files.filter((file) => file.startsWith("dist/types/"));
    expect(reachable(["dist/types/index.d.ts"], ".d.ts")).toEqual(types);
  });

  it("are loaded at a start as one, with small ones that name its parts", async () => {
    const node = [process.execPath, "--import", logsLoads, join(packed.folder, "dist", "cli.js")];
    const args = ["start", "--port", "0", "--admin-port", "0", "--certs", copyOfCerts()];
    // In one stream, so that what is loaded after the start comes later.
    const child = spawn("sh", ["-c", 'exec "$@" 2>&1', "sh", ...node, ...args]);
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    });
    const sizes: number[] = [];
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith("Ready on ")) break;
      if (line.startsWith("loaded ")) sizes.push(statSync(fileURLToPath(line.slice("loaded ".length))).size);
    }
    const [start = 0, ...others] = sizes.toSorted((a, b) => b - a);
    expect(start).toBeGreaterThan(500_000);
    // What makes certificates may be loaded meanwhile.
    expect(others.reduce((sum, size) => sum + size)).toBeLessThan(100_000);
    expect(others.length).toBeLessThan(20);
  });

  it("are less than 1.62 MB to download; the client of Redis is an eighth of that", () => {
    expect(statSync(packed.tarball).size).toBeLessThan(1_620_000);
  });

  it("run nothing when they are installed, and need no other package", () => {
    const { scripts, dependencies, optionalDependencies, peerDependencies } = JSON.parse(read("package.json"));
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$|^(?:pre|post)?prepare$/.test(name))).toEqual(
      [],
    );
    expect([dependencies, optionalDependencies, peerDependencies]).toEqual([undefined, undefined, undefined]);
    expect(packed.files).not.toContain("binding.gyp");
    const modules = readdirSync(join(packed.project, "node_modules")).filter((name) => !name.startsWith("."));
    expect(modules).toEqual(["business-payments-sandbox"]);
  });

  it("refer only to each other, except for links to pictures, which would nearly double the size of the package", () => {
    const dead = packed.files
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) => {
        const links = read(file).matchAll(/\]\((?!https?:|#)([^)#]+)|(?:src|srcset|href)="(?!https?:|#)([^"#]+)/g);
        return [...links].map(([, link, source]) => normalize(join(dirname(file), link ?? source ?? "")));
      })
      .filter((target) => !target.startsWith("docs/pictures/") && !existsSync(join(packed.folder, target)));
    expect(dead).toEqual([]);
  });

  it("reproduce the licences of the packages that are bundled, and name no others", () => {
    const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const imported = new Set<string>();
    for (const name of sources) {
      const code = readFileSync(join(root, "src", name), "utf8");
      for (const [, found = ""] of code.matchAll(
        /^(?:import|export) (?!type)[^;]*?from "((?:@[\w-]+\/)?[a-z][\w-]*)/gm,
      ))
        if (found !== "node") imported.add(found);
    }
    expect(imported).toContain("hono");
    const titled = (names: Iterable<string>) => [...names].map((name) => `${name} ${packageManifest(name).version}`);
    const notices = read("dist/THIRD-PARTY-NOTICES.txt");
    const titles = [...notices.matchAll(/^-{80}\n\n(.+) \((.+)\)\n\n(.+)/gm)].map(([, title]) => title);
    expect(titles).toEqual(expect.arrayContaining(titled(imported)));
    expect(titled(withDependencies([...imported]))).toEqual(expect.arrayContaining(titles));
    expect(notices).toContain("Copyright base-x contributors");
  });
});

/** A module that prints the address of each file that is loaded after it (nodejs.org/api/module). */
const moduleOf = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const hooks = moduleOf(`import { writeSync } from "node:fs";
  export const load = (url, context, next) => {
    if (url.startsWith("file:")) writeSync(2, "loaded " + url + "\\n");
    return next(url, context);
  };`);
const logsLoads = moduleOf(`import { register } from "node:module"; register(${JSON.stringify(hooks)});`);

/** In plain Node, without assumptions about a user's tools. */
const client = `
import { readFileSync } from "node:fs";
import { request } from "node:https";
const { SANDBOX_URL, SANDBOX_CLIENT_ID, SANDBOX_CA_FILE, SANDBOX_CERT_FILE, SANDBOX_KEY_FILE } = process.env;
const [ca, cert, key] = [SANDBOX_CA_FILE, SANDBOX_CERT_FILE, SANDBOX_KEY_FILE].map((file) => readFileSync(file));
const send = (path, options, body) => new Promise((resolve, reject) => {
  const sent = request(new URL(path, SANDBOX_URL), { ca, cert, key, agent: false, ...options }, async (answer) => {
    let text = "";
    for await (const chunk of answer.setEncoding("utf8")) text += chunk;
    resolve({ status: answer.statusCode, json: JSON.parse(text) });
  });
  sent.on("error", reject).end(body);
});
const form = new URLSearchParams({ grant_type: "client_credentials", client_id: SANDBOX_CLIENT_ID, scope: "read" });
const headers = { "Content-Type": "application/x-www-form-urlencoded" };
const token = await send("/oauth/v2/oauth-token", { method: "POST", headers }, form.toString());
const ping = await send("/v1/ping", { headers: { Authorization: "Bearer " + token.json.access_token } });
console.log(token.status, ping.status, ping.json.status);
`;

describe("the command, installed", () => {
  it("prints its version, and its help", async () => {
    const { version } = JSON.parse(read("package.json"));
    expect(await packed.command("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    const { code, stdout } = await packed.command("--help");
    expect(stdout).toMatch(/^Usage: payments-sandbox [\s\S]+ run [\s\S]+ doctor /);
    expect(code).toBe(0);
  });

  it("runs a program against a sandbox", async () => {
    writeFileSync(join(packed.project, "client.mjs"), client);
    const { code, stdout, stderr } = await packed.command("run", "--", "node", "client.mjs");
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "200 200 OK\n" });
    expect(stderr).toContain("The sandbox saw 2 requests");
  });

  it.skipIf(!("enableCompileCache" in nodeModule))(
    "keeps its compiled code, which is read at the next start",
    async () => {
      const kept = () => readdirSync(join(packed.folder, "dist", ".compiled"), { recursive: true }).length;
      await packed.command("run", "--", "node", "--version");
      const first = kept();
      expect(first).toBeGreaterThan(0);
      await packed.command("run", "--", "node", "--version");
      expect(kept()).toBe(first);
    },
  );

  it("contains its scenarios, which have no mistakes", async () => {
    const { code, stdout } = await packed.command("scenarios");
    const names = readdirSync(join(root, "scenarios")).filter((name) => name.endsWith(".yaml"));
    const listed = [...stdout.matchAll(/^ {2}([a-z0-9-]+)(?: |$)/gm)].map(([, name]) => `${name}.yaml`);
    expect(listed.sort()).toEqual(names.sort());
    expect(code).toBe(0);
    const check = await packed.command("check", "node_modules/business-payments-sandbox/scenarios");
    expect(check.stdout.match(/^✓ /gm)).toHaveLength(names.length);
    expect(check.code).toBe(0);
  });
});

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

describe("the library, installed", () => {
  it("starts a sandbox with its dashboard", async () => {
    const program = String.raw`
      import { startSandbox } from "business-payments-sandbox";
      const sandbox = await startSandbox({ scenario: "example-error" });
      const client = await sandbox.createClient();
      const refused = await client.request("/v1/ping", { token: await client.token() });
      const page = await fetch(sandbox.adminUrl + "/");
      const html = await page.text();
      const assets = [...html.matchAll(/(?:src|href)="([^"#]+\.(?:css|js|svg)[^"]*)"/g)].map(([, link]) => link).sort();
      const statuses = await Promise.all(assets.map(async (link) => (await fetch(new URL(link, page.url))).status));
      await sandbox.close();
      const type = page.headers.get("content-type").split(";")[0];
      console.log(JSON.stringify([refused.status, page.status, type, assets, statuses]));
    `;
    writeFileSync(join(packed.project, "library.mjs"), program);
    const { code, stdout, stderr } = await runNode(packed.project, ["library.mjs"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const assets = ["app.css", "app.js", "icon.svg", "shared.js"].map((name) => `/assets/${name}`);
    expect(JSON.parse(stdout)).toEqual([400, 200, "text/html", assets, assets.map(() => 200)]);
  });

  const consumer = `
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

  /** As strict as TypeScript can be, with a check of every declaration. */
  const strictly = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
    ...{ noEmit: true, target: "es2022", lib: ["es2022", "esnext.disposable"] },
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  const tsc = join(root, "node_modules/typescript/bin/tsc");

  it.each([
    { module: "nodenext", moduleResolution: "nodenext" },
    { module: "esnext", moduleResolution: "bundler" },
  ])("has types for TypeScript, $moduleResolution", async (resolution) => {
    const compilerOptions = { ...resolution, ...strictly };
    writeFileSync(join(packed.project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    writeFileSync(join(packed.project, "consumer.ts"), consumer);
    expect(await runNode(packed.project, [tsc])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("has the types of the sources, also where they are written out", async () => {
    const own = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { typeRoots: strictly.typeRoots },
      include: [],
      files: ["same.mts", join(root, "src/sandbox/pki/node-forge-asn1.d.ts")],
    };
    const compared = workFolder({
      "tsconfig.json": JSON.stringify(own),
      "same.mts": comparison(join(packed.folder, "dist/types")),
    });
    expect(await runNode(compared, [tsc])).toMatchObject({ code: 0, stdout: "" });
    expect(packed.files).toContain("dist/types/library/client-handle.d.ts");
  });
});

describe("the tarball, checked by linters", () => {
  it("publint reports nothing, not even a suggestion", async () => {
    const bytes = Uint8Array.from(readFileSync(packed.tarball));
    const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  it("Are The Types Wrong finds nothing, for a package of ES modules", async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(packed.tarball)));
    if (!result.types) throw new Error("There are no types.");
    expect(Object.keys(result.entrypoints)).toEqual([".", "./package.json"]);
    // Its profile for such packages, `esm-only`, excludes environments that cannot load ES modules.
    const without: readonly string[] = ["node10", "node16-cjs"];
    const problems = result.problems.filter(
      (each) => !("resolutionKind" in each) || !without.includes(each.resolutionKind),
    );
    expect(problems).toEqual([]);
  });
});

describe("installed as README says", () => {
  const name = "business-payments-sandbox";

  it("and as the guide and the build say", () => {
    const [command = "", ...others] = installCommands();
    expect(others).toEqual([command]);
    expect(packed.printed.replaceAll('"', "")).toContain(command.replace("CLONE", packed.clone));
  });

  it("it is what was built last, the only packed file of the clone", () => {
    expect(manifestOf(packed.folder).version).toBe(manifestOf(root).version);
    expect(readdirSync(packed.clone).filter((file) => file.endsWith(".tgz"))).toEqual([`${name}.tgz`]);
  });

  it("it is there for a colleague who has only what is committed, and Vitest runs a suite without transforming it", async () => {
    const colleague = join(workFolder(), "colleague");
    mkdirSync(colleague);
    for (const file of ["package.json", "package-lock.json", `${name}.tgz`])
      cpSync(join(packed.project, file), join(colleague, file));
    expect(manifestOf(colleague).devDependencies).toEqual({ [name]: `file:${name}.tgz` });
    await npmSucceeds(colleague, "npm", ["ci"]);

    cpSync(join(root, "examples/vitest"), colleague, { recursive: true });
    writeFileSync(
      join(colleague, "as-it-is.test.ts"),
      `import { startSandbox } from "${name}";
       import { expect, test } from "vitest";
       test("as it is", () => expect(String(startSandbox)).not.toContain("__vite_"));`,
    );
    const vitest = join(root, "node_modules/vitest");
    symlinkSync(vitest, join(colleague, "node_modules", "vitest"));
    const patient = [`--testTimeout=${patience}`, `--hookTimeout=${patience}`];
    const { code, stdout, stderr } = await runNode(colleague, [join(vitest, "vitest.mjs"), "run", ...patient]);
    expect(`${stdout}${stderr}`).toMatch(/Tests +101 passed \(101\)/);
    expect(code).toBe(0);
  });

  it("a newer one, also of the same version, replaces it by the same command", async () => {
    const [project, newer] = [emptyProject(), workFolder()];
    const changelog = () => readFileSync(join(project, "node_modules", name, "CHANGELOG.md"), "utf8");
    await installAsDocumented(project, packed.clone);
    execFileSync("tar", ["-xzf", packed.tarball, "-C", newer]);
    writeFileSync(join(newer, "package", "CHANGELOG.md"), "newer");
    execFileSync("tar", ["-czf", `${name}.tgz`, "package"], { cwd: newer });
    await installAsDocumented(project, newer);
    expect(changelog()).toBe("newer");
    await npmSucceeds(project, "npm", ["ci"]);
    expect(changelog()).toBe("newer");
  });
});
