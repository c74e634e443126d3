import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand, readReport } from "./exam-client.js";
import { node, shell, temporary } from "./sandboxed.js";

/** Runs a command with a report, and returns the two checks of its answer sheet. */
async function answersOf(command: readonly string[], flags: readonly string[] = []) {
  const { env, left } = temporary();
  const cwd = workFolder({
    "sandbox.yaml": "lists:\n  payments: { count: 12 }\n  payouts: { count: 12 }\njournal: { requests: 8 }\n",
  });
  const { code } = await inProcess(["run", "--report", "report.json", ...flags, ...command], { env, cwd });
  expect(left()).toEqual([]);
  const checks = readReport(join(cwd, "report.json")).drills[0]?.checks ?? [];
  const found = (id: string) => checks.find((check) => check.id === id);
  return { code, rows: found("answers.rows"), answered: found("answers.code") };
}

/** A program that walks lists of twelve rows, and writes lines to its answer sheet. */
const walking = (script: string) =>
  node(`
  const { appendFileSync, readFileSync } = require("node:fs");
  const { Agent, request } = require("node:https");
  const env = process.env;
  const file = (name) => readFileSync(env[name]);
  const agent = new Agent({ keepAlive: true, ca: file("SANDBOX_CA_FILE"), cert: file("SANDBOX_CERT_FILE"), key: file("SANDBOX_KEY_FILE") });
  const send = (path, method, headers, body) => new Promise((resolve, reject) => {
    const outgoing = request(env.SANDBOX_URL + path, { agent, method, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk)).on("end", () => resolve(JSON.parse(text)));
    });
    outgoing.on("error", reject).end(body);
  });
  let authorised;
  const get = (path) => send(path, "GET", authorised);
  const walk = async (path, pages = 99) => {
    const ids = [];
    let cursor = "";
    do {
      const page = await get(path + (path.includes("?") ? "&" : "?") + "pageSize=5" + (cursor && "&cursor=" + encodeURIComponent(cursor)));
      if (page.code !== undefined) { cursor = ""; continue; }
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      pages -= 1;
    } while (cursor !== undefined && pages > 0);
    return ids;
  };
  const write = (list, ids) => appendFileSync(env.SANDBOX_ANSWERS, JSON.stringify({ list, ids }) + "\\n");
  const report = (operation, code) => appendFileSync(env.SANDBOX_ANSWERS, JSON.stringify({ error: { operation, code } }) + "\\n");
  (async () => {
    const form = "grant_type=client_credentials&scope=read&client_id=" + env.SANDBOX_CLIENT_ID;
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    authorised = { Authorization: "Bearer " + (await send("/oauth/v2/oauth-token", "POST", type, form)).access_token };
    ${script}
    agent.destroy();
  })();
`);

