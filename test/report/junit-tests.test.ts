import { describe, expect, it } from "vitest";
import { testsIn } from "../../src/report/junit-tests.js";
import { brokenTests, failedTests, passedInAll, testLines } from "../../src/report/told-tests.js";

const read = async (xml: string) => Object.fromEntries(await testsIn(xml));

describe("the tests of JUnit XML", () => {
  it.each([
    [
      "Node.js: by suites, with a class that says nothing",
      '<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="lists"><testcase name="walks" classname="test"><failure type="testCodeFailure" message="socket hang up">[Error]</failure></testcase></testsuite><testcase name="pings" time="0.1" classname="test"/></testsuites>',
      { "lists > walks": "socket hang up", pings: null },
    ],
    [
      "Mocha: by class, with a text alone",
      '<testsuite name="Mocha Tests" tests="2"><testcase classname="lists" name="walks"><failure>expected 1\nat x.js</failure></testcase><testcase classname="lists" name="pings"/></testsuite>',
      { "lists > walks": "expected 1", "lists > pings": null },
    ],
    [
      "gotestsum: a message that says nothing",
      '<testsuites><testsuite name="sdk"><testcase classname="sdk" name="TestPing"><failure message="Failed" type="">=== RUN   TestPing\n    sdk_test.go:9: status 503\n--- FAIL: TestPing (0.00s)\n</failure></testcase></testsuite></testsuites>',
      { "sdk > TestPing": "sdk_test.go:9: status 503" },
    ],
    [
      "pytest: an error of a fixture, in CDATA, and one that is skipped",
      '<testsuites><testsuite name="pytest"><testcase classname="t" name="a"><error message=""><![CDATA[E  no token]]></error></testcase><testcase classname="t" name="b"><skipped message="no"/></testcase></testsuite></testsuites>',
      { "t > a": "E  no token" },
    ],
    [
      "tests with the same name: one that failed decides, whatever the order is",
      '<testsuite><testcase name="a"><failure message="1"/></testcase><testcase name="a"/><testcase name="b"/><testcase name="b"><failure message="2"/></testcase></testsuite>',
      { a: "1", b: "2" },
    ],
    [
      "a test that is not done yet: skipped, and failed",
      '<testsuite><testcase name="a"><skipped type="todo"/><failure message="1"/></testcase></testsuite>',
      {},
    ],
  ])("of %s", async (_runner, xml, expected) => {
    expect(await read(xml)).toEqual(expected);
  });

  it("have no secrets and no control characters, and are of bounded length", async () => {
    const token = `eyJhbGciOiJub25lIn0.${"a".repeat(20)}.b`;
    const xml = `<testsuite><testcase name="with ${token}&#27;[2J"><failure message="&#x1B;[31mBearer ${token}\u202e"/></testcase><testcase name="${"n".repeat(999)}"/></testsuite>`;
    const results = await read(xml);
    expect(JSON.stringify(results)).not.toMatch(/eyJ|\u202e/);
    expect(Object.entries(results)[0]).toEqual([
      expect.stringMatching(/^with .*\\u\{1b\}\[2J$/),
      expect.stringMatching(/^Bearer .*\\u\{202e\}$/),
    ]);
    expect(Object.keys(results)[1]).toHaveLength(201);
  });

  it.each([
    ["<html><body/></html>", "is no JUnit XML: its root element is <html> (line 1)"],
    ["<testsuite>\n<testcase name='a'/>", "is not well-formed XML (line 2)"],
    ["<testsuite><testcase name='a'/></testsuite><again/>", "is no JUnit XML: its root element is <again>"],
    ["", "is empty"],
    ["no XML", "is not well-formed XML"],
    ["<testsuite>&lol;</testsuite>", "is not well-formed XML"],
    [`<testsuite>${"<testsuite>".repeat(100)}`, "has more than 64 elements in each other"],
    [
      `<testsuite>${Array.from({ length: 20_001 }, (_, at) => `<testcase name="${at}"/>`).join("")}</testsuite>`,
      "has more than 20000 tests",
    ],
  ])("are refused in %.40s", async (xml, problem) => {
    await expect(testsIn(xml)).rejects.toThrow(problem);
  });

  it("no entity of a document is expanded", async () => {
    const entities = [
      '<!ENTITY a "aaaaaaaaaa">',
      ...[..."bcdefghij"].map((name, at) => `<!ENTITY ${name} "${`&${"abcdefghi"[at]};`.repeat(10)}">`),
    ];
    const laughs = `<!DOCTYPE testsuite [${entities.join("\n")}]><testsuite><testcase name="&j;"/></testsuite>`;
    await expect(testsIn(laughs)).rejects.toThrow("is not well-formed XML");
    const file = '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>';
    await expect(testsIn(file)).rejects.toThrow("is not well-formed XML");
  });
});

describe("tests that passed without a fault", () => {
  const results = (given: Record<string, string | null>) => new Map(Object.entries(given));
  const passed = passedInAll([
    results({ a: null, b: null, c: null, alone: null, red: "no" }),
    results({ a: null, b: null, c: null, red: null }),
  ]);

  it("passed in each run", () => {
    expect([...passed]).toEqual(["a", "b", "c"]);
  });

  it("fail if they failed in each run; one that is absent, or failed by turns, is unknown", () => {
    expect(
      brokenTests(passed, [results({ a: "first", b: "no", c: null }), results({ a: "second", b: null, red: "no" })]),
    ).toEqual({
      failed: [{ name: "a", message: "second" }],
      unknown: 2,
    });
    expect(brokenTests(passed, [results({})])).toEqual({ failed: [], unknown: 3 });
    expect(brokenTests(new Set(), [results({ a: "no" })])).toBeUndefined();
    expect(failedTests(results({}))).toBeUndefined();
  });

  it("are told up to a number", () => {
    const many = failedTests(results(Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`t${at}`, `m${at}`]))));
    expect(many).toMatchObject({ more: 20 });
    expect(many?.failed).toHaveLength(100);
    expect(testLines(many)).toEqual(["t0: m0", "t1: m1", "t2: m2", "t3: m3", "t4: m4", "… and 115 tests more."]);
    expect(testLines({ failed: [{ name: "a", message: "" }], unknown: 1 })).toEqual([
      "a",
      "Of 1 test nothing is known.",
    ]);
  });
});
