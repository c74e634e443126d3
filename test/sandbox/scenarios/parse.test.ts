import { describe, expect, it } from "vitest";
import { FileError } from "../../../src/base/yaml/problem.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";

/** The problems of a text, as `line:column message`. */
async function problems(text: string): Promise<string[]> {
  try {
    await parseScenario(text, "test", "test.yaml");
    return [];
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
}

/** The problems of a rule that starts at line 3, column 5. */
function problemsOf(rule: string): Promise<string[]> {
  return problems(`description: For a test.\nrules:\n  - ${rule}\n`);
}

async function faultOf(then: string) {
  const scenario = await parseScenario(`description: x\nrules:\n  - then: ${then}\n`, "test", "test.yaml");
  const settings = (scenario.rules[0]?.faults ?? []).map(({ fault: { name, under }, settings }) =>
    under === undefined ? [name, settings] : [under, { kind: name, ...(settings as object) }],
  );
  return JSON.parse(JSON.stringify(Object.fromEntries(settings)));
}

describe("a scenario", () => {
  it("has the content of its file", async () => {
    const text = [
      "description: >-",
      "  Does something.",
      "  A correct client bears it.",
      "server: { certificate: expired }",
      "rules:",
      "  - when: { operation: ping, headers: { X-One: a } }",
      "    skip: 1",
      "    every: 2",
      "    limit: 3",
      "    probability: 0.5",
      "    then: { error: NOT_FOUND }",
      "  - name: second",
      "    then: { connection: reset }",
    ].join("\n");
    expect(await parseScenario(text, "mine", "mine.yaml")).toMatchObject({
      name: "mine",
      description: "Does something. A correct client bears it.",
      serverCertificate: "expired",
      rules: [
        {
          name: "rule-1",
          share: "client",
          when: [
            { condition: { name: "operation" }, value: ["ping"] },
            { condition: { name: "headers" }, value: [["x-one", "a"]] },
          ],
          operations: ["ping"],
          skip: 1,
          every: 2,
          limit: 3,
          probability: 0.5,
          words: "the error NOT_FOUND",
        },
        { name: "second", skip: 0, every: 1, limit: Number.POSITIVE_INFINITY, probability: 1 },
      ],
    });
  });

  it("can be JSON", async () => {
    expect(await problems('{"description":"x","rules":[{"then":{"error":"NOT_FOUND"}}]}')).toEqual([]);
  });

  it.each([
    ["{ delay: 1.5s }", { delay: { kind: "fixed", duration: 1500 } }],
    ["{ delay: { min: 1ms, max: 2m } }", { delay: { kind: "uniform", min: 1, max: 120_000 } }],
    ["{ delay: { median: 1s, sigma: 1 } }", { delay: { kind: "lognormal", median: 1000, sigma: 1, max: 20_000 } }],
    ["{ delay: { median: 60s, sigma: 1 } }", { delay: { kind: "lognormal", median: 60_000, sigma: 1, max: 120_000 } }],
    ["{ error: { code: FORBIDDEN, message: No. } }", { error: { code: "FORBIDDEN", message: "No.", headers: {} } }],
    ["{ connection: hang }", { connection: { kind: "hang", duration: 30_000, isInHandshake: false } }],
    [
      "{ connection: { kind: hang, duration: 2s } }",
      { connection: { kind: "hang", duration: 2000, isInHandshake: false } },
    ],
    ["{ connection: drip }", { connection: { kind: "drip", duration: 5000 } }],
    ["{ connection: truncate }", { connection: { kind: "truncate", code: "INTERNAL_ERROR" } }],
    [
      "{ connection: { kind: truncate, after: 10, code: PROTOCOL_ERROR } }",
      { connection: { kind: "truncate", after: 10, code: "PROTOCOL_ERROR" } },
    ],
    ["{ connection: { kind: reset } }", { connection: { kind: "reset", isInHandshake: false } }],
    ["{ connection: { kind: reset, when: handshake } }", { connection: { kind: "reset", isInHandshake: true } }],
    ["{ connection: goaway }", { connection: { kind: "goaway", code: "NO_ERROR", lastStream: "this" } }],
    [
      "{ connection: { kind: goaway, code: ENHANCE_YOUR_CALM, lastStream: before } }",
      { connection: { kind: "goaway", code: "ENHANCE_YOUR_CALM", lastStream: "before" } },
    ],
    ["{ clock: { advance: 301s } }", { clock: { advance: 301_000 } }],
    [
      "{ error: { code: FORBIDDEN, status: 451, retryAfter: 5s } }",
      { error: { code: "FORBIDDEN", status: 451, headers: {}, retryAfter: { in: 5000, format: "seconds" } } },
    ],
    [
      "{ respond: { status: 503, retryAfter: { in: 5s, format: date } } }",
      { respond: { status: 503, headers: {}, body: "", retryAfter: { in: 5000, format: "date" }, chunked: false } },
    ],
    [
      "{ rateLimit: { limit: 1, per: 1s, retryAfter: { format: date } } }",
      { rateLimit: { limit: 1, per: 1000, headers: {}, retryAfter: { format: "date" } } },
    ],
    [
      "{ alter: { body: { a: null }, setNull: [items.reference] } }",
      { alter: { headers: {}, body: { a: null }, setNull: [["items", "reference"]], chunked: false } },
    ],
    [
      "{ rateLimit: { limit: 5, per: 1h, retryAfter: none } }",
      { rateLimit: { limit: 5, per: 3_600_000, headers: {}, retryAfter: "none" } },
    ],
    [
      "{ token: { expiresIn: 2s } }",
      { token: { expiresIn: 2000, otherCertificate: false, revoke: false, otherWorker: false } },
    ],
    ["{ respond: { status: 204 } }", { respond: { status: 204, headers: {}, body: "", chunked: false } }],
    [
      "{ respond: { status: 200, body: hello } }",
      {
        respond: {
          status: 200,
          headers: { "Content-Type": "text/plain; charset=utf-8" },
          body: "hello",
          chunked: false,
        },
      },
    ],
    [
      "{ respond: { status: 200, headers: { content-type: text/html }, body: <p> } }",
      { respond: { status: 200, headers: { "content-type": "text/html" }, body: "<p>", chunked: false } },
    ],
  ])("then: %s", async (then, fault) => {
    expect(await faultOf(then)).toEqual(fault);
  });
});

describe("expect", () => {
  const read = async (expectation: string) =>
    (await parseScenario(`description: x\nexpect: ${expectation}\nrules: [{ then: { delay: 1s } }]\n`, "test", "test"))
      .expectation;

  it("is what a correct client does", async () => {
    expect(
      await read(
        "{ outcome: any, checks: [token.refused], needs: [list, http2], requests: { token: { max: 2 }, list: { min: 1 } } }",
      ),
    ).toEqual({
      outcome: "any",
      checks: ["token.refused"],
      exercises: [],
      needs: ["list", "http2"],
      requests: { token: { max: 2 }, list: { min: 1 } },
    });
    expect(await read("{}")).toEqual({ outcome: "succeeds", checks: [], exercises: [], needs: [], requests: {} });
  });

  it.each([
    ["{ outcome: succeds }", /^2:20 expect\.outcome: .*Did you mean "succeeds"\?$/],
    ["{ checks: [token.refusd] }", /^2:20 expect\.checks\[0\]: .*Did you mean "token.refused"\?$/],
    ["{ needs: [paralel] }", /^2:19 expect\.needs\[0\]: unknown need "paralel"\. Did you mean "parallel"\?$/],
    ["{ requests: { lists: { min: 1 } } }", /^2:23 Unknown key "lists" in expect\.requests/],
    ["{ requests: { list: {} } }", /^2:29 expect\.requests\.list: give min or max$/],
    ["{ requests: { list: { min: 3, max: 2 } } }", /^2:29 expect\.requests\.list: max is smaller than min$/],
  ])("%s", async (expectation, problem) => {
    const found = await problems(`description: x\nexpect: ${expectation}\nrules: [{ then: { delay: 1s } }]\n`);
    expect(found).toEqual([expect.stringMatching(problem)]);
  });
});

it.each(["0s", "0.4ms"])("a bucket that is full again after %s is refused", async (per) => {
  const found = await problems(`description: x\nrules: [{ then: { rateLimit: { limit: 1, per: ${per} } } }]\n`);
  expect(found).toEqual([expect.stringMatching(/rateLimit\.per: give at least 1ms$/)]);
});

describe("a misspelt key", () => {
  it("at the top", async () => {
    expect(await problems("descripton: x\nrules:\n  - then: { error: NOT_FOUND }\n")).toEqual([
      '1:1 Unknown key "descripton". Did you mean "description"?',
    ]);
  });

  it.each([
    ["wen: { page: 1 }\n    then: { error: NOT_FOUND }", '3:5 Unknown key "wen" in rules[0]. Did you mean "when"?'],
    [
      "when: { operaton: ping }\n    then: { error: NOT_FOUND }",
      '3:13 Unknown key "operaton" in rules[0].when. Did you mean "operation"?',
    ],
    ["then: { error: { kode: NOT_FOUND } }", '3:22 Unknown key "kode" in rules[0].then.error. Did you mean "code"?'],
    [
      "then: { delay: { median: 5ms, sigm: 1 } }",
      '3:35 Unknown key "sigm" in rules[0].then.delay. Did you mean "sigma"?',
    ],
    [
      "then: { token: { expiresin: 5s } }",
      '3:22 Unknown key "expiresin" in rules[0].then.token. Did you mean "expiresIn"?',
    ],
    [
      "then: { error: INVALID_CURSER }",
      '3:20 rules[0].then.error: unknown error code "INVALID_CURSER". Did you mean "INVALID_CURSOR"?',
    ],
    [
      "when: { operation: lists }\n    then: { error: NOT_FOUND }",
      '3:24 rules[0].when.operation: unknown operation "lists". Did you mean "list"?',
    ],
  ])("%s", async (rule, problem) => {
    expect(await problemsOf(rule)).toEqual([problem]);
  });

  it("that is similar to none causes a list of the known ones", async () => {
    expect(await problems("description: x\nzzz: 1\nrules:\n  - then: { error: NOT_FOUND }\n")).toEqual([
      '2:1 Unknown key "zzz". Known are: $schema, description, server, client, expect, rules.',
    ]);
  });

  it("is reported together with all other mistakes of a file", async () => {
    const text = "description: x\nrules:\n  - limit: 0\n    then: { delay: 5 }\n  - wen: {}\n    then: {}\n";
    expect((await problems(text)).map((problem) => problem.split(" ")[0])).toEqual(["3:12", "4:20", "5:5", "6:11"]);
  });
});

it.each([
  ...["alter", "clock", "concurrency"].flatMap((fault) => [
    [`then: { ${fault}: 5 }`, `3:${15 + fault.length} rules[0].then.${fault}`],
    [`then: { ${fault}: null }`, `3:${15 + fault.length} rules[0].then.${fault}`],
  ]),
  ["when: { query: x }\n    then: { delay: 1s }", "3:20 rules[0].when.query"],
  ["when: { headers: [X] }\n    then: { delay: 1s }", "3:22 rules[0].when.headers"],
  ["when: { form: 5 }\n    then: { delay: 1s }", "3:19 rules[0].when.form"],
  ["then: { respond: { status: 200, headers: X } }", "3:46 rules[0].then.respond.headers"],
  ["then: { alter: { headers: null } }", "3:31 rules[0].then.alter.headers"],
])("a value without keys instead of a mapping: %s", async (rule, place) => {
  const found = await problemsOf(rule as string);
  expect(found.map((problem) => problem.replace(/\. Write .*/, ""))).toEqual([`${place}: give keys and values here`]);
});

describe("a wrong value", () => {
  it.each([
    ["limit: 0\n    then: { error: NOT_FOUND }", "3:12 rules[0].limit: give a number from 1 on"],
    ["probability: 10\n    then: { error: NOT_FOUND }", "3:18 rules[0].probability: give a number from 0 to 1"],
    ["name: a/b\n    then: { error: NOT_FOUND }", /^3:11 rules\[0\]\.name: use letters, digits/],
    ["when: { page: 0 }\n    then: { error: NOT_FOUND }", "3:19 rules[0].when.page: give a number from 1 on"],
    [
      "when: { page: final }\n    then: { error: NOT_FOUND }",
      "3:19 rules[0].when.page: give a number from 1 on, or one of only, first, middle, last",
    ],
    [
      "when: { token: renewed }\n    then: { error: NOT_FOUND }",
      /^3:20 rules\[0\]\.when\.token: unknown token request "renewed"\. Did you mean "renewal"\?/,
    ],
    ["from: {}\n    then: { error: NOT_FOUND }", "3:11 rules[0].from: give operation, list, token or page"],
    [
      "from: { pages: 2 }\n    then: { error: NOT_FOUND }",
      /^3:13 Unknown key "pages" in rules\[0\]\.from\. Did you mean "page"/,
    ],
    ["when: { query: { a: 5 } }\n    then: { error: NOT_FOUND }", /^3:25 .* give the exact value as a text, in quotes/],
    ["then: { delay: 5 }", /^3:20 rules\[0\]\.then\.delay: give a (duration such as|number with a unit:) "500ms"/],
    ["then: { connection: { kind: stall, duration: 61m } }", /give at most 3600s/],
    ["then: { delay: 5m }", "3:20 rules[0].then.delay: give at most 120s"],
    ["then: { delay: { min: 5ms } }", "3:20 The key rules[0].then.delay.max is missing."],
    ["then: { delay: { min: 5s, max: 1s } }", "3:5 The delay's min is longer than its max."],
    [
      "then: { connection: { kind: close } }",
      /^3:33 rules\[0\]\.then\.connection\.kind: give reset with when, hang with when or duration, dead with duration, truncate with/,
    ],
    ["then: { connection: { kind: reset, when: later } }", /^3:46 .*\.when: the only value is handshake$/],
    ["then: { connection: { kind: truncate, after: -1 } }", /^3:50 .*\.after: give a number from 0 on$/],
    ["then: { connection: { kind: goaway, code: CALM } }", /^3:\d+ .*\.code: unknown error code of HTTP\/2 "CALM"/],
    ["then: { stream: refuse }", /^3:\d+ rules\[0\]\.then\.stream: unknown kind of stream fault "refuse".*refused/],
    ["then: { stream: refused, error: NOT_FOUND }", /only clock, certificate and delay can be combined with/],
    ["then: { stream: refused, connection: close }", /give either connection or stream/],
    [
      "then: { connection: { kind: goaway, lastStream: before }, error: NOT_FOUND }",
      /only clock, certificate and delay can be combined with/,
    ],
    ["then: { respond: { status: 99 } }", "3:32 rules[0].then.respond.status: give a status from 200 to 599"],
    [
      "then: { respond: { status: 200, headers: { A B: x } } }",
      "3:48 rules[0].then.respond.headers.A B: give the name of a header",
    ],
    [
      'then: { respond: { status: 200, headers: { A: "x\\r\\nB: y" } } }',
      "3:51 rules[0].then.respond.headers.A: a header's value is one line, in Latin-1",
    ],
    [
      'then: { respond: { status: 200, headers: { content-length: "5" } } }',
      /^3:46 rules\[0\]\.then\.respond\.headers: leave out Content-Length, Transfer-Encoding and Trailer/,
    ],
    [
      "then: { respond: { status: 200, headers: { content-TYPE: [text/html, text/plain] } } }",
      "3:62 rules[0].then.respond.headers.content-TYPE: this header has one value: give a text, in quotes",
    ],
    [
      "then: { alter: { headers: { Connection: [close, close] } } }",
      "3:45 rules[0].then.alter.headers.Connection: this header has one value: give a text, in quotes",
    ],
    [
      "then: { alter: { headers: { X-A: [] } } }",
      "3:38 rules[0].then.alter.headers.X-A: give at least one value in a list",
    ],
    [
      'then: { respond: { status: 200, headers: { X-A: [a, "x\\r\\nB: y"] } } }',
      "3:57 rules[0].then.respond.headers.X-A[1]: a header's value is one line, in Latin-1",
    ],
    [
      `then: { respond: { status: 200, headers: { X-A: [${"a, ".repeat(101)}] } } }`,
      /^3:46 .*\.headers: give at most 100 headers, of 32,768 characters together/,
    ],
    [
      `then: { respond: { status: 200, headers: { X-A: [a, ${"x".repeat(32_768)}] } } }`,
      /^3:46 .*\.headers: give at most 100 headers, of 32,768 characters together/,
    ],
    [
      "then: { error: { code: NOT_FOUND, headers: { X-A: [a, b] } } }",
      "3:55 rules[0].then.error.headers.X-A: give a text, in quotes",
    ],
    [
      "then: { respond: { status: 200, headers: { connection: keep-alive } } }",
      /^3:46 rules\[0\]\.then\.respond\.headers: the only value of Connection that can be given is close/,
    ],
    [
      'then: { error: { code: NOT_FOUND, headers: { retry-after: "1", Retry-After: "2" } } }',
      "3:81 rules[0].then.error.headers.Retry-After: the header is given twice, as retry-after and as Retry-After: give it once",
    ],
    [
      'then: { alter: { headers: { X-A: "1", x-a: null } } }',
      /^3:48 rules\[0\]\.then\.alter\.headers\.x-a: the header is given twice, as X-A and as x-a/,
    ],
    [
      'then: { error: { code: NOT_FOUND, retryAfter: 5s, headers: { retry-AFTER: "5" } } }',
      "3:79 rules[0].then.error.headers.retry-AFTER: give retryAfter or this header, not both",
    ],
    ["then: { token: {} }", "3:20 rules[0].then.token: give expiresIn, certificate, tokenType, revoke or otherWorker"],
    [
      "then: { page: { insert: 1, remove: 1 } }",
      "3:19 rules[0].then.page: give one of insert, remove, duplicate, empty, deadEnd, rows, cursor, link",
    ],
    ["then: {}", /^3:11 rules\[0\]\.then: say what happens: clock(, \w+)*, respond(, \w+)*$/],
    ["then:", "3:10 rules[0].then: give keys and values here"],
    ["limit: 1", "3:5 The key rules[0].then is missing."],
    [
      "then: { error: NOT_FOUND, connection: reset }",
      /^3:11 rules\[0\]\.then: only clock, certificate and delay can be combined with a connection or a stream that ends/,
    ],
    ["then: { error: NOT_FOUND, page: { rows: 1 } }", /^3:11 rules\[0\]\.then: give only one of error, respond,/],
    ["then: { alter: { status: 500 }, respond: { status: 200 } }", /^3:11 .*: alter changes the real answer/],
    ["then: { alter: {} }", "3:20 rules[0].then.alter: give status, headers, body, rows, setNull or chunked"],
    [`then: { alter: { rows: { a: ${"x".repeat(1000)} } } }`, /^3:28 .*\.rows: give at most 1,000 characters of JSON/],
    [
      `then: { alter: { rows: { a: 1 }, body: { items: [[1${", 1".repeat(99)}]] } } }`,
      /^3:\d+ .*\.body: give at most 100 elements in arrays together with `rows`/,
    ],
    [
      `then: { respond: { status: 200, headers: { ${Array.from({ length: 101 }, (_, at) => `A${at}: "x"`)} } } }`,
      /^3:\d+ .*headers: give at most 100 headers/,
    ],
    ["then: { alter: { setNull: [a..b] } }", /^3:32 .* give the path of a member/],
    ["then: { token: { otherWorker: true, revoke: true } }", /^3:20 .*: revoke and otherWorker act/],
    ["then: { token: { revoke: true, expiresIn: 2s } }", /^3:20 .*: revoke and otherWorker act where a token is used/],
    ["then: { error: { code: NOT_FOUND, status: 200 } }", /^3:47 .*: give a status from 400 to 599$/],
    ["then: { error: { code: NOT_FOUND, retryAfter: soon } }", /^3:51 .*retryAfter: give a number with a unit/],
    ["then: { rateLimit: { limit: 1, per: 1s, retryAfter: never } }", /retryAfter: .*"7d"; or none$/],
    ["when: { query: { a: [] } }\n    then: { error: NOT_FOUND }", /^3:25 .* give at least one value$/],
    ["when: { query: { a: { like: 5 } } }\n    then: { error: NOT_FOUND }", /^3:33 .*\.like: give a text$/],
    ["when: { method: PUT }\n    then: { error: NOT_FOUND }", /^3:21 .*method: unknown method "PUT"/],
    ["when: { certificate: expird }\n    then: { error: NOT_FOUND }", /^3:26 .* Did you mean "expired"\?$/],
    ["share: everybody\n    then: { error: NOT_FOUND }", "3:12 rules[0].share: the only value is all"],
  ])("%s", async (rule, problem) => {
    const found = await problemsOf(rule);
    expect(found).toHaveLength(1);
    if (typeof problem === "string") expect(found).toEqual([problem]);
    else expect(found[0]).toMatch(problem);
  });

  it.each([
    [
      "when: { operation: ping, page: 2 }\n    then: { error: NOT_FOUND }",
      "3:5 `when.operation` is for ping, and `when.page` for list: leave one of them out.",
    ],
    ["when: { operation: [token, ping], page: 2 }\n    then: { error: NOT_FOUND }", /is for token and ping, and/],
    ["when: { operation: [ping, list], form: { a: b } }\n    then: { error: NOT_FOUND }", /`when\.form` for token/],
    ["when: { operation: list }\n    then: { token: { tokenType: mac } }", /`then\.token` for token/],
    ["when: { operation: token }\n    then: { token: { revoke: true } }", /`then\.token` for ping and list/],
    ["when: { operation: ping }\n    from: { page: last }\n    then: { error: NOT_FOUND }", /`from\.page` for list/],
    [
      "when: { list: payments }\n    from: { operation: token }\n    then: { error: NOT_FOUND }",
      /`when\.list` is for list, and `from\.operation` for token/,
    ],
    [
      "when: { http: 2 }\n    then: { connection: slowHeaders }",
      "3:5 The fault acts over HTTP/1.1 only: leave out `when.http`.",
    ],
    ["from: { page: 1 }\n    then: { connection: { kind: reset, when: handshake } }", /leave out from/],
    [
      "when: { after: 1s, operation: ping }\n    then: { connection: { kind: reset, when: handshake } }",
      /In the handshake nothing is known of a request: leave out operation/,
    ],
    ["then: { connection: { kind: stall, when: handshake, code: CANCEL } }", /leave out code/],
    ["then: { delay: 1s, connection: { kind: reset, when: handshake } }", /handshake cannot be combined with others/],
  ])("parts of a rule that cannot stand together: %s", async (rule, problem) => {
    const [found = ""] = await problemsOf(rule);
    if (typeof problem === "string") expect(found).toBe(problem);
    else expect(found).toMatch(problem);
  });

  it("an unknown list is found in every rule, whatever other problems there are", async () => {
    const text = [
      "rules:",
      "  - when: { list: paymants }",
      "    then: { error: NOT_FUOND }",
      "  - { when: { list: payments }, from: { list: payuots }, then: { error: NOT_FOUND } }",
      "  - { when: { list: 5 }, then: { error: NOT_FOUND } }",
      "",
    ].join("\n");
    const found = await parseScenario(text, "x", "x", ["payments", "payouts"]).catch((error: FileError) => error);
    expect((found as FileError).problems.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
      "1:1 The key description is missing.",
      '2:19 There is no list "paymants". Did you mean "payments"?',
      expect.stringMatching(/^3:20 .*NOT_FUOND/),
      '4:47 There is no list "payuots". Did you mean "payouts"?',
      "5:21 rules[2].when.list: give a text",
    ]);
  });

  it("two rules with the same name", async () => {
    const rules = "  - name: a\n    then: { error: NOT_FOUND }\n  - name: a\n    then: { connection: reset }\n";
    expect(await problems(`description: x\nrules:\n${rules}`)).toEqual([
      '5:5 Two rules are called "a"; Sandbox-Fault could not distinguish them.',
    ]);
  });

  it("more patterns than a request should be compared with", async () => {
    const likes = (count: number) => `[${Array.from({ length: count }, (_, index) => `{ like: "${index}*" }`)}]`;
    const text = (last: number) =>
      `description: x\nrules:\n  - when: { form: { a: ${likes(60)} } }\n    then: { error: NOT_FOUND }\n  - when: { query: { b: ${likes(last)} }, headers: { c: [exact] } }\n    then: { error: NOT_FOUND }\n`;
    expect(await problems(text(40))).toEqual([]);
    expect(await problems(text(41))).toEqual([
      "5:5 With this rule, the scenario has more than 100 patterns (like); leave some out.",
    ]);
  });

  it("neither rules nor server", async () => {
    for (const text of ["description: x\n", "description: x\nrules: []\n"])
      expect(await problems(text)).toEqual(["1:1 give at least one rule, server or client"]);
  });
});

