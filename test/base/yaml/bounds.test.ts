import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parseYaml, validateYaml } from "../../../src/base/yaml/document.js";
import { validate } from "../../../src/base/yaml/issues.js";
import { FileError } from "../../../src/base/yaml/problem.js";
import { scenarioLimits } from "../../../src/sandbox/scenarios/defaults.js";
import { expectLimits, listOf } from "./bounded.js";
import { problemsOf } from "./problems.js";

describe("limits", () => {
  it("characters and tokens of a scenario", () => expectLimits(scenarioLimits));

  it("the built-in scenarios need at most a quarter of the limits", async () => {
    const { readFile, readdir } = await import("node:fs/promises");
    const quarter = { characters: scenarioLimits.characters / 4, tokens: scenarioLimits.tokens / 4 };
    for (const file of (await readdir("scenarios")).filter((name) => name.endsWith(".yaml"))) {
      await parseYaml(await readFile(`scenarios/${file}`, "utf8"), file, quarter);
    }
  });

  it("what aliases repeat is counted for each repetition, before a value is made", async () => {
    const values = (aliases: number) => `a: &a ${listOf(1000)}\nl: [${"*a,".repeat(aliases)}]`;
    expect(await problemsOf(parseYaml(values(17), "f", scenarioLimits))).toEqual([]);
    const message = "The document cannot be expanded: with its aliases (*name) it has more than 20000 values.";
    expect(await problemsOf(parseYaml(values(19), "f", scenarioLimits))).toEqual([
      { file: "f", line: 2, column: 59, message },
    ]);
    const text = `- &a 1\n- &a ${listOf(1000)}\n- [${"*a,".repeat(19)}]\n`;
    expect(await problemsOf(parseYaml(text, "f", scenarioLimits))).toMatchObject([{ line: 3, message }]);
    const characters = (text: number) =>
      `a: &a { ${"k".repeat(9)}: ${"x".repeat(text)} }\nl: [*a, *a, [*a]]\n? &k ${"b".repeat(25)}\n: [*k]\n`;
    const fits = (scenarioLimits.characters - 2 - 4 * 9 - 2 * 25) / 4;
    expect(await problemsOf(parseYaml(characters(Math.floor(fits)), "f", scenarioLimits))).toEqual([]);
    expect(await problemsOf(parseYaml(characters(Math.ceil(fits + 0.01)), "f", scenarioLimits))).toEqual([
      { file: "f", line: 4, column: 4, message: message.replace("20000 values", "131072 characters") },
    ]);
  });

  it("a small value can be repeated many times", async () => {
    const { value } = await parseYaml(`a: &a { b: [c] }\nl: [${"*a, ".repeat(500)}]\n`, "f", scenarioLimits);
    expect(value).toEqual({ a: { b: ["c"] }, l: Array(500).fill({ b: ["c"] }) });
  });

  it.each(["[", "- ", "{a: ", "? ", "- ? - : "])("levels of %j are counted before there are nodes", async (level) => {
    expect(await problemsOf(parseYaml(level.repeat(50_000), "f"))).toEqual([
      { file: "f", line: 1, column: expect.any(Number), message: "It is nested too deeply." },
    ]);
  });

  it("levels are counted through aliases", async () => {
    const levels = (count: number) =>
      `- &a0 x\n${Array.from({ length: count }, (_, at) => `- &a${at + 1} [*a${at}]\n`).join("")}`;
    const direct = (count: number) => `${"[".repeat(count)}${"]".repeat(count)}`;
    expect(await problemsOf(parseYaml(direct(101), "f"))).toEqual([]);
    expect(await problemsOf(parseYaml(direct(102), "f"))).toMatchObject([{ message: "It is nested too deeply." }]);
    expect(await problemsOf(parseYaml(levels(98), "f"))).toEqual([]);
    expect(await problemsOf(parseYaml(levels(101), "f"))).toMatchObject([{ message: "It is nested too deeply." }]);
  });
});

