import { assumptionIds } from "../assumptions.js";
import { codeOf, type ErrorCode, errorCodes } from "../errors.js";
import type { LibraryEntry } from "./library.js";

/** What the pages say of a scenario that comes with the sandbox. */
export interface ShippedScenario {
  readonly name: string;
  /** The error codes that it answers with. */
  readonly codes: readonly ErrorCode[];
  /** The checks that its drill requires. */
  readonly checks: readonly string[];
}

/** A list of everything that a scenario can do explains no code. */
const reference = "everything";

/** The scenarios of the package, by what they cause. */
export function shippedScenarios(entries: readonly LibraryEntry[]): readonly ShippedScenario[] {
  return entries.flatMap(({ name, origin, text, scenario }) =>
    origin === "built-in" && name !== reference
      ? [{ name, codes: codesIn(text), checks: scenario?.expectation?.checks ?? [] }]
      : [],
  );
}

function codesIn(text: string): readonly ErrorCode[] {
  const named = new Set(
    [...text.matchAll(/\b(?:error|code): ([\w.-]+)/g)].flatMap(([, id = ""]) => {
      const code = errorCodes.find((known) => known === id);
      const assumption = assumptionIds.find((known) => known === id);
      return code ?? (assumption === undefined ? [] : codeOf(assumption as never));
    }),
  );
  return [...named];
}
