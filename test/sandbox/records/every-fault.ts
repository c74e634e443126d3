import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Tally } from "../../../src/cli/run/tally.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import { redactHeaders, redactText } from "../../../src/sandbox/journal/redact.js";
import { eventually, startShared, type TestSandbox } from "../../admin/fixture.js";
import { type Came, http1Flyer, http2Flyer, type Landed, type Sent } from "./flights.js";
import { type ExampleRule, faultNames, scenarioText } from "./rules.js";

// Each fault with each of its examples: what a client receives, byte by byte and frame by frame, is what the records
// say.

let own: TestSandbox;
let isReplica = false;
let tally: Tally;
type Minted = Awaited<ReturnType<TestSandbox["mint"]>>;

/** How the requests of a flight carry the fault. */
const flights = {
  alone: [true],
  "the first of three": [true, false, false],
  "the second of three": [false, true, false],
  "three of three": [true, true, true],
} as const;

/** What the journal has of a request. */
// biome-ignore lint/suspicious/noExplicitAny: the admin client checks its shape
type Entry = any;

function codeIn({ body, isWhole }: Came): string | null {
  if (!isWhole) return null;
  try {
    const { code } = JSON.parse(body.toString());
    return typeof code === "string" ? code : null;
  } catch {
    return null;
  }
}

/** The entry and the details of each request; each has one. */
async function entriesOf(ids: readonly string[], clientId: string): Promise<Entry[]> {
  const { items } = (await own.admin.get(`/requests?client=${clientId}&pageSize=100`)).json;
  return Promise.all(
    ids.map(async (id) => {
      const found = items.filter((item: Entry) => item.correlationId === id);
      expect(found, `entries of ${id}`).toHaveLength(1);
      return (await own.admin.get(`/requests/${found[0].id}`)).json;
    }),
  );
}

async function archiveOf(clientId: string): Promise<Entry[]> {
  return (await own.admin.get(`/journal/export?format=har&q=client:${clientId}`)).json.log.entries;
}

/** Outcomes as the summary of `run` has them, with what was received: counted over the whole file. */
const seen = new Map<string, number>();

const undelivered =
  /No answer was given|bytes of the body were sent|how much of the answer was sent|answer was not sent/;

/** @param isHead whether the answer was that of GET without its body (RFC 9110 §9.3.2) */
function expectSame(came: Came, entry: Entry, isHead: boolean): void {
  const { answer } = entry;
  const isNothing = came.status === 0;
  expect(entry.delivered, "delivered").toBe(came.isWhole);
  // These clients give nothing up.
  const wasProcessed = !/was not processed/.test(entry.explanation);
  expect(entry.endedBy, "ended by").toBe(!came.isWhole && wasProcessed ? "scenario" : null);
  // Of an answer that a fault of another stream cuts off, Node does not say how much has left: null.
  const isUnknown = answer.sent === null && !came.isWhole && entry.fault === null && entry.status > 0;
  if (!isUnknown) expect(answer.sent, "bytes of the body").toBe(came.body.length);
  // With a RST of TCP, the systems drop what the client has not read, frames included.
  const mayBeLost = entry.connection.end === "server-reset" && came.reset === undefined;
  if (!mayBeLost) expect(answer.reset, "RST_STREAM").toBe(came.reset ?? null);
  if (isNothing) {
    expect(entry.explanation).toMatch(undelivered);
    if (entry.status === 0) expect(entry.code).toBeNull();
  } else {
    expect(entry.status).toBe(came.status);
    expect(answer.headers, "headers").toEqual(redactHeaders(came.fields.flat()));
    expect(entry.explanation).not.toMatch(/No answer was given/);
    // RFC 9112 §6.1, RFC 9110 §8.6.
    const framing = [came.headers["content-length"], came.headers["transfer-encoding"]];
    if (came.status === 204 || came.status === 304) expect(framing).toEqual([undefined, undefined]);
  }
  if (came.isWhole) {
    if (isHead) expect(came.body).toHaveLength(0);
    else {
      expect(entry.code, "code").toBe(codeIn(came));
      expect(redactText(came.body.toString()), "body").toBe(answer.body);
      expect(answer.length).toBe(came.body.length);
    }
    // A fault that divides or cuts the body has nothing to do without one.
    if (/the body a piece|of the body/.test(entry.explanation) && came.body.length === 0)
      expect(entry.explanation).toContain("The answer has no body");
    expect(entry.explanation).not.toMatch(undelivered);
  } else if (entry.fault === null) {
    expect(entry.explanation).toMatch(undelivered);
  }
  expect(/The rule .* acted/.test(entry.explanation)).toBe(entry.fault !== null);
}

