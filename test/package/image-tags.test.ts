import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { imageScript, imageTags } from "../../scripts/image-tags.mjs";
import { workFolder } from "../cli/command.js";

it.each([
  ["1.0.0", [], ["1.0.0", "1.0", "1", "latest"]],
  ["1.0.1", ["v1.0.0"], ["1.0.1", "1.0", "1", "latest"]],
  ["1.10.0", ["v1.9.9", "v1.2.0"], ["1.10.0", "1.10", "1", "latest"]],
  ["1.0.2", ["v1.0.1", "v1.1.0"], ["1.0.2", "1.0"]],
  ["1.2.0", ["v1.1.0", "v2.0.0"], ["1.2.0", "1.2", "1"]],
  ["1.0.1", ["v1.0.2"], ["1.0.1"]],
  ["2.0.0", ["v1.9.0", "v2.0.0-rc.1", "vnext"], ["2.0.0", "2.0", "2", "latest"]],
  ["2.0.0-rc.1", ["v1.0.0"], ["2.0.0-rc.1"]],
] as const)("%s after %j has the tags %j", (version, released, tags) => {
  expect(imageTags(version, released)).toEqual(tags);
});

it("the script gives Docker the context, both platforms and each tag", () => {
  const folder = workFolder();
  const script = join(folder, "sandbox-1.0.0-image.sh");
  writeFileSync(script, imageScript("sandbox", "1.0.0", []));
  writeFileSync(join(folder, "sandbox-1.0.0-image-context.tar.gz"), "the context");
  const docker = join(folder, "docker");
  writeFileSync(docker, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/words'\ncat > '${folder}/input'\n`);
  chmodSync(docker, 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
  execFileSync("sh", [script, "registry.test/team"], { env });
  const words = readFileSync(join(folder, "words"), "utf8").trim().split("\n");
  expect(words).toEqual([
    ...["buildx", "build", "--platform", "linux/amd64,linux/arm64", "--provenance=mode=max", "--sbom=true", "--push"],
    ...["1.0.0", "1.0", "1", "latest"].flatMap((tag) => ["--tag", `registry.test/team/sandbox:${tag}`]),
    "-",
  ]);
  expect(readFileSync(join(folder, "input"), "utf8")).toBe("the context");
  expect(() => execFileSync("sh", [script], { env, stdio: "pipe" })).toThrow(/usage: sh .* REGISTRY/);
});
