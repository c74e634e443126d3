import { describe, expect, it } from "vitest";
import { readScenarioFolder, scenarioNameOf } from "../../../src/sandbox/scenarios/folder.js";
import { builtInScenarios } from "../../../src/sandbox/scenarios/library.js";
import { clientHello } from "../../support/client-hello.js";
import { eventually } from "../../support/eventually.js";
import { type HttpsResponse, speaksHttp2 } from "../../support/https-client.js";
import { openTcp } from "../../support/raw-client.js";
import { type OutsideClient, sharedSandbox } from "./sandbox.js";

const sandbox = sharedSandbox();
const { files } = await readScenarioFolder(builtInScenarios);
const names = files.map(scenarioNameOf);

/** What a client sees of an answer: status and code. */
function seen({ status, text }: HttpsResponse): string {
  return status === 200 ? "200" : `${status} ${JSON.parse(text).code}`;
}

/** Sends requests one after the other: status and code of each answer, or the error that the client got instead. */
async function outcomes(client: OutsideClient, paths: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const path of paths) {
    all.push(await client.get(path).then(seen, (error: NodeJS.ErrnoException) => error.code ?? error.message));
  }
  return all;
}

/** Walks a list as far as possible: the answers, page by page, up to the first that is not a page. */
async function walk(client: OutsideClient, path: string): Promise<HttpsResponse[]> {
  const answers: HttpsResponse[] = [];
  for (let cursor = ""; ; ) {
    const answer = await client.get(cursor === "" ? path : `${path}&cursor=${cursor}`);
    answers.push(answer);
    if (answer.status !== 200 || answer.json.nextCursor === undefined || answers.length > 20) return answers;
    cursor = answer.json.nextCursor;
  }
}

function ids(answers: readonly HttpsResponse[]): string[] {
  return answers.flatMap(({ json }) => json.items.map(({ id }: { id: string }) => id));
}

const list = "/v1/payouts?pageSize=5";

/** Reads the first page: the path of the second one. */
async function secondPage(client: OutsideClient): Promise<string> {
  return `${list}&cursor=${(await client.get(list)).json.nextCursor}`;
}

/** The rows of the list without a scenario. */
async function allRows(): Promise<string[]> {
  return ids(await walk(await sandbox().client(), list));
}

/** The files change with the first page. A client that goes on with the old ones is refused on page 2. */
async function endsAtPage2(name: string): Promise<void> {
  for (const reloads of [false, true]) {
    const client = await sandbox().client();
    await client.activate(name);
    const { status, json } = await client.get(list);
    if (reloads) await client.reload();
    const next = await client.get(`${list}&cursor=${json.nextCursor}`);
    expect([status, next.status]).toEqual([200, reloads ? 200 : 401]);
    if (reloads) continue;
    expect((await client.postToken()).status).toBe(400);
    await client.reload();
    expect((await walk(client, list)).at(-1)?.status).toBe(200);
  }
}

/** Only the first ping and the first list request fail, with this failure. */
async function failsOnceOnEach(name: string, failure: string | RegExp): Promise<void> {
  const client = await sandbox().clientUnder(name);
  const [ping, ...more] = await outcomes(client, [
    "/v1/ping",
    "/v1/ping",
    "/v1/payments",
    "/v1/payments",
    "/v1/payments",
  ]);
  expect(ping).toMatch(failure);
  expect(more).toEqual(["200", expect.stringMatching(failure), "200", "200"]);
  expect((await client.postToken()).status).toBe(200);
}

/** Every request to these paths is refused with this, and all others are served. */
async function refuses(name: string, paths: readonly string[], refusal: string): Promise<void> {
  const client = await sandbox().clientUnder(name);
  const all = ["/v1/ping", "/v1/payments", "/v1/payouts?pageSize=3", "/v1/ping", "/v1/payments"];
  expect(await outcomes(client, all)).toEqual(
    all.map((path) => (paths.some((refused) => path.startsWith(refused)) ? refusal : "200")),
  );
  const answer = await client.get(paths[0] as string);
  expect(answer.headers["sandbox-fault"]).toMatch(new RegExp(`^${name}/[\\w-]+#\\d+;seed=`));
  expect((await client.postToken()).status).toBe(200);
}

