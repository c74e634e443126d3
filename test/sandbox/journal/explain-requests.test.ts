import { beforeAll, describe, expect, it } from "vitest";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import { type ApiClient, start, startShared, type TestSandbox } from "../../admin/fixture.js";
import { newestExplanation } from "./explained.js";

let sandbox: TestSandbox;
let demo: ApiClient;
let token: string;

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
  token = await demo.token();
});

const bearer = () => ({ Authorization: `Bearer ${token}` });

it("the name of a parameter is only a name", async () => {
  await demo.send("/oauth/v2/oauth-token", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "constructor=%FF",
  });
  expect(await newestExplanation(sandbox)).not.toContain("native code");
});

/** What is sent, and what the explanation must say: the cause, and how to fix it. */
const refusals: readonly [what: string, send: () => Promise<unknown>, expected: readonly string[]][] = [
  [
    "no token",
    () => demo.send("/v1/ping"),
    [
      "no Authorization header was sent",
      "Get one from POST /oauth/v2/oauth-token",
      "send `Authorization: Bearer TOKEN`",
    ],
  ],
  [
    "another scheme",
    () => demo.send("/v1/ping", { headers: { Authorization: "Basic abc" } }),
    ["does not have the form `Bearer TOKEN`"],
  ],
  [
    "no token after the scheme",
    () => demo.send("/v1/ping", { headers: { Authorization: "Bearer a b" } }),
    ["is not a token (RFC 6750 §2.1)"],
  ],
  [
    "a token that was sent twice",
    () => demo.send("/v1/ping", { headers: { Authorization: [`Bearer ${token}`, `Bearer ${token}`] } }),
    ["sent more than once", "Send it once"],
  ],
  [
    "a token in the URL",
    () => demo.send(`/v1/ping?access_token=${token}`),
    ["as a query parameter", "in the Authorization header only"],
  ],
  ["what is not a token", () => demo.ping("abc"), ["is not one of this sandbox", "Get a new one"]],
  [
    "an altered token",
    () => demo.ping(`${token.slice(0, -8)}AAAAAAAA`),
    ["its signature does not fit", "altered, or signed by another key", "Get a new one", "another certs folder"],
  ],
  [
    "an invalid correlation id",
    () => demo.send("/v1/ping", { headers: { ...bearer(), "X-Correlation-ID": "7" } }),
    ["it is not a UUID", "Send a UUID, once, or leave the header out."],
  ],
  [
    "produceError",
    () => demo.get("/v1/ping?produceError=true", token),
    ["asked for the example error with produceError=true"],
  ],
  [
    "produceError that is neither",
    () => demo.get("/v1/ping?produceError=1", token),
    ["neither true nor false", "Send produceError=true or produceError=false, once, or leave it out."],
  ],
  ["an unknown path", () => demo.send("/v1/Ping"), ["letter by letter", "/v1/ping", "/oauth/v2/oauth-token"]],
  ["another method", () => demo.send("/v1/ping", { method: "POST" }), ["answers to GET only", "POST was sent"]],
  ["no scope", () => demo.requestToken({ scope: "" }), ["it is missing", "Send scope=read once, in the body."]],
  [
    "more scope than permitted",
    () => demo.requestToken({ scope: "write" }),
    ['"write" is more than demo may ask for, which is "read"', "`scopes` in POST /clients"],
  ],
  [
    "another grant",
    () => demo.requestToken({ grant_type: "password" }),
    ['it is "password"', "Send grant_type=client_credentials once, in the body."],
  ],
  [
    "a client secret",
    () => demo.requestToken({ client_secret: "x" }),
    ["The client sent client_secret.", "by its certificate alone", "tls_client_auth"],
  ],
  [
    "a body of another type",
    () =>
      demo.send("/oauth/v2/oauth-token", {
        method: "POST",
        body: "{}",
        headers: { "Content-Type": "application/json" },
      }),
    ['sent as "application/json"', "Send Content-Type: application/x-www-form-urlencoded, in UTF-8."],
  ],
  [
    "a parameter in the URL",
    () =>
      demo.send("/oauth/v2/oauth-token?client_id=demo", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "",
      }),
    ["it was sent in the URL", "Send client_id=demo in the body, not in the URL."],
  ],
  ["a body that is too large", () => demo.requestToken({ note: "x".repeat(70_000) }), ["larger than 65536 bytes"]],
  ["a page size out of range", () => demo.get("/v1/payments?pageSize=101", token), ["from 1 to 100", '"101"']],
  [
    "dates in the wrong order",
    () => demo.get("/v1/payments?fromCreatedAt=2026-02-01T00:00:00Z&toCreatedAt=2026-01-01T00:00:00Z", token),
    [
      "'fromCreatedAt' (2026-02-01T00:00:00Z) is later than 'toCreatedAt' (2026-01-01T00:00:00Z)",
      "swap the two bounds",
    ],
  ],
  [
    "a date without a time",
    () => demo.get("/v1/payments?toCreatedAt=2026-02-01", token),
    ['"2026-02-01"', "a date-time such as"],
  ],
  [
    "an empty cursor",
    () => demo.get("/v1/payments?cursor=", token),
    ["The cursor is empty.", "Leave the parameter out for the first page"],
  ],
  [
    "an invalid cursor",
    () => demo.get("/v1/payments?cursor=abc", token),
    ["cut short, altered, or percent-encoded twice", "Start again without a cursor."],
  ],
];

