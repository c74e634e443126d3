// Makes one executable for this machine: Node itself, and all files of the package (Node's single executable
// applications). `--out FILE` names it; dist-binary/payments-sandbox by default. `--package FOLDER` takes the files of a
// package that is installed, instead of this clone's.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inject } from "postject";

/** Where Node looks for an application, and how it knows that there is one (nodejs.org/api/single-executable-applications). */
const resource = "NODE_SEA_BLOB";
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { out: { type: "string" }, package: { type: "string" } } });
const source = resolve(values.package ?? root);
const isWindows = process.platform === "win32";
const name = isWindows ? "payments-sandbox.exe" : "payments-sandbox";
const out = resolve(values.out ?? join(root, "dist-binary", name));

if (!readFileSync(process.execPath).includes(fuse)) {
  console.error(`${process.execPath} cannot carry an application. Node.js from nodejs.org can.`);
  process.exit(1);
}
const work = mkdtempSync(join(tmpdir(), "build-binary-"));
try {
  mkdirSync(dirname(out), { recursive: true });
  // The file of a program that runs cannot be written; a new one can take its name.
  rmSync(out, { force: true });
  copyFileSync(process.execPath, out);
  chmodSync(out, 0o755);
  if (process.platform === "darwin") execFileSync("codesign", ["--remove-signature", out]);
  await inject(out, resource, readFileSync(applicationIn(work)), {
    sentinelFuse: fuse,
    machoSegmentName: "NODE_SEA",
  });
  // macOS ends programs whose signature does not fit.
  if (process.platform === "darwin") execFileSync("codesign", ["--sign", "-", out]);
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`${out}: ${Math.round(statSync(out).size / 1e6)} MB`);

/** @returns the file that Node finds in the executable: the script, and the package's files */
function applicationIn(folder) {
  const files = { ...packageFiles(), "start.cjs": join(root, "scripts", "binary", "start.cjs") };
  const hash = createHash("sha256");
  const sizes = {};
  for (const [name, file] of Object.entries(files)) {
    const bytes = readFileSync(file);
    sizes[name] = bytes.length;
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  const contents = join(folder, "contents.json");
  writeFileSync(contents, JSON.stringify({ digest: hash.digest("hex").slice(0, 32), sizes }));
  const output = join(folder, "application");
  const configuration = join(folder, "sea.json");
  writeFileSync(
    configuration,
    JSON.stringify({
      main: join(root, "scripts", "binary", "main.cjs"),
      output,
      disableExperimentalSEAWarning: true,
      assets: { ...files, "contents.json": contents },
    }),
  );
  execFileSync(process.execPath, ["--experimental-sea-config", configuration], { stdio: "pipe" });
  return output;
}

/** The files that npm would pack, each by its name in the package, without the types of the library. */
function packageFiles() {
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: source,
    encoding: "utf8",
    shell: isWindows,
  });
  const [{ files }] = JSON.parse(listed);
  const shipped = files.map(({ path }) => path).filter((path) => !path.startsWith("dist/types/"));
  if (!shipped.includes("dist/cli.js")) throw new Error("The command is not built: npm run build.");
  return Object.fromEntries(shipped.map((path) => [path, join(source, path)]));
}
