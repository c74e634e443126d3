import { linearPattern } from "../../base/text/linear-pattern.js";
import { RegularExpressionError } from "../../base/text/regular-expression.js";

/** Whether a pattern matches a part of a text; undefined for a text with other characters than Latin-1. */
export type PatternTest = (text: string) => boolean | undefined;

/** Most patterns whose tests are kept. */
const mostKept = 2000;

const tests = new Map<string, PatternTest | undefined>();

/**
 * The test of a pattern as JSON Schema means it (§6.3.3 of its validation): it may match anywhere. A pattern of a
 * document is untrusted, and could take JavaScript extremely long.
 * @returns undefined for a pattern that RE2 cannot run
 */
export function patternTest(pattern: string): PatternTest | undefined {
  if (!tests.has(pattern)) {
    if (tests.size >= mostKept) tests.clear();
    tests.set(pattern, compiled(pattern));
  }
  return tests.get(pattern);
}

function compiled(pattern: string): PatternTest | undefined {
  for (const flags of ["u", ""] as const) {
    try {
      const matches = linearPattern(`[^]*?(?:${pattern})[^]*`, flags);
      return (text) => (/[^\0-\xff]/.test(text) ? undefined : matches(text));
    } catch (error) {
      if (!(error instanceof RegularExpressionError)) throw error;
    }
  }
  return undefined;
}
