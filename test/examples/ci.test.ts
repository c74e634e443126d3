import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { banner } from "../../src/cli/banner.js";
import { settingFacts, settingNames } from "../../src/sandbox/config/settings.js";
import { environmentVariables } from "../../src/sandbox/pki/environment.js";
import { constraintsFor, permits } from "../../src/sandbox/pki/name-constraints.js";
import { openSandbox, type RunningSandbox } from "../sandbox/conformance/sandbox.js";
import { HttpsClient } from "../support/https-client.js";
import { examples, isInstalled, root, run } from "./programs.js";

const read = (name: string) => readFileSync(join(examples, "ci", name), "utf8");

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the files
type Yaml = any;

const github: Yaml = parse(read("github-actions.yml"), { strict: true, uniqueKeys: true });
const gitlab: Yaml = parse(read("gitlab-ci.yml"), { strict: true, uniqueKeys: true });

const nightly: Yaml = parse(read("calibrate.yml"), { strict: true, uniqueKeys: true });

const jobs: [string, Yaml][] = Object.entries({ ...github.jobs, ...nightly.jobs });
const gitlabJobs: [string, Yaml][] = Object.entries<Yaml>(gitlab).filter(([name]) => name !== "stages");

/** Every shell script of both files. */
const scripts: [string, string][] = [
  ...jobs.flatMap(([job, { steps }]) =>
    steps.flatMap((step: Yaml) => (step.run ? [[`github ${job}`, step.run] as [string, string]] : [])),
  ),
  ...gitlabJobs.map(([job, { script }]): [string, string] => [`gitlab ${job}`, script.join("\n")]),
];

describe("github-actions.yml", () => {
  it("is a workflow", () => {
    expect(Object.keys(github)).toEqual(["name", "on", "permissions", "jobs"]);
    expect(github.permissions).toEqual({ contents: "read" });
  });

  it.each(jobs)("job %s has steps that run a script or use an action of a fixed version", (_name, job) => {
    expect(job["runs-on"]).toBe("ubuntu-latest");
    for (const step of job.steps) {
      expect(Object.keys(step).filter((key) => key === "run" || key === "uses")).toHaveLength(1);
      if (step.uses) expect(step.uses).toMatch(/^[\w-]+(?:\/[\w-]+)+@v\d+$/);
      expect(["name", "uses", "with", "run", "working-directory", "if"]).toEqual(
        expect.arrayContaining(Object.keys(step)),
      );
    }
  });

  it("publishes the ports of the service that the image exposes", () => {
    const exposed = /^EXPOSE (.+)$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8"))?.[1]?.split(" ");
    expect(github.jobs.service.services.sandbox.ports).toEqual(exposed?.map((port) => `${port}:${port}`));
  });
});

describe("gitlab-ci.yml", () => {
  it.each(gitlabJobs)("job %s has a stage, an image and a script", (_name, job) => {
    expect(gitlab.stages).toContain(job.stage);
    expect(job.image).toMatch(/^node:\d+/);
    expect(job.script.every((line: unknown) => typeof line === "string")).toBe(true);
  });

  it("reaches the service by a name in its certificate", () => {
    const [service] = gitlab["with-service"].services;
    expect(service.alias).toBe("sandbox");
    expect(service.variables.SANDBOX_PUBLIC_URL).toBe("https://sandbox:8443");
  });
});

describe("what a job publishes is what its command writes:", () => {
  const onGithub: [string, Yaml, string[]][] = jobs.map(([name, { steps }]) => [
    `github ${name}`,
    steps.map(({ run = "" }: Yaml) => run).join("\n"),
    steps.flatMap(({ with: { path = "", report_paths = "" } = {}, uses = "" }: Yaml) =>
      uses.includes("checkout") ? [] : `${path}\n${report_paths}`.split("\n").filter((each) => each !== ""),
    ),
  ]);
  const onGitlab: [string, Yaml, string[]][] = gitlabJobs.map(([name, { script, artifacts }]) => [
    `gitlab ${name}`,
    script.join("\n"),
    artifacts ? [...artifacts.paths, artifacts.reports.junit] : [],
  ]);
  const publishing = [...onGithub, ...onGitlab].filter(([, script]) => script.includes("--report"));

  it("the exam and explore have a job in both", () => {
    const names = publishing.map(([name]) => name);
    expect(names).toEqual(["github exam", "github explore", "gitlab exam", "gitlab explore"]);
  });

  it.each(publishing)("%s", (_name, script, published) => {
    const [, command = ""] = /cli\.js (.+?) -- /s.exec(script) ?? [];
    const written = command.split(/\s+/);
    expect(published.length).toBeGreaterThan(1);
    expect(published.filter((each) => !written.includes(String(each).replace(/\/$/, "")))).toEqual([]);
  });
});

