import { markupText } from "../../base/text/markup.js";

/** A test case of JUnit. */
export interface Case {
  readonly name: string;
  /** The element within it, for a failure or a skipped case. */
  readonly content: string;
  readonly result: "passed" | "failed" | "skipped";
}

/** The test cases that belong together. Names and values are text. */
export interface Suite {
  readonly name: string;
  readonly properties: readonly (readonly [name: string, value: string])[];
  /** In milliseconds, as that of a case. */
  readonly duration: number;
  readonly cases: readonly (Case & { readonly duration: number })[];
}

/** Test suites as JUnit XML, in the form of the schema that Jenkins publishes. */
export function junitDocument(suites: readonly Suite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  const total = suites.reduce((sum, { duration }) => sum + duration, 0);
  const head = `<testsuites name="payments-sandbox" tests="${all.length}" failures="${count(all, "failed")}" errors="0" time="${seconds(total)}">`;
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites.flatMap(suiteLines), "</testsuites>"];
  return `${lines.join("\n")}\n`;
}

export function passedCase(name: string): Case {
  return { name, content: "", result: "passed" };
}

/**
 * A failed case.
 * @param message in one line
 * @param lines its text; empty ones are left out
 */
export function failedCase(name: string, type: string, message: string, lines: readonly string[]): Case {
  const text = lines.filter((line) => line !== "").map(markupText);
  const content = `<failure type="${markupText(type)}" message="${markupText(message)}">${text.join("\n")}</failure>`;
  return { name, content, result: "failed" };
}

/** Some schemas allow no attributes on this element, so the reason is its text. */
export function skippedCase(name: string, reason: string): Case {
  return { name, content: `<skipped>${markupText(reason)}</skipped>`, result: "skipped" };
}

function suiteLines({ name, properties, duration, cases }: Suite): string[] {
  const counts = `tests="${cases.length}" failures="${count(cases, "failed")}" errors="0" skipped="${count(cases, "skipped")}"`;
  return [
    `  <testsuite name="${markupText(name)}" ${counts} time="${seconds(duration)}">`,
    "    <properties>",
    ...properties.map(([key, value]) => `      <property name="${markupText(key)}" value="${markupText(value)}"/>`),
    "    </properties>",
    ...cases.map((each) => caseLine(name, each)),
    "  </testsuite>",
  ];
}

function caseLine(suite: string, { name, content, duration }: Suite["cases"][number]): string {
  const open = `    <testcase classname="${markupText(suite)}" name="${markupText(name)}" time="${seconds(duration)}"`;
  return content === "" ? `${open}/>` : `${open}>${content}</testcase>`;
}

/** @param duration in milliseconds */
function seconds(duration: number): string {
  return (duration / 1000).toFixed(3);
}

function count(cases: readonly Case[], wanted: Case["result"]): number {
  return cases.filter(({ result }) => result === wanted).length;
}