describe("answers.rows", () => {
  it.each<[string, string, string, RegExp]>([
    [
      "every row once",
      `write("payments", await walk("/v1/payments"));`,
      "pass",
      /^1 line of the answer sheet is right\.$/,
    ],
    ["in another order", `write("payments", (await walk("/v1/payments")).reverse());`, "pass", /right/],
    [
      "without one row",
      `write("payments", (await walk("/v1/payments")).slice(1));`,
      "fail",
      /^Line 1 of the answer sheet does not fit the walk of payments that was delivered: 1 of 12 rows missing \(first "[\w-]+"\)\.$/,
    ],
    [
      "one row twice",
      `const ids = await walk("/v1/payments"); write("payments", [...ids, ids[3]]);`,
      "fail",
      /: 1 row listed twice \(first "[\w-]+"\)\.$/,
    ],
    [
      "a row that was never delivered",
      `write("payments", [...await walk("/v1/payments"), "invented"]);`,
      "fail",
      /: 1 row never delivered in it \(first "invented"\)\.$/,
    ],
    [
      "the rows of another list",
      `await walk("/v1/payments"); write("payments", await walk("/v1/payouts"));`,
      "fail",
      /12 of 12 rows missing .*, 12 rows never delivered in it/,
    ],
    [
      "a walk that ended early",
      `write("payments", await walk("/v1/payments", 2));`,
      "fail",
      /^Line 1 .* reports a finished walk of payments, but only 10 rows, and no last page, was delivered\.$/,
    ],
    ["a walk that never began", `write("payments", []);`, "fail", /but no page of it was delivered\.$/],
    [
      "the rows of two lists at once",
      `const both = ["payments", "payouts"].map(async (list) => write(list, await walk("/v1/" + list))); await Promise.all(both);`,
      "pass",
      /^2 lines of the answer sheet are right\.$/,
    ],
    [
      "two walks at once with other filters, in any order",
      `const [all, paid] = await Promise.all([walk("/v1/payouts"), walk("/v1/payouts?status=PAID")]); write("payouts", paid); write("payouts", all);`,
      "pass",
      /^2 lines/,
    ],
    [
      "of two walks only the second one, which is right",
      `const ids = await walk("/v1/payments"); await walk("/v1/payments"); write("payments", ids);`,
      "pass",
      /^1 line/,
    ],
    [
      "two walks, the first one wrong",
      `write("payments", (await walk("/v1/payments")).slice(2)); write("payments", await walk("/v1/payments"));`,
      "fail",
      /^Line 1 /,
    ],
    [
      "two walks, the second one wrong",
      `write("payments", await walk("/v1/payments")); write("payments", (await walk("/v1/payments")).slice(2));`,
      "fail",
      /^Line 2 /,
    ],
    [
      "one walk more than there was",
      `const ids = await walk("/v1/payments"); write("payments", ids.slice(5)); write("payments", ids);`,
      "fail",
      /^Line 1 .*not finished: 1 walk of it reached the last page/,
    ],
  ])("%s", async (_what, script, verdict, message) => {
    const { rows } = await answersOf(walking(script));
    expect(rows).toMatchObject({ verdict, message: expect.stringMatching(message) });
  });

  it.each([
    ["only the rows of the walk that was finished", "(all) => all.slice(-12)", "pass"],
    ["those of the walk before the restart as well", "(all) => [...new Set(all)]", "pass"],
    ["all of them", "(all) => all", "fail"],
    ["only those before the restart", "(all) => all.slice(0, 5)", "fail"],
  ])("after a restart: %s", async (_what, kept, verdict) => {
    const script = `write("payments", (${kept})(await walk("/v1/payments")));`;
    const { rows } = await answersOf(walking(script), ["--scenario", "cursor-refused-once"]);
    expect(rows).toMatchObject({ verdict });
  });

  it("a walk whose pages are no longer in the journal is not judged", async () => {
    const more = Array.from({ length: 9 }, () => "await get('/v1/ping');").join("");
    const { rows } = await answersOf(walking(`write("payments", (await walk("/v1/payments")).slice(3));${more}`));
    expect(rows).toMatchObject({
      verdict: "not-exercised",
      message: expect.stringMatching(/^Line 1 .* was not judged: .* no longer in the journal; journal\.requests/),
    });
  });
});

describe("answers.code", () => {
  it.each<[string, string, string, RegExp]>([
    ["the code that was delivered", "ping EXAMPLE_ERROR", "pass", /right/],
    [
      "another code",
      "ping VALIDATION_ERROR",
      "fail",
      /^Line 1 .* reports "VALIDATION_ERROR" for ping, but EXAMPLE_ERROR was delivered\.$/,
    ],
    ["a code of another operation", "list EXAMPLE_ERROR", "fail", /for list, but INVALID_PAGE_SIZE was delivered\.$/],
    ["a code of that list", "payments INVALID_PAGE_SIZE", "pass", /right/],
    ["a code of another list", "payouts INVALID_PAGE_SIZE", "fail", /but no error with a code was delivered\.$/],
  ])("%s", async (_what, given, verdict, message) => {
    const [operation, code] = given.split(" ");
    const script = `await get("/v1/ping?produceError=true"); await get("/v1/payments?pageSize=0"); report("${operation}", "${code}");`;
    const { answered, rows } = await answersOf(walking(script));
    expect(answered).toMatchObject({ verdict, message: expect.stringMatching(message) });
    expect(rows?.verdict).toBe("not-exercised");
  });
});

