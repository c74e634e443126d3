import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExchangeDetail } from "../../../src/admin/dashboard/client/api.js";
import { curlFor, firstCommands } from "../../../src/admin/dashboard/client/detail/curl.js";
import { type Files, ownSender } from "../../../src/admin/dashboard/client/files.js";
import { anyText } from "../../support/any-text.js";
import { openTls } from "../../support/raw-client.js";
import { startShared, type TestSandbox } from "../fixture.js";
import { exchangeDetail } from "./items.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "dashboard-curl-"));

let sandbox: TestSandbox;
let files: Files;

beforeAll(async () => {
  sandbox = await startShared();
  const demo = (await sandbox.sandbox.identities).find(({ name }) => name === "demo");
  const file = (name: string, text = "") => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  files = {
    url: sandbox.sandbox.url,
    clientId: "demo",
    ca: file("it's a ca.pem", sandbox.sandbox.caPem),
    cert: file("cert.pem", demo?.certPem),
    key: file("key.pem", demo?.keyPem),
    downloads: [],
  };
});

afterAll(() => rmSync(folder, { recursive: true }));

const shell = (script: string) => run("sh", ["-c", script], { encoding: "utf8" });

async function newest(): Promise<ExchangeDetail> {
  const { items } = (await sandbox.admin.get("/requests?pageSize=1")).json;
  return (await sandbox.admin.get(`/requests/${items[0].id}`)).json;
}

/** Repeats the newest exchange by its curl. */
async function repeated(): Promise<[before: ExchangeDetail, after: ExchangeDetail]> {
  const before = await newest();
  const command = curlFor(before, ownSender(files));
  if (command === undefined) throw new Error("There is no curl.");
  await shell(command).catch((error: { code?: number }) => {
    // The connection was reset, or the body is shorter than announced, as in the first request.
    if (error.code !== 56 && error.code !== 18) throw error;
  });
  return [before, await newest()];
}

const sameRequest = ({ method, target, code, status, fault, request }: ExchangeDetail) => {
  const headers = request.headers.filter(([name]) => /^(x-|sandbox-|content-type)/i.test(name));
  return { method, target, code, status, fault, form: request.form, headers };
};

describe("the paths of the files", () => {
  it("are passed on to curl unchanged", { tags: "slow" }, async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText({ minLength: 100 }).filter((text) => !text.includes("\0")),
        async (text) => {
          const cert = text.replaceAll(/\p{Surrogate}/gu, "x");
          const command = curlFor(exchangeDetail(), ownSender({ ...files, cert }));
          const { stdout } = await shell(
            `curl() { while [ "$1" != --cert ]; do shift; done; printf '%s.' "$2"; }\n${command}`,
          );
          expect(stdout).toBe(`${cert}.`);
        },
      ),
      { numRuns: 3 },
    );
  });
});

describe("the curl that repeats a request", () => {
  it("exists for a first token and ping, too", async () => {
    expect((await shell(firstCommands(files))).stdout).toBe('{"status":"OK"}');
  });

  it.each([
    "/v1/ping?produceError=true",
    "/v1/payments?pageSize=500&status=it's",
    "/v1/payments?a[]={b}&c=%zz",
    "//v1/../v1/ping",
    "/v1/ping#fragment",
    "/V1/Ping",
    "/v1/$(touch%20x)`touch%20y`;$HOME",
  ])("sends the same target: %s", { tags: "slow" }, async (target) => {
    const token = await (await sandbox.standing("demo")).token();
    await raw([
      `GET ${target} HTTP/1.1`,
      `Authorization: Bearer ${token}`,
      'X-Other: it\'s "$HOME" `id` \\',
      "X-Empty:",
    ]);
    const [before, after] = await repeated();
    expect(before.target).toBe(target);
    expect(sameRequest(after)).toEqual(sameRequest(before));
  });

  it.each([
    ["in UTF-8", "it's caf\u00c3\u00a9 \u00e2\u0080\u00ae"],
    ["in no encoding", "it's caf\u00e9 %s \\351"],
  ])("sends the same bytes %s", { tags: "slow" }, async (_name, bytes) => {
    // A character represents a byte, as in the journal.
    await raw(["GET /v1/ping HTTP/1.1", `X-Other: ${bytes}`]);
    const [before, after] = await repeated();
    expect(before.request.headers).toContainEqual(["X-Other", bytes]);
    expect(sameRequest(after)).toEqual(sameRequest(before));
  });

  it("sends the same form", async () => {
    const demo = await sandbox.standing("demo");
    await demo.requestToken({ scope: "read it's=&%\n\u202e", other: "" });
    const [before, after] = await repeated();
    expect(sameRequest(after)).toEqual(sameRequest(before));
  });

  it("sends the same method", async () => {
    await raw(["DELETE /v1/payments HTTP/1.1"]);
    const [before, after] = await repeated();
    expect(before.code).toBe("METHOD_NOT_ALLOWED");
    expect(sameRequest(after)).toEqual(sameRequest(before));
  });

  it.each(["invalid-cursor", "connection-reset", "truncated-body"])(
    "meets the same fault: %s",
    { tags: "slow" },
    async (scenario) => {
      const demo = await sandbox.standing("demo");
      await demo.get("/v1/payments", undefined, { "Sandbox-Scenario": scenario }).catch(() => {});
      const [before, after] = await repeated();
      expect(before.fault).toContain(scenario);
      expect([after.fault, after.code, after.status]).toEqual([before.fault, before.code, before.status]);
      // It is requested as a replay, which is not counted.
      expect(after.request.headers).toContainEqual(["Sandbox-Replay", before.fault]);
    },
  );

  it("does not exist for an entry without a request", async () => {
    const detail = { ...(await newest()), method: "-", target: "-" };
    expect(curlFor(detail, ownSender(files))).toBeUndefined();
  });
});

async function raw(lines: readonly string[]): Promise<void> {
  const demo = (await sandbox.sandbox.identities).find(({ name }) => name === "demo");
  const client = await openTls({
    port: Number(new URL(sandbox.sandbox.url).port),
    ca: sandbox.sandbox.caPem,
    cert: demo?.certPem,
    key: demo?.keyPem,
  });
  await client.sendAndClose(`${[...lines, "Host: localhost", "Connection: close"].join("\r\n")}\r\n\r\n`);
}