describe("input that is not a scenario", () => {
  const deep = (count: number) => `description: x\nrules: ${"[".repeat(count)}${"]".repeat(count)}\n`;
  const body = (count: number) =>
    `description: x\nrules:\n  - then: { respond: { status: 200, body: ${"[".repeat(count)}${"]".repeat(count)} } }\n`;
  const laughs = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    .concat(["b", "c", "d", "e", "f", "g"].map((key, at) => `${key}: &${key} [${`*${"abcdef"[at]},`.repeat(9)}]`))
    .join("\n");

  it.each([
    ["an empty file", "", "1:1 The key description is missing."],
    ["duplicate keys", "description: x\ndescription: y\n", "2:1 This key is given twice."],
    [
      "tabs",
      "description: x\nrules:\n\t- then: { error: NOT_FOUND }\n",
      "3:1 This is indented with a tab; use spaces.",
    ],
    ["a bracket that is left open", "description: x\nrules: [\n", /^3:1 A bracket before this is not closed/],
    ["a colon in a text", "description: x: y\nrules: []\n", /^1:14 This value has a colon.*in quotes/],
    ["a list on the line of its key", "rules: - limit: 1\n", /^1:8 A list does not begin on the line of its key/],
    ["a reserved character", "description: @x\n", /^1:14 A text cannot begin with this character/],
    ["wrong indentation", "description: x\nrules:\n  - limit: 1\n   then: 1\n", /^4:\d+ /],
    [
      "several documents",
      "description: x\n---\ndescription: y\n",
      "2:1 A second document begins here; a file has only one.",
    ],
    [
      "anchors that explode",
      laughs,
      /^5:11 The document cannot be expanded: with its aliases \(\*name\) it has more than 20000 values\./,
    ],
    [
      "an alias within itself",
      "description: x\nrules: &r\n  - then: *r\n",
      "3:11 *r is inside the value that it repeats.",
    ],
    [
      "a body that contains the whole file",
      "&a\ndescription: x\nrules:\n  - then: { respond: { status: 200, body: *a } }\n",
      "4:43 *a is inside the value that it repeats.",
    ],
    [
      "an alias without an anchor",
      "description: x\nrules: *nope\n",
      "2:8 There is no anchor before this with the name &nope.",
    ],
    ["bytes", "\u0000\u0001\u0002PNG\u001b", /^1:/],
    [
      "too many rules",
      `description: x\nrules:\n${"  - then: { error: NOT_FOUND }\n".repeat(1001)}`,
      /give at most 1000 rules/,
    ],
  ])("%s", async (_name, text, problem) => {
    const found = await problems(text);
    expect(found.length).toBeGreaterThan(0);
    if (typeof problem === "string") expect(found[0]).toBe(problem);
    else expect(found[0]).toMatch(problem);
  });

  it.each([100, 700, 20_000])("nesting of %i levels", async (count) => {
    for (const text of [deep(count), body(count), "- ".repeat(count)]) {
      for (const problem of await problems(text))
        expect(problem).toMatch(/nested too deeply|give |more than 20000 tokens/);
    }
  });

  it("special keys of JavaScript", async () => {
    const refused = 'Unknown key "__proto__". Leave it out, or give it another name.';
    expect(await problems("description: x\n__proto__: { rules: [] }\n")).toEqual([`2:1 ${refused}`]);
    for (const [rule, column] of [
      ["{ when: { __proto__: { operation: ping } }, then: { error: NOT_FOUND } }", 15],
      ["{ when: { query: { __proto__: a } }, then: { error: NOT_FOUND } }", 24],
      ["{ when: { headers: { __proto__: a } }, then: { error: NOT_FOUND } }", 26],
      ["{ when: { form: { __proto__: a } }, then: { error: NOT_FOUND } }", 23],
      ["{ then: { __proto__: 1, error: NOT_FOUND } }", 15],
      ['{ then: { alter: { body: { "__proto__": 1 } } } }', 32],
      ['{ then: { alter: { rows: { a: { "__proto__": null } } } } }', 37],
      ['{ then: { respond: { status: 200, headers: { "__proto__": a } } } }', 50],
      ['{ then: { respond: { status: 200, body: [{ "__proto__": 1 }] } } }', 48],
    ] as const) {
      expect(await problemsOf(rule), rule).toEqual([`3:${column} ${refused}`]);
    }
    expect(
      await problemsOf("when: { query: { constructor: a, toString: b } }\n    then: { error: NOT_FOUND }"),
    ).toEqual([]);
  });

  it("has at most 20 reported problems", async () => {
    const keys = Array.from({ length: 100 }, (_, at) => `key${at}: 1`).join("\n");
    expect(await problems(`description: x\n${keys}\n`)).toHaveLength(20);
  });
});
