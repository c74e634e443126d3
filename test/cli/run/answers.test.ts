import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AnswerFile } from "../../../src/cli/exam/answer-file.js";
import { Examiner } from "../../../src/exam/examiner.js";
import type { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { Journal } from "../../../src/sandbox/journal/journal.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { defaultLists } from "../../../src/sandbox/lists/settings.js";
import { createHarness } from "../../sandbox/api/harness.js";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand, readReport } from "./exam-client.js";
import { shell, temporary } from "./sandboxed.js";

const lists = {
  payments: { ...defaultLists["payments"], count: 12 },
  payouts: { ...defaultLists["payouts"], count: 12 },
  arrays: { count: 12, envelope: { items: null, cursorHeader: "X-After-Cursor" } },
};
const compiled = Object.entries(lists).map(([name, list]) =>
  Object.assign(compileList(name, list), { rows: list.count }),
);

/**
 * The verdicts on an answer sheet: whether it reports what was delivered.
 * @param put puts the sheet at this path, where an empty file is
 * @param exchanges of the client; each was answered, and its answer arrived
 * @param kept how many of them the journal still has
 */
async function verdictsOn(put: (path: string) => void, exchanges: readonly Exchange[] = [], kept = 100) {
  const path = join(workFolder(), "answers.jsonl");
  const file = await AnswerFile.create(path);
  put(path);
  const journal = new Journal({ requests: kept, bytes: 1e8, handshakes: 1 });
  for (const exchange of exchanges) {
    exchange.closed(true);
    journal.requests.add(exchange);
  }
  const sandbox = { journal, lists: compiled };
  const checks = await file.judged(new Examiner().results(), sandbox, { requests: exchanges.length });
  const found = (id: string) => checks.find((check) => check.id === id);
  return { rows: found("answers.rows"), answered: found("answers.code") };
}

/** A client that walks lists of twelve rows, five on a page, and writes lines to its answer sheet. */
async function newClient() {
  const { send, postToken, tokenFor, exchanges } = await createHarness({ lists });
  const token = await tokenFor();
  const lines: string[] = [];
  const get = async (target: string) => (await send(target, { token })).json;
  const walkArrays = async () => {
    const ids: string[] = [];
    for (let query: string | undefined = ""; query !== undefined; ) {
      const { json, headers } = await send(`/v1/arrays?pageSize=5${query}`, { token });
      ids.push(...json.map(({ id }: { id: string }) => id));
      const cursor = headers.get("x-after-cursor");
      query = cursor === null ? undefined : `&cursor=${cursor}`;
    }
    return ids;
  };
  const askForToken = (scope: string) => postToken(`grant_type=client_credentials&client_id=demo&scope=${scope}`);
  const walk = async (target: string, most = 99): Promise<string[]> => {
    const ids: string[] = [];
    let page: { items: { id: string }[]; nextCursor?: string } | undefined;
    for (let pages = 0; pages < most && (page === undefined || page.nextCursor !== undefined); pages++) {
      const query = `pageSize=5${page === undefined ? "" : `&cursor=${page.nextCursor}`}`;
      page = await get(`/v1/${target}${target.includes("?") ? "&" : "?"}${query}`);
      ids.push(...(page?.items ?? []).map(({ id }) => id));
    }
    return ids;
  };
  return {
    get,
    askForToken,
    walk,
    walkArrays,
    write: (list: string, ids: readonly string[]) => lines.push(JSON.stringify({ list, ids })),
    report: (operation: string, code: string) => lines.push(JSON.stringify({ error: { operation, code } })),
    judged: ({ kept = 100, sheet = lines.join("\n") } = {}) =>
      verdictsOn((path) => writeFileSync(path, sheet), exchanges, kept),
  };
}

type Client = Awaited<ReturnType<typeof newClient>>;

