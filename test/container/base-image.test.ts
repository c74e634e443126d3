import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");

const index = "application/vnd.oci.image.index.v1+json";
const newDigest = `sha256:${"0123456789abcdef".repeat(4)}`;
const both = ["amd64", "arm64"].map((architecture) => ({ platform: { os: "linux", architecture } }));

it("every stage is built on the one pinned image, or by its tag with a builder that does not set BUILDPLATFORM", () => {
  const [, tag, digest] =
    /^ARG BASE=\$\{BUILDPLATFORM:\+(node:24-[a-z-]+)@(sha256:[0-9a-f]{64})\}$/m.exec(dockerfile) ?? [];
  expect(digest).toBeDefined();
  const bases = [...dockerfile.matchAll(/^FROM (.+)$/gm)].map(([, base]) => base);
  expect(bases).toEqual([
    `${tag} AS by-tag`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Docker's syntax
    ...["build", "sandbox", "test"].map((stage) => "${BASE:-by-tag} AS ".concat(stage)),
    "sandbox",
  ]);
});

it("the script renews the digest, and nothing else", () => {
  const { status, stdout, text } = renew(
    `cat <<'E'\n${JSON.stringify({ mediaType: index, digest: newDigest, manifests: both })}\nE`,
  );
  expect([status, stdout]).toEqual([0, `node:24-bookworm-slim now has ${newDigest}.\n`]);
  expect(text).toBe(dockerfile.replace(/sha256:[0-9a-f]{64}/, newDigest));
});

it.each([
  [
    "no registry",
    "echo 'ERROR: dial tcp: lookup registry: no such host' >&2; exit 1",
    /no answer from the registry: ERROR: .*no such host/,
  ],
  ["no Docker", undefined, /there is no command docker/],
  ["something else", "echo hello", /did not print JSON/],
  [
    "one platform",
    printed({ mediaType: index, digest: newDigest, manifests: both.slice(0, 1) }),
    /no image for linux\/arm64/,
  ],
  [
    "a single image",
    printed({ mediaType: "application/vnd.oci.image.manifest.v1+json", digest: newDigest }),
    /not a list/,
  ],
  ["no digest", printed({ mediaType: index, manifests: both }), /digest of .* cannot be read/],
])("with %s it says so in one line, and changes nothing", { tags: "slow" }, (_what, docker, message) => {
  const { status, stdout, stderr, text } = renew(docker);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^The digest of the base image was not renewed: .+\.\n$/);
  expect(stderr).toMatch(message);
  expect(text).toBe(dockerfile);
});

function printed(manifest: object): string {
  return `echo '${JSON.stringify(manifest)}'`;
}

/**
 * Runs the script on a copy of the Dockerfile.
 * @param docker what a command of this name does; undefined where there is none
 */
function renew(docker: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), "base-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "Dockerfile");
  writeFileSync(file, dockerfile);
  if (docker !== undefined) writeFileSync(join(folder, "docker"), `#!/bin/sh\n${docker}\n`, { mode: 0o755 });
  const script = join(root, "scripts", "renew-base-image.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--file", file], {
    encoding: "utf8",
    // `cat` for the command that stands in for Docker. Where there is none, no folder of the machine is searched.
    env: { PATH: docker === undefined ? folder : `${folder}:/usr/bin:/bin` },
  });
  return { status, stdout, stderr, text: readFileSync(file, "utf8") };
}
