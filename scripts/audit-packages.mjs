// Asks the registry of npm which vulnerabilities of packages are known.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What starting npm takes in addition to the request, in milliseconds. */
const startTime = 20_000;

/**
 * The advisories for exact versions of packages. `npm audit` asks for them, with the user's own settings of npm.
 * @param packages name and version of each; a name once
 * @param timeout for an answer, in milliseconds
 * @returns an advisory for each vulnerability that is known
 * @throws Error when the registry does not answer, or with something else: then nothing is known about the packages
 */
export async function advisoriesFor(packages, timeout) {
  const folder = mkdtempSync(join(tmpdir(), "audit-"));
  try {
    writeProject(folder, packages);
    const { vulnerabilities, metadata } = reportIn(await npmAudit(folder, timeout));
    if (metadata.dependencies?.total !== packages.length) throw new Error("npm did not look at every package");
    return Object.values(vulnerabilities).flatMap(({ name, via }) =>
      // A text is the name of another package, which has an entry of its own.
      via.filter((each) => typeof each === "object").map((each) => ({ name, ...each })),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A project that depends on these packages alone. npm reads their versions from its lock file, and installs nothing.
 */
function writeProject(folder, packages) {
  const dependencies = Object.fromEntries(packages);
  if (Object.keys(dependencies).length !== packages.length)
    throw new Error("two versions of a package are bundled, and a lock file of npm has one place for both");
  const project = { name: "bundled", version: "1.0.0", private: true, dependencies };
  const installed = packages.map(([name, version]) => [`node_modules/${name}`, { version }]);
  const lock = {
    ...project,
    lockfileVersion: 3,
    requires: true,
    packages: { "": project, ...Object.fromEntries(installed) },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

/** @returns what `npm audit` prints. Its status is 1 for vulnerabilities and for errors, so it says nothing */
function npmAudit(cwd, timeout) {
  const words = ["audit", "--json", "--package-lock-only", "--fetch-retries=0", `--fetch-timeout=${timeout}`];
  const options = { cwd, timeout: timeout + startTime, maxBuffer: 2 ** 26, shell: process.platform === "win32" };
  return new Promise((resolve, reject) => {
    execFile("npm", words, options, (error, stdout) => {
      if (error?.code === "ENOENT") reject(new Error("there is no command npm"));
      else if (error?.killed) reject(new Error(`npm did not end within ${(timeout + startTime) / 1000} s`));
      else resolve(stdout);
    });
  });
}

/**
 * The report that `npm audit` printed.
 * @throws Error when it printed an error, or something else
 */
function reportIn(text) {
  let report;
  try {
    report = Object(JSON.parse(text));
  } catch {
    throw new Error("npm did not print JSON");
  }
  if (report.auditReportVersion === 2 && report.vulnerabilities && report.metadata) return report;
  const { message, error } = report;
  throw new Error(String(message ?? error?.summary ?? "npm printed no report").split("\n")[0]);
}
