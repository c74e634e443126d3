import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linearPattern } from "../../../src/base/text/linear-pattern.js";
import { formatOf } from "../../../src/imitate/calibrate/session.js";

const inJavaScript = (source: string) => new RegExp(`^(?:${source})$`, "u");

/** Every syntax that is accepted, and what RE2 reads differently. */
const corpus = [
  "",
  "|",
  "a|",
  "(?:)*",
  "[a-z]{3,8}",
  "[\\w.-]{1,256}",
  ".{1,36}",
  "[0-9A-Fa-f-]{32,36}",
  "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  "^a$|^b$",
  "a^b|a$b",
  "^^a$$",
  "(?:^|a)b(?:c|$)",
  "\\ba\\b.\\Ba",
  "\\b",
  "\\B",
  "(?<name>a+)(?:b)(c)",
  "a{0}",
  "a{0,0}b",
  "a{2,}?",
  "(?:a*)*",
  "(?:a|b*)+",
  "(?:a?){3}",
  "(?:a{2}){2,3}",
  "(?:|a)+",
  "[]",
  "[^]",
  "[][a]",
  "[^][a]",
  "[[:alpha:][x]",
  "[\\]\\[^-]",
  "[a\\-c]",
  "[\\b]",
  "[\\s\\S]",
  "[^\\d\\W]",
  "\\d\\D\\w\\W\\s\\S",
  "\\p{L}\\P{L}",
  "\\p{Lu}\\p{Script=Latin}[\\p{L}\\p{N}]",
  "\\t\\n\\v\\f\\r\\0",
  "\\cA\\x41\\u0041\\u{41}",
  "\\u00e9\\u{20ac}?\\ud83d\\ude00?",
  "[à-ÿ€]",
  "é+",
  "\\/\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$\\\\",
  "-?",
];

const latin1 = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
/** Characters that the patterns name, and others. */
const character = fc.oneof(fc.constantFrom(..."aabbc019 -_.A\n\r\u0085\u00a0é[]:"), fc.constantFrom(...latin1));
const texts = fc.array(character, { maxLength: 7 }).map((characters) => characters.join(""));

const { pattern: patterns } = fc.letrec<{ pattern: string; sequence: string; term: string }>((tie) => ({
  pattern: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((each) => each.join("|")),
  sequence: fc.array(tie("term"), { maxLength: 4 }).map((each) => each.join("")),
  term: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("a", "b", ".", "é", "\\s", "\\w", "\\D", "[ab]", "[^a]", "[^]", "[]", "\\p{L}", "[[:a:]", "[\\s-]"),
    fc.constantFrom("^", "$", "\\b", "\\B"),
    fc
      .tuple(tie("pattern"), fc.constantFrom("", "*", "+", "?", "*?", "{2}", "{0,2}", "{1,3}?", "{2,}"))
      .map(([inner, count]) => `(?:${inner})${count}`),
    tie("pattern").map((inner) => `(${inner})`),
  ),
}));

describe("a pattern matches the same texts as in JavaScript", () => {
  it.each(corpus)("%j", { tags: "slow" }, (source) => {
    const [matches, expected] = [linearPattern(source), inJavaScript(source)];
    for (const text of ["", ...latin1, ...latin1.map((one) => `a${one}a`)])
      expect([text, matches(text)]).toEqual([text, expected.test(text)]);
    fc.assert(
      fc.property(texts, (text) => matches(text) === expected.test(text)),
      { numRuns: 100 },
    );
  });

  it("any pattern, with any text", () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 5, maxLength: 5 }), (source, several) => {
        // A longer one is refused.
        fc.pre(source.length <= 1000);
        const [matches, expected] = [linearPattern(source), inJavaScript(source)];
        for (const text of ["", ...several]) expect([text, matches(text)]).toEqual([text, expected.test(text)]);
      }),
      { numRuns: 100 },
    );
  });

  it("a text that the pattern describes", () => {
    // Counts and groups within each other, with texts that are long enough to reach them.
    const long = fc.array(fc.constantFrom("a", "b", "é"), { maxLength: 12 }).map((each) => each.join(""));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 }), long, (least, more, text) => {
        const source = `(?:a{${least},${least + more}}(b|é?))*`;
        expect(linearPattern(source)(text)).toBe(inJavaScript(source).test(text));
      }),
      { numRuns: 500 },
    );
  });
});

describe("a pattern is refused with the reason", () => {
  it.each([
    ["a(?=b)", 'has a look-ahead, "(?=b)", at character 2'],
    ["(?!b)a", 'has a look-ahead, "(?!b)", at character 1'],
    ["a(?<=a)", 'has a look-behind, "(?<=a)", at character 2'],
    ["(a)\\1", 'has a back reference, "\\\\1", at character 4'],
    ["(?<n>a)\\k<n>", 'has a back reference, "\\\\k<n>", at character 8'],
    ["[", "is not valid: Unterminated character class"],
    ["a**", "is not valid: Nothing to repeat"],
    ["\\_", "is not valid: Invalid escape"],
    ["(?i:a)", "is not valid: Invalid group"],
    ["a{1001}", "is too large"],
    ["a{1000000}", "is too large"],
    ["(?:(?:a{20}){20}){20}", "is too large"],
    ["a?".repeat(500), undefined],
    ["(?:a?b?){1000}", "is too large"],
    ["a".repeat(1001), "is longer than 1000 characters"],
    [`${"(".repeat(499)}a${")".repeat(499)}`, undefined],
    [`${"(".repeat(200)}a${")*".repeat(200)}`, undefined],
  ])("%s", (source, reason) => {
    if (reason === undefined) expect(linearPattern(source)("a")).toBe(true);
    else expect(() => linearPattern(source)).toThrow(reason);
  });
});

it("every format that calibrate can write is accepted", () => {
  const hex = "0b9f2c7e5d3a4f619b0e2f6a1c8d7e55";
  for (const uuid of [true, false]) {
    const accepts = linearPattern(String(formatOf({ uuid, hex: true })));
    expect([accepts(hex), accepts("")]).toEqual([true, false]);
  }
});
