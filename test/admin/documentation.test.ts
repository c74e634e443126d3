import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { adminDocumentation } from "../../scripts/admin-documentation.js";
import { adminErrorStatus } from "../../src/admin/error-codes.js";
import { adminRoutes } from "../../src/admin/routes/table.js";
import { routeOf } from "./admin-client.js";
import { start } from "./fixture.js";

const noCurl = spawnSync("curl", ["--version"]).status !== 0;

const page = await readFile(new URL("../../docs/admin-api.md", import.meta.url), "utf8");

describe("docs/admin-api.md", () => {
  it("has a section for every route, and no other section", () => {
    const sections = [...page.matchAll(/^### `([A-Z]+ .*)`$/gm)].map((match) => match[1]);
    expect(sections.sort()).toEqual(adminRoutes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it("has a place for every generated region", () => {
    const regions = [...page.matchAll(/<!-- generated:(\w+) -->/g)].map((match) => match[1]);
    expect(regions.sort()).toEqual(Object.keys(adminDocumentation()).sort());
  });

  it("names every error code", () => {
    for (const code of Object.keys(adminErrorStatus)) expect(page).toContain(`\`${code}\``);
  });

  it("names only routes that exist", () => {
    const examples = [...page.matchAll(/`(GET|POST|PUT|DELETE) (\/[\w/.{}-]*)`/g)];
    expect(examples.length).toBeGreaterThan(50);
    for (const [text, method = "", path = ""] of examples) {
      expect([text, routeOf(method, path.replace(/[A-Z]{2,}/, "{id}"))]).not.toEqual([text, undefined]);
    }
  });

  it("has no broken links", () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map((match) =>
      (match[1] as string)
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    );
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]);
    for (const link of links) expect(headings).toContain(link);
  });

  it.skipIf(noCurl)(
    "has examples that work in the given order",
    async () => {
      const sandbox = await start();
      const folder = await mkdtemp(join(tmpdir(), "admin-api-"));
      onTestFinished(() => rm(folder, { recursive: true }));
      const { port } = new URL(sandbox.sandbox.adminUrl);
      const script = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
        .map((match) => (match[1] as string).replaceAll("curl -sS ", "curl -sS --fail-with-body -w '\\n' "))
        .join("")
        .replaceAll("localhost:8090", `127.0.0.1:${port}`);
      const { stdout } = await promisify(execFile)("sh", ["-eu", "-c", script], { cwd: folder });
      const answers = stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
      expect(answers.find(({ access_token }) => access_token)).toMatchObject({ token_type: "bearer", expires_in: 300 });
      expect(answers.filter(({ code }) => code !== undefined)).toEqual([]);
      expect(answers.find(({ count }) => count !== undefined)).toEqual({ count: 1 });
      expect(answers.find(({ mode }) => mode === "frozen")).toMatchObject({ now: "2027-01-31T12:00:00.000Z" });
    },
    20_000,
  );
});
