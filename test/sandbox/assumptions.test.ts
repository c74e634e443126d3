import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { protocolErrorParts } from "../../src/sandbox/api/error-response.js";
import type { Assumption } from "../../src/sandbox/assumptions/assumption.js";
import {
  assumption,
  assumptionIds,
  configurationKey,
  defaultAssumptions,
  type ErrorAssumptionId,
  type ValueAssumptionId,
} from "../../src/sandbox/assumptions.js";
import { fileSchema } from "../../src/sandbox/config/schema.js";
import { noPeer } from "../../src/sandbox/connection/peer.js";
import { codeOf, errorCodes, errorFacts, isErrorCode } from "../../src/sandbox/errors.js";
import { Exchange } from "../../src/sandbox/journal/exchange.js";
import { HttpsClient } from "../support/https-client.js";
import { readToken, signToken } from "./conformance/forged-tokens.js";
import { goodForm, openSandbox, type RunningSandbox, tokenPath } from "./conformance/sandbox.js";

const errorIds = assumptionIds.filter((id): id is ErrorAssumptionId => "error" in assumption(id));
const valueIds = assumptionIds.filter((id): id is ValueAssumptionId => "value" in assumption(id));
const valueEntry = (id: ValueAssumptionId) => assumption(id) as Extract<Assumption, { another: unknown }>;

describe("the table", () => {
  it("each point names its section, the choice and the reason", () => {
    for (const id of assumptionIds) {
      const { section, point, choice, why } = assumption(id);
      expect(id).toMatch(/^[a-z]+\.[a-z-]+$/);
      expect(section).toMatch(/^\d+(\.\d+)?( (rule|point) \d+)?$/);
      for (const text of [point, choice, why]) expect(text.length).toBeGreaterThan(1);
    }
  });

  it("the code of each refusal is in the table of errors, with the status that the choice names", () => {
    for (const id of errorIds) {
      const { choice, error } = assumption(id) as Extract<Assumption, { error: string }>;
      if (!isErrorCode(error)) throw new Error(`${id} names the unknown code ${error}.`);
      expect(`${id}: ${choice}`).toContain(`${errorFacts(error).status} ${error}`);
    }
  });

  it("each code is based on §7, on an assumption that is a refusal, or on the sandbox's own controls", () => {
    for (const code of errorCodes) {
      const { basis } = errorFacts(code);
      if (basis !== "§7" && basis !== "sandbox") expect(errorIds).toContain(basis);
    }
    // The six codes of §7, and no others.
    const ofInterface = errorCodes.filter((code) => errorFacts(code).basis === "§7");
    expect(ofInterface).toEqual([
      "VALIDATION_ERROR",
      "INVALID_CORRELATION_ID",
      "INVALID_PAGE_SIZE",
      "INVALID_CURSOR",
      "CURSOR_FILTERS_CHANGED",
      "EXAMPLE_ERROR",
    ]);
    for (const code of ofInterface) expect(errorFacts(code).status).toBe(400);
  });

  it.each(valueIds)("the schema of %s permits both of its values", (id) => {
    const { value, another } = valueEntry(id);
    const schema = fileSchema.shape.assumptions;
    for (const one of [value, another.value]) expect(schema.parse({ [id]: one })).toEqual({ [id]: one });
  });

  it("the schema knows the configuration key of each", () => {
    const known = Object.keys(fileSchema.shape);
    for (const id of assumptionIds) {
      const key = configurationKey(id);
      if (key !== null) expect(known).toContain(/^\w+/.exec(key)?.[0]);
    }
    const assumptions = fileSchema.shape.assumptions.unwrap().shape;
    expect(Object.keys(assumptions).sort()).toEqual([...errorIds, ...valueIds].sort());
  });
});

/** Each refusal gets a unique status, code and message. */
const overrides = Object.fromEntries(
  errorIds.map((id, index) => [
    id,
    { status: 440 + index, code: `OTHER_${index}`, message: `Said otherwise ${index}.` },
  ]),
);

/**
 * Requests that cause a refusal, where it is not the one of the page about its code, and where no scenario is needed: a
 * code without a request is injected.
 */
