/** Repeats a piece up to a length, in characters. */
function filled(length: number, piece: (index: number) => string, before = "", after = ""): string {
  const pieces = [before];
  let rest = length - before.length - after.length;
  for (let index = 0; ; index++) {
    const next = piece(index);
    rest -= next.length;
    if (rest < 0) return pieces.join("") + after;
    pieces.push(next);
  }
}

const rules = "description: x\nrules:\n";
const headers = `${rules}  - when:\n      headers:\n`;
const form = `${rules}  - when:\n      form:\n`;
const then = "    then: { error: NOT_FOUND }\n";

/** Texts that are expensive to check, by what they contain in large numbers. Each function gets the maximum length. */
export const worstTexts: Readonly<Record<string, (length: number) => string>> = {
  keys: (length) => filled(length, (index) => `key${index}: 1\n`),
  "keys of one letter or two": (length) => filled(length, (index) => `${index.toString(36)}:\n`),
  "keys that are nearly known": (length) => filled(length, (index) => `descriptio${index}: 1\n`),
  "one long key": (length) => `${"k".repeat(length - 3)}: 1`,
  "keys with a question mark": (length) => filled(length, (index) => `? k${index}\n: 1\n`),
  "the same key": (length) => filled(length, () => ":\n"),
  "keys of a flow map": (length) => filled(length, (index) => `a${index},`, "{", "}"),
  "keys that are lists": (length) => filled(length, (index) => `[${index}]: 1\n`),
  "keys with control characters": (length) => filled(length, (index) => `"\\u0001${index}": 1\n`),
  "closing brackets": (length) => "]".repeat(length),
  "opening brackets": (length) => "[".repeat(length),
  "pairs of brackets": (length) => "[]".repeat(length / 2),
  "nested brackets": (length) => "[".repeat(length / 2) + "]".repeat(length / 2),
  "nested lists": (length) => "- ".repeat(length / 2),
  "nested maps": (length) => "{a: ".repeat(length / 4),
  commas: (length) => `[${",".repeat(length - 2)}]`,
  "items of a flow list": (length) => filled(length, () => "1,", "[", "]"),
  aliases: (length) => filled(length, () => "- *a\n", "a: &a 1\nl:\n"),
  "aliases of something large": (length) =>
    `a: &a [${filled(length / 2, () => "1,")}]\nl: [${filled(length / 2 - 20, () => "*a,")}]`,
  "aliases in a body": (length) =>
    `${rules}  - then: { respond: { status: 200, body: [ &a [${filled(length - 1000, () => "1,")}], ${"*a, ".repeat(99)}] } }\n`,
  "aliases of a long text": (length) =>
    `${rules}  - then: { respond: { status: 200, body: [ &a ${"x".repeat(length / 2)}${", *a".repeat(length / 20)}] } }\n`,
  "aliases of aliases": (length) => filled(length, (index) => `- &a${index} [*a${index - 1}]\n`, "- &a-1 x\n"),
  "aliases of nothing": (length) => filled(length, () => "- *b\n"),
  anchors: (length) => filled(length, (index) => `- &a${index} 1\n`),
  documents: (length) => "---\n".repeat(length / 4),
  directives: (length) => "%TAG ! a\n".repeat(length / 9),
  tags: (length) => "! ".repeat(length / 2),
  "merge keys": (length) => filled(length, () => "<<: *a\n", "a: &a { x: 1 }\n"),
  "escapes that do not exist": (length) => `"${"\\q".repeat((length - 2) / 2)}"`,
  "quotation marks": (length) => '"'.repeat(length),
  "a long text": (length) => "a ".repeat(length / 2),
  "a text of many lines": (length) => `k: ${"a\n ".repeat(length / 3 - 1)}`,
  "a block text": (length) => `k: >\n${" a\n\n".repeat(length / 4 - 2)}`,
  comments: (length) => "#\n".repeat(length / 2),
  "a long number": (length) => "1".repeat(length),
  "tabs for indentation": (length) => `a:\n${"\tb: 1\n".repeat(length / 6 - 1)}`,
  "empty lines": (length) => "\n".repeat(length),
  "NUL characters": (length) => "\0".repeat(length),
  "good headers": (length) => filled(length, (index) => `        x${index}: "1"\n`, headers, then),
  "headers of the wrong type": (length) => filled(length, (index) => `        x${index}: 1\n`, headers, then),
  "invalid names of headers": (length) => filled(length, (index) => `        "x ${index}": "1"\n`, headers, then),
  "good rules": (length) => filled(length, () => "- {then: {error: NOT_FOUND}}\n", rules),
  "rules of one name": (length) => filled(length, () => "- {name: a, then: {error: NOT_FOUND}}\n", rules),
  "rules with unknown keys": (length) => filled(length, () => "- {a: 1, then: {b: 2, c: 3}}\n", rules),
  "rules with an unknown code": (length) => filled(length, (index) => `- {then: {error: NOTFOUND${index}}}\n`, rules),
  "patterns of many stars": (length) =>
    filled(length, (index) => `        x${index}: { like: "${"*a".repeat(400)}" }\n`, form, then),
  "a pattern without end": (length) => `${form}        x: { like: "${"*".repeat(length - 200)}" }\n${then}`,
  "values in lists": (length) => filled(length, (index) => `        x${index}: [a, b, { like: "*" }]\n`, form, then),
  "values of the wrong type in lists": (length) =>
    filled(length, (index) => `        x${index}: [1, {}]\n`, form, then),
  "rules with several operations": (length) =>
    filled(length, () => "- {when: {operation: [ping, list, lst]}, then: {delay: 1s}}\n", rules),
  "operations in one rule": (length) =>
    `${rules}  - when: { operation: [${filled(length - 200, () => "ping,")}] }\n${then}`,
  "members to set": (length) =>
    `${rules}  - then: { alter: { body: {${filled(length - 200, (index) => `m${index}: null,`)}} } }\n`,
  "members that become null": (length) =>
    `${rules}  - then: { alter: { setNull: [${filled(length - 200, () => "a.b.c,")}] } }\n`,
  "a deep patch": (length) =>
    `${rules}  - then: { alter: { body: ${"{a: ".repeat(length / 6)}${"}".repeat(length / 6)} } }\n`,
  "checks that are unknown": (length) =>
    `description: x\nexpect: { checks: [${filled(length - 200, () => "tokn,")}] }\n`,
  "connections of no kind": (length) =>
    filled(length, () => "- {then: {connection: {kind: reset, after: 1}}}\n", rules),
  "rules with too many faults": (length) =>
    filled(length, () => "- {then: {error: NOT_FOUND, page: {rows: 1}, alter: {}}}\n", rules),
  "rules with an invalid delay": (length) => filled(length, () => "- {then: {delay: {a: 1}}}\n", rules),
};
