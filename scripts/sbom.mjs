// The software bill of materials of the package, in CycloneDX 1.6 (ECMA-424). `npm sbom` lists what is installed; the
// published package has no dependencies, and contains what the bundler put into it. So this is made from the bundles.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { bundledPackages } from "./third-party-notices.mjs";

/**
 * @param {string} root the repository
 * @param outputs the bundler's lists of the files that it has written
 * @param {{ commit: string, time: string }} source the commit, and its time in RFC 3339
 */
export function sbom(root, outputs, { commit, time }) {
  const { name, version, license, description } = manifest(root);
  const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const components = [...bundledPackages(outputs).keys()].map((folder) => component(root, folder, locked)).sort(byRef);
  const own = purl(name, version);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(`${own} ${commit}`)}`,
    version: 1,
    metadata: {
      timestamp: time,
      component: {
        type: "application",
        "bom-ref": own,
        name,
        version,
        description,
        licenses: licences(license),
        purl: own,
        properties: [{ name: "commit", value: commit }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((each) => each["bom-ref"]) }],
  };
}

function component(root, folder, locked) {
  const { name, version, license, description } = manifest(folder);
  const [, algorithm, digest] =
    /^(sha512)-(.+)$/.exec(locked[relative(root, folder).replaceAll("\\", "/")]?.integrity ?? "") ?? [];
  return {
    type: "library",
    "bom-ref": purl(name, version),
    name,
    version,
    ...(description && { description }),
    ...(algorithm && { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }),
    licenses: licences(license),
    purl: purl(name, version),
  };
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** An SPDX identifier, or an expression of several. */
function licences(license) {
  return /[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/** The URL of a package (ECMA-427). */
function purl(name, version) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** The same source has the same number (RFC 9562 §5.8). */
function uuidOf(text) {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

function byRef(one, other) {
  return one["bom-ref"] < other["bom-ref"] ? -1 : 1;
}