const provocations: { readonly [Id in ErrorAssumptionId]?: (sandbox: RunningSandbox) => Promise<ProvokedAnswer> } = {
  "token.media-type": (sandbox) => sandbox.send(tokenPath, { method: "POST", body: goodForm() }),
  "token.unauthorized-client": (sandbox) => sandbox.postToken(goodForm("grantless"), { as: "unregistered" }),
  "bearer.invalid-token": (sandbox) => sandbox.send("/v1/ping", { token: "x" }),
  "bearer.missing-token": (sandbox) => sandbox.send("/v1/ping"),
  "bearer.other-certificate": async (sandbox) =>
    sandbox.send("/v1/ping", { token: await sandbox.token(), as: "other" }),
  "certificate.ended": (sandbox) => sandbox.postToken(goodForm(), { as: "expired" }),
  "bearer.insufficient-scope": async (sandbox) => {
    const { header, claims } = readToken(await sandbox.token());
    const key = createPrivateKey(sandbox.file("token-signing.key.pem"));
    return sandbox.send("/v1/ping", { token: signToken(header, { ...claims, scope: "other" }, key) });
  },
  "bearer.invalid-request": (sandbox) => sandbox.send("/v1/ping?access_token=x"),
  "ping.produce-error": async (sandbox) => sandbox.send("/v1/ping?produceError=x", { token: await sandbox.token() }),
  "list.unknown-parent": async (sandbox) => sandbox.send("/v1/a/c/rows", { token: await sandbox.token() }),
  "http.bad-request": (sandbox) => raw(sandbox, "GET / HTTP/1.1\r\n\r\n"),
};

/** Causes a refusal. */
async function provoke(id: ErrorAssumptionId, sandbox: RunningSandbox): Promise<ProvokedAnswer> {
  const own = provocations[id];
  if (own) return own(sandbox);
  const code = codeOf(id);
  const { request, basis } = errorFacts(code);
  if (basis !== id) throw new Error(`No request causes ${id}: add one to the provocations of this test.`);
  return request ? sandbox.sendErrorRequest(request) : injected(sandbox, code);
}

interface ProvokedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

async function raw(sandbox: RunningSandbox, text: string): Promise<ProvokedAnswer> {
  const [answer] = await sandbox.raw(text);
  if (!answer) throw new Error("There was no answer.");
  return { ...answer, text: answer.body };
}

/** Uses a scenario, which injects the error of a code as the service would send it. */
async function injected(sandbox: RunningSandbox, code: string): Promise<ProvokedAnswer> {
  const name = code.toLowerCase().replaceAll("_", "-");
  const headers = { "Sandbox-Scenario": `own-${name}` };
  return sandbox.send("/v1/ping", { token: await sandbox.token(), headers });
}

describe("every refusal can be configured", () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    // A client without a grant, with a certificate that already exists.
    const first = await openSandbox();
    const pem = first.file("misfits/unregistered/cert.pem");
    const certs = first.certs;
    sandbox = await openSandbox({
      certs,
      files: {
        "grantless.pem": pem,
        ...Object.fromEntries(
          ["TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE", "INTERNAL_SERVER_ERROR", "REQUEST_TIMEOUT"].map((code) => [
            `scenarios/own-${code.toLowerCase().replaceAll("_", "-")}.yaml`,
            `description: One error.\nrules:\n  - name: it\n    then: { error: ${code} }\n`,
          ]),
        ),
      },
      yaml: JSON.stringify({
        assumptions: overrides,
        lists: { rows: { path: "/v1/a/{a}/rows", dateField: null, items: [{ a: "b" }] } },
        clients: [{ clientId: "grantless", certificates: ["grantless.pem"], grantTypes: [] }],
      }),
    });
    return () => first.close();
  });
  afterAll(() => sandbox?.close());

  it.each(errorIds)("%s: status, code and message", async (id) => {
    const answer = await provoke(id, sandbox);
    const { status, code, message } = overrides[id] ?? {};
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, expect.objectContaining({ code, message })]);
    expect(String(answer.headers["sandbox-assumed"]).split(", ")[0]).toBe(id);
  });

  it("refusals that no request can cause in a test's time are checked in the table", () => {
    const settings = { ...defaultAssumptions(), errors: overrides };
    for (const [id, code] of [
      ["http.request-timeout", "REQUEST_TIMEOUT"],
      ["http.internal-error", "INTERNAL_SERVER_ERROR"],
    ] as const) {
      const exchange = new Exchange(noPeer, "GET", "/", [], 0);
      const parts = protocolErrorParts({ code, reason: "Too slow." }, exchange, settings, false);
      expect(parts).toMatchObject({ status: overrides[id]?.status, code: overrides[id]?.code });
    }
  });

  it("a partial override leaves the rest unchanged", async () => {
    const own = await openSandbox({
      certs: sandbox.certs,
      yaml: "assumptions:\n  http.not-found: { status: 410 }\n  bearer.missing-token: { code: NO_TOKEN }\n",
    });
    const answer = await own.send("/nothing");
    expect([answer.status, answer.json]).toEqual([
      410,
      { message: "There is nothing at this path.", code: "NOT_FOUND" },
    ]);
    const missing = await own.send("/v1/ping");
    expect([missing.status, missing.json.code, missing.headers["www-authenticate"]]).toEqual([
      401,
      "NO_TOKEN",
      'Bearer realm="payments"',
    ]);
    await own.close();
  });
});