describe("answers.rows", () => {
  it.each<[string, (client: Client) => unknown, string, RegExp]>([
    [
      "every row once",
      async ({ walk, write }) => write("payments", await walk("payments")),
      "pass",
      /^1 line of the answer sheet is right\.$/,
    ],
    [
      "pages that are an array alone",
      async ({ walkArrays, write }) => write("arrays", (await walkArrays()).slice(1)),
      "fail",
      /does not fit the walk of arrays that was delivered: 1 of 12 rows missing/,
    ],
    [
      "in another order",
      async ({ walk, write }) => write("payments", (await walk("payments")).reverse()),
      "pass",
      /right/,
    ],
    [
      "without one row",
      async ({ walk, write }) => write("payments", (await walk("payments")).slice(1)),
      "fail",
      /^Line 1 of the answer sheet does not fit the walk of payments that was delivered: 1 of 12 rows missing \(first "[\w-]+"\)\.$/,
    ],
    [
      "one row twice",
      async ({ walk, write }) => {
        const ids = await walk("payments");
        write("payments", [...ids, String(ids[3])]);
      },
      "fail",
      /: 1 row listed twice \(first "[\w-]+"\)\.$/,
    ],
    [
      "a row that was never delivered",
      async ({ walk, write }) => write("payments", [...(await walk("payments")), "invented"]),
      "fail",
      /: 1 row never delivered in it \(first "invented"\)\.$/,
    ],
    [
      "the rows of another list",
      async ({ walk, write }) => {
        await walk("payments");
        write("payments", await walk("payouts"));
      },
      "fail",
      /12 of 12 rows missing .*, 12 rows never delivered in it/,
    ],
    [
      "a walk that ended early",
      async ({ walk, write }) => write("payments", await walk("payments", 2)),
      "fail",
      /^Line 1 .* reports a finished walk of payments, but only 10 rows, and no last page, was delivered\.$/,
    ],
    ["a walk that never began", ({ write }) => write("payments", []), "fail", /but no page of it was delivered\.$/],
    [
      "the rows of two lists at once",
      ({ walk, write }) => Promise.all(["payments", "payouts"].map(async (list) => write(list, await walk(list)))),
      "pass",
      /^2 lines of the answer sheet are right\.$/,
    ],
    [
      "two walks at once with other filters, in any order",
      async ({ walk, write }) => {
        const [all, paid] = await Promise.all([walk("payouts"), walk("payouts?status=PAID")]);
        write("payouts", paid);
        write("payouts", all);
      },
      "pass",
      /^2 lines/,
    ],
    [
      "of two walks only the second one, which is right",
      async ({ walk, write }) => {
        const ids = await walk("payments");
        await walk("payments");
        write("payments", ids);
      },
      "pass",
      /^1 line/,
    ],
    [
      "two walks, the first one wrong",
      async ({ walk, write }) => {
        write("payments", (await walk("payments")).slice(2));
        write("payments", await walk("payments"));
      },
      "fail",
      /^Line 1 /,
    ],
    [
      "two walks, the second one wrong",
      async ({ walk, write }) => {
        write("payments", await walk("payments"));
        write("payments", (await walk("payments")).slice(2));
      },
      "fail",
      /^Line 2 /,
    ],
    [
      "one walk more than there was",
      async ({ walk, write }) => {
        const ids = await walk("payments");
        write("payments", ids.slice(5));
        write("payments", ids);
      },
      "fail",
      /^Line 1 .*not finished: 1 walk of it reached the last page/,
    ],
  ])("%s", { tags: "slow" }, async (_what, act, verdict, message) => {
    const client = await newClient();
    await act(client);
    expect((await client.judged()).rows).toMatchObject({ verdict, message: expect.stringMatching(message) });
  });

  it.each<[string, (all: readonly string[]) => readonly string[], string]>([
    ["only the rows of the walk that was finished", (all) => all.slice(-12), "pass"],
    ["those of the walk before the restart as well", (all) => [...new Set(all)], "pass"],
    ["all of them", (all) => all, "fail"],
    ["only those before the restart", (all) => all.slice(0, 5), "fail"],
  ])("after a restart: %s", async (_what, kept, verdict) => {
    const client = await newClient();
    const before = await client.walk("payments", 1);
    await client.get("/v1/payments?pageSize=5&cursor=altered");
    client.write("payments", kept([...before, ...(await client.walk("payments"))]));
    expect((await client.judged()).rows).toMatchObject({ verdict });
  });

  it("a walk whose pages are no longer in the journal is not judged", async () => {
    const client = await newClient();
    client.write("payments", (await client.walk("payments")).slice(3));
    for (let count = 0; count < 9; count++) await client.get("/v1/ping");
    expect((await client.judged({ kept: 8 })).rows).toMatchObject({
      verdict: "not-exercised",
      message: expect.stringMatching(/^Line 1 .* was not judged: .* no longer in the journal; journal\.requests/),
    });
  });
});

describe("answers.code", () => {
  it.each<[string, string, string, string, RegExp]>([
    ["the code that was delivered", "ping", "EXAMPLE_ERROR", "pass", /right/],
    [
      "another code",
      "ping",
      "VALIDATION_ERROR",
      "fail",
      /^Line 1 .* reports "VALIDATION_ERROR" for ping, but EXAMPLE_ERROR was delivered\.$/,
    ],
    ["of another operation", "list", "EXAMPLE_ERROR", "fail", /for list, but INVALID_PAGE_SIZE was delivered\.$/],
    ["a code of that list", "payments", "INVALID_PAGE_SIZE", "pass", /right/],
    ["a code of the token request that it needed", "ping", "INVALID_SCOPE", "pass", /right/],
    ["of another list", "payouts", "INVALID_PAGE_SIZE", "fail", /but no error with a code was delivered\.$/],
  ])("%s", async (_what, operation, code, verdict, message) => {
    const client = await newClient();
    await client.get("/v1/ping?produceError=true");
    await client.get("/v1/payments?pageSize=0");
    await client.askForToken("nothing");
    client.report(operation, code);
    const { answered, rows } = await client.judged();
    expect(answered).toMatchObject({ verdict, message: expect.stringMatching(message) });
    expect(rows?.verdict).toBe("not-exercised");
  });
});