describe("a refusal is explained", () => {
  it.each(refusals)("%s", async (_what, send, expected) => {
    await send();
    const explanation = await newestExplanation(sandbox);
    for (const part of expected) expect(explanation).toContain(part);
    expect(explanation).toMatch(/[.!?]$/);
  });

  it("a token that has expired: its client, its end, the sandbox's time, and the reason", async () => {
    const client = await sandbox.mint();
    const old = await client.token();
    await sandbox.admin.post(`/clients/${client.clientId}/clock`, { advance: "301s" });
    await client.ping(old);
    const date = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    expect(await newestExplanation(sandbox)).toMatch(
      new RegExp(
        `^The access token was issued to ${client.clientId} and expired at ${date}; at the sandbox it is ${date}, [12] s later\\. ` +
          "Tokens live 300 s: get a new one shortly before that, or on a 401\\. " +
          `The sandbox's clock for ${client.clientId} is 30[12] s ahead of the machine's: DELETE /clients/${client.clientId}/clock `,
      ),
    );
  });

  it("a token whose client was deleted", async () => {
    const client = await sandbox.mint({ clientId: "left" });
    const old = await client.token();
    await sandbox.admin.delete("/clients/left");
    await client.ping(old);
    expect(await newestExplanation(sandbox)).toContain(
      "It was registered for left, until it or the client was deleted",
    );
  });

  it("a scope that is too small", async () => {
    const client = await sandbox.mint({ scopes: ["read", "payments:write"] });
    const { json } = await client.requestToken({ scope: "payments:write" });
    await client.ping(json.access_token);
    expect(await newestExplanation(sandbox)).toBe(
      'The access token has the scope "payments:write"; this needs "read". Ask for scope=read.',
    );
  });

  it("a grant that is not permitted for the client", async () => {
    const own = await sandbox.mint({ clientId: "no-grant" });
    const client = sandbox.sandbox.explanations.clients.get("no-grant");
    Object.assign(client as object, { grantTypes: [] });
    await own.requestToken();
    expect(await newestExplanation(sandbox)).toContain(
      "registered without the grant client_credentials (`grantTypes` in sandbox.yaml)",
    );
  });
});

describe("a cursor that does not fit is explained", () => {
  let cursor: string;

  beforeAll(async () => {
    const page = await demo.get("/v1/payments?status=COMPLETED&pageSize=2", token);
    cursor = encodeURIComponent(page.json.nextCursor);
  });

  const cases: readonly [what: string, target: () => string, expected: string][] = [
    [
      "filters that were left out",
      () => `/v1/payments?cursor=${cursor}`,
      'at page 2: status was "COMPLETED" and is now not sent.',
    ],
    [
      "filters that changed",
      () => `/v1/payments?status=PENDING&cursor=${cursor}`,
      'status was "COMPLETED" and is now "PENDING".',
    ],
    [
      "filters that were added",
      () => `/v1/payments?status=COMPLETED&fromCreatedAt=2026-01-01T00:00:00Z&cursor=${cursor}`,
      'fromCreatedAt was not sent and is now "2026-01-01T00:00:00Z".',
    ],
    [
      "another list",
      () => `/v1/payouts?cursor=${cursor}`,
      "The cursor is from the list payments, and was sent to payouts.",
    ],
    [
      "two of them",
      () => `/v1/payments?cursor=${cursor}&cursor=${cursor}`,
      "Replace it in the URL of the next page instead of appending it.",
    ],
    ["one that was cut", () => `/v1/payments?cursor=${cursor.slice(0, -4)}`, "Send it exactly as it was received."],
  ];

  it.each(cases)("%s", async (_what, target, expected) => {
    await demo.get(target(), token);
    const explanation = await newestExplanation(sandbox);
    expect(explanation).toContain(expected);
    if (expected.includes("was")) expect(explanation).toMatch(/start again without one|Start again without a cursor/);
  });

  it("a cursor of another client", async () => {
    const other = await sandbox.standing("other");
    await other.get(`/v1/payments?status=COMPLETED&cursor=${cursor}`);
    expect(await newestExplanation(sandbox)).toContain("The cursor was given to the client demo, and other sent it.");
  });

  it("one that has expired, on a clock that was moved", async () => {
    const client = await sandbox.mint();
    const { nextCursor } = (await client.get("/v1/payments")).json;
    await sandbox.admin.post(`/clients/${client.clientId}/clock`, { advance: "25h" });
    await client.get(`/v1/payments?cursor=${encodeURIComponent(nextCursor)}`);
    const explanation = await newestExplanation(sandbox);
    expect(explanation).toContain("and was valid for 24 hours; at the sandbox it is ");
    expect(explanation).toContain("`lists.NAME.cursorLifetime` in sandbox.yaml");
    expect(explanation).toContain("is 25 hours ahead of the machine's");
  });

  it("one that is from the future, on a clock that was turned back", async () => {
    const client = await sandbox.mint();
    await sandbox.admin.put(`/clients/${client.clientId}/clock`, { offset: "30h" });
    const { nextCursor } = (await client.get("/v1/payments")).json;
    await sandbox.admin.delete(`/clients/${client.clientId}/clock`);
    await client.get(`/v1/payments?cursor=${encodeURIComponent(nextCursor)}`);
    expect(await newestExplanation(sandbox)).toContain("it is only ");
    expect(await newestExplanation(sandbox)).toContain("the clock was turned back");
  });

  it("one of another sandbox", async () => {
    const elsewhere = await start();
    const { nextCursor } = (await (await elsewhere.standing("demo")).get("/v1/payments")).json;
    await demo.get(`/v1/payments?cursor=${encodeURIComponent(nextCursor)}`, token);
    expect(await newestExplanation(sandbox)).toContain("made by a sandbox with another certs folder");
  });
});