describe("the body of a refusal", () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    const yaml = `assumptions:
  http.not-found: { body: none }
  bearer.missing-token: { body: code, wwwAuthenticate: none }
  token.invalid-client: { error: unauthorized_client }
`;
    sandbox = await openSandbox({ yaml });
  });
  afterAll(() => sandbox?.close());

  it("can be left out, together with its type", async () => {
    const answer = await sandbox.send("/nothing");
    expect([answer.status, answer.text, answer.headers["content-type"]]).toEqual([404, "", undefined]);
  });

  it("can have only the code, and an answer without a challenge", async () => {
    const answer = await sandbox.send("/v1/ping");
    expect([answer.json, answer.headers["www-authenticate"]]).toEqual([{ code: "UNAUTHORIZED" }, undefined]);
  });

  it("can have another code of RFC 6749", async () => {
    const { json } = await sandbox.postToken(goodForm(), { as: "other" });
    expect(json).toMatchObject({ code: "INVALID_CLIENT", error: "unauthorized_client" });
  });
});

/** Their refusal names them, and with the other value there is none: see conformance/assumed-answers-say-so.test.ts. */
const namedByUsualValue: readonly ValueAssumptionId[] = ["certificate.validity", "certificate.usage"];

/** A client whose certificate was replaced while its connection was open, and the status of its next request. */
async function rotated(sandbox: RunningSandbox) {
  // biome-ignore lint/suspicious/noExplicitAny: the answers of the admin API are of many kinds
  const ask = async (method: string, path: string): Promise<any> => {
    const body = method === "GET" ? {} : { body: "{}", headers: { "Content-Type": "application/json" } };
    return (await fetch(`${sandbox.adminUrl}${path}`, { method, ...body })).json();
  };
  const { clientId, certificate: cert, key } = await ask("POST", "/clients");
  const again = () => new HttpsClient(sandbox.url, { ca: sandbox.ca, identity: { cert, key } });
  const client = again();
  const requestToken = () =>
    client.send(tokenPath, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...correlated.headers },
      body: goodForm(clientId),
    });
  expect((await requestToken()).status).toBe(200);
  await ask("POST", `/clients/${clientId}/rotate`);
  return { client, again, ask, refused: (await requestToken()).status };
}

/**
 * A request that shows the effect of the other value of each choice. One sandbox has all of these values at once, so each
 * effect is seen beside the others.
 */
