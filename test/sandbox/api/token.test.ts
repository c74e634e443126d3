import { describe, expect, it } from "vitest";
import { certificatePeer, createHarness, start } from "./harness.js";

const good = "grant_type=client_credentials&client_id=demo&scope=read";

describe("a good token request", () => {
  it("is answered with exactly the fields of §2.1, not to be stored", async () => {
    const { postToken } = await createHarness();
    const answer = await postToken(good);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: "bearer",
      expires_in: 300,
      scope: "read",
    });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("pragma")).toBe("no-cache");
    expect(answer.headers.get("sandbox-assumed")).toBeNull();
  });

  it("accepts a charset, any case and order, empty and unknown parameters, and plus for space", async () => {
    const { postToken } = await createHarness();
    const answer = await postToken(
      "scope=read+other&foo=1&foo=2&resource=&client_id=demo&grant_type=client_credentials&&",
      {
        headers: [],
      },
    );
    expect(answer.json.scope).toBe("read other");
  });

  it("names each scope once", async () => {
    const { postToken } = await createHarness();
    expect((await postToken("grant_type=client_credentials&client_id=demo&scope=read+read")).json.scope).toBe("read");
  });
});

describe("a token request that is refused", () => {
  const refusals: [name: string, body: string, status: number, code: string, error: string][] = [
    ["grant_type missing", "client_id=demo&scope=read", 400, "INVALID_REQUEST", "invalid_request"],
    ["grant_type empty", "grant_type=&client_id=demo&scope=read", 400, "INVALID_REQUEST", "invalid_request"],
    [
      "another grant",
      "grant_type=password&client_id=demo&scope=read",
      400,
      "UNSUPPORTED_GRANT_TYPE",
      "unsupported_grant_type",
    ],
    [
      "refresh",
      "grant_type=refresh_token&client_id=demo&scope=read",
      400,
      "UNSUPPORTED_GRANT_TYPE",
      "unsupported_grant_type",
    ],
    ["client_id missing", "grant_type=client_credentials&scope=read", 400, "INVALID_REQUEST", "invalid_request"],
    ["scope missing", "grant_type=client_credentials&client_id=demo", 400, "INVALID_SCOPE", "invalid_scope"],
    [
      "scope unknown",
      "grant_type=client_credentials&client_id=demo&scope=write",
      400,
      "INVALID_SCOPE",
      "invalid_scope",
    ],
    [
      "scope half known",
      "grant_type=client_credentials&client_id=demo&scope=read+write",
      400,
      "INVALID_SCOPE",
      "invalid_scope",
    ],
    [
      "scope in another case",
      "grant_type=client_credentials&client_id=demo&scope=READ",
      400,
      "INVALID_SCOPE",
      "invalid_scope",
    ],
    ["scope of spaces", "grant_type=client_credentials&client_id=demo&scope=+", 400, "INVALID_SCOPE", "invalid_scope"],
    ["client_id repeated", `${good}&client_id=demo`, 400, "INVALID_REQUEST", "invalid_request"],
    ["scope repeated", `${good}&scope=read`, 400, "INVALID_REQUEST", "invalid_request"],
    ["a client secret", `${good}&client_secret=x`, 400, "INVALID_REQUEST", "invalid_request"],
    ["an assertion", `${good}&client_assertion=x&client_assertion_type=y`, 400, "INVALID_REQUEST", "invalid_request"],
    ["percent-encoding cut short", `${good}&x=%4`, 400, "INVALID_REQUEST", "invalid_request"],
    ["bytes that are not UTF-8", `${good}&x=%ff%fe`, 400, "INVALID_REQUEST", "invalid_request"],
    ["a name that is not UTF-8", `${good}&%ff=x`, 400, "INVALID_REQUEST", "invalid_request"],
    [
      "an unknown client",
      "grant_type=client_credentials&client_id=nobody&scope=read",
      400,
      "INVALID_CLIENT",
      "invalid_client",
    ],
    [
      "another client's id",
      "grant_type=client_credentials&client_id=other&scope=read",
      400,
      "INVALID_CLIENT",
      "invalid_client",
    ],
    ["nothing at all", "", 400, "INVALID_REQUEST", "invalid_request"],
  ];
  it.each(refusals)("%s", async (_name, body, status, code, error) => {
    const { postToken } = await createHarness();
    const answer = await postToken(body);
    expect([answer.status, answer.json.code, answer.json.error]).toEqual([status, code, error]);
    expect(answer.json.message).toMatch(/\w{3}.*\.$/);
    expect(answer.json.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("has the same answer for every peer that is not the client", async () => {
    const { postToken, peers, clients } = await createHarness();
    clients.register({ id: "late", thumbprints: ["late"], scopes: ["read"] });
    const answers = await Promise.all([
      postToken(good, { peer: peers.none }),
      postToken(good, { peer: peers.other }),
      postToken(good, { peer: certificatePeer("unregistered") }),
      postToken(good.replace("demo", "nobody")),
      postToken(good.replace("demo", "late"), { peer: certificatePeer("late", { notAfter: start - 1 }) }),
      postToken(good.replace("demo", "late"), { peer: certificatePeer("late", { notBefore: start + 1 }) }),
      postToken(good.replace("demo", "late"), { peer: certificatePeer("late", { clientUsage: false }) }),
    ]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toHaveLength(1);
    expect(answers[0]?.json.code).toBe("INVALID_CLIENT");
    expect(answers.map(({ exchange }) => exchange?.refusal?.basis)).toEqual(answers.map(() => "token.invalid-client"));
  });

  it("records the reason for the journal", async () => {
    const { postToken, peers } = await createHarness();
    const kind = async (...request: Parameters<typeof postToken>) =>
      (await postToken(...request)).exchange?.refusal?.reason.kind;
    expect(await kind(good, { peer: peers.none })).toBe("no-certificate");
    expect(await kind(good, { peer: peers.other })).toBe("certificate-of-another-client");
    expect(await kind(good, { peer: certificatePeer("x") })).toBe("certificate-unregistered");
    expect(await kind(good.replace("demo", "nobody"))).toBe("unknown-client");
  });

  it.each([
    ["application/json", '{"grant_type":"client_credentials"}'],
    ["multipart/form-data; boundary=x", "--x--"],
    ["text/plain", good],
    ["application/x-www-form-urlencoded-not", good],
  ])("another content type: %s", async (type, body) => {
    const { send } = await createHarness();
    const answer = await send("/oauth/v2/oauth-token", { method: "POST", headers: ["Content-Type", type], body });
    expect([answer.status, answer.json.code, answer.headers.get("sandbox-assumed")]).toEqual([
      400,
      "INVALID_REQUEST",
      "token.media-type, checks.order, token.error-body",
    ]);
  });

  it("no content type, or two", async () => {
    const { send } = await createHarness();
    const form = ["Content-Type", "application/x-www-form-urlencoded"];
    for (const headers of [[], [...form, ...form]]) {
      const answer = await send("/oauth/v2/oauth-token", { method: "POST", headers, body: good });
      expect(answer.json.code).toBe("INVALID_REQUEST");
    }
  });

  it("Basic credentials, and two Authorization headers", async () => {
    const { postToken } = await createHarness();
    expect((await postToken(good, { headers: ["Authorization", "Basic ZGVtbzp4"] })).json.code).toBe("INVALID_REQUEST");
    expect(
      (await postToken(good, { headers: ["authorization", "Bearer a", "AUTHORIZATION", "Bearer b"] })).json.code,
    ).toBe("INVALID_REQUEST");
    expect((await postToken(good, { headers: ["Authorization", "Bearer stale"] })).status).toBe(200);
  });

  it("parameters in the URL, with or without a body", async () => {
    const { send } = await createHarness();
    const headers = ["Content-Type", "application/x-www-form-urlencoded"];
    for (const body of ["", good]) {
      const answer = await send(`/oauth/v2/oauth-token?${good}`, { method: "POST", headers, body });
      expect([answer.status, answer.json.code]).toEqual([400, "INVALID_REQUEST"]);
    }
  });

  it("a body over the limit, announced or not", async () => {
    const { postToken, app, peers } = await createHarness();
    const large = `${good}&x=${"a".repeat(70_000)}`;
    expect([(await postToken(large)).status, (await postToken(large)).json.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const rawHeaders = [
      "Host",
      "localhost",
      "Content-Type",
      "application/x-www-form-urlencoded",
      "Transfer-Encoding",
      "chunked",
    ];
    const url = "/oauth/v2/oauth-token";
    const request = (body: string, stream?: number) =>
      app.request(url, { method: "POST", body }, { peer: peers.demo, incoming: { url }, rawHeaders, stream });
    const [refused, onStream] = [await request(large), await request(large, 1)];
    expect([refused.status, refused.headers.get("Connection")]).toEqual([413, "close"]);
    // RFC 9113 §8.2.2
    expect([onStream.status, onStream.headers.get("Connection")]).toEqual([413, null]);
    expect((await request(good)).status).toBe(200);
  });

  it("a client without permission for the grant", async () => {
    const { postToken, clients } = await createHarness();
    clients.register({ id: "grantless", thumbprints: ["grantless"], scopes: ["read"], grantTypes: [] });
    const answer = await postToken(good.replace("demo", "grantless"), { peer: certificatePeer("grantless") });
    expect([answer.status, answer.json.code, answer.json.error]).toEqual([
      400,
      "UNAUTHORIZED_CLIENT",
      "unauthorized_client",
    ]);
  });
});

describe("assumptions of the token endpoint", () => {
  it.each([
    ["service", ["message", "code"]],
    ["oauth", ["error", "error_description"]],
    ["both", ["message", "code", "error", "error_description"]],
  ] as const)("error body %s", async (shape, members) => {
    const harness = await createHarness();
    const { values } = harness.service.assumptions;
    const { postToken } = await createHarness({ assumptions: { values: { ...values, "token.error-body": shape } } });
    expect(Object.keys((await postToken("")).json)).toEqual(members);
  });

  it("status, code and message of a refusal, and whether answers name assumptions", async () => {
    const { postToken, peers } = await createHarness({
      assumptions: {
        errors: { "token.invalid-client": { status: 401, code: "NO_CLIENT", message: "No." } },
        header: false,
      },
    });
    const answer = await postToken(good, { peer: peers.none });
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject({ code: "NO_CLIENT", message: "No.", error: "invalid_client" });
    expect(answer.headers.has("sandbox-assumed")).toBe(false);
  });
});
