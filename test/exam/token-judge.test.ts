import { describe, expect, it } from "vitest";
import { mostTokens } from "../../src/exam/known/tokens.js";
import { formOf, MadeUpClient } from "./observed.js";

describe("token.no-secret and token.form", () => {
  it.each([
    ["token.no-secret", "a secret", { form: formOf({ client_secret: ["x"] }) }],
    ["token.no-secret", "an assertion of another grant", { form: formOf({ grant_type: ["urn:x"], assertion: ["x"] }) }],
    ["token.no-secret", "Basic authentication", { basic: true }],
    ["token.no-secret", "a secret in the URL", { form: undefined, inUrl: ["client_secret"] }],
    ["token.form", "another media type", { form: undefined, otherMediaType: true }],
    ["token.form", "no client_id", { form: formOf({ client_id: undefined }) }],
    ["token.form", "an empty grant_type", { form: formOf({ grant_type: [""] }) }],
    ["token.form", "another grant", { form: formOf({ grant_type: ["password"] }) }],
    ["token.form", "a repeated scope", { form: formOf({ scope: ["read", "read"] }) }],
    ["token.form", "an unknown parameter twice", { form: formOf({ other: ["a", "b"] }) }],
    ["token.form", "a broken value", { form: formOf({ scope: [null] }) }],
    ["token.form", "a broken name", { form: formOf({ "\uD800": ["x"] }) }],
    ["token.form", "a parameter in the URL", { form: undefined, inUrl: ["scope"] }],
  ])("only %s fails for %s", (check, _what, request) => {
    const client = new MadeUpClient();
    const id = client.asksForToken(undefined, request, { status: 400 });
    expect(client.failed).toEqual([check]);
    expect(client.result(check).exchanges).toEqual([String(id)]);
  });

  it("do not judge a form that was not read", () => {
    const client = new MadeUpClient();
    client.asksForToken(undefined, { form: undefined }, { status: 503 });
    expect(client.verdict("token.no-secret")).toBe("not-exercised");
    expect(client.verdict("token.form")).toBe("not-exercised");
  });
});

describe("token.reused", () => {
  const again = (prepare: (client: MadeUpClient) => void) => {
    const client = new MadeUpClient();
    prepare(client);
    client.asksForToken("b");
    client.uses("b");
    client.uses("b");
    return client;
  };

  it("fails for a second token while the first is valid", () => {
    const client = again((one) => one.asksForToken("a"));
    expect(client.failed).toEqual(["token.reused"]);
    expect(client.result("token.reused")).toMatchObject({
      exchanges: ["1", "2"],
      message: expect.stringContaining("299 of 300 s"),
    });
  });

  it.each<[string, (client: MadeUpClient) => unknown]>([
    ["was not delivered", (client) => client.asksForToken("a", {}, { ending: "broken" })],
    [
      "is of another type",
      (client) => client.asksForToken("a", { issued: { token: "a", type: "mac", lifetime: 300_000 } }),
    ],
    ["has another scope", (client) => client.asksForToken("a", { form: formOf({ scope: ["write"] }) })],
    ["belongs to another certificate", (client) => client.asksForToken("a", {}, { thumbprint: "other" })],
    ["has half of its lifetime left", (client) => client.wait(client.asksForToken("a") * 150_000)],
    [
      "has no announced end",
      (client) => client.asksForToken("a", { issued: { token: "a", type: "bearer", lifetime: undefined } }),
    ],
    ["was refused", (client) => client.uses("a", { status: 401, id: client.asksForToken("a") })],
    [
      "was refused, and the refusal broke after its status",
      (client) => {
        client.asksForToken("a");
        client.isRefused("a", { ending: "broken" });
      },
    ],
    [
      "has no type",
      (client) => client.asksForToken("a", { issued: { token: "a", type: undefined, lifetime: 300_000 } }),
    ],
  ])("passes if the first one %s", (_why, prepare) => {
    const client = again(prepare);
    expect(client.verdict("token.reused")).toBe("pass");
  });

  it("does not judge a request on another connection that may have been sent before the token arrived", () => {
    const client = new MadeUpClient();
    client.does({ connection: 2 });
    client.asksForToken("a");
    client.asksForToken("b", {}, { connection: 2 });
    client.wait(200).uses("b");
    client.uses("b");
    expect(client.failed).toEqual([]);
    client.asksForToken("c");
    expect(client.failed).toEqual(["token.reused"]);
  });

  it("does not judge a token that may never have arrived: its client gave up, and asks on another connection", () => {
    const client = new MadeUpClient();
    client.asksForToken("a", {}, { connection: 2 });
    client.asksForToken("b");
    client.uses("b");
    client.uses("b");
    expect(client.verdict("token.reused")).toBe("pass");
    client.asksForToken("c");
    expect(client.failed).toEqual(["token.reused"]);
  });

  it("needs two authorised requests", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.uses("a");
    expect(client.verdict("token.reused")).toBe("not-exercised");
    client.uses("a");
    expect(client.verdict("token.reused")).toBe("pass");
  });
});