const effects: Readonly<Record<ValueAssumptionId, (sandbox: RunningSandbox) => Promise<void>>> = {
  "token.error-body": async (sandbox) => {
    expect(Object.keys((await sandbox.postToken("", correlated)).json)).toEqual(["error", "error_description"]);
  },
  "token.format": async (sandbox) => {
    const token = (await sandbox.postToken(goodForm(), correlated)).json.access_token;
    expect(readToken(token).claims).toMatchObject({ iss: "https://issuer.test", aud: "everybody" });
    expect((await sandbox.send("/v1/ping", { token, ...correlated })).status).toBe(207);
  },
  "token.lifetime": async (sandbox) => {
    // A token that is given again has less time left.
    await fetch(`${sandbox.adminUrl}/reset?client=demo`, { method: "POST" });
    const { json } = await sandbox.postToken(goodForm(), correlated);
    const { iat, exp } = readToken(json.access_token).claims as { iat: number; exp: number };
    expect([Number(json.expires_in), exp - iat]).toEqual([60, 60]);
  },
  "token.client-secret": async (sandbox) => {
    expect((await sandbox.postToken(`${goodForm()}&client_secret=x`, correlated)).status).toBe(200);
  },
  "token.json-body": async (sandbox) => {
    const headers = { ...correlated.headers, "Content-Type": "application/json" };
    const post = (body: string) => sandbox.send(tokenPath, { method: "POST", body, headers });
    const form = JSON.stringify(Object.fromEntries(new URLSearchParams(goodForm())));
    expect((await post(form)).status).toBe(200);
    expect((await post("[]")).status).toBe(400);
    expect((await sandbox.send(tokenPath, { method: "POST", body: goodForm(), ...correlated })).status).toBe(400);
  },
  "token.earlier": async (sandbox) => {
    const ask = async (more: Readonly<Record<string, string>> = {}) =>
      (await sandbox.postToken(goodForm(), { headers: { ...correlated.headers, ...more } })).json.access_token;
    // Without the scenario, the second request gets the first token.
    const tokens = [await ask(), await ask({ "Sandbox-Scenario": "wrong-token-type" })];
    expect((await sandbox.send("/v1/ping", { token: tokens[0], ...correlated })).status).toBe(401);
    expect((await sandbox.send("/v1/ping", { token: tokens[1], ...correlated })).status).toBe(207);
  },
  "token.repeated": async (sandbox) => {
    const ask = async () => (await sandbox.postToken(goodForm(), correlated)).json.access_token;
    expect(await ask()).toBe(await ask());
  },
  "token.expires-in": async (sandbox) => {
    await fetch(`${sandbox.adminUrl}/reset?client=demo`, { method: "POST" });
    const { text } = await sandbox.postToken(goodForm(), correlated);
    expect(text).toMatch(/"expires_in":"60"/);
  },
  "http.head": async (sandbox) => {
    const token = (await sandbox.postToken(goodForm(), correlated)).json.access_token;
    const answer = await sandbox.send("/v1/payments", { method: "HEAD", token, ...correlated });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect((await sandbox.send(tokenPath, { method: "HEAD", ...correlated })).status).toBe(405);
  },
  "http.compression": async (sandbox) => {
    const headers = { ...correlated.headers, "Accept-Encoding": "gzip" };
    const answer = await sandbox.unchecked("/v1/ping", { headers });
    expect(answer.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  },
  "token.cache-headers": async (sandbox) => {
    const { headers } = await sandbox.postToken(goodForm(), correlated);
    expect([headers["cache-control"], headers["pragma"]]).toEqual([undefined, undefined]);
  },
  "bearer.other-scheme": async (sandbox) => {
    const challenges = await Promise.all(
      ["Basic eDp5", "Bearer", "Bearer x"].map(async (authorization) => {
        const headers = { ...correlated.headers, Authorization: authorization };
        return (await sandbox.send("/v1/ping", { headers })).headers["www-authenticate"];
      }),
    );
    expect(challenges).toEqual([
      'Bearer error="invalid_token"',
      'Bearer realm="payments"',
      'Bearer error="invalid_token"',
    ]);
  },
  "certificate.validity": async (sandbox) => {
    for (const as of ["expired", "not-yet-valid"] as const) {
      expect((await sandbox.postToken(goodForm(), { as, ...correlated })).status).toBe(200);
    }
  },
  "certificate.usage": async (sandbox) => {
    const answer = await sandbox.postToken(goodForm(), { as: "wrong-usage", ...correlated });
    expect(answer.status).toBe(200);
  },
  "certificate.end": async (sandbox) => {
    const { client, ask } = await rotated(sandbox);
    client.close();
    const { items } = await ask("GET", "/requests?operation=token&status=4xx");
    expect(items[0].explanation).toContain("It is refused like one that was revoked.");
  },
  "certificate.end-refusal": async (sandbox) => {
    const { again, ask } = await rotated(sandbox);
    await expect(again().send("/v1/ping", correlated)).rejects.toThrow();
    const { items } = await ask("GET", "/handshakes");
    expect(items[0]).toMatchObject({ cause: "client-certificate-ended" });
    expect(items[0].explanation).toContain("another certificate has replaced it");
  },
  "certificate.old-connection": async (sandbox) => {
    // The first request after the rotation is refused over the open connection. The next one needs another connection.
    const { client, refused } = await rotated(sandbox);
    expect(refused).toBe(400);
    await expect(client.send("/v1/ping", correlated)).rejects.toThrow();
    client.close();
  },
  "certificate.old-ca": async () => {
    // Its own sandbox: the cut ends the certificates of all clients.
    const own = await openSandbox({ yaml: "assumptions: { certificate.old-ca: end }" });
    try {
      const cut = { issuer: "next-ca" };
      const answer = await fetch(`${own.adminUrl}/server/certificate`, {
        method: "POST",
        body: JSON.stringify(cut),
        headers: { "Content-Type": "application/json" },
      });
      expect(await answer.json()).toMatchObject(cut);
      const { items } = (await (await fetch(`${own.adminUrl}/clients`)).json()) as {
        items: { clientId: string; certificates: { ends: unknown }[] }[];
      };
      expect(JSON.stringify(items.find(({ clientId }) => clientId === "demo"))).toContain("revoked");
    } finally {
      await own.close();
    }
  },
  "correlation.header": async (sandbox) => {
    const answer = await sandbox.send("/nothing", { headers: { "X-Trace": "abc-1" } });
    expect([answer.headers["x-trace"], answer.headers["x-correlation-id"]]).toEqual(["abc-1", undefined]);
    const token = (await sandbox.postToken(goodForm(), correlated)).json.access_token;
    const twice = ["X-Trace: abc-1", "X-Trace: abc-1", `Authorization: Bearer ${token}`];
    expect((await sandbox.get("/v1/ping", twice)).status).toBe(400);
  },
  "correlation.format": async (sandbox) => {
    const token = (await sandbox.postToken(goodForm(), correlated)).json.access_token;
    const codeOf = async (id: string) =>
      (await sandbox.send("/v1/ping", { token, headers: { "X-Trace": id } })).json.code;
    expect([await codeOf("abc-1"), await codeOf("x")]).toEqual([undefined, undefined]);
    for (const id of ["abc-12", "abc-", "xx", "Abc-1", "0b9f2c7e-5d3a-4f61-9b0e-2f6a1c8d7e55"]) {
      expect(await codeOf(id)).toBe("INVALID_CORRELATION_ID");
    }
  },
  "correlation.required": async (sandbox) => {
    const answer = await sandbox.postToken(goodForm());
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_CORRELATION_ID"]);
    expect((await sandbox.postToken(goodForm(), correlated)).status).toBe(200);
  },
  "list.dates": async (sandbox) => {
    const token = (await sandbox.postToken(goodForm(), correlated)).json.access_token;
    const path = "/v1/payments?fromCreatedAt=2026-01-31&toCreatedAt=2026-02-01T00:00:00";
    expect((await sandbox.send(path, { token, ...correlated })).status).toBe(200);
  },
  "request.unknown-parameters": async (sandbox) => {
    const token = (await sandbox.postToken(goodForm(), correlated)).json.access_token;
    expect((await sandbox.send("/v1/ping?x=1", { token, ...correlated })).status).toBe(400);
  },
  "ping.response": async (sandbox) => {
    const token = (await sandbox.postToken(goodForm(), correlated)).json.access_token;
    const answer = await sandbox.send("/v1/ping", { token, ...correlated });
    expect([answer.status, answer.text]).toEqual([207, '["pong",{"at":null}]']);
  },
};

const correlated = { headers: { "X-Trace": "abc-1" } };

describe("every choice with a value can be configured", () => {
  const others = Object.fromEntries(valueIds.map((id) => [id, valueEntry(id).another.value]));
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({ yaml: JSON.stringify({ assumptions: others }) });
  });
  afterAll(() => sandbox?.close());

  it.each(valueIds.map((id) => ({ id, ...valueEntry(id).another })))("$id: $effect", async ({ id, value }) => {
    expect(value).not.toEqual(defaultAssumptions().values[id]);
    await effects[id](sandbox);
    if (valueEntry(id).named?.startsWith("no answer") || namedByUsualValue.includes(id)) return;
    const answers = await fetch(
      `${sandbox.adminUrl}/requests?q=${encodeURIComponent(`header:sandbox-assumed=*${id}*`)}`,
    );
    const { items } = (await answers.json()) as { items: readonly unknown[] };
    const fix = `no answer to a request of its effect names ${id} in Sandbox-Assumed, which markOf makes`;
    expect(items, fix).not.toEqual([]);
  });

  it("assumedHeader: false removes Sandbox-Assumed", async () => {
    const own = await openSandbox({ certs: sandbox.certs, yaml: "assumedHeader: false" });
    for (const answer of [await own.send("/nothing"), await own.postToken(goodForm())]) {
      expect(answer.headers["sandbox-assumed"]).toBeUndefined();
    }
    await own.close();
  });
});

describe("the body of ping can be any JSON, or empty", () => {
  it.each([
    ["body: null", 200, "null"],
    ["status: 204", 204, ""],
  ])("%s", async (text, status, body) => {
    const sandbox = await openSandbox({ yaml: `assumptions:\n  ping.response: { ${text} }\n` });
    const answer = await sandbox.send("/v1/ping", { token: await sandbox.token() });
    expect([answer.status, answer.text]).toEqual([status, body]);
    await sandbox.close();
  });
});

it("the table of assumptions in docs/reference/assumptions.md names each of them", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/reference/assumptions.md"), "utf8");
  for (const id of assumptionIds) expect(page).toContain(id);
});
