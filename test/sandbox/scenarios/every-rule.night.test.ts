import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { redactHeaders, redactText } from "../../../src/sandbox/journal/redact.js";
import { type OperationName, operationNames } from "../../../src/sandbox/operations.js";
import { operationsOf } from "../../../src/sandbox/scenarios/fault.js";
import { builtInScenarios } from "../../../src/sandbox/scenarios/library.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";
import { openTls } from "../../support/raw-client.js";
import { type OutsideClient, sharedSandbox } from "./sandbox.js";

// Each rule of scenarios/everything.yaml, by a replay of it: the journal has what the client saw, and the same bytes
// come again.

/** The text of the scenario, with waits that are too short to be noticed. */
const text = readFileSync(join(builtInScenarios, "everything.yaml"), "utf8").replaceAll(
  /\b(delay|duration|min|max|median): \d+m?s/g,
  "$1: 1ms",
);
const { rules } = await parseScenario(text, "everything", "everything.yaml");

/** A request for each operation that faults treat in a way of its own. */
const requests: Readonly<Partial<Record<OperationName, (cursor: string) => string>>> = {
  token: () => "POST /oauth/v2/oauth-token",
  ping: () => "GET /v1/ping",
  list: (cursor) => `GET /v1/payments?pageSize=4&cursor=${cursor}`,
};

/** Each rule with each of these operations on which it acts. */
const cases = rules.flatMap(({ name, faults }) =>
  operationNames
    .filter((operation) => requests[operation] && (operationsOf(faults)?.includes(operation) ?? true))
    .map((operation) => [name, operation] as const),
);

const sandbox = sharedSandbox();
let client: OutsideClient;
const frozenAt = new Date().toISOString();
/** Of the second page, because some rules act only behind the first. */
let cursor = "";
beforeAll(async () => {
  await sandbox().admin("PUT", "/scenarios/every", text);
  client = await sandbox().client();
  cursor = (await client.get("/v1/payments?pageSize=4")).json.nextCursor;
});

/**
 * Replays a fault on a connection of its own.
 * @returns every byte that came, one by one (latin1)
 */
async function replayed(rule: string, operation: OperationName): Promise<string> {
  // A rule may have moved the clock, or revoked the token. At one instant, a cursor always has the same length.
  await sandbox().admin("PUT", `/clients/${client.id}/clock`, { frozenAt });
  const token = await client.token(true);
  const { url, ca, certificate: cert, key, clientId } = client.material;
  const form = `grant_type=client_credentials&client_id=${clientId}&scope=read`;
  const lines = [
    "Host: localhost",
    "Connection: close",
    `Sandbox-Replay: every/${rule}#1;seed=any`,
    ...(operation === "token"
      ? ["Content-Type: application/x-www-form-urlencoded", `Content-Length: ${form.length}`, "", form]
      : [`Authorization: Bearer ${token}`, "", ""]),
  ];
  const connection = await openTls({ port: Number(new URL(url).port), ca, cert, key });
  return connection.sendAndClose(`${requests[operation]?.(cursor)} HTTP/1.1\r\n${lines.join("\r\n")}`);
}

/** The answer in received bytes; undefined if they are not HTTP. */
function answerIn(received: string) {
  const [, status, fields = "", body = ""] =
    /^HTTP\/1\.1 (\d+) .*\r\n([\s\S]*?\r\n)\r\n([\s\S]*)$/.exec(received) ?? [];
  if (status === undefined) return undefined;
  const headers = [...fields.matchAll(/(.*?): (.*)\r\n/g)].map(([, name = "", value = ""]) => [name, value] as const);
  const isChunked = /^transfer-encoding: chunked/im.test(fields);
  return { status: Number(status), headers, body: Buffer.from(isChunked ? joined(body) : body, "latin1").toString() };
}

/** A body without its chunks (RFC 9112 §7.1); both are latin1. */
function joined(chunks: string): string {
  const [, size = "0", rest = ""] = /^([\da-f]+)\r\n([\s\S]*)$/i.exec(chunks) ?? [];
  const length = Number.parseInt(size, 16);
  return length === 0 ? "" : rest.slice(0, length) + joined(rest.slice(length + 2));
}

/** Headers that Node adds when it writes an answer. */
const ofNode = new Set(["date", "connection", "keep-alive", "content-length", "transfer-encoding"]);

/** Headers without those of Node, sorted by name. */
function own(pairs: readonly (readonly [string, string])[]) {
  return redactHeaders(pairs.flat())
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !ofNode.has(name))
    .sort();
}

interface Journaled {
  readonly id: string;
  readonly answer: { readonly status: number; readonly headers: [string, string][]; readonly body: string | null };
}

async function newestAnswer(): Promise<Journaled["answer"]> {
  const { items } = (await sandbox().admin("GET", "/requests?pageSize=1")) as { items: Journaled[] };
  return ((await sandbox().admin("GET", `/requests/${items[0]?.id}`)) as Journaled).answer;
}

/** Received bytes without dates, and without what is made at random for each answer. */
function essence(received: string): string {
  return received
    .replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, "DATE")
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "ID")
    .replaceAll(/"(access_token|nextCursor)":"[^"]*/g, '"$1":"RANDOM')
    .replaceAll(/^[\da-f]+\r\n/gm, "CHUNK");
}

/** Asserts that the journal has the newest answer as the client saw it. */
async function expectJournaled(received: string): Promise<void> {
  const seen = answerIn(received);
  const { status, headers, body } = await newestAnswer();
  if (seen === undefined) return expect(status).toBe(0);
  expect([seen.status, own(seen.headers)]).toEqual([status, own(headers)]);
  const announced = seen.headers.find(([name]) => name.toLowerCase() === "content-length");
  const isWhole = announced === undefined || Number(announced[1]) === Buffer.byteLength(seen.body);
  if (isWhole) expect(redactText(seen.body)).toBe(body);
}

it("there is a request for each rule", () => {
  expect(new Set(cases.map(([name]) => name))).toEqual(new Set(rules.map(({ name }) => name)));
});

it.each(cases)("%s on %s: the journal has the answer, and a replay repeats its bytes", async (rule, operation) => {
  const received = await replayed(rule, operation);
  await expectJournaled(received);
  expect(essence(await replayed(rule, operation))).toBe(essence(received));
});