describe("token.shared", () => {
  it("fails for a request that arrives before another one has its answer, whichever is answered first", () => {
    const client = new MadeUpClient();
    client.asksForToken("a", {}, { arrivedAt: 1000, releasedAt: 1010, overAt: 1010, connection: 1 });
    client.asksForToken("b", {}, { arrivedAt: 1005, releasedAt: 1020, overAt: 1020, connection: 2 });
    expect(client.failed).toEqual(["token.shared"]);
    expect(client.result("token.shared").exchanges).toEqual(["1", "2"]);
    const other = new MadeUpClient();
    other.asksForToken("b", {}, { arrivedAt: 1005, releasedAt: 1010, overAt: 1010, connection: 2 });
    other.asksForToken("a", {}, { arrivedAt: 1000, releasedAt: 1020, overAt: 1020, connection: 1 });
    expect(other.failed).toEqual(["token.shared"]);
  });

  it("fails for a request that was already sent on a new connection", () => {
    const client = new MadeUpClient();
    client.asksForToken("a", {}, { arrivedAt: 1000, releasedAt: 1010, overAt: 1010 });
    client.asksForToken("b", {}, { arrivedAt: 1015, begunAt: 1001, ordinal: 1, connection: 2 });
    expect(client.failed).toEqual(["token.shared"]);
  });

  it.each([
    ["another scope", { form: formOf({ scope: ["write"] }) }, {}],
    ["another certificate", {}, { thumbprint: "other" }],
    ["a form that was not read", { form: undefined }, {}],
  ])("passes for %s", (_what, request, change) => {
    const client = new MadeUpClient();
    client.asksForToken("a", {}, { arrivedAt: 1000, releasedAt: 1010, overAt: 1010 });
    client.asksForToken("b", request, { arrivedAt: 1005, connection: 2, ...change });
    expect(client.failed).toEqual([]);
  });
});

describe("token.expired", () => {
  const issued = { token: "a", type: "bearer", lifetime: 2000 };

  it("has a second of grace, by elapsed real time", () => {
    const client = new MadeUpClient();
    client.asksForToken("a", { issued }, { arrivedAt: 1000, releasedAt: 1001 });
    client.uses("a", { arrivedAt: 4001, epoch: 7 });
    expect(client.verdict("token.expired")).toBe("not-exercised");
    client.uses("a", { arrivedAt: 4002 });
    expect(client.failed).toEqual(["token.expired"]);
    expect(client.result("token.expired").exchanges).toEqual(["1", "3"]);
  });
});

describe("token.refused", () => {
  const refused = () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.isRefused("a", { releasedAt: 2000, overAt: 2001 });
    return client;
  };

  it("fails for the same token over another certificate, too", () => {
    const client = refused();
    client.uses("a", { arrivedAt: 3000, connection: 2, thumbprint: "own" });
    expect(client.failed).toEqual(["token.refused"]);
    expect(client.result("token.refused").exchanges).toEqual(["2", "3"]);
  });

  it("passes for requests that were already sent", () => {
    const client = refused();
    client.uses("a", { arrivedAt: 1999 });
    client.uses("b", { arrivedAt: 3000 });
    expect(client.verdict("token.refused")).toBe("pass");
  });

  it("is not exercised while the token may have been sent before the refusal arrived, until another one is sent", () => {
    const client = refused();
    client.uses("a", { arrivedAt: 2100, connection: 2 });
    expect(client.verdict("token.refused")).toBe("not-exercised");
    client.asksForToken("b", {}, { arrivedAt: 2900 });
    client.uses("b", { arrivedAt: 3000 });
    expect(client.verdict("token.refused")).toBe("pass");
  });

  it("is not exercised within a second if requests of the client may wait for a connection of its pool", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.uses("a", { arrivedAt: 1500, releasedAt: 1900, overAt: 1900, connection: 2, ordinal: 1, begunAt: 1400 });
    client.isRefused("a", { arrivedAt: 1600, releasedAt: 2000, overAt: 2001 });
    client.uses("a", { arrivedAt: 2500 });
    expect(client.verdict("token.refused")).toBe("not-exercised");
  });

  it("is not exercised if the client turns out to send requests in parallel", () => {
    const client = refused();
    client.uses("a", { arrivedAt: 2002, releasedAt: 2003, overAt: 2003 });
    expect(client.failed).toEqual(["token.refused"]);
    const first = { ordinal: 1, arrivedAt: 2100, releasedAt: 2200, overAt: 2200 };
    client.does({ ...first, connection: 2, begunAt: 2050 });
    client.does({ ...first, connection: 3, begunAt: 2055 });
    expect(client.verdict("token.refused")).toBe("not-exercised");
  });

  it.each([
    ["without invalid_token", { invalidToken: false }],
    ["that did not arrive", { ending: "broken" as const }],
  ])("is not exercised by a refusal %s", (_what, change) => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.isRefused("a", change);
    client.uses("a");
    expect(client.verdict("token.refused")).toBe("not-exercised");
  });

  it("is not exercised by a refusal over another certificate", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.isRefused("a", { thumbprint: "other" });
    client.uses("a");
    expect(client.verdict("token.refused")).toBe("not-exercised");
  });
});

