import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callOf } from "../../../src/admin/dashboard/view/call.js";
import { curlFor } from "../../../src/admin/dashboard/view/curl.js";
import type { ExchangeDetail } from "../../../src/admin/dashboard/view/data.js";
import { ownProgram, snippetFacts } from "../../../src/admin/dashboard/view/program-facts.js";
import { languages } from "../../../src/admin/dashboard/view/snippets.js";
import { readEnvironment } from "../../../src/base/text/environment.js";
import { splitPem } from "../../../src/base/x509/certificate.js";
import { startShared, type TestSandbox } from "../fixture.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "dashboard-snippets-"));

/** How a snippet is run, as its first line says, and which command shows that its language is installed. */
const programs = {
  curl: { file: "ping.sh", command: ["sh", "ping.sh"], probe: ["curl", "--version"] },
  node: { file: "call.mjs", command: ["node", "call.mjs"], probe: ["node", "--version"] },
  python: { file: "call.py", command: ["python3", "call.py"], probe: ["python3", "--version"] },
  java: { file: "Call.java", command: ["java", "Call.java"], probe: ["java", "--version"] },
  go: { file: "call.go", command: ["go", "run", "call.go"], probe: ["go", "version"] },
} as const;

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
  await sandbox.mint({ clientId: "mine" });
  // The names that the files have when they are downloaded.
  for (const file of ["cert.pem", "key.pem", "client.p12"]) {
    writeFileSync(join(folder, `mine-${file}`), (await sandbox.admin.get(`/clients/mine/${file}`)).bytes);
  }
  // The file has the next CA, too. Here the server's is the last one: a program must read all.
  await sandbox.admin.post("/server/next-ca", {});
  const ca = (await sandbox.admin.get("/ca.pem")).text;
  writeFileSync(join(folder, "ca.pem"), splitPem(ca).toReversed().join("\n"));
});

afterAll(() => rmSync(folder, { recursive: true }));

function isThere([program, ...parameters]: readonly [string, ...string[]]): boolean {
  try {
    execFileSync(program, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function runs(id: keyof typeof programs, code: string): Promise<string> {
  const { file, command } = programs[id];
  writeFileSync(join(folder, file), code);
  const [program, ...parameters] = command;
  return (await run(program, parameters, { cwd: folder, encoding: "utf8" })).stdout;
}

async function factsOfMine() {
  const facts = snippetFacts(readEnvironment((await sandbox.admin.get("/clients/mine/client.env")).text), []);
  if (!facts) throw new Error("The client.env lacks something.");
  return facts;
}

async function newest(): Promise<ExchangeDetail> {
  const { items } = (await sandbox.admin.get("/requests?pageSize=1")).json;
  return (await sandbox.admin.get(`/requests/${items[0].id}`)).json;
}

describe("the snippets of the page of clients", () => {
  for (const { id, name, snippet } of languages) {
    const { probe } = programs[id];
    it.skipIf(!isThere(probe))(`${name}: gets a token and pings`, async () => {
      const stdout = await runs(id, snippet(await factsOfMine()));
      expect(stdout).toMatch(/['"]?status['"]?: ?['"]OK['"]/);
    });
  }
});

describe("a request that is copied as a program", () => {
  /** What a program must send unchanged. */
  const sent = ({ method, target, code, status, fault, request }: ExchangeDetail) => ({
    ...{ method, target, code, status, fault, form: request.form },
    headers: request.headers
      .filter(([name]) => /^x-/i.test(name))
      .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
      .sort(),
  });

  for (const { id, name, program } of languages) {
    if (id === "curl") continue;
    it.skipIf(!isThere(programs[id].probe))(`${name}: arrives as the first request did`, async () => {
      const mine = sandbox.connect(await identityOfMine(), "mine");
      const token = await mine.token();
      const first = [
        () =>
          mine.get("/v1/payments?pageSize=500&x=%27%22", token, {
            "X-Other": `it's "$HOME" \`id\` \\ \${x}`,
            "X-Empty": "",
            ...(id !== "java" && { "X-Bytes": "caf\u00e9 \u00c3\u00a9" }),
          }),
        () => mine.requestToken({ scope: `read it's=&%\n\u202e"`, other: "" }),
        () => mine.get("/v1/ping", token, { "Sandbox-Scenario": "maintenance" }),
      ];
      for (const send of first) {
        await send();
        const before = await newest();
        const call = callOf(before);
        const code = call && program(ownProgram(await factsOfMine()), call);
        expect(await runs(id, code ?? "")).toContain(String(before.status));
        expect(sent(await newest())).toEqual(sent(before));
      }
    });
  }

  for (const { id, name, program } of languages) {
    it.skipIf(!isThere(programs[id].probe))(`${name}: sends a token without the certificate of the token`, async () => {
      const mine = sandbox.connect(await identityOfMine(), "mine");
      await sandbox.connect().ping(await mine.token());
      const before = await newest();
      const facts = { ...ownProgram(await factsOfMine()), own: undefined };
      const call = callOf(before);
      if (!call) throw new Error("It is not a request.");
      await runs(id, id === "curl" ? (curlFor(before, facts) ?? "") : (program(facts, call) ?? ""));
      const after = await newest();
      expect([after.status, after.explanation, after.peer]).toEqual([401, before.explanation, null]);
    });
  }

  it("exists only in languages whose client sends the request unchanged", () => {
    const files = { url: "https://h:1/b", clientId: "c", ca: "/a", cert: "/c", key: "/k", p12: "/p", downloads: [] };
    const facts = { ...ownProgram(files), own: undefined };
    const call = { method: "GET", target: "//v1/../v1/ping", headers: [], bearer: false, form: undefined };
    const there = (changed: object) =>
      languages.filter(({ program }) => program(facts, { ...call, ...changed }) !== undefined).map(({ id }) => id);
    expect(there({})).toEqual(["node", "python"]);
    expect(there({ target: "/v1/ping", headers: [["X-Bytes", "caf\u00e9"]] })).toEqual(["node", "python", "go"]);
    const go = languages.find(({ id }) => id === "go");
    expect(go?.program(facts, { ...call, target: "/", headers: [["X-Bytes", "caf\u00e9"]] })).toContain('"caf\\xe9"');
  });
});

async function identityOfMine() {
  const [cert, key] = await Promise.all(["cert", "key"].map((name) => sandbox.admin.get(`/clients/mine/${name}.pem`)));
  return { cert: cert?.text ?? "", key: key?.text ?? "" };
}