/** @param length of the whole body, in bytes */
function expectHar(came: Came, length: number, { response, _sandbox }: Entry): void {
  if (came.status > 0) {
    expect([response.status, response.statusText]).toEqual([came.status, came.reason]);
    const headers = response.headers.map(({ name, value }: Entry) => [name, value]);
    expect(headers, "headers").toEqual(redactHeaders(came.fields.flat()));
  }
  const isUnknown = response.bodySize === -1 && !came.isWhole;
  if (!isUnknown) expect([response.content.size, response.bodySize]).toEqual([came.body.length, came.body.length]);
  expect(_sandbox.delivered).toBe(came.isWhole);
  // The whole body can come in an answer that is not whole: a length that is too large was announced.
  const isAll = came.body.length === length && (came.isWhole || length > 0);
  if (isAll) expect(response.content.text).toBe(redactText(came.body.toString()));
  else expect(response.content.text).toBeUndefined();
}

/** A request of a flight, and the rule that acts on it. */
interface Planned {
  readonly operation: Sent["operation"];
  readonly rule: ExampleRule | undefined;
}

async function fly(client: Minted, http: 1 | 2, isKept: boolean, planned: readonly Planned[]) {
  const { minted, clientId } = client;
  const token = await client.token();
  const form = `grant_type=client_credentials&client_id=${clientId}&scope=read`;
  const request = ({ operation, rule }: Planned) => {
    const id = randomUUID();
    const fields = [
      ["X-Correlation-ID", id],
      ...(rule ? [["Sandbox-Replay", `examples/${rule.name}#1;seed=any`]] : []),
      operation === "token"
        ? ["Content-Type", "application/x-www-form-urlencoded"]
        : ["Authorization", `Bearer ${token}`],
    ] as [string, string][];
    return { id, sent: { operation, form, headers: fields } };
  };
  const options = {
    port: Number(new URL(minted.url).port),
    ca: minted.ca,
    cert: minted.certificate,
    key: minted.key,
  };
  const flyer = http === 1 ? await http1Flyer(options) : await http2Flyer(options);
  try {
    const probe = () => request({ operation: "ping", rule: undefined }).sent;
    if (isKept) await flyer.fly([probe()], async () => {}, probe());
    const requests = planned.map(request);
    const isPair = planned.filter(({ rule }) => rule).length === 2;
    const ids = requests.map(({ id }) => id);
    let entries: Entry[] = [];
    const settled = async (count: number) => {
      await eventually(async () => {
        const { items } = (await own.admin.get(`/requests?client=${clientId}&pageSize=100`)).json;
        return ids
          .slice(0, count)
          .every((id) => items.some((item: Entry) => item.correlationId === id && item.delivered !== null));
      });
    };
    const landed: Landed = await flyer.fly(
      requests.map(({ sent }) => sent),
      settled,
      probe(),
    );
    await eventually(async () => {
      entries = await entriesOf(ids.slice(0, landed.answers.length), clientId);
      return landed.end === null || isReplica || entries.every(({ connection }) => connection.end !== null);
    });
    if (!planned.some(({ rule }) => rule?.fault === "connection: garbage"))
      expect(landed.rest, "what is no part of an answer").toBe("");
    const archive = await archiveOf(clientId);
    for (const [at, entry] of entries.entries()) {
      const came = landed.answers[at] as Came;
      const isHead = planned[at]?.operation === "head";
      expectSame(came, entry, isHead);
      expectHar(
        came,
        entry.answer.length,
        archive.find(({ _sandbox }) => _sandbox.id === entry.id),
      );
      const { rule } = planned[at] as Planned;
      if (rule === undefined || (rule.http ?? http) !== http) expect(entry.fault).toBeNull();
      // What follows on a broken connection is not processed.
      // Some changes of pages begin on the second page.
      else if (at === planned.findIndex((one) => one.rule) && rule.fault !== "page")
        expect(entry.fault, "the fault").not.toBeNull();
      // A client that gets data and a RST at once takes it for a FIN.
      const isTakenForFin = entry.connection.end === "server-reset" && landed.end === "server-closed";
      // A replica does not know how a connection ended if it ended long after the request.
      const isNotKnown = isReplica && entry.connection.end === null;
      if (!(isTakenForFin && isPair) && !isNotKnown)
        expect(entry.connection.end, "end of the connection").toBe(landed.end);
      if (!(isNotKnown && entry.connection.goaway === null))
        expect(entry.connection.goaway, "GOAWAY").toEqual(landed.goaway);
      const code = isHead ? entry.code : codeIn(came);
      const outcome =
        entry.status === 0 ? "no answer" : `${entry.status}${entry.code === null ? "" : ` ${entry.code}`}`;
      if (came.isWhole) expect(outcome).toBe(`${came.status}${code === null ? "" : ` ${code}`}`);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
  } finally {
    flyer.destroy();
  }
}

/** A flight as a test registers it. */
interface Flight {
  readonly name: string;
  readonly isKept: boolean;
  readonly planned: readonly Planned[];
}

/** A sandbox that answers HEAD as GET. */
function startWithHead(): Promise<TestSandbox> {
  const { assumptions } = emptyFile;
  return startShared({ assumptions: { ...assumptions, values: { ...assumptions.values, "http.head": "answer" } } });
}

/**
 * Registers a test for each list of flights.
 * @param cases the flights of each, by name
 * @param others outcomes that requests beside the flights have as well: tokens and pings, some of them after a fault
 *   that ends the token
 */
function flightsAreRecorded(
  cases: (http: 1 | 2) => readonly (readonly [name: string, flights: readonly Flight[]])[],
  others: RegExp,
  start: () => Promise<TestSandbox> = startWithHead,
) {
  beforeAll(async () => {
    own = await start();
    isReplica = start !== startWithHead;
    tally = new Tally(own.sandbox);
    seen.clear();
    const { status } = await own.admin.putYaml("/scenarios/examples", scenarioText);
    expect(status, "the upload of the scenario").toBe(200);
  });

  describe.each([1, 2] as const)("over HTTP/%d", (http) => {
    it.concurrent.each(cases(http))("%s", async (_, flown) => {
      // A new client for each: a fault may move the clock of a client, or end its token or its certificate.
      for (const { name, isKept, planned } of flown)
        await fly(await own.mint(), http, isKept, planned).catch((error: Error) => {
          error.message = `${name}, on a ${isKept ? "kept" : "fresh"} connection: ${error.message}`;
          throw error;
        });
    });
  });

  afterAll(() => {
    const outcomes = new Map<string, number>();
    for (const counts of tally.operations.values())
      for (const [outcome, count] of counts) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
    for (const [outcome, count] of seen) {
      const inSummary = outcomes.get(outcome) ?? 0;
      expect(inSummary, `"${outcome}" in the summary of run`).toBeGreaterThanOrEqual(count);
      if (!others.test(outcome)) expect(inSummary, `"${outcome}" in the summary of run`).toBe(count);
    }
  });
}

/** A flight, and whether it goes over a kept connection. */
type Way = readonly [name: keyof typeof flights, isKept: boolean];

/** Registers the tests of single faults. */
export function everyFaultIsRecorded(
  chosen: readonly ExampleRule[],
  waysOf: (rule: ExampleRule) => readonly Way[],
  start?: () => Promise<TestSandbox>,
): void {
  const flightsOf = (rule: ExampleRule) =>
    waysOf(rule).map(([name, isKept]): Flight => {
      const planned = flights[name].map((isFaulty) => ({
        operation: rule.operation,
        rule: isFaulty ? rule : undefined,
      }));
      return { name, isKept, planned };
    });
  flightsAreRecorded(
    (http) =>
      chosen
        .filter((rule) => (rule.http ?? http) === http)
        .map((rule) => [`${rule.name}, ${rule.operation}`, flightsOf(rule)]),
    /^(200|401)/,
    start,
  );

  it("every registered fault is tried", () => {
    expect(new Set(chosen.map(({ fault }) => fault))).toEqual(new Set(faultNames));
  });
}

/**
 * Registers the tests of pairs: two faults in one flight, with a request that has none before, between or after them,
 * in turn.
 */
export function everyPairIsRecorded(chosen: readonly ExampleRule[]): void {
  const plain: Planned = { operation: "list", rule: undefined };
  const flightOf = (first: Planned, second: Planned, turn: number): Flight => {
    const planned = [first, second];
    planned.splice(turn % 3, 0, plain);
    return { name: `plain at ${turn % 3}`, isKept: turn % 2 === 1, planned };
  };
  flightsAreRecorded((http) => {
    const tried = chosen.filter((rule) => (rule.http ?? http) === http);
    const planned = tried.map((rule): Planned => ({ operation: rule.operation, rule }));
    const pairs = planned.flatMap((first) => planned.map((second) => [first, second] as const));
    return pairs.map(([first, second], turn) => [
      `${first.rule?.name}, ${second.rule?.name}`,
      [flightOf(first, second, turn)],
    ]);
    // A ping that comes while the second fault ends the connection gets no answer.
  }, /^(200|401|no answer)/);
}
