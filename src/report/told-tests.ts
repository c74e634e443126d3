import * as z from "zod";
import type { Frozen } from "../base/frozen.js";
import { counted } from "../base/text/numbers.js";

/** What a runner told of the tests of a run: the first line of a failure by the name of its test; null if it passed. */
export type TestResults = ReadonlyMap<string, string | null>;

/** Most failed tests that a report has for one run. */
const mostFailed = 100;

/** Most that are told to a person. */
const mostTold = 5;

const count = z.int().min(0);

/** Tests that failed in a run, in a report. */
export const toldTestsSchema = z.object({
  failed: z
    .array(z.object({ name: z.string(), message: z.string().describe("The first line of the failure.") }))
    .describe(`Tests that failed, at most ${mostFailed}.`),
  more: count.describe("How many more failed. Only present if there are more.").optional(),
  unknown: count
    .describe("Of how many others nothing is known: they are not in the file, or failed in one of two runs only.")
    .optional(),
});

export type ToldTests = Frozen<z.output<typeof toldTestsSchema>>;

/** The tests that failed. @returns undefined where the runner told nothing */
export function failedTests(results: TestResults): ToldTests | undefined {
  return results.size === 0 ? undefined : told([...results].flatMap(([name, message]) => failure(name, message)));
}

/** The names of the tests that passed in all of these runs. */
export function passedInAll([first, ...others]: readonly TestResults[]): ReadonlySet<string> {
  const names = [...(first ?? [])].flatMap(([name, message]) => (message === null ? [name] : []));
  return new Set(names.filter((name) => others.every((results) => results.get(name) === null)));
}

/**
 * What became of tests that passed without a fault: a test fails if it failed in each of these runs. One that is in no
 * file is unknown, and so is one that failed by turns.
 * @param passed the names of tests that passed in all runs without a fault
 * @param runs with the same fault; the last one gives the messages
 * @returns undefined where nothing is known of any test
 */
export function brokenTests(passed: ReadonlySet<string>, runs: readonly TestResults[]): ToldTests | undefined {
  const last = runs.at(-1);
  if (passed.size === 0 || last === undefined) return undefined;
  const failed: ToldTests["failed"][number][] = [];
  let unknown = 0;
  for (const name of passed) {
    const messages = runs.map((results) => results.get(name));
    if (messages.every((message) => message === null)) continue;
    if (messages.every((message) => typeof message === "string")) failed.push(...failure(name, last.get(name)));
    else unknown += 1;
  }
  return { ...told(failed), unknown };
}

function failure(name: string, message: string | null | undefined): ToldTests["failed"] {
  return typeof message === "string" ? [{ name, message }] : [];
}

function told(failed: ToldTests["failed"]): ToldTests {
  const more = failed.length - mostFailed;
  return { failed: failed.slice(0, mostFailed), ...(more > 0 && { more }) };
}

/** Failed tests as a person reads them: a line for each, and how many more there are. */
export function testLines({ failed, more = 0, unknown = 0 }: ToldTests = { failed: [] }): readonly string[] {
  const lines = failed.slice(0, mostTold).map(({ name, message }) => (message === "" ? name : `${name}: ${message}`));
  const others = failed.length + more - lines.length;
  return [
    ...lines,
    ...(others > 0 ? [`… and ${counted(others, "test")} more.`] : []),
    ...(unknown > 0 ? [`Of ${counted(unknown, "test")} nothing is known.`] : []),
  ];
}
