import { describe, expect, it } from "vitest";
import { HttpsClient } from "../support/https-client.js";
import { clientOf, identityIn, start, workFolder } from "./command.js";
import { inProcess } from "./in-process.js";

const configurationOf = (pattern: string) => `assumptions:\n  correlation.format: ${JSON.stringify(pattern)}\n`;
const configured = (pattern: string) => workFolder({ "sandbox.yaml": configurationOf(pattern) });

/** A backtracking engine takes exponential time for the first three, and a long polynomial time for the last. */
const hostile = ["([a-zA-Z0-9]+)+!", "(a|aa)*b", "(?:[a-z]|\\w|\\p{L})*=", ".*.*.*.*.*.*.*.*/"].join("|");

/** The tests run in another process, which is killed: if the sandbox hangs, only the test fails. */
it("a pattern that hangs a backtracking engine: a client without a certificate is answered, and so are others", {
  tags: "slow",
}, async () => {
  const cwd = configured(hostile);
  expect(await inProcess(["check"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  const sandbox = await start([], { cwd });
  const { ca } = identityIn(sandbox.certs);
  const [nobody, demo] = [new HttpsClient(sandbox.url, { ca }), clientOf(sandbox)];
  const sent = [30, 255, 256].map((length) => "a".repeat(length));
  const answers = sent.map((id) => nobody.send("/v1/ping", { headers: { "X-Correlation-ID": id } }));
  expect((await demo.send("/v1/ping")).status).toBe(401);
  for (const { status, headers } of await Promise.all(answers)) {
    expect(status).toBe(401);
    expect(sent).not.toContain(headers["x-correlation-id"]);
  }
  nobody.close();
  for (const end of ["!", "b", "=", "/"]) {
    const id = `${"a".repeat(255)}${end}`;
    expect((await demo.send("/v1/ping", { headers: { "X-Correlation-ID": id } })).headers["x-correlation-id"]).toBe(id);
  }
});

describe("a pattern that cannot be matched in linear time is refused with its place, the reason and what to do", () => {
  const refused = [
    ["(?=.*\\d)\\w+", 'has a look-ahead, "(?=.*\\\\d)", at character 1.'],
    ["\\w+(?<!x)", 'has a look-behind, "(?<!x)", at character 4.'],
    ["(\\w+)-\\1", 'has a back reference, "\\\\1", at character 7.'],
    ["[a-z", "is not valid: Unterminated character class."],
    ["x{1000000}", "is too large"],
    ["((x{100}){100}){100}", "is too large"],
    ["x".repeat(1001), "is longer than 1000 characters."],
  ] as const;

  it("by check", async () => {
    const files = refused.map(([pattern], index) => [`${index}.yaml`, configurationOf(pattern)] as const);
    const { code, stdout } = await inProcess(["check", ...files.map(([name]) => name)], {
      cwd: workFolder(Object.fromEntries(files)),
    });
    const problems = stdout.split("\n").filter((line) => line.includes(":2:23"));
    expect([code, problems]).toEqual([1, refused.map(([, reason]) => expect.stringContaining(reason))]);
    for (const problem of problems) expect(problem).toContain("Give uuid, or a regular expression that");
  });

  it("by start", async () => {
    const cwd = configured("(a)\\1");
    const { code, stderr } = await inProcess(["start", "--port", "0", "--admin-port", "0"], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/sandbox\.yaml:2:23: .* has a back reference, /)]);
  });
});
