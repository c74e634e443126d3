import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { environmentVariables } from "../../src/sandbox/pki/environment.js";
import { examples, isInstalled, root, run } from "./programs.js";

// Fast checks of syntax and documentation only: `npm run test:examples` runs the recipes.
const recipes = [
  "curl",
  "go",
  "java",
  "node-https",
  "node-undici",
  "oauth4webapi",
  "openid-client",
  "php",
  "python",
  "ruby",
];

/** With the programs of docs/guide/exam.md. */
const all = [...recipes, "exam"];

const work = mkdtempSync(join(tmpdir(), "recipes-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const filesOf = (recipe: string, ending: RegExp) =>
  readdirSync(join(examples, recipe))
    .filter((name) => ending.test(name))
    .map((name) => join(examples, recipe, name));

const read = (file: string) => readFileSync(file, "utf8");

describe.each(recipes)("examples/%s", (recipe) => {
  it("is described, in its folder and in the table of recipes, and is run by test:examples", () => {
    expect(read(join(examples, recipe, "README.md"))).toMatch(/^# .+\n\n```sh\n/);
    expect(read(join(examples, "README.md"))).toContain(`| [${recipe}](${recipe}) |`);
    expect(read(join(root, "scripts/examples/recipes.mjs"))).toMatch(new RegExp(`^  "?${recipe}"?: `, "m"));
  });

  it("names exact versions of its packages, if it has any", () => {
    const file = join(examples, recipe, "package.json");
    if (!existsSync(file)) return;
    const { private: isPrivate, dependencies } = JSON.parse(read(file));
    expect(isPrivate).toBe(true);
    const row = new RegExp(`^\\| \\[${recipe}\\].*$`, "m").exec(read(join(examples, "README.md")))?.[0];
    for (const [name, version] of Object.entries(dependencies)) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(row).toContain(`${name} ${version}`);
    }
  });
});

describe.each(all)("the sources of examples/%s", (recipe) => {
  const sources = filesOf(recipe, /\.(sh|mjs|py|java|go|rb|php)$/);

  it("never turns verification off", () => {
    for (const file of sources) {
      expect(read(file), file).not.toMatch(
        /rejectUnauthorized|TLS_REJECT|--insecure|\s-k\s|InsecureSkipVerify|CERT_NONE|check_hostname|_create_unverified|X509TrustManager|HostnameVerif|VERIFY_NONE|VERIFYPEER|VERIFYHOST|verify_mode|verify_hostname|verify_peer/i,
      );
    }
  });

  it("reads only variables of the environment that a sandbox provides", () => {
    const ofClient = environmentVariables({ clientId: "demo", folder: "demo" }, { url: "", certsPath: "" });
    const known = [...Object.keys(ofClient), "SANDBOX_ANSWERS"];
    for (const file of sources) {
      const used = read(file).match(/SANDBOX_[A-Z0-9_]+/g) ?? [];
      expect(known).toEqual(expect.arrayContaining([...new Set(used)]));
    }
  });

  it("writes the answer sheet", () => {
    expect(sources.map(read).join("\n")).toContain("SANDBOX_ANSWERS");
  });
});

/** The output of each without the variables of a sandbox. */
const untold = (name: string) =>
  `${name} is not set: source certs/clients/demo/client.env, or use \`payments-sandbox run --\`\n`;

describe("without the variables of a sandbox", () => {
  // The others need packages or a compiler, and contain the same sentence.
  const programs: readonly [recipe: string, program: string, ...args: string[]][] = [
    ["curl", "bash", "client.sh"],
    ["node-https", process.execPath, "main.mjs"],
    ["php", "php", "main.php"],
    ["python", "python3", "-B", "main.py"],
    ["ruby", "ruby", "main.rb"],
  ];

  it.each(programs)("%s says in one line what is missing, and fails", (recipe, program, ...args) => {
    if (!isInstalled(program, "--version")) return;
    const { PATH } = process.env;
    const tell = (env: NodeJS.ProcessEnv) =>
      spawnSync(program, args, { cwd: join(examples, recipe), encoding: "utf8", env: { PATH, ...env } });
    expect(tell({})).toMatchObject({ status: 1, stdout: "", stderr: untold("SANDBOX_URL") });
    const url = { SANDBOX_URL: "https://localhost:8443" };
    expect(tell(url)).toMatchObject({ status: 1, stdout: "", stderr: untold("SANDBOX_CLIENT_ID") });
  });

  it.each(recipes)("%s has the sentence, and its README the line that sets them", (recipe) => {
    const sources = filesOf(recipe, /\.(sh|mjs|py|java|go|rb|php)$/).map(read);
    expect(sources.join("\n")).toContain("is not set: source certs/clients/demo/client.env, or use ");
    expect(read(join(examples, recipe, "README.md"))).toContain(
      "```sh\nset -a; . ../../certs/clients/demo/client.env; set +a\n",
    );
  });
});

describe("the sources are syntactically right", () => {
  const each = (ending: RegExp) => all.flatMap((recipe) => filesOf(recipe, ending));

  it.each(each(/\.mjs$/))("%s", (file) => {
    run(process.execPath, ["--check", file]);
  });

  it.skipIf(!isInstalled("bash", "--version")).each(each(/\.sh$/))("%s", (file) => {
    run("bash", ["-n", file]);
  });

  it.skipIf(!isInstalled("python3", "--version")).each(each(/\.py$/))("%s", (file) => {
    run("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], { input: read(file) });
  });

  it.skipIf(!isInstalled("ruby", "--version")).each(each(/\.rb$/))("%s", (file) => {
    run("ruby", ["-wc", file]);
  });

  it.skipIf(!isInstalled("php", "--version")).each(each(/\.php$/))("%s", (file) => {
    run("php", ["-l", file]);
  });

  it.skipIf(!isInstalled("javac", "--version"))("examples/java", () => {
    run("javac", ["-Xlint:all", "-Werror", "-d", work, ...each(/\.java$/)]);
  });

  it.skipIf(!isInstalled("gofmt", "-h"))("examples/go", () => {
    expect(run("gofmt", ["-e", "-l", ...each(/\.go$/)])).toBe("");
  });
});
