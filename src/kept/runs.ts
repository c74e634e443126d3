import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ReportAnswer } from "../admin/failures.js";
import { unreadableBecause } from "../base/files/regular-file.js";
import { isObject, objectIn } from "../base/text/json-object.js";
import { printable } from "../base/text/printable.js";
import { reportAnswerSchema } from "../report/report-schema.js";
import { defaultAssumptions } from "../sandbox/assumptions.js";
import { formatVersion, kindOfRun, numberOfRequests, type RunFacts, runFiles } from "./format.js";
import { openKeptFile } from "./lines.js";
import { isRunFacts } from "./lines-of-run.js";
import type { Notes } from "./notes.js";

/** A folder that has no run, or one that cannot be shown. The message is a sentence that names the folder. */
export class KeptRunError extends Error {
  override readonly name = "KeptRunError";
}

/** A run that was kept. */
export interface KeptRun {
  readonly folder: string;
  /** Of its folder: no two in one folder have the same. */
  readonly name: string;
  readonly facts: RunFacts;
}

/** The most bytes of `run.json`: the rows of lists are in it. */
const largestFacts = 64 * 1024 * 1024;

/** The most runs that are offered. */
const mostRuns = 1000;

/**
 * Finds the runs in a folder: its own, or those of its folders, the newest first.
 * @returns them, and why others cannot be shown
 * @throws KeptRunError if there is none
 */
export async function findRuns(
  folder: string,
): Promise<{ readonly runs: readonly KeptRun[]; readonly problems: readonly string[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw new KeptRunError(`The folder ${folder} cannot be read: ${error.message}.`);
  });
  const isRun = entries.some(({ name }) => name === runFiles.facts);
  const folders = isRun
    ? [folder]
    : entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const runs: KeptRun[] = [];
  const problems: string[] = [];
  for (const each of folders.sort().reverse().slice(0, mostRuns)) {
    try {
      const facts = await factsOf(each);
      if (facts !== undefined) runs.push({ folder: each, name: basename(each), facts });
    } catch (error) {
      if (!(error instanceof KeptRunError)) throw error;
      problems.push(error.message);
    }
  }
  const [problem] = problems;
  if (runs.length > 0) return { runs: runs.sort((one, other) => other.facts.begunAt - one.facts.begunAt), problems };
  throw new KeptRunError(
    problem ??
      `There is no kept run in ${folder}: give the folder of --keep, or the folder of one run, which has the file ${runFiles.facts}.`,
  );
}

/** The numbers of its files of requests, the oldest first. */
export async function requestFilesOf(folder: string): Promise<readonly number[]> {
  const numbers = (await readdir(folder)).map(numberOfRequests).filter((number) => number !== undefined);
  return numbers.sort((one, other) => one - other);
}

/**
 * @returns undefined if the folder has no such file
 * @throws KeptRunError
 */
async function factsOf(folder: string): Promise<RunFacts | undefined> {
  const path = join(folder, runFiles.facts);
  const text = await readKept(path, largestFacts).catch((error) => {
    throw new KeptRunError(`${path} cannot be read: ${unreadableBecause(error)}.`);
  });
  if (text === undefined) return undefined;
  const facts = objectIn(text) ?? {};
  const { kind, format, version } = facts;
  if (kind !== kindOfRun) throw new KeptRunError(`${path} is not of a run that payments-sandbox has kept.`);
  if (format !== formatVersion) {
    const of = typeof version === "string" ? printable(version, 40) : "another release";
    throw new KeptRunError(
      `${path} has the format ${printable(JSON.stringify(format) ?? "none", 20)}, and this release reads ${formatVersion}: nothing of it can be shown. Open it with payments-sandbox ${of}, which wrote it.`,
    );
  }
  if (isRunFacts(facts)) return withAllAssumptions(facts as unknown as RunFacts);
  throw new KeptRunError(`${path} is damaged: it has not the members that payments-sandbox writes.`);
}

/** An earlier release did what is usual where this one has an assumption more. */
function withAllAssumptions(facts: RunFacts): RunFacts {
  const { assumptions } = facts;
  if (!isObject(assumptions.values)) return facts;
  const values = { ...defaultAssumptions().values, ...assumptions.values };
  return { ...facts, assumptions: { ...assumptions, values } };
}

const largestReport = 16 * 1024 * 1024;

/** The report of an exam on a run; undefined without one. */
export async function reportOf({ folder }: KeptRun, notes: Notes): Promise<ReportAnswer | undefined> {
  const text = await readKept(join(folder, runFiles.report), largestReport).catch((error) =>
    notes.add("cannot be read", `${runFiles.report}: ${unreadableBecause(error)}; it`),
  );
  if (text === undefined) return undefined;
  const read = reportAnswerSchema.safeParse(objectIn(text));
  if (!read.success) notes.add("is no report that this release can show", `The file ${runFiles.report}`);
  return read.data;
}

/** The text of a file of a kept run; undefined if there is no such file. */
async function readKept(path: string, limit: number): Promise<string | undefined> {
  const file = await openKeptFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > limit) throw new Error(`it is larger than ${limit} bytes`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