describe("work", () => {
  it("the first 20 problems of a file are named, each on one line of limited length", () => {
    const { problems, message } = new FileError(
      Array.from({ length: 30 }, () => ({ file: "f", message: `a\n\u001b[31m\u202e${"x".repeat(50_000)}` })),
    );
    expect(problems).toHaveLength(20);
    expect(message.split("\n")).toEqual(problems.map((problem) => `f: ${problem.message}`));
    expect(problems[0]?.message).toMatch(/^a\\u\{a\}\\u\{1b\}\[31m\\u\{202e\}x{100,5000}…$/);
  });

  it("at most a hundred problems are located", async () => {
    const schema = z.strictObject({ list: z.array(z.string()) });
    const yaml = await parseYaml(`list: [${"1,".repeat(5000)}]`, "f");
    let places = 0;
    const counting = {
      ...yaml,
      place: (...path: Parameters<typeof yaml.place>) => {
        places += 1;
        return yaml.place(...path);
      },
    };
    expect(() => validateYaml(counting, "f", schema)).toThrow(FileError);
    expect(places).toBeLessThanOrEqual(100);
  });

  it("of many unknown keys only the first are compared with the known ones", { tags: "slow" }, () => {
    const schema = z.strictObject({ known: z.string().optional() });
    const input = Object.fromEntries(Array.from({ length: 75_000 }, (_, at) => [`k${at}`, 1]));
    const result = validate(input, schema);
    expect(result.success || result.issues).toHaveLength(100);
  });
});

describe("the results", () => {
  it.each([
    ["in a block map", "a: 1\nb: 2\na: 3\n", [[3, 1]]],
    [
      "in a flow map",
      "x: { a: 1, b: 2, a: 3, a: 4 }\n",
      [
        [1, 18],
        [1, 24],
      ],
    ],
    ["under a map that has no such key", "a: { b: 1 }\nb: { b: 1, b: 2 }\n", [[2, 12]]],
    [
      "in other words",
      'a: 1\n"a": 2\n? a\n: 3\n',
      [
        [2, 1],
        [3, 3],
      ],
    ],
  ])("a key that occurs twice %s", async (_where, text, places) => {
    expect(await problemsOf(parseYaml(text, "f"))).toEqual(
      places.map(([line, column]) => ({ file: "f", line, column, message: "This key is given twice." })),
    );
  });

  it("keys that are not texts are refused, and hide other problems", async () => {
    const message = "A key must be a text.";
    expect(await problemsOf(parseYaml("[1]: a\n[2]: b\nc: 1\nc: 2\n", "f"))).toEqual([
      { file: "f", line: 1, column: 1, message },
      { file: "f", line: 2, column: 1, message },
    ]);
  });

  it("a value has the place of its key if nothing is written", async () => {
    const { place } = await parseYaml("x: { a: 1, b, c: 1 }\n", "f");
    expect([place(["x", "a"]), place(["x", "b"]), place(["x", "b", "c"]), place(["x", "d"])]).toEqual([
      { line: 1, column: 9 },
      { line: 1, column: 12 },
      { line: 1, column: 12 },
      { line: 1, column: 4 },
    ]);
  });

  it.each(["", "%YAML 1.1\n---\n"])(
    "values are those of YAML 1.2, whatever their tags, after %j",
    async (directive) => {
      const text = `${directive}a: &x { b: [1, 0x1f, 1.5, true, null, ~, yes, 2020-01-01], constructor: 1 }
? c
d: *x
&k e: !unknown 5
f: !!str 5
g: *k
<<: *x
h: |
  two
  lines
i: !!set { a }
j: !!binary aGk=
k: !!omap [a: *x]
`;
      const { value } = await parseYaml(text, "f");
      const x = JSON.parse('{"b":[1,31,1.5,true,null,null,"yes","2020-01-01"],"constructor":1}');
      expect(value).toEqual({
        a: x,
        c: null,
        d: x,
        e: "5",
        f: "5",
        g: "e",
        "<<": x,
        h: "two\nlines\n",
        i: { a: null },
        j: "aGk=",
        k: [{ a: x }],
      });
    },
  );

  it.each([
    ["a: { __proto__: { b: 1 } }\n", [1, 6]],
    ['- a: 1\n- "__proto__": 1\n', [2, 3]],
    ['{"a": [{"\\u005f_proto__": 1}]}', [1, 9]],
    ["? __proto__\n: 1\n", [1, 3]],
    ["? !!str __proto__\n: 1\n", [1, 9]],
    ["a: &x { b: 1 }\n__proto__: *x\n", [2, 1]],
    ["__proto__: &x { b: 1 }\na: *x\n", [1, 1]],
  ])("a key __proto__ is refused, because it would be lost: %j", async (text, [line, column]) => {
    const message = 'Unknown key "__proto__". Leave it out, or give it another name.';
    expect(await problemsOf(parseYaml(text, "f"))).toEqual([{ file: "f", line, column, message }]);
  });

  it.each(["1e400", "-1e400", ".inf", "-.Inf", ".nan", "9".repeat(400)])(
    "a number that is not finite is refused: %s",
    async (number) => {
      const shown = number.length > 64 ? `${number.slice(0, 64)}…` : number;
      const message = `${shown} is not a finite number. Give a finite one, or put it in quotes for a text.`;
      const problem = { file: "f", message };
      expect(await problemsOf(parseYaml(`a:\n  - [1, ${number}]\n`, "f"))).toEqual([
        { ...problem, line: 2, column: 9 },
      ]);
      expect(await problemsOf(parseYaml(`a: "${number}"\n`, "f"))).toEqual([]);
    },
  );

  it("keys are truncated, and their control characters escaped, in every message", async () => {
    const key = `\\u001b[31m\\u202e${"k".repeat(5000)}`;
    const schema = z.strictObject({ list: z.record(z.string(), z.strictObject({ a: z.string() })) });
    for (const text of [`? "${key}"\n: 1\n`, `list:\n  ? "${key}"\n  : { b: 1 }\n`]) {
      const yaml = await parseYaml(text, "f");
      const problems = await problemsOf((async () => validateYaml(yaml, "f", schema))());
      expect(problems.length).toBeGreaterThan(0);
      for (const { message } of problems) {
        expect(message).not.toMatch(/\p{C}/u);
        expect(message.length).toBeLessThan(500);
      }
      expect(problems.some(({ message }) => message.includes("\\u{1b}[31m\\u{202e}kkk"))).toBe(true);
    }
  });
});