describe("a sheet that cannot be used is reported", () => {
  const text = (content: string | Buffer) => (path: string) => writeFileSync(path, content);
  const instead = (make: (path: string) => unknown) => (path: string) => {
    rmSync(path);
    make(path);
  };

  it.each<[string, (path: string) => void, string | undefined, string | undefined]>([
    ["nothing", () => {}, undefined, undefined],
    ["no file", rmSync, undefined, undefined],
    ["empty lines", text("\n \r\n"), undefined, undefined],
    ["no JSON", text("{}x\n"), "Line 1 of the answer sheet is not a JSON object.", undefined],
    [
      "binary",
      text(Buffer.of(0xff, 0xfe, 0, 97)),
      "The answer sheet cannot be read: it is not text in UTF-8.",
      undefined,
    ],
    ["other JSON", text("\n[1]"), "Line 2 of the answer sheet is not a JSON object.", undefined],
    ["other members", text('{"list":"payments","ids":[],"x":1}'), "Line 1 of the answer sheet must be ", undefined],
    ["ids that are none", text('{"list":"payments","ids":[null]}'), "Line 1 of the answer sheet has an id", undefined],
    ["an unknown list", text('{"list":"paymets","ids":[]}'), 'Did you mean "payments"?', undefined],
    ["an unknown operation", text('{"error":{"operation":"pong","code":"X"}}'), undefined, 'Did you mean "ping"?'],
    ["a code that is none", text('{"error":{"operation":"ping","code":4}}'), undefined, "an operation and a code"],
    ["a folder", instead(mkdirSync), "it is a folder, not a file", undefined],
    ["a pipe", instead((path) => execFileSync("mkfifo", [path])), "it is not a regular file", undefined],
    ["a device", instead((path) => symlinkSync("/dev/zero", path)), "it is not a regular file", undefined],
    ["17 MiB", text(Buffer.alloc(17 * 2 ** 20)), "it is larger than 16777216 bytes", undefined],
    ["many lines", text("{}\n".repeat(30_000)), "Line 1 of the answer sheet must be", undefined],
  ])("%s", async (_what, put, ofRows, ofCode) => {
    const { rows, answered } = await verdictsOn(put);
    const result = (message: string | undefined) =>
      message === undefined
        ? { verdict: "not-exercised" }
        : { verdict: "fail", message: expect.stringContaining(message), fix: expect.stringContaining("JSON") };
    expect(rows).toMatchObject(result(ofRows));
    expect(answered).toMatchObject(result(ofCode));
  });

  it("a byte order mark, CRLF and a last line without an end are read", async () => {
    const client = await newClient();
    await client.get("/v1/ping?produceError=true");
    const line = '{"error":{"operation":"ping","code":"EXAMPLE_ERROR"}}';
    const { answered } = await client.judged({ sheet: `\uFEFF${line}\r\n${line}` });
    expect(answered).toMatchObject({ verdict: "pass", message: "2 lines of the answer sheet are right." });
  });

  it("secrets and control characters of a sheet are in no report", async () => {
    const token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl";
    const { rows } = await verdictsOn(text(JSON.stringify({ list: `${token}\u001b[31m`, ids: [] })));
    expect(rows?.message).toContain("[redacted]");
    for (const found of ["eyJ", "\u001b"]) expect(rows?.message).not.toContain(found);
  });
});

describe("exam", () => {
  it("gives each drill a sheet of its own, and fails a client that counts rows twice by this check only", {
    tags: "slow",
  }, async () => {
    const { env, left } = temporary();
    const cwd = workFolder();
    const args = ["exam", "--drill", "plain", "cursor-refused-once", "--report", "report.json", ...clientCommand()];
    const { code } = await inProcess(args, { env: { ...env, CLIENT: "doubling" }, cwd });
    expect(code).toBe(1);
    const { drills } = readReport(join(cwd, "report.json"));
    const failed = drills.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === "fail"));
    expect(failed.map(({ id }) => id)).toEqual(["answers.rows", "answers.rows"]);
    expect(left()).toEqual([]);
  });
});

it("a command without a report has the variable as well", async () => {
  const { env } = temporary();
  const cwd = workFolder();
  await inProcess(["run", ...shell('echo "$SANDBOX_ANSWERS" >name; ls -l "$SANDBOX_ANSWERS" >>name')], { env, cwd });
  expect(readFileSync(join(cwd, "name"), "utf8")).toMatch(/answers\.jsonl\n-rw-------/);
});

it("run judges the sheet of its command, and a sheet that cannot be read does not end the command", async () => {
  const { env } = temporary();
  const cwd = workFolder();
  const script = 'rm "$SANDBOX_ANSWERS"; mkdir "$SANDBOX_ANSWERS"';
  const { code } = await inProcess(["run", "--report", "report.json", ...shell(script)], { env, cwd });
  const rows = readReport(join(cwd, "report.json")).drills[0]?.checks.find(({ id }) => id === "answers.rows");
  expect([code, rows?.verdict, rows?.message]).toEqual([0, "fail", expect.stringContaining("it is a folder")]);
});
