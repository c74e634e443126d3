import { type Markup, markup, onLines } from "./markup.js";
import { bareItem, type Group, type Item, type Sheet } from "./sheet.js";

/**
 * The report as JUnit XML, in the form of the schema that Jenkins publishes: a suite for each group, a case for each of
 * its items.
 *
 * JUnit has no warnings. A warning, a known failure and what is not known are skipped cases, so that they never look like
 * a pass.
 */
export function junitText({ groups: judged, tone, verdict }: Sheet): string {
  const failed = judged.some((group) => count(group.items, "bad") > 0);
  // It fails although none of its items does.
  const groups = tone === "bad" && !failed ? [failedGroup(verdict), ...judged] : judged;
  const items = groups.flatMap((group) => group.items);
  const total = groups.reduce((sum, { duration }) => sum + duration, 0);
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="payments-sandbox" tests="${items.length}" failures="${count(items, "bad")}" errors="0" time="${seconds(total)}">
${onLines(groups.map(suite))}
</testsuites>
`.toString();
}

function failedGroup(message: string): Group {
  const item: Item = { ...bareItem, name: "acted", message, mark: { tone: "bad", word: "failed" } };
  return {
    name: "report",
    facts: [],
    output: [],
    tests: [],
    properties: [["verdict", "fail"]],
    duration: 0,
    items: [item],
  };
}

function suite({ name, properties, duration, items }: Group): Markup {
  const skipped = count(items, "warn") + count(items, "none");
  return markup`  <testsuite name="${name}" tests="${items.length}" failures="${count(items, "bad")}" errors="0" skipped="${skipped}" time="${seconds(duration)}">
    <properties>
${onLines(properties.map(([key, value]) => markup`      <property name="${key}" value="${value}"/>`))}
    </properties>
${onLines(items.map((item) => testCase(name, item)))}
  </testsuite>`;
}

function testCase(suiteName: string, item: Item): Markup {
  const open = markup`    <testcase classname="${suiteName}" name="${item.name}" time="${seconds(item.duration)}"`;
  const { tone } = item.mark;
  if (tone === "good") return markup`${open}/>`;
  // Some schemas allow no attributes on this element, so the reason is its text.
  return markup`${open}>${tone === "bad" ? failure(suiteName, item) : markup`<skipped>${reason(item)}</skipped>`}</testcase>`;
}

function failure(
  suiteName: string,
  { name, mark, rule, message, advice, evidence, tests, output, repeat }: Item,
): Markup {
  const isCell = mark.sign !== undefined;
  const summary = `${isCell ? `${suiteName}/${name}: ${mark.word}. ` : ""}${message} ${advice}`;
  const lines = [
    message,
    advice && `Fix: ${advice}`,
    rule && (isCell ? `Failed: ${rule}` : rule),
    ...evidence,
    ...tests.map(failedTest),
    ...output,
    repeat && `Repeat: ${repeat}`,
  ].filter((line) => line !== "");
  return markup`<failure type="${isCell ? mark.word.replaceAll(" ", "-") : name}" message="${summary.trimEnd()}">${onLines(lines)}</failure>`;
}

function failedTest(line: string): string {
  return `Failed test: ${line}`;
}

function reason({ mark, message, advice, tests, known }: Item): string {
  if (known !== undefined) return `Known: ${known} ${message}`;
  const said = mark.sign === undefined ? message : `${mark.word}. ${message}`;
  return mark.tone === "warn" ? ["Warning:", said, advice, ...tests.map(failedTest)].join(" ").trimEnd() : said;
}

/** @param duration in milliseconds */
function seconds(duration: number): string {
  return (duration / 1000).toFixed(3);
}

function count(items: readonly Item[], tone: Item["mark"]["tone"]): number {
  return items.filter(({ mark }) => mark.tone === tone).length;
}
