import { describe, expect, it } from "vitest";
import { MadeUpClient } from "./observed.js";

const missing = { code: "UNAUTHORIZED", kind: "token-missing" };

describe("token.sent", () => {
  it("passes for a client that sends one later, or followed a redirect without it", () => {
    const client = new MadeUpClient();
    client.fails(401, { refusal: missing });
    client.uses("t");
    client.fails(401, { refusal: missing });
    expect(client.verdict("token.sent")).toBe("pass");
  });

  it("is not exercised by a refusal that was expected", () => {
    const client = new MadeUpClient();
    client.fails(401, { refusal: missing, expected: "UNAUTHORIZED" });
    expect(client.verdict("token.sent")).toBe("not-exercised");
  });
});

describe("token.granted", () => {
  it.each(["unknown-client", "certificate-of-another-client", "scope-not-allowed"])("fails for %s", (kind) => {
    const client = new MadeUpClient();
    client.asksForToken(undefined, {}, { status: 400, refusal: { code: "INVALID_SCOPE", kind } });
    expect(client.verdict("token.granted")).toBe("fail");
  });

  it("is not exercised by a refusal that a scenario injected", () => {
    const client = new MadeUpClient();
    client.asksForToken(undefined, {}, { status: 400, code: "INVALID_SCOPE" });
    expect(client.verdict("token.granted")).toBe("not-exercised");
  });
});

describe("token.renewed", () => {
  const refusedTokens = (count: number) => {
    const client = new MadeUpClient();
    for (let number = 1; number <= count; number++) client.isRefused(`t${number}`);
    return client;
  };

  it("does not count a token twice, and begins anew when one is accepted", () => {
    const client = refusedTokens(4);
    client.isRefused("t4");
    client.uses("good");
    for (const token of ["a", "b", "c", "d"]) client.isRefused(token);
    expect(client.verdict("token.renewed")).toBe("pass");
  });
});

describe("token.retried", () => {
  const verdict = (client: MadeUpClient) =>
    client.examiner.results(undefined, "declared").find(({ id }) => id === "token.retried")?.verdict;

  it("fails for a client that has finished, and did not send a refused request again", () => {
    const client = new MadeUpClient();
    client.isRefused("a");
    expect(verdict(client)).toBe("fail");
    expect(client.verdict("token.retried")).toBe("not-exercised");
    client.uses("b");
    expect(verdict(client)).toBe("pass");
  });

  it("passes for a client whose library writes the query anew", () => {
    const client = new MadeUpClient();
    client.isRefused("a", { target: "/v1/ping?" });
    client.uses("b", { target: "/v1/ping" });
    expect(verdict(client)).toBe("pass");
  });

  it("is not exercised by pages of lists, and by a refusal that was expected", () => {
    const client = new MadeUpClient();
    client.isRefused("a", { operation: "list", target: "/v1/payments" });
    client.isRefused("a", { expected: "UNAUTHORIZED" });
    expect(verdict(client)).toBe("not-exercised");
  });
});

describe("token.reused", () => {
  it("passes for a new token after a redirected request was refused for having none", () => {
    const client = new MadeUpClient();
    client.asksForToken("t");
    client.uses("t", { status: 307, redirectsTo: "127.0.0.1:8443" });
    client.fails(401, { host: "127.0.0.1:8443", refusal: missing });
    client.asksForToken("u");
    client.uses("u");
    expect(client.failed).toEqual([]);
  });
});
