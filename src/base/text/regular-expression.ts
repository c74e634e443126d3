import { type AST, RegExpParser, RegExpSyntaxError, visitRegExpAST } from "@eslint-community/regexpp";
import { quote } from "./printable.js";

/** Longest regular expression, in characters. */
const longest = 1000;

/** Why a regular expression is not used. The message follows its name: `has a look-ahead, "(?=a)", at character 3`. */
export class RegularExpressionError extends Error {
  override readonly name = "RegularExpressionError";
}

/** The syntax of every version of Node that is supported. */
const parser = new RegExpParser({ ecmaVersion: 2024 });

/**
 * Reads a regular expression of JavaScript (ECMA-262 §22.2.1) without running it.
 * @param flags `u`, or none for the older syntax
 * @throws RegularExpressionError if it is not valid, or longer than 1,000 characters, or has a look-around or a back
 *   reference, which cannot be matched in linear time
 */
export function parseRegularExpression(source: string, flags: "u" | ""): AST.Pattern {
  if (source.length > longest) throw new RegularExpressionError(`is longer than ${longest} characters`);
  const pattern = parsed(source, flags);
  const refuse = (name: string, { raw, start }: AST.Node): never => {
    throw new RegularExpressionError(`has a ${name}, ${quote(raw, 40)}, at character ${start + 1}`);
  };
  visitRegExpAST(pattern, {
    onAssertionEnter: (node) => {
      if (node.kind === "lookahead") refuse("look-ahead", node);
      if (node.kind === "lookbehind") refuse("look-behind", node);
    },
    onBackreferenceEnter: (node) => refuse("back reference", node),
  });
  return pattern;
}

function parsed(source: string, flags: "u" | ""): AST.Pattern {
  try {
    return parser.parsePattern(source, 0, source.length, flags === "u");
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    const reason = error.message.slice(error.message.lastIndexOf(": ") + 2);
    throw new RegularExpressionError(`is not valid: ${reason}`);
  }
}

/** A part of a regular expression that matches exactly one character. */
export type CharacterElement = AST.Character | AST.CharacterSet | AST.CharacterClass;

/** Which of these characters a part matches. JavaScript itself decides: this takes the same time for every part. */
export function charactersOf({ raw }: CharacterElement, among: readonly string[], flags: "u" | ""): readonly string[] {
  const one = new RegExp(`^${raw}$`, flags);
  return among.filter((character) => one.test(character));
}
