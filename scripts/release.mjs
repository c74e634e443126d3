// Prepares a release from the newest commit: the npm package, the context of the image, the bill of materials, and the
// digests of all. Publishes nothing unless `--publish` is given: docs/releasing.md.
//
//   npm run release                    into dist-release/
//   npm run release -- --out FOLDER
//   npm run release -- --publish       then npm publish, with provenance
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { imageScript } from "./image-tags.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { out: { type: "string" }, publish: { type: "boolean", default: false } } });
const out = resolve(values.out ?? join(root, "dist-release"));

/** Runs a program, and returns what it prints. Its errors go to the terminal. */
function run(program, words, cwd = root) {
  return execFileSync(program, words, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
  });
}

/** What keeps this commit from being released, as sentences. */
function problems() {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const heading = readFileSync(join(root, "CHANGELOG.md"), "utf8").match(/^## (?!Unreleased).*/m)?.[0] ?? "";
  const changed = run("git", ["status", "--porcelain"]).trim();
  const tags = run("git", ["tag", "--list", `v${version}`]).trim();
  return [
    changed && `The tree is not clean:\n${changed}\nCommit or remove what is listed.`,
    lock.version !== version &&
      `package-lock.json has the version ${lock.version}, package.json ${version}: run npm install.`,
    !new RegExp(`^## ${version.replaceAll(".", "\\.")} - \\d{4}-\\d\\d-\\d\\d$`).test(heading) &&
      `The newest release in CHANGELOG.md is "${heading}", and package.json has ${version}: it needs "## ${version} - YEAR-MONTH-DAY".`,
    tags && `The tag v${version} exists already: raise the version in package.json.`,
  ].filter(Boolean);
}

const found = problems();
if (found.length > 0) {
  for (const problem of found) console.error(`release: ${problem}`);
  process.exit(1);
}
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const work = mkdtempSync(join(tmpdir(), "release-"));
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  // What is not committed cannot get in: everything is made from the commit, with the packages of its lock file.
  const context = join(out, `${name}-${version}-image-context.tar.gz`);
  run("git", ["archive", "--format=tar.gz", `--output=${context}`, "HEAD"]);
  const source = join(work, "source");
  mkdirSync(source);
  run("tar", ["-xzf", context, "-C", source]);
  run("npm", ["ci", "--no-fund", "--no-audit"], source);
  // The bundler's list is of the sources from which the package is made, with their own scripts.
  const { bundle } = await import(join(source, "scripts", "bundle.mjs"));
  const { findFurtherLicences } = await import(join(source, "scripts", "third-party-notices.mjs"));
  const { sbom } = await import(join(source, "scripts", "sbom.mjs"));
  const outputs = await bundle(source, join(work, "dist"));
  findFurtherLicences(outputs);
  const [commit, time] = run("git", ["show", "--no-patch", "--format=%H %cI", "HEAD"]).trim().split(" ");
  writeFileSync(
    join(out, `${name}-${version}.cdx.json`),
    `${JSON.stringify(sbom(source, outputs, { commit, time }), null, 2)}\n`,
  );
  const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", work], source));
  copyFileSync(join(work, filename), join(out, filename));
  const imageFile = `${name}-${version}-image.sh`;
  const released = run("git", ["tag", "--list", "v*"]).split("\n");
  writeFileSync(join(out, imageFile), imageScript(name, version, released), { mode: 0o755 });
  const files = [filename, imageFile, `${name}-${version}-image-context.tar.gz`, `${name}-${version}.cdx.json`].sort();
  const digest = (file) =>
    createHash("sha256")
      .update(readFileSync(join(out, file)))
      .digest("hex");
  writeFileSync(join(out, "SHA256SUMS"), files.map((file) => `${digest(file)}  ${file}\n`).join(""));
  for (const file of [...files, "SHA256SUMS"]) console.log(join(out, file));
  if (values.publish) run("npm", ["publish", join(out, filename), "--provenance", "--access", "public"]);
  else console.log("Nothing was published. docs/releasing.md says how.");
} finally {
  rmSync(work, { recursive: true, force: true });
}