const lists = ["/v1/payments", "/v1/payouts"];

/** A verifying client refuses every new connection as long as the scenario is active for all, but not its open ones. */
async function failsToVerify(name: string, code: string): Promise<void> {
  const [before, after] = [await sandbox().client(), await sandbox().client()];
  await before.token();
  await sandbox().admin("PUT", "/scenario", { name });
  try {
    await expect(after.token()).rejects.toMatchObject({ code });
    expect(await outcomes(before, ["/v1/ping"])).toEqual(["200"]);
  } finally {
    await sandbox().admin("DELETE", "/scenario");
  }
  await after.token();
}

/**
 * After the first request the server has another certificate: a client that trusts all of `ca.pem` goes on.
 * @param code what one meets that read it before
 */
async function meetsAnother(name: string, code?: string): Promise<void> {
  const before = await sandbox().client();
  await sandbox().admin("PUT", "/scenario", { name });
  try {
    const after = await sandbox().client();
    expect(await outcomes(after, ["/v1/ping", "/v1/ping"])).toEqual(["200", "200"]);
    expect(await outcomes(before, ["/v1/ping"])).toEqual([code ?? "200"]);
  } finally {
    await sandbox().admin("DELETE", "/scenario");
  }
}

/** The third page is refused, and so is everything else until the client has a new token. */
async function endsToken(name: string): Promise<void> {
  const client = await sandbox().clientUnder(name);
  const [first, second, third] = await walk(client, list);
  expect([first?.status, second?.status, third?.status]).toEqual([200, 200, 401]);
  expect(await outcomes(client, ["/v1/ping"])).toEqual(["401 UNAUTHORIZED"]);
  await client.token(true);
  expect(seen(await client.get(`${list}&cursor=${second?.json.nextCursor}`))).toBe("200");
}

interface Handshakes {
  items: { cause: string }[];
}

