// Bundles the command and the library, so that a start loads one file instead of hundreds. What a start does not need
// (forge, yaml, zod, other commands) is in files of its own, loaded when it is first used. Also makes the dashboard's
// files for browsers, and the notices of the bundled packages.
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { buildDashboard } from "./dashboard.mjs";
import { forNode } from "./for-node.mjs";
import { thirdPartyNotices } from "./third-party-notices.mjs";

/**
 * What every start loads, one after the other, each with all that it imports. The command's own file stays outside: it
 * awaits the program.
 */
const loadedAtStart = [
  "src/cli/program.ts",
  "src/cli/start.ts",
  "src/library/composition/sandbox.ts",
  "src/exam/exam.ts",
  "node_modules/jose/dist/webapi/index.js",
];

/**
 * @param {string} root the repository
 * @param {string} dist where the build goes
 * @returns the bundler's lists of the files that it has written
 */
export async function bundle(root, dist) {
  const earlier = existsSync(dist) ? readdirSync(dist) : [];
  // A project that uses this clone needs the type declarations, and only `npm run build` makes them.
  for (const name of earlier.filter((each) => each !== "types")) rmSync(join(dist, name), { recursive: true });
  const first = new Set(loadedAtStart.map((file) => join(root, file)));
  const { output } = await build({
    ...forNode,
    cwd: root,
    input: { index: "src/index.ts", cli: "src/cli/main.ts", container: "src/cli/container.ts" },
    // OpenTelemetry loads the first in a detector that is left out; the parser of references has undici for addresses,
    // which it is not allowed to read.
    external: [/\/getMachineId-/, "undici"],
    output: {
      dir: dist,
      minify: true,
      // Errors and logs show the names of classes.
      keepNames: true,
      chunkFileNames: "[name]-[hash].js",
      codeSplitting: { groups: [{ name: "start", test: (id) => first.has(id) }] },
    },
  });
  const outputs = [output, ...(await buildDashboard(root, dist))];
  // Also for a build without type declarations, because the container image ships it.
  writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(outputs));
  return outputs;
}