describe("token.certificate, token.header and token.type", () => {
  it("a token that is sent over another certificate", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.uses("a", { thumbprint: "other" });
    expect(client.failed).toEqual(["token.certificate"]);
  });

  const renewed = { replaces: true, hasEnded: false, hasOverlapEnded: false, chain: undefined, left: 1e9 };
  const overNew = { thumbprint: "new", certificate: renewed, connection: 2 };

  it("it fails if it sends that token again after the refusal", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    const afterToken = { ...overNew, begunAt: 1002 };
    client.isRefused("a", { ...afterToken, ordinal: 1 });
    client.isRefused("a", { ...afterToken, ordinal: 2 });
    expect(client.failed).toEqual(["token.certificate"]);
  });

  it("its parallel requests may have left before the refusal", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.isRefused("a", { ...overNew, ordinal: 1, releasedAt: 1100, overAt: 1100 });
    client.isRefused("a", { ...overNew, connection: 3, ordinal: 1, begunAt: 1000, arrivedAt: 1050, releasedAt: 1150 });
    expect(client.failed).toEqual([]);
  });

  it("its requests may have waited for a connection of its pool when the refusal came", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.does({ arrivedAt: 1050, releasedAt: 1500, overAt: 1500, connection: 4, ordinal: 1, begunAt: 1000 });
    client.isRefused("a", { ...overNew, ordinal: 1, begunAt: 1010, arrivedAt: 1060, releasedAt: 1100, overAt: 1100 });
    client.isRefused("a", { ...overNew, ordinal: 2, arrivedAt: 1600, releasedAt: 1610, overAt: 1610 });
    expect(client.failed).toEqual([]);
    const later = (index: number) => 2200 + 20 * index;
    for (let index = 0; index < 16; index++)
      client.isRefused("a", { ...overNew, ordinal: 3 + index, arrivedAt: later(index), releasedAt: later(index) + 10 });
    expect(client.failed).toEqual(["token.certificate"]);
  });

  it("an unknown token", () => {
    const client = new MadeUpClient();
    client.uses("a");
    expect(client.verdict("token.certificate")).toBe("not-exercised");
    expect(client.verdict("token.header")).toBe("pass");
  });

  it("a token that is sent twice", () => {
    const client = new MadeUpClient();
    client.does({ tokenSent: "twice" });
    expect(client.failed).toEqual(["token.header"]);
  });

  it("a token of an empty type that is used", () => {
    const client = new MadeUpClient();
    client.asksForToken("a", { issued: { token: "a", type: "", lifetime: 1000 } });
    client.uses("a");
    expect(client.verdict("token.type")).toBe("fail");
  });

  it("a token of another type that is not used", () => {
    const client = new MadeUpClient();
    client.asksForToken("a", { issued: { token: "a", type: "mac", lifetime: 300_000 } });
    client.asksForToken("b");
    client.uses("b");
    expect(client.verdict("token.type")).toBe("pass");
    expect(client.failed).toEqual([]);
  });
});

it("a dropped token is not judged", () => {
  const client = new MadeUpClient();
  client.asksForToken("first", { form: undefined });
  for (let count = 0; count < mostTokens; count++) client.asksForToken(`later ${count}`, { form: undefined });
  client.uses("first", { thumbprint: "other" });
  client.isRefused("first");
  client.uses("first");
  expect(client.failed).toEqual([]);
  expect(client.verdict("token.certificate")).toBe("not-exercised");
  expect(client.verdict("token.refused")).toBe("not-exercised");
});