/** What a client observes with each scenario. */
const observations: Readonly<Record<string, (name: string) => Promise<void>>> = {
  "validation-error": (name) => refuses(name, ["/v1/ping", ...lists], "400 VALIDATION_ERROR"),
  "invalid-correlation-id": (name) => refuses(name, ["/v1/ping", ...lists], "400 INVALID_CORRELATION_ID"),
  "invalid-page-size": (name) => refuses(name, lists, "400 INVALID_PAGE_SIZE"),
  "invalid-cursor": (name) => refuses(name, lists, "400 INVALID_CURSOR"),
  "cursor-filters-changed": (name) => refuses(name, lists, "400 CURSOR_FILTERS_CHANGED"),
  "example-error": (name) => refuses(name, ["/v1/ping"], "400 EXAMPLE_ERROR"),
  "unknown-error-code": (name) => refuses(name, ["/v1/ping", ...lists], "400 SOMETHING_NEW"),

  "unauthorized-once": (name) => failsOnceOnEach(name, /^401 UNAUTHORIZED$/),
  "internal-error-always": (name) => refuses(name, ["/v1/ping", ...lists], "500 INTERNAL_SERVER_ERROR"),
  "internal-error-once": (name) => failsOnceOnEach(name, /^500 INTERNAL_SERVER_ERROR$/),
  "connection-reset": (name) => failsOnceOnEach(name, /^ECONNRESET$/),
  "connection-closed": (name) => failsOnceOnEach(name, /^ECONNRESET$|hang up|^The stream was closed/),
  "truncated-body": (name) => failsOnceOnEach(name, /^ECONNRESET$|^aborted$|^ERR_HTTP2_STREAM_ERROR$/),
  garbage: (name) => failsOnceOnEach(name, /^HPE_|^ERR_HTTP2_ERROR$/),
  "stream-refused": (name) => failsOnceOnEach(name, /^ECONNRESET$|hang up|^ERR_HTTP2_STREAM_ERROR$/),
  "stream-reset": (name) => failsOnceOnEach(name, /^ECONNRESET$|^ERR_HTTP2_STREAM_ERROR$/),
  async "goaway-before-request"(name) {
    if (!speaksHttp2) {
      await failsOnceOnEach(name, /^ECONNRESET$|hang up/);
      return;
    }
    const client = await sandbox().clientUnder(name);
    const paths = ["/v1/ping", "/v1/ping", "/v1/payments", "/v1/payments"];
    // The client sends a request again that was not processed.
    expect(await outcomes(client, paths)).toEqual(paths.map(() => "200"));
    const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}`)) as {
      items: { target: string; status: number; fault: string | null }[];
    };
    const unanswered = items.filter(({ status }) => status === 0);
    expect(unanswered.map(({ target }) => target)).toEqual(["/v1/payments", "/v1/ping"]);
    for (const { fault } of unanswered) expect(fault).toContain(name);
  },

  async goaway(name) {
    const client = await sandbox().clientUnder(name);
    for (const path of ["/v1/ping", "/v1/payments"]) {
      const [last, next] = [await client.get(path), await client.get(path)];
      expect([last.status, next.status]).toEqual([200, 200]);
      expect(last.headers["connection"]).toBe(speaksHttp2 ? undefined : "close");
      const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}`)) as {
        items: { connectionId: number }[];
      };
      expect(items[0]?.connectionId).not.toBe(items[1]?.connectionId);
    }
  },

  async "html-error-page"(name) {
    const client = await sandbox().clientUnder(name);
    for (const path of ["/v1/ping", "/v1/payments"]) {
      const answer = await client.get(path);
      expect([answer.status, answer.headers["content-type"]]).toEqual([502, "text/html"]);
      expect(answer.text).toMatch(/^<html>.*<\/html>$/);
      expect((await client.get(path)).status).toBe(200);
    }
  },

  async "certificate-renewed-in-a-walk"(name) {
    const stays = await sandbox().clientUnder(name);
    const answers = await walk(stays, list);
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    const reloads = await sandbox().clientUnder(name);
    expect((await reloads.get(list)).headers["sandbox-fault"]).toContain("renewed");
    await reloads.reload();
    expect((await walk(reloads, list)).at(-1)?.status).toBe(200);
  },

  async "certificate-renewed-same-key"(name) {
    const client = await sandbox().clientUnder(name);
    const before = client.publicKey;
    const token = await client.token();
    expect((await client.get(list)).headers["sandbox-fault"]).toContain("renewed");
    await client.reload();
    expect(client.publicKey).toBe(before);
    // The token of the old certificate is refused over the new one, although the key is the same.
    expect((await client.getWith(token, list)).status).toBe(401);
  },

  // Of a client with files: test/admin/held-rotation.test.ts. This one has none, and finds whole ones.
  async "certificate-rotation-half-done"(name) {
    const client = await sandbox().clientUnder(name);
    expect((await client.get(list)).headers["sandbox-fault"]).toContain("half-done");
    await client.reload();
    expect((await walk(client, list)).at(-1)?.status).toBe(200);
  },

  async "certificate-expires"(name) {
    await endsAtPage2(name);
  },

  async "certificate-revoked"(name) {
    await endsAtPage2(name);
  },

  // What it does at a start: test/library/composition/standing-clients.test.ts.
  async "certificate-near-its-end"(name) {
    await expect(sandbox().clientUnder(name)).rejects.toThrow("acts only at the start of a sandbox");
    await expect(sandbox().admin("PUT", "/scenario", { name })).rejects.toThrow("acts only at the start of a sandbox");
    const client = await sandbox().client();
    const { json } = await client.get("/v1/ping", { "Sandbox-Scenario": name });
    expect(json.message).toContain("acts only at the start of a sandbox");
  },

  async "token-expires-early"(name) {
    const client = await sandbox().client();
    await client.freeze();
    await client.activate(name);
    const issued = await client.postToken();
    expect([issued.status, issued.json.expires_in]).toEqual([200, 300]);
    const { status } = await client.getWith(issued.json.access_token, "/v1/ping");
    await client.advance("2s");
    const late = await client.getWith(issued.json.access_token, "/v1/ping");
    expect([status, seen(late)]).toEqual([200, "401 UNAUTHORIZED"]);
    // The next one lasts.
    await client.token();
    await client.advance("2s");
    expect(await outcomes(client, ["/v1/ping"])).toEqual(["200"]);
  },

  async "token-for-other-certificate"(name) {
    const client = await sandbox().client();
    await client.activate(name);
    expect(await outcomes(client, ["/v1/ping", "/v1/ping"])).toEqual(["401 UNAUTHORIZED", "401 UNAUTHORIZED"]);
    await client.token(true);
    expect(await outcomes(client, ["/v1/ping"])).toEqual(["200"]);
  },

  async "wrong-token-type"(name) {
    const client = await sandbox().client();
    await client.activate(name);
    expect((await client.postToken()).json.token_type).toBe("mac");
    expect((await client.postToken()).json.token_type).toBe("bearer");
  },

  async "invalid-client"(name) {
    const client = await sandbox().clientUnder(name);
    for (let round = 0; round < 3; round++) {
      const answer = await client.postToken();
      expect([answer.status, answer.json.code, answer.json.error]).toEqual([400, "INVALID_CLIENT", "invalid_client"]);
    }
    expect(await outcomes(client, ["/v1/ping"])).toEqual(["200"]);
  },

  async "rate-limited"(name) {
    const client = await sandbox().clientUnder(name);
    await client.freeze();
    const within = Array.from({ length: 4 }, (_, at) => (at % 2 === 0 ? "/v1/ping" : "/v1/payments"));
    expect(await outcomes(client, within)).toEqual(within.map(() => "200"));
    const refused = await client.get("/v1/ping");
    expect([seen(refused), refused.headers["retry-after"]]).toEqual(["429 TOO_MANY_REQUESTS", "1"]);
    await client.advance("1s");
    expect(await outcomes(client, ["/v1/ping"])).toEqual(["200"]);
  },

  async maintenance(name) {
    const client = await sandbox().clientUnder(name);
    expect(await outcomes(client, ["/v1/ping", "/v1/ping"])).toEqual(["503 SERVICE_UNAVAILABLE", "200"]);
    const next = await secondPage(client);
    const refused = await client.get(next);
    expect([seen(refused), refused.headers["retry-after"]]).toEqual(["503 SERVICE_UNAVAILABLE", "1"]);
    expect(await outcomes(client, [next])).toEqual(["200"]);
  },

  async "unavailable-for-five-seconds"(name) {
    const client = await sandbox().clientUnder(name);
    const next = await secondPage(client);
    const refused = await client.get(next);
    expect([seen(refused), refused.headers["retry-after"]]).toEqual(["503 SERVICE_UNAVAILABLE", "5"]);
    expect(await outcomes(client, [next])).toEqual(["200"]);
  },

  async slow(name) {
    // With this seed, the first delay is short: 269 ms.
    const client = await sandbox().clientUnder(name, "seed-38");
    const wire = await client.wire("/v1/ping");
    const { body, head } = await wire.answer();
    // The library sends header names in lower case, and the command as they are written.
    expect([body, head]).toEqual([
      '{"status":"OK"}',
      expect.stringMatching(/^sandbox-fault: slow\/late#1;seed=seed-38$/im),
    ]);
    expect(wire.arrivals[0]?.at).toBeGreaterThan(264);
  },

  async "slow-body"(name) {
    const client = await sandbox().clientUnder(name);
    const wire = await client.wire("/v1/payments");
    await wire.bytes(1);
    await wire.bytes(wire.received.length + 1);
    // Some of the body has arrived, and most of it has not been sent yet.
    expect(wire.body.length).toBeGreaterThan(0);
    expect(wire.body.length).toBeLessThan(wire.announced / 2);
    wire.giveUp();
  },

  async "stalled-body"(name) {
    const client = await sandbox().clientUnder(name);
    const wire = await client.wire("/v1/payments");
    const { body } = await wire.answer();
    expect(JSON.parse(body).items).toHaveLength(10);
    expect(wire.arrivals.at(-1)?.at).toBeGreaterThan(995);
    wire.giveUp();
    expect((await client.get("/v1/payments")).status).toBe(200);
  },

  async "slow-headers"(name) {
    const client = await sandbox().clientUnder(name);
    const wire = await client.wire("/v1/ping");
    expect([await wire.end(), wire.body]).toEqual(["FIN", '{"status":"OK"}']);
    expect(wire.arrivals.length).toBeGreaterThan(10);
    expect((await client.get("/v1/ping")).status).toBe(200);
  },

  async hang(name) {
    const client = await sandbox().clientUnder(name);
    for (const path of ["/v1/ping", "/v1/payments"]) {
      const wire = await client.wire(path);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(wire.received).toBe("");
      wire.giveUp();
      expect((await client.get(path)).status).toBe(200);
    }
  },

  async "dead-connection"(name) {
    const client = await sandbox().clientUnder(name);
    for (const path of ["/v1/ping", "/v1/payments"]) {
      const wire = await client.wire(path);
      // The connection is dead when its request is in the journal; another one is served.
      expect((await client.get(path)).status).toBe(200);
      wire.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect((await client.get("/v1/ping?again")).status).toBe(200);
      expect(wire.received).toBe("");
      wire.giveUp();
    }
  },

  async flaky(name) {
    const paths = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? "/v1/ping" : "/v1/payments?pageSize=2"));
    const [first = [], second] = await Promise.all(
      [1, 2].map(async () => outcomes(await sandbox().clientUnder(name, "flaky-1"), paths)),
    );
    expect(first).toEqual(second);
    expect(first.filter((outcome) => outcome === "200").length).toBeGreaterThan(20);
    expect(new Set(first).size).toBeGreaterThan(2);
    expect(await outcomes(await sandbox().clientUnder(name, "flaky-2"), paths)).not.toEqual(first);
  },

  async "rows-shift-while-paging"(name) {
    const rows = await allRows();
    const pages = await walk(await sandbox().clientUnder(name), list);
    expect(ids(pages.slice(0, 2))).toEqual([...rows.slice(0, 5), ...rows.slice(4, 9)]);
    expect(ids(pages)).toEqual([...rows.slice(0, 5), ...rows.slice(4, 9), ...rows.slice(10)]);
  },

  async "duplicate-rows"(name) {
    const rows = await allRows();
    const pages = await walk(await sandbox().clientUnder(name), list);
    for (const { json } of pages.slice(0, 2)) {
      expect(json.items).toHaveLength(5);
      expect([json.items[0], json.items[2]]).toEqual([json.items[1], json.items[3]]);
    }
    expect([...new Set(ids(pages))]).toEqual(rows);
  },

  async "empty-page-with-cursor"(name) {
    const rows = await allRows();
    const pages = await walk(await sandbox().clientUnder(name), list);
    expect(pages.map(({ json }) => json.items.length)).toEqual([5, 0, 5, 5, 5, 5]);
    expect(ids(pages)).toEqual(rows);
  },

  async "last-page-cursor-leads-nowhere"(name) {
    const rows = await allRows();
    const pages = await walk(await sandbox().clientUnder(name), list);
    expect(pages.map(({ json }) => json.items.length)).toEqual([5, 5, 5, 5, 5, 0]);
    expect(ids(pages)).toEqual(rows);
  },

  async "cursor-refused-once"(name) {
    const client = await sandbox().clientUnder(name);
    expect((await walk(client, list)).map(seen)).toEqual(["200", "200", "400 INVALID_CURSOR"]);
    expect(ids(await walk(client, list))).toEqual(await allRows());
  },

  async "filters-changed-at-page-2"(name) {
    const client = await sandbox().clientUnder(name);
    expect((await walk(client, list)).map(seen)).toEqual(["200", "400 CURSOR_FILTERS_CHANGED"]);
    expect(ids(await walk(client, list))).toEqual(await allRows());
  },

  "server-certificate-expired": (name) => failsToVerify(name, "CERT_HAS_EXPIRED"),
  "server-certificate-wrong-host": (name) => failsToVerify(name, "ERR_TLS_CERT_ALTNAME_INVALID"),
  async "handshake-hangs"(name) {
    const client = await sandbox().client();
    await sandbox().admin("PUT", "/scenario", { name });
    try {
      const held = await openTcp(client.port);
      held.send((await clientHello("localhost")).toString("latin1"));
      const recorded = async () =>
        ((await sandbox().admin("GET", "/handshakes?pageSize=1")) as Handshakes).items[0]?.cause;
      await eventually(async () => (await recorded()) === "held-by-scenario");
      expect(held.received).toBe("");
      held.socket.destroy();
      expect((await client.get("/v1/ping")).status).toBe(200);
    } finally {
      await sandbox().admin("DELETE", "/scenario");
    }
  },

  "server-certificate-renewed": (name) => meetsAnother(name),
  "server-ca-changes": (name) => meetsAnother(name, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
  "server-certificate-incomplete": (name) => failsToVerify(name, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
  "server-certificate-expired-intermediate": (name) => failsToVerify(name, "CERT_HAS_EXPIRED"),
  "server-certificate-self-signed": (name) => failsToVerify(name, "DEPTH_ZERO_SELF_SIGNED_CERT"),
  "server-certificate-not-yet-valid": (name) => failsToVerify(name, "CERT_NOT_YET_VALID"),
  "server-certificate-wrong-usage": (name) => failsToVerify(name, "INVALID_PURPOSE"),
  "server-certificate-untrusted": (name) => failsToVerify(name, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),

  async outage(name) {
    const client = await sandbox().client();
    await client.token();
    await client.freeze();
    await client.activate(name);
    await client.advance("14s");
    const down = await client.get("/v1/ping");
    expect([seen(down), down.headers["retry-after"]]).toEqual(["503 SERVICE_UNAVAILABLE", "2"]);
    await client.advance("1s");
    expect(await outcomes(client, ["/v1/ping", "/v1/payments"])).toEqual(["200", "200"]);
  },

  "token-revoked": endsToken,

  "token-ended-by-other-worker": endsToken,

  async "short-page"(name) {
    const pages = await walk(await sandbox().clientUnder(name), list);
    expect(pages.map(({ json }) => json.items.length)).toEqual([5, 3, 5, 5, 5, 2]);
    expect(ids(pages)).toEqual(await allRows());
  },

  async "cursor-loop"(name) {
    const pages = await walk(await sandbox().clientUnder(name), list);
    expect(pages).toHaveLength(21);
    expect(new Set(pages.map(({ json }) => json.nextCursor)).size).toBe(2);
  },

  async "cursor-advances"(name) {
    const pages = await walk(await sandbox().clientUnder(name), list);
    expect(ids(pages)).toEqual(await allRows());
    expect(new Set(pages.map(({ json }) => json.nextCursor)).size).toBe(2);
  },

  // With lists that have links: server-cursor.test.ts.
  async "next-link-without-filters"(name) {
    const pages = await walk(await sandbox().clientUnder(name), list);
    expect(ids(pages)).toEqual(await allRows());
  },

  async "rate-limited-with-date"(name) {
    const client = await sandbox().clientUnder(name);
    const begin = Date.now();
    await client.freeze();
    for (let request = 0; request < 4; request++) expect((await client.get("/v1/ping")).status).toBe(200);
    const refused = await client.get("/v1/ping");
    expect(seen(refused)).toBe("429 TOO_MANY_REQUESTS");
    expect(Date.parse(refused.headers["retry-after"] ?? "")).toBeGreaterThanOrEqual(begin - 1000);
  },

  async "too-many-at-once"(name) {
    const client = await sandbox().client();
    const together = () => Promise.all(Array.from({ length: 12 }, async () => (await client.get("/v1/ping")).status));
    // Opens the connections, so that the others are sent at once.
    await together();
    await client.activate(name);
    expect(new Set(await together())).toEqual(new Set([200, 429]));
  },

  async "unknown-field"(name) {
    const client = await sandbox().client();
    await client.activate(name);
    expect((await client.postToken()).json.apiRevision).toBe("2031-01");
    expect((await client.get("/v1/ping")).json.apiRevision).toBe("2031-01");
    const page = await client.get(list);
    expect(page.json).toMatchObject({ apiRevision: "2031-01", items: [{ riskScore: { value: 7 } }, {}, {}, {}, {}] });
  },

  async "null-field"(name) {
    const { json } = await (await sandbox().clientUnder(name)).get(list);
    expect(json.items.map(({ reference }: { reference: null }) => reference)).toEqual([null, null, null, null, null]);
  },

  async "refresh-token-offered"(name) {
    const client = await sandbox().clientUnder(name);
    expect((await client.postToken()).json.refresh_token).toEqual(expect.any(String));
  },

  forbidden: (name) => refuses(name, ["/v1/ping", ...lists], "403 FORBIDDEN"),
  "unauthorized-always": (name) => refuses(name, ["/v1/ping", ...lists], "401 UNAUTHORIZED"),

  async redirected(name) {
    const client = await sandbox().clientUnder(name);
    for (const path of ["/v1/ping", "/v1/payments?pageSize=3"]) {
      const { status, headers, text } = await client.get(path);
      expect([status, text]).toEqual([307, ""]);
      expect(headers["location"]).toMatch(/^https:\/\/(127\.0\.0\.1|localhost):\d+\/v1\//);
      expect(headers["location"]?.endsWith(path)).toBe(true);
      expect(await outcomes(client, [path])).toEqual(["200"]);
    }
  },

  async "html-page-with-200"(name) {
    const client = await sandbox().clientUnder(name);
    const { status, headers, text } = await client.get(list);
    expect([status, headers["content-type"]]).toEqual([200, "text/html"]);
    expect(text).toMatch(/^<html>.*<\/html>$/);
    expect((await client.get(list)).json.items).toHaveLength(5);
  },

  async "token-not-json"(name) {
    const client = await sandbox().client();
    await client.activate(name);
    const { status, text } = await client.postToken();
    expect([status, text]).toEqual([200, expect.stringMatching(/^<html>/)]);
    expect((await client.postToken()).json.token_type).toBe("bearer");
  },

  async "token-connection-reset"(name) {
    const client = await sandbox().client();
    await client.activate(name);
    await expect(client.postToken()).rejects.toThrow();
    expect((await client.postToken()).status).toBe(200);
  },

  async "token-lifetime-as-text"(name) {
    const client = await sandbox().clientUnder(name);
    expect((await client.postToken()).json.expires_in).toBe("300");
  },

  async "reserved-cursors"(name) {
    const client = await sandbox().clientUnder(name);
    const { json } = await client.get(list);
    expect(json.nextCursor).toMatch(/^a\+b\/c=%2B[\w-]+$/);
    expect(await outcomes(client, [`${list}&cursor=${json.nextCursor}`])).toEqual(["400 INVALID_CURSOR"]);
    const second = await client.get(`${list}&cursor=${encodeURIComponent(json.nextCursor)}`);
    expect(ids([second])).toEqual((await allRows()).slice(5, 10));
  },

  async "cursor-refused-always"(name) {
    const client = await sandbox().clientUnder(name);
    for (const _ of [1, 2]) {
      const pages = await walk(client, list);
      expect(pages.map(seen)).toEqual(["200", "200", "400 INVALID_CURSOR"]);
    }
  },

  async "later-page-fails"(name) {
    const client = await sandbox().clientUnder(name);
    for (const _ of [1, 2]) {
      const pages = await walk(client, list);
      expect(pages.map(seen)).toEqual(["200", "200", "500 INTERNAL_SERVER_ERROR"]);
    }
    expect(await outcomes(client, ["/v1/ping"])).toEqual(["200"]);
  },

  async "token-type-capitalised"(name) {
    const client = await sandbox().clientUnder(name);
    const { json } = await client.postToken();
    expect(json.token_type).toBe("Bearer");
    expect((await client.getWith(json.access_token, "/v1/ping")).status).toBe(200);
  },

  async "announced-lifetime-differs"(name) {
    const client = await sandbox().clientUnder(name);
    expect((await client.postToken()).json.expires_in).toBe(2);
    await client.token(true);
    await client.advance("60s");
    expect(await outcomes(client, ["/v1/ping"])).toEqual(["200"]);
  },
};

describe("each built-in scenario", () => {
  it("is observed", () => {
    // Each rule of `everything` is observed in every-rule.night.test.ts.
    expect([...Object.keys(observations), "everything"].sort()).toEqual([...names].sort());
  });

  it.each(Object.keys(observations))("%s", { tags: "slow" }, async (name) => {
    await observations[name]?.(name);
  });
});