describe("a correlation ID of another format is explained by that format", () => {
  const format = "[a-z]{3}-\\d+";

  it.each([
    [
      false,
      { "X-Correlation-ID": "x" },
      `it is not a match of ${format}. Send a match of ${format}, once, or leave the header out.`,
    ],
    [true, { "X-Correlation-ID": "x" }, `it is not a match of ${format}. Send a match of ${format}, once.`],
    [true, {}, `it is missing. Send a match of ${format}, once.`],
  ])("required: %s, %o", async (required, headers, expected) => {
    const { assumptions } = emptyFile;
    const values = { ...assumptions.values, "correlation.format": format, "correlation.required": required };
    const own = await start({ assumptions: { ...assumptions, values } });
    await (await own.standing("demo")).send("/oauth/v2/oauth-token", {
      method: "POST",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        ...headers,
      },
      body: "grant_type=client_credentials&client_id=demo&scope=read",
    });
    expect(await newestExplanation(own)).toContain(expected);
  });
});

describe("success is explained too", () => {
  it("a token, a page, an unknown parameter", async () => {
    await demo.token();
    expect(await newestExplanation(sandbox)).toMatch(
      /^A token was issued to demo, bound to the certificate of this connection, at /,
    );
    await demo.get("/v1/payments?page_size=5", token);
    expect(await newestExplanation(sandbox)).toBe(
      'Page 1 of payments was served to demo, up to 10 rows. There is no query parameter "page_size" (did you mean "pageSize"?).',
    );
  });

  it("a page of one row", async () => {
    await demo.get("/v1/payments?pageSize=1", token);
    expect(await newestExplanation(sandbox)).toBe("Page 1 of payments was served to demo, up to 1 row.");
  });

  it.each([
    ["a rate", { rateLimit: { limit: 9, per: "1m" } }],
    ["a number of open requests", { concurrency: { limit: 9 } }],
  ])("%s that was not reached, and one whose request was refused before", async (name, then) => {
    const client = await sandbox.mint();
    const scenario = `limit-${name.replaceAll(" ", "-")}`;
    const text = JSON.stringify({ description: "x", rules: [{ name: "it", ...{ then } }] });
    expect((await sandbox.admin.putYaml(`/scenarios/${scenario}`, text)).status).toBeLessThan(300);
    await sandbox.admin.put(`/clients/${client.clientId}/scenario`, { name: scenario });
    const own = await client.token();
    await client.get("/v1/payments", own);
    expect(await newestExplanation(sandbox)).toMatch(/matched, but did not act: the limit was not reached\.$/);
    await client.get("/v1/payments", "abc");
    expect(await newestExplanation(sandbox)).toMatch(/matched, but did not act\.$/);
  });

  it("a scenario that acted, and one that did not act", async () => {
    const client = await sandbox.mint({ seed: "s" });
    await sandbox.admin.put(`/clients/${client.clientId}/scenario`, { name: "invalid-cursor" });
    const { json } = await client.get("/v1/payments");
    expect(json.code).toBe("INVALID_CURSOR");
    expect(await newestExplanation(sandbox)).toBe(
      "The rule list of the scenario invalid-cursor acted: the error INVALID_CURSOR. Nothing was wrong with the request up to here. To repeat the fault, send the header Sandbox-Replay: invalid-cursor/list#1;seed=s.",
    );
    await client.get("/v1/payments", "abc");
    expect(await newestExplanation(sandbox)).toContain(
      "The rule invalid-cursor/list#2;seed=s matched, but did not act.",
    );
  });
});