describe("names in the recipes exist:", () => {
  it.skipIf(!isInstalled("bash", "--version")).each(scripts)("%s: a script that bash can parse", (_name, script) => {
    run("bash", ["-n"], { input: script });
  });

  it("files and npm scripts of the repository", () => {
    const { scripts: npm } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const text = scripts.map(([, script]) => script).join("\n");
    const files = [...text.matchAll(/(?:sandbox|recipes)\/([\w./-]+\.(?:sh|js))/g)].map(([, file]) => file as string);
    expect(new Set(files)).toEqual(new Set(["examples/ci/new-client.sh", "dist/cli.js"]));
    expect(existsSync(join(examples, "ci/new-client.sh"))).toBe(true);
    expect(npm.build).toBeDefined();
  });

  it("settings and variables", () => {
    const known = [
      ...settingNames.map((name) => settingFacts(name).variable),
      ...Object.keys(environmentVariables({ clientId: "demo", folder: "demo" }, { url: "", certsPath: "" })),
      "SANDBOX_ADMIN_URL",
    ];
    const java = read("testcontainers/java/SandboxContainer.java");
    const node = read("testcontainers/node/sandbox-container.mjs");
    for (const text of [read("github-actions.yml"), read("gitlab-ci.yml"), read("new-client.sh"), java, node]) {
      expect(known).toEqual(expect.arrayContaining(text.match(/SANDBOX_[A-Z][A-Z0-9_]*[A-Z0-9]/g) ?? []));
    }
  });

  it("the image, its ports, and the line that reports it is ready", () => {
    const compose = parse(readFileSync(join(root, "docker-compose.yml"), "utf8"));
    const line = banner({
      version: "0",
      url: "https://localhost:8443",
      defectUrls: undefined,
      adminUrl: "http://localhost:8090",
      adminToken: undefined,
      kept: undefined,
      certs: "certs",
      caIsStrict: false,
      configFile: undefined,
      scenario: undefined,
      seed: "x",
      lists: [],
      configuredClients: [],
      clientCertificate: "request",
    })
      .split("\n")
      .find((each) => each.startsWith("Ready on https://"));
    expect(line).toBeDefined();
    for (const name of ["java/SandboxContainer.java", "node/sandbox-container.mjs"]) {
      const text = read(`testcontainers/${name}`);
      expect(text).toContain(`"${compose.services.sandbox.image}"`);
      expect(text).toMatch(/\b8443\b/);
      expect(text).toMatch(/\b8090\b/);
      expect(text).toMatch(/Ready on https:/);
    }
  });

  it("names that a CA permits", () => {
    for (const name of ["java/SandboxContainer.java", "node/sandbox-container.mjs"])
      for (const [, domain = ""] of read(`testcontainers/${name}`).matchAll(/`(\.[a-z]+)`/g))
        expect(permits(constraintsFor([], "names"), `pay${domain}`), domain).toBe(true);
  });
});

describe("Testcontainers", () => {
  it("for Node.js: modules that can be parsed, and an exact version", { tags: "slow" }, () => {
    for (const name of ["sandbox-container", "new-client", "payments.test"]) {
      run(process.execPath, ["--check", join(examples, `ci/testcontainers/node/${name}.mjs`)]);
    }
    expect(JSON.parse(read("testcontainers/node/package.json")).dependencies.testcontainers).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe("a client for a job", () => {
  let sandbox: RunningSandbox;
  let folder: string;

  beforeAll(async () => {
    sandbox = await openSandbox();
    folder = mkdtempSync(join(tmpdir(), "new-client-"));
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await sandbox.close();
  });

  async function tokenStatus(clientId: string, ca: string, cert: string, key: string): Promise<number> {
    const client = new HttpsClient(sandbox.url, { ca, identity: { cert, key } });
    const body = `grant_type=client_credentials&client_id=${clientId}&scope=read`;
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const { status } = await client.send("/oauth/v2/oauth-token", { method: "POST", headers, body });
    client.close();
    return status;
  }

  it("newClient() of the Node.js recipe makes one that gets a token", async () => {
    // By a path that the compiler does not know, because the recipe is JavaScript without types.
    const { newClient } = await import(join(examples, "ci/testcontainers/node/new-client.mjs"));
    const { clientId, ca, certificate, key, useScenario } = await newClient(sandbox.adminUrl);
    expect(await tokenStatus(clientId, ca, certificate, key)).toBe(200);
    await useScenario("invalid-client");
    expect(await tokenStatus(clientId, ca, certificate, key)).toBe(400);
    await useScenario(null);
    expect(await tokenStatus(clientId, ca, certificate, key)).toBe(200);
    await expect(useScenario("no-such-scenario")).rejects.toThrow("404");
  });

  it.skipIf(!isInstalled("bash", "--version") || !isInstalled("curl", "--version"))(
    "new-client.sh makes one, and prints what a test needs",
    { tags: "slow" },
    async () => {
      const script = join(examples, "ci/new-client.sh");
      const text = await runAside("bash", [script, folder, sandbox.adminUrl, sandbox.url]);
      const lines = Object.fromEntries(
        text
          .trim()
          .split("\n")
          .map((line) => line.split("=", 2)),
      );
      expect(lines).toMatchObject({ SANDBOX_URL: sandbox.url, SANDBOX_ADMIN_URL: sandbox.adminUrl });
      const file = (name: string) => readFileSync(lines[`SANDBOX_${name}_FILE`], "utf8");
      expect(existsSync(lines["SANDBOX_P12_FILE"])).toBe(true);
      expect(await tokenStatus(lines["SANDBOX_CLIENT_ID"], file("CA"), file("CERT"), file("KEY"))).toBe(200);
    },
  );
});

/** Runs a program without blocking this process, because it serves the sandbox. */
async function runAside(program: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(program, args)).stdout;
}
