import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parseYaml } from "../../../src/base/yaml/document.js";
import { findingsText } from "../../../src/imitate/calibrate/table.js";
import { startSandbox } from "../../../src/index.js";
import { issueTestCertificates } from "../../support/certificates.js";
import { afterTest } from "../../support/cleanups.js";
import { HttpsClient } from "../../support/https-client.js";
import { readingRequests } from "./other-service.js";
import { calibrated, temporaryFile } from "./service.js";

const hasPython = spawnSync("python3", ["-c", "import ssl"], { stdio: "ignore" }).status === 0;

interface Logged {
  readonly method?: string;
  readonly url?: string;
  readonly open?: number;
  readonly token?: string;
  readonly port?: number;
}

/** Starts the service in its own process. */
async function foreignService() {
  const certificates = issueTestCertificates();
  const folder = mkdtempSync(join(tmpdir(), "foreign-service-"));
  const { ca, server } = certificates;
  for (const [name, text] of [
    ["ca", ca.cert],
    ["server", server.cert],
    ["server-key", server.key],
  ] as const)
    writeFileSync(join(folder, `${name}.pem`), text);
  const script = fileURLToPath(new URL("foreign-service.py", import.meta.url));
  const child = spawn("python3", [script, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  afterTest(async () => {
    child.stdin.end();
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const log: Logged[] = [];
  const port = await new Promise<number>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const entry = JSON.parse(line) as Logged;
      log.push(entry);
      if (entry.port !== undefined) resolve(entry.port);
    });
  });
  return { url: new URL(`https://localhost:${port}/bank`), certificates, log };
}

it.skipIf(!hasPython)(
  "calibrate learns a service in another language politely, and the sandbox gives the same answers",
  async () => {
    const { url, certificates, log } = await foreignService();
    const { ca, client } = certificates;
    const service = { url, ca: ca.cert, client, other: undefined };
    const { yaml, run, findings } = await calibrated(service, "acme-corporation", { paths: ["/transfers"] });
    expect(run.stopped).toBeUndefined();
    const requests = log.filter(({ method }) => method !== undefined);
    // Polite: it only reads, over one connection, and sends no more requests than it reports.
    const kinds = new Set(requests.map(({ method, url: path = "" }) => `${method} ${path.replace(/\?.*/, "")}`));
    expect([...kinds].sort()).toEqual(readingRequests("/bank", "/transfers"));
    expect(Math.max(...requests.map(({ open = 0 }) => open))).toBe(1);
    expect(run.sent).toBeGreaterThanOrEqual(requests.length);
    expect(run.sent).toBeLessThanOrEqual(150);

    // No personal data is written or printed.
    const printed = yaml + findingsText(findings, true);
    const tokens = log.flatMap((entry) => entry.token ?? []);
    expect(tokens.length).toBeGreaterThan(0);
    for (const secret of [
      ...tokens,
      "acme",
      "Ada",
      "Lovelace",
      "Hopper",
      "Turing",
      "GB29",
      "@",
      "s3cr3t",
      "tr_0",
      "7654",
    ])
      expect(printed).not.toContain(secret);

    const { value } = await parseYaml(yaml, "sandbox.yaml");
    expect(value).toMatchObject({
      assumptions: {
        "bearer.invalid-token": {
          status: 401,
          code: "token_wrong",
          wwwAuthenticate: 'Bearer realm="bank", error="invalid_token"',
        },
        "correlation.header": "Request-Id",
        "request.unknown-parameters": "refuse",
        "list.dates": { format: "date" },
        "ping.response": { body: { alive: true, customer: "text", operator: "text", release: "1.00" } },
      },
      lists: {
        transfers: {
          parameters: { pageSize: "page_size", cursor: "starting_after", fromCreatedAt: "since", toCreatedAt: "until" },
          pageSize: { default: 9, minimum: 2, maximum: 40 },
          filters: { kind: "kind" },
          dateField: "valueDate",
          envelope: {
            items: "transfers",
            nextCursor: "paging.after",
            hasMore: "paging.more",
            total: "paging.matching",
          },
          fields: { account: { type: "object", fields: { balances: { type: "object", fields: {} } } } },
        },
      },
    });

    await using imitation = await startSandbox({ config: temporaryFile("sandbox.yaml", yaml), assumedHeader: false });
    const imitated = await imitation.createClient({ clientId: "acme-corporation" });
    const ours = new HttpsClient(imitated.url, {
      ca: imitated.ca,
      identity: { cert: imitated.certificate, key: imitated.key },
    });
    const theirs = new HttpsClient(url.href, { ca: ca.cert, identity: client });
    expect(await answers(ours)).toEqual(await answers(theirs));
    for (const each of [ours, theirs]) each.close();
  },
);

/** Status and code of answers, and the shape of successful ones. */
async function answers(client: HttpsClient): Promise<Record<string, unknown>> {
  const path = "/bank/oauth/v2/oauth-token";
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const good = "grant_type=client_credentials&client_id=acme-corporation&scope=read";
  const form = (body: string) => client.send(path, { method: "POST", body, headers });
  const token = (await form(good)).json.access_token;
  const get = (target: string, authorization: string | undefined = `Bearer ${token}`) =>
    client.send(`/bank${target}`, { headers: authorization === "" ? {} : { Authorization: authorization } });
  const page = await get("/transfers");
  const cursor = encodeURIComponent(page.json.paging.after);
  const all = {
    token: form(good),
    "token: other client": form(good.replace("acme", "x")),
    "token: no grant": form(good.replace("grant_type=client_credentials&", "")),
    "token: other scope": form(good.replace("read", "write")),
    ping: get("/v1/ping"),
    "ping: no token": get("/v1/ping", ""),
    "ping: bad token": get("/v1/ping", "Bearer x"),
    nowhere: get("/v1/nowhere"),
    list: get("/transfers"),
    "list: no token": get("/transfers", ""),
    "list: largest": get("/transfers?page_size=40"),
    "list: too large": get("/transfers?page_size=41"),
    "list: too small": get("/transfers?page_size=1"),
    "list: next": get(`/transfers?starting_after=${cursor}`),
    "list: bad cursor": get("/transfers?starting_after=x!"),
    "list: day": get("/transfers?since=1990-01-01&until=2999-01-01"),
    "list: time": get("/transfers?since=1990-01-01T00:00:00Z"),
    "list: future": get("/transfers?since=2999-01-01"),
    "list: filter": get("/transfers?kind=credit"),
    "list: no such value": get("/transfers?kind=x"),
  };
  const seen = await Promise.all(
    Object.entries(all).map(async ([what, sent]) => {
      const { status, text } = await sent;
      const body = text === "" ? {} : JSON.parse(text);
      return [what, { status, ...(status < 300 ? { shape: shapeOf(body) } : { code: body.code }) }] as const;
    }),
  );
  return Object.fromEntries(seen);
}

/** Names and types; for an array, the shapes in it. Maps with personal keys stay empty. */
function shapeOf(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))];
  if (typeof value !== "object" || value === null) return typeof value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return name === "balances" ? {} : Object.fromEntries(members.map(([key, member]) => [key, shapeOf(member, key)]));
}
