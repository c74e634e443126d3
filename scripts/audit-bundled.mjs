// Reports known vulnerabilities of the packages in the bundles: `npm run audit:bundled`. `npm audit` alone would also
// report those of the tools, and nothing that it reports would say whether it is shipped. Status 0: none is known. 1:
// some are. 2: it is not known, because the registry did not answer. `--timeout SECONDS` bounds the answer.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { advisoriesFor } from "./audit-packages.mjs";
import { bundle } from "./bundle.mjs";
import { bundledPackages } from "./third-party-notices.mjs";

const { values } = parseArgs({ options: { timeout: { type: "string", default: "60" } } });
const seconds = Number(values.timeout);

try {
  if (!(seconds > 0)) throw new Error("--timeout is not a number of seconds");
  const packages = await versionsOfBundled(dirname(dirname(fileURLToPath(import.meta.url))));
  const advisories = await advisoriesFor(packages, seconds * 1000);
  if (advisories.length === 0) {
    console.log(`No vulnerability of the ${packages.length} bundled packages is known:`);
    for (const [name, version] of packages) console.log(`  ${name} ${version}`);
  } else {
    console.log(`Known vulnerabilities of the bundled packages: ${advisories.length}`);
    const versions = new Map(packages);
    for (const { name, severity, title, url, range } of advisories)
      console.log(`  ${severity}  ${name} ${versions.get(name)} (${range})  ${title}  ${url}`);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`It is not known whether the bundled packages have vulnerabilities: ${error.message}.`);
  process.exitCode = 2;
}

/** Name and version of each package that is in a bundle, sorted. */
async function versionsOfBundled(root) {
  const dist = mkdtempSync(join(tmpdir(), "audit-bundle-"));
  try {
    const folders = [...bundledPackages(await bundle(root, dist)).keys()];
    return folders
      .map((folder) => {
        const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        return [name, version];
      })
      .sort(([one], [other]) => (one < other ? -1 : 1));
  } finally {
    rmSync(dist, { recursive: true, force: true });
  }
}
