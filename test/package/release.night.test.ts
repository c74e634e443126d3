import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { workFolder } from "../cli/command.js";
import { root } from "../documentation/markdown.js";

let clone: string;
let out: string;

const git = (...words: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@localhost", ...words], { cwd: clone });
const release = () =>
  spawnSync(process.execPath, ["scripts/release.mjs", "--out", out], {
    cwd: clone,
    encoding: "utf8",
    timeout: 240_000,
  });
const file = (name: string) => readFileSync(join(out, name));

/** A clone of this commit, whose changelog has a release of the version in package.json. */
beforeAll(() => {
  clone = join(workFolder(), "clone");
  out = join(workFolder(), "out");
  execFileSync("git", ["clone", "--quiet", "--no-tags", "--depth", "1", `file://${root}`, clone]);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const changelog = join(clone, "CHANGELOG.md");
  const text = readFileSync(changelog, "utf8").replace(
    "## Unreleased\n",
    `## Unreleased\n\n## ${version} - 2026-01-02\n`,
  );
  writeFileSync(changelog, text);
  git("commit", "--quiet", "--all", "--message", "A release");
});

describe("npm run release", () => {
  it("stops for a tree that is not clean, another version, and a tag that exists", () => {
    writeFileSync(join(clone, "left-over.txt"), "");
    const dirty = release();
    expect([dirty.status, dirty.stdout]).toEqual([1, ""]);
    expect(dirty.stderr).toContain("The tree is not clean:\n?? left-over.txt");
    git("clean", "--quiet", "--force");
    const manifest = readFileSync(join(clone, "package.json"), "utf8");
    writeFileSync(join(clone, "package.json"), manifest.replace(/"version": ".*?"/, '"version": "99.0.0"'));
    expect(release().stderr).toMatch(
      /package-lock\.json has the version [\d.]+, package\.json 99\.0\.0: run npm install/,
    );
    expect(release().stderr).toContain('it needs "## 99.0.0 - YEAR-MONTH-DAY"');
    git("checkout", "--quiet", "package.json");
    const { version } = JSON.parse(manifest);
    git("tag", `v${version}`);
    expect(release().stderr).toContain(`The tag v${version} exists already`);
    git("tag", "--delete", `v${version}`);
  });

  it("makes the package, the image's context and the bill of materials, with their digests", () => {
    const { status, stderr, stdout } = release();
    expect([status, stderr.includes("release:")]).toEqual([0, false]);
    expect(stdout).toContain("Nothing was published.");
    const sums = file("SHA256SUMS").toString().trim().split("\n");
    expect(sums.map((line) => line.split("  ")[1])).toEqual(
      readdirSync(out)
        .filter((name) => name !== "SHA256SUMS")
        .sort(),
    );
    for (const line of sums) {
      const [digest, name = ""] = line.split("  ");
      expect(createHash("sha256").update(file(name)).digest("hex")).toBe(digest);
    }
    const context = readdirSync(out).find((name) => name.endsWith("image-context.tar.gz")) ?? "";
    const files = execFileSync("tar", ["-tzf", join(out, context)], { encoding: "utf8" }).split("\n");
    expect(files).toEqual(expect.arrayContaining(["Dockerfile", "package-lock.json", "src/index.ts"]));
    expect(files.filter((name) => /^(?:dist|node_modules)\//.test(name))).toEqual([]);
  });

  it("has every bundled package in the bill of materials, with its license and digest, and no other", () => {
    const packed = readdirSync(out).find((name) => name.endsWith(".tgz")) ?? "";
    const notices = execFileSync("tar", ["-xzOf", join(out, packed), "package/dist/THIRD-PARTY-NOTICES.txt"], {
      encoding: "utf8",
    });
    const [, list = ""] = /these packages:\n\n([\s\S]*?)\n\n/.exec(notices) ?? [];
    const noticed = list.split("\n").map((line) => line.trim().replace(/ \(.*$/, ""));
    const bill = JSON.parse(file(readdirSync(out).find((name) => name.endsWith(".cdx.json")) ?? "").toString());
    expect(bill).toMatchObject({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      metadata: { component: { type: "application" } },
    });
    const { components } = bill as {
      components: { name: string; version: string; licenses: unknown[]; hashes: unknown[] }[];
    };
    expect(components.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(noticed.sort());
    for (const { licenses, hashes } of components) {
      expect(licenses).toHaveLength(1);
      expect(hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    }
  });
});
