import { stripVTControlCharacters } from "node:util";
import { parser } from "sax";
import { printable } from "../base/text/printable.js";
import { redactPrinted } from "../sandbox/journal/redact.js";
import type { TestResults } from "./told-tests.js";

/** Most tests of a run, most elements in each other, and most characters of a name and of a message. */
const most = { tests: 20_000, depth: 64, name: 200, message: 300 } as const;

/** How much is parsed at a time, in characters: other runs are served in between. */
const portion = 65_536;

/** What is looked at of a name, and of the text of a failure, in characters. */
const keptText = 4096;

/** The class that Node.js gives to every test. */
const classOfNode = "test";

/** A message that says nothing, as gotestsum writes it. */
const emptyMessage = /^\s*(?:failed|error)?\s*$/i;

/** Lines of `go test` about its own progress. */
const progressOfGo = /^\s*(?:===|---) /;

/** XML 1.0 has no references to most control characters (§4.1). Some runners write them, for the colours of a message. */
const control = /&#(?:x0*([01]?[\da-f])|0*([12]?\d|3[01]));/gi;

interface OpenTest {
  readonly name: string;
  isSkipped: boolean;
  /** Undefined until it has failed. */
  failure: { readonly message: string; text: string } | undefined;
}

/**
 * Reads JUnit XML, as all kinds of runners write it. A test is known by its class, or else by its suites, and its name.
 * A skipped test is left out: nothing is known of it. Of tests with the same name, one that failed decides. No entities
 * are expanded besides those of XML and HTML, and nothing is loaded.
 * @returns the results, without secrets, on one line each
 * @throws Error that says why a text is no JUnit XML: `it is not well-formed XML (line 3)`
 */
export async function testsIn(xml: string): Promise<TestResults> {
  const results = new Map<string, string | null>();
  /** The names of elements, and of the suites among them. */
  const open: { readonly element: string; readonly suite: string }[] = [];
  let test: OpenTest | undefined;
  let isInFailure = false;
  let hasRoot = false;
  const reader = parser(true, {});
  const fail = (problem: string) => {
    throw new Error(`${problem} (line ${reader.line + 1})`);
  };
  reader.onerror = () => fail("it is not well-formed XML");
  reader.onopentag = ({ name: element, attributes }) => {
    const text = (name: string) => String(attributes[name] ?? "");
    hasRoot = true;
    if (open.length === 0 && element !== "testsuites" && element !== "testsuite")
      fail(`it is no JUnit XML: its root element is <${printable(element, most.name)}>`);
    if (open.length === most.depth) fail(`it has more than ${most.depth} elements in each other`);
    if (element === "testcase") {
      const suites = open.flatMap(({ suite }) => (suite === "" ? [] : [suite]));
      const ofClass = text("classname");
      const place = ofClass === "" || ofClass === classOfNode ? suites : [ofClass];
      test = { name: plain([...place, text("name")].join(" > "), most.name), isSkipped: false, failure: undefined };
    } else if (test !== undefined && element === "skipped") test.isSkipped = true;
    else if (test !== undefined && (element === "failure" || element === "error")) {
      test.failure ??= { message: text("message"), text: "" };
      isInFailure = true;
    }
    open.push({ element, suite: element === "testsuite" ? text("name") : "" });
  };
  reader.ontext = (text) => {
    if (isInFailure && test?.failure !== undefined && test.failure.text.length < keptText) test.failure.text += text;
  };
  reader.oncdata = reader.ontext;
  reader.onclosetag = (element) => {
    open.pop();
    if (element === "failure" || element === "error") isInFailure = false;
    if (element !== "testcase" || test === undefined) return;
    const { name, isSkipped, failure } = test;
    test = undefined;
    if (isSkipped) return;
    if (results.size === most.tests && !results.has(name)) fail(`it has more than ${most.tests} tests`);
    results.set(name, failure === undefined ? (results.get(name) ?? null) : lineOf(failure));
  };
  const text = xml.replaceAll(control, (_whole, hex?: string, decimal?: string) =>
    String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
  for (let from = 0; from < text.length; from += portion) {
    reader.write(text.slice(from, from + portion));
    await new Promise((resolve) => setImmediate(resolve));
  }
  reader.close();
  if (!hasRoot) fail("it is empty");
  return results;
}

/** The first line that says something. */
function lineOf({ message, text }: { readonly message: string; readonly text: string }): string {
  const lines = (emptyMessage.test(message) ? text.slice(0, keptText) : message).split(/\r?\n/);
  const [first = ""] = lines
    .map((line) => stripVTControlCharacters(line).trim())
    .filter((line) => line !== "" && !progressOfGo.test(line));
  return plain(first, most.message);
}

function plain(text: string, longest: number): string {
  return printable(redactPrinted(text.slice(0, keptText)), longest);
}
