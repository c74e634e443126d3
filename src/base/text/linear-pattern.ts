import type { AST } from "@eslint-community/regexpp";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import {
  type CharacterElement,
  charactersOf,
  parseRegularExpression,
  RegularExpressionError,
} from "./regular-expression.js";

/**
 * Largest program, in instructions. A character is one or two, and counts are written out: `[a-z]{1,64}` has about 130.
 * The first match of the largest program takes some ten milliseconds.
 */
const largestProgram = 2000;

/** The characters of the value of a header, as Node gives it. */
const latin1 = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/**
 * A regular expression of JavaScript, compiled for RE2, which takes time in proportion to the length of the text. A
 * regular expression of JavaScript can take exponential time.
 * @param flags `u`, or none for the older syntax
 * @returns whether the pattern matches a whole text, whose characters are those of Latin-1
 * @throws RegularExpressionError if it cannot be compiled
 */
export function linearPattern(source: string, flags: "u" | "" = "u"): (text: string) => boolean {
  const program = compiled(alternativesOf(parseRegularExpression(source, flags), flags));
  if (program === undefined || program.programSize() > largestProgram)
    throw new RegularExpressionError(
      `is too large: written out without counts, it has more than about 1000 characters`,
    );
  return (text) => program.testExact(text);
}

/** @returns undefined if a count is, or counts within each other are, more than 1,000 */
function compiled(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return undefined;
    throw error;
  }
}

// The pattern is written in the part of RE2's syntax that has one meaning: sets of characters by their codes, groups
// and counts. The same text can mean something else in RE2 and in JavaScript, such as `[[:alpha:]`, `\s` and `.`.

function alternativesOf(
  { alternatives }: { readonly alternatives: readonly AST.Alternative[] },
  flags: "u" | "",
): string {
  const sources = alternatives.map(({ elements }) => elements.map((each) => sourceOf(each, flags)).join(""));
  return `(?:${sources.join("|")})`;
}

function sourceOf(element: AST.Element, flags: "u" | ""): string {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return alternativesOf(element, flags);
    case "Quantifier": {
      const { min, max } = element;
      return `(?:${sourceOf(element.element, flags)}){${min},${max === Number.POSITIVE_INFINITY ? "" : max}}`;
    }
    case "Assertion":
      return assertionOf(element);
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return setOf(element, flags);
    default:
      throw new Error(`The parser refuses ${element.type}.`);
  }
}

function assertionOf(assertion: AST.Assertion): string {
  if (assertion.kind === "word") return assertion.negate ? "\\B" : "\\b";
  return assertion.kind === "start" ? "\\A" : "\\z";
}

/** The set of the characters of Latin-1 that a part matches. */
function setOf(element: CharacterElement, flags: "u" | ""): string {
  const codes = charactersOf(element, latin1, flags).map((character) => `\\x{${character.charCodeAt(0).toString(16)}}`);
  return codes.length === 0 ? "[^\\x{0}-\\x{10ffff}]" : `[${codes.join("")}]`;
}