describe("a sheet that cannot be used is reported, and never ends the command", () => {
  const write = (text: string) => `printf '${text}' >"$SANDBOX_ANSWERS"`;

  it.each<[string, string, string | undefined, string | undefined]>([
    ["nothing", "true", undefined, undefined],
    ["no file", 'rm "$SANDBOX_ANSWERS"', undefined, undefined],
    ["empty lines", write("\\n \\r\\n"), undefined, undefined],
    ["no JSON", write("{}x\\n"), "Line 1 of the answer sheet is not a JSON object.", undefined],
    ["binary", write("\\377\\376\\000a"), "The answer sheet cannot be read: it is not text in UTF-8.", undefined],
    ["other JSON", write("\\n[1]"), "Line 2 of the answer sheet is not a JSON object.", undefined],
    ["other members", write('{"list":"payments","ids":[],"x":1}'), "Line 1 of the answer sheet must be ", undefined],
    ["ids that are none", write('{"list":"payments","ids":[null]}'), "Line 1 of the answer sheet has an id", undefined],
    ["an unknown list", write('{"list":"paymets","ids":[]}'), 'Did you mean "payments"?', undefined],
    ["an unknown operation", write('{"error":{"operation":"pong","code":"X"}}'), undefined, 'Did you mean "ping"?'],
    ["a code that is none", write('{"error":{"operation":"ping","code":4}}'), undefined, "an operation and a code"],
    ["a folder", 'rm "$SANDBOX_ANSWERS"; mkdir "$SANDBOX_ANSWERS"', "it is a folder, not a file", undefined],
    ["a pipe", 'rm "$SANDBOX_ANSWERS"; mkfifo "$SANDBOX_ANSWERS"', "it is not a regular file", undefined],
    ["a device", 'ln -sf /dev/zero "$SANDBOX_ANSWERS"', "it is not a regular file", undefined],
    ["17 MiB", 'head -c 17825792 /dev/zero >"$SANDBOX_ANSWERS"', "it is larger than 16777216 bytes", undefined],
    ["many lines", 'yes "{}" | head -30000 >"$SANDBOX_ANSWERS"', "Line 1 of the answer sheet must be", undefined],
  ])("%s", async (_what, script, ofRows, ofCode) => {
    const { code, rows, answered } = await answersOf(shell(script));
    expect(code).toBe(0);
    const result = (message: string | undefined) =>
      message === undefined
        ? { verdict: "not-exercised" }
        : { verdict: "fail", message: expect.stringContaining(message), fix: expect.stringContaining("JSON") };
    expect(rows).toMatchObject(result(ofRows));
    expect(answered).toMatchObject(result(ofCode));
  });

  it("a byte order mark, CRLF and a last line without an end are read", async () => {
    const line = '{"error":{"operation":"ping","code":"EXAMPLE_ERROR"}}';
    const script = `await get("/v1/ping?produceError=true"); appendFileSync(env.SANDBOX_ANSWERS, ${JSON.stringify(`\uFEFF${line}\r\n${line}`)});`;
    const { answered } = await answersOf(walking(script));
    expect(answered).toMatchObject({ verdict: "pass", message: "2 lines of the answer sheet are right." });
  });

  it("secrets and control characters of a sheet are in no report", async () => {
    const token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl";
    const line = JSON.stringify({ list: `${token}\u001b[31m`, ids: [] });
    const { rows } = await answersOf(
      node(`require("node:fs").appendFileSync(process.env.SANDBOX_ANSWERS, ${JSON.stringify(line)})`),
    );
    expect(rows?.message).toContain("[redacted]");
    for (const text of ["eyJ", "\u001b"]) expect(rows?.message).not.toContain(text);
  });
});

describe("exam", () => {
  it("gives each drill a sheet of its own, and fails a client that counts rows twice by this check only", async () => {
    const { env, left } = temporary();
    const cwd = workFolder();
    const args = ["exam", "--drill", "plain", "cursor-refused-once", "--report", "report.json", ...clientCommand()];
    for (const [client, verdict] of [
      ["correct", "pass"],
      ["doubling", "fail"],
    ] as const) {
      const { code } = await inProcess(args, { env: { ...env, CLIENT: client }, cwd });
      expect(code).toBe(verdict === "pass" ? 0 : 1);
      const { drills } = readReport(join(cwd, "report.json"));
      const failed = drills.flatMap(({ checks }) => checks.filter((check) => check.verdict === "fail"));
      expect(failed.map(({ id }) => id)).toEqual(verdict === "pass" ? [] : ["answers.rows", "answers.rows"]);
      for (const { checks } of drills) expect(checks.find(({ id }) => id === "answers.rows")?.verdict).toBe(verdict);
    }
    expect(left()).toEqual([]);
  });
});

it("a command without a report has the variable as well", async () => {
  const { env } = temporary();
  const cwd = workFolder();
  await inProcess(["run", ...shell('echo "$SANDBOX_ANSWERS" >name; ls -l "$SANDBOX_ANSWERS" >>name')], { env, cwd });
  expect(readFileSync(join(cwd, "name"), "utf8")).toMatch(/answers\.jsonl\n-rw-------/);
});
