import { bearer, type Generator, input, request, type Stock, send } from "../input.js";
import { mutateText } from "../mutate.js";
import type { Random } from "../random.js";

/** A scenario with the caller's rules. */
const scenario = (rules: string) => `description: For the fuzz.\nrules:\n${rules}`;

/** The limit of a body of the admin API, and a little above it, in characters. */
const most = [1_040_000, 1_048_576, 1_048_577, 1_100_000];

/** Texts of a given size in repetitions: deep, wide, and full of errors. */
const shapes: readonly ((count: number) => string)[] = [
  (count) => "[".repeat(count),
  (count) => "]".repeat(count),
  (count) => "{a: ".repeat(count),
  (count) => ":\n".repeat(count),
  (count) => "- ".repeat(count),
  (count) => "? ".repeat(count),
  (count) => "a: &a\n".repeat(count),
  (count) => "!!x ".repeat(count),
  (count) => "'\n".repeat(count),
  (count) => "\t\n".repeat(count),
  (count) => "%TAG ! x\n".repeat(count),
  (count) => "---\n".repeat(count),
  (count) => "...\n".repeat(count),
  (count) => "# comment\n".repeat(count),
  (count) => "\u00e9".repeat(count),
  (count) => `description: "${"\\u0000".repeat(count)}"`,
  (count) => lines(count, (at) => `k${at}: ${at}`),
  (count) => lines(count, () => "same: 1"),
  (count) => `a: &a x\nb: [${"*a, ".repeat(count)}]`,
  (count) => lines(count, (at) => `a${at}: &a${at} [${`*a${at - 1},`.repeat(at === 0 ? 0 : 9)}]`),
  (count) => lines(count, (at) => `${" ".repeat(at % 200)}a:`),
  (count) => scenario(lines(count, (at) => `  - { name: r${at}, then: { error: INVALID_CURSOR } }`)),
  (count) => scenario(lines(count, () => "  - { name: same, then: { error: NOPE } }")),
  (count) =>
    scenario(
      `  - when:\n      headers:\n${lines(count, (at) => `        H${at}: x`)}\n    then: { error: INVALID_CURSOR }`,
    ),
  (count) =>
    scenario(
      `  - when:\n      query:\n${lines(count, (at) => `        q${at}: x`)}\n    then: { error: INVALID_CURSOR }`,
    ),
  (count) => scenario(`  - then: { respond: { status: 200, body: ${"[".repeat(count)}${"]".repeat(count)} } }`),
  (count) => scenario(`  - then: { delay: ${"9".repeat(count)}s }`),
  (count) => `description: ${"x".repeat(count)}\nrules: []`,
];

/** Uploads of scenarios, and sometimes a request with an uploaded one. */
export const yamlUploads: Generator = (random, _counter, stock) => {
  if (random.chance(0.2)) {
    const chosen = [bearer(stock.token), `Sandbox-Scenario: ${nameOf(random)}`];
    const target = random.pick(["/v1/ping", "/v1/payments"]);
    // An altered scenario may delay or break anything.
    return input({
      title: "a request with an uploaded scenario",
      moves: [send(request("GET", target, chosen))],
      linger: 20,
      mayBeCorrupt: true,
    });
  }
  const text = textOf(random, stock);
  const headers = [bearer(stock.adminToken), "Content-Type: application/yaml"];
  return input({
    title: `an upload of ${text.length} characters`,
    to: "admin",
    moves: [send(request("PUT", `/scenarios/${nameOf(random)}`, headers, Buffer.from(text, "utf8")))],
    owed: 1,
  });
};

function nameOf(random: Random): string {
  return `fuzz-${random.below(8)}`;
}

function textOf(random: Random, stock: Stock): string {
  if (random.chance(0.6)) return mutateText(random, random.pick(stock.scenarios), 8);
  const shape = random.pick(shapes);
  if (random.chance(0.75)) return shape(random.pick([1, 10, 100, 1_000]));
  // As many repetitions as fit in the limit, and sometimes a few more.
  const limit = random.pick([65_536, 262_144, ...most]);
  const share = Math.max(1, shape(100).length / 100);
  return shape(Math.floor(limit / share)).slice(0, limit + 100);
}

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_none, at) => line(at)).join("\n");
}
