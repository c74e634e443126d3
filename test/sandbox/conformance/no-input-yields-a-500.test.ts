import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { anyText } from "../../support/any-text.js";
import { openTls, parseResponses } from "../../support/raw-client.js";
import { createHarness, type Harness } from "../api/harness.js";
import { sharedSandbox } from "./sandbox.js";

// §2.2: for any input, the answer is a success or an error of the table, never a failure of the service itself.
let harness: Harness;
let token: string;
let cursor: string;

beforeAll(async () => {
  harness = await createHarness();
  token = await harness.tokenFor();
  cursor = (await harness.send("/v1/payments", { token })).json.nextCursor;
});

/** Sends a request without the normalization of `Request` and `URL`: target and headers arrive unchanged. */
async function send(path: string, query: string, headers: readonly string[], body?: string | Uint8Array<ArrayBuffer>) {
  const { app, peers } = harness;
  const init = body === undefined ? {} : { method: "POST", body };
  const incoming = { url: query === "" ? path : `${path}?${query}` };
  const bindings = { peer: peers.demo, incoming, rawHeaders: headers };
  const response = await app.request(`https://localhost${path}`, init, bindings);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

function expectNoFailure({ status, body }: { status: number; body: unknown }): void {
  expect(status).toBeLessThan(500);
  if (status >= 400)
    expect(body).toMatchObject({ message: expect.any(String), code: expect.stringMatching(/^[A-Z_]+$/) });
}

/** Text that is similar to valid input: letters of the grammar, broken encodings, known names and values. */
const piece = fc.oneof(
  fc.constantFrom(
    "=",
    "&",
    "%",
    "+",
    ";",
    "%00",
    "%ff",
    "%c3",
    "%c3%a9",
    "%ed%a0%80",
    "%u0041",
    "%2",
    "\uD800",
    "\uFFFD",
    "é",
    "٣",
  ),
  fc.constantFrom("pageSize", "cursor", "fromCreatedAt", "toCreatedAt", "status", "produceError", "access_token"),
  fc.constantFrom("grant_type", "client_id", "scope", "client_secret", "client_credentials", "demo", "read", "true"),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "2026-01-31T09:30:00Z",
    "9999999999999999999999",
    "-1",
    "1e1",
  ),
  anyText({ maxLength: 12 }),
  fc.integer().map(String),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
const pairs = fc
  .array(fc.tuple(piece, piece), { maxLength: 8 })
  .map((all) => all.map(([name, value]) => `${name}=${value}`).join("&"));
/** Half a surrogate pair has no percent-encoding. */
const wellFormed = (value: string) => Buffer.from(value).toString();
const runs = { numRuns: 100 };

describe("property tests, without TLS", () => {
  it("the query", async () => {
    const authorized = () => ["Authorization", `Bearer ${token}`];
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(text, pairs),
        fc.constantFrom("/v1/ping", "/v1/payments", "/v1/payouts"),
        async (query, path) => {
          expectNoFailure(await send(path, query, authorized()));
        },
      ),
      runs,
    );
  });

  it("the cursor", async () => {
    const altered = fc.tuple(fc.nat(), fc.nat(), piece).map(([from, length, put]) => {
      const at = from % (cursor.length + 1);
      return cursor.slice(0, at) + put + cursor.slice(at + (length % 20));
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(altered, text, fc.base64String()), async (value) => {
        const answer = await send("/v1/payments", `cursor=${encodeURIComponent(wellFormed(value))}`, [
          "Authorization",
          `Bearer ${token}`,
        ]);
        expectNoFailure(answer);
        expect(answer.body.code).toBe(value === cursor ? undefined : "INVALID_CURSOR");
      }),
      runs,
    );
  });

  it("the form, as text and as bytes", async () => {
    const headers = ["Content-Type", "application/x-www-form-urlencoded"];
    const bytes = fc.uint8Array({ maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, pairs, bytes), fc.boolean(), async (body, announced) => {
        const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
        const framing = announced ? ["Content-Length", String(length)] : ["Transfer-Encoding", "chunked"];
        expectNoFailure(await send("/oauth/v2/oauth-token", "", [...headers, ...framing], body));
      }),
      runs,
    );
  });

  it("the headers", async () => {
    const name = fc.constantFrom(
      ...["Authorization", "authorization", "Content-Type", "Content-Length", "X-Correlation-ID", "Host", "Accept"],
      ...["Sandbox-Scenario", "Sandbox-Replay", "X-Forwarded-Client-Cert", "Transfer-Encoding", "Cookie"],
    );
    const value = fc.oneof(
      text,
      text.map((end) => `Bearer ${end}`),
      fc.constantFrom(
        "invalid-cursor/list#1;seed=x",
        "../../etc/passwd",
        "Basic x",
        "application/x-www-form-urlencoded",
      ),
      fc.tuple(text, text, text).map((parts) => `Bearer ${parts.join(".")}`),
    );
    const headers = fc.array(fc.tuple(name, value), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        headers,
        fc.constantFrom("/v1/ping", "/v1/payments", "/oauth/v2/oauth-token", "/x"),
        async (list, path) => {
          const body = path.startsWith("/oauth")
            ? "grant_type=client_credentials&client_id=demo&scope=read"
            : undefined;
          expectNoFailure(await send(path, "", list.flat(), body));
        },
      ),
      runs,
    );
  });

  it("the path", async () => {
    const path = fc.array(fc.oneof(piece, fc.constantFrom("/", "//", "/v1", "/ping", "..", ".", "*", ":")), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(path, async (parts) => {
        const { app, peers } = harness;
        const url = `/${parts.join("")}`;
        const response = await app.request(
          "https://localhost/v1/x",
          {},
          { peer: peers.demo, incoming: { url }, rawHeaders: [] },
        );
        expectNoFailure({ status: response.status, body: await response.json() });
      }),
      runs,
    );
  });
});

