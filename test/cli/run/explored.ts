import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ExploreReport } from "../../../src/explore/report.js";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand } from "./exam-client.js";
import { temporary } from "./sandboxed.js";

/** The command that runs the correct client, or a weak one with WEAKNESS in its environment. */
export const weakClient = () => clientCommand("test/explore/weak-client.program.ts");

/** The same for a suite of several tests, with WEAKNESS, SUITE and BAIL. */
const suite = () => clientCommand("test/explore/suite.program.ts");

/** Explores a command until the end, and expects that nothing is left of its sandboxes. */
export async function explored(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { env: own, left } = temporary();
  const folder = workFolder();
  const outcome = await inProcess(["explore", ...args], { cwd: folder, env: { ...own, ...env } });
  expect(left()).toEqual([]);
  return { ...outcome, folder };
}

/** Cells by name with one verdict. */
export const all = (verdict: string, ...names: string[]) => Object.fromEntries(names.map((name) => [name, verdict]));

/** Explores cells of the client with a weakness: what was found, by the names of cells. */
export async function verdicts(weakness: string, cells: string, ...args: readonly string[]) {
  return found({ WEAKNESS: weakness }, cells, args);
}

/** The same for a client that speaks HTTP/2. */
export async function verdictsOverHttp2(weakness: string, cells: string, ...args: readonly string[]) {
  return found({ WEAKNESS: weakness, HTTP2: "yes" }, cells, args);
}

/** The same for a suite. */
export async function verdictsOfSuite(env: Readonly<Record<string, string>>, cells: string, ...args: string[]) {
  return found(env, cells, args, suite());
}

async function found(
  env: Readonly<Record<string, string>>,
  cells: string,
  args: readonly string[],
  command: readonly string[] = weakClient(),
) {
  const options = ["--timeout", "10s", "--only", cells, "--report", "report.json", ...args, ...command];
  const { code, folder, stderr } = await explored(options, env);
  const report = readExplored(folder, stderr);
  return {
    code,
    found: Object.fromEntries(report.cells.map(({ point, fault, verdict }) => [`${point}/${fault}`, verdict])),
    messages: report.cells.map(({ message, fix }) => `${message} ${fix}`.trim()),
    counts: Object.fromEntries(report.cells.map(({ point, fault, counts }) => [`${point}/${fault}`, counts])),
    must: report.cells.filter(({ counts }) => counts === "must").map(({ point, fault }) => `${point}/${fault}`),
    report,
  };
}

/** The report that an exploration wrote. */
export function readExplored(folder: string, stderr = ""): ExploreReport {
  try {
    return JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
  } catch (error) {
    throw new Error(`${error}\n${stderr}`);
  }
}