it("a failure of the sandbox itself reaches the TLS server, which answers with the error object instead of Hono's plain text", async () => {
  const broken = await createHarness();
  Object.assign(broken.service.scenarios, {
    isActiveFor: () => {
      throw new TypeError("broken");
    },
  });
  await expect(async () => broken.send("/v1/ping")).rejects.toThrow("broken");
});

describe("damaged requests over TLS", () => {
  const sandbox = sharedSandbox();

  it("each connection ends with answers below 500, and the sandbox still works", { tags: "slow" }, async () => {
    const genuine = await sandbox().token();
    const requests = [
      `GET /v1/payments?pageSize=3&status=FAILED HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${genuine}\r\n\r\n`,
      "POST /oauth/v2/oauth-token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 55\r\n\r\ngrant_type=client_credentials&client_id=demo&scope=read",
      "POST /oauth/v2/oauth-token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n37\r\ngrant_type=client_credentials&client_id=demo&scope=read\r\n0\r\n\r\n",
    ];
    const damage = fc.record({
      request: fc.constantFrom(...requests),
      at: fc.nat(),
      removed: fc.nat({ max: 12 }),
      put: fc.oneof(
        fc.string({ unit: "binary-ascii", maxLength: 6 }),
        fc.constantFrom("\r\n", "\n", "\0", "\r", " ", ":", "\xff"),
      ),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ request, at, removed, put }) => {
        const place = at % request.length;
        const text = request.slice(0, place) + put + request.slice(place + removed);
        const { port, ca } = sandbox();
        const client = await openTls({ port, ca, ...sandbox().identity("demo") });
        client.send(text);
        // The server may wait for the rest of a request: the end of the input ends the wait.
        client.socket.end();
        await client.closed;
        for (const { status, headers, body } of parseResponses(client.received)) {
          expect(headers["x-correlation-id"]).toBeDefined();
          expectNoFailure({ status, body: JSON.parse(body) });
        }
      }),
      { numRuns: 120 },
    );
    expect((await sandbox().send("/v1/ping", { token: genuine })).status).toBe(200);
  });
});
