import { describe, expect, it } from "vitest";
import type { HandshakeObservation } from "../../src/exam/observation.js";
import { MadeUpClient } from "./observed.js";

function handshake(client: MadeUpClient, change: Partial<HandshakeObservation>): void {
  const usual = { id: 1, client: "demo", cause: "no-request", endedByServer: false };
  const others = { alert: undefined, protocol: "TLSv1.3", serverDefect: undefined };
  client.examiner.handshake({ ...usual, ...others, ...change });
}

describe("tls.server-certificate", () => {
  it.each([
    ["client-refused-our-certificate", "pass"],
    ["closed-by-client", "pass"],
    ["no-request", "pass"],
    ["no-common-version", "not-exercised"],
    ["time-out", "not-exercised"],
    ["other", "not-exercised"],
  ])("after %s: %s", (cause, verdict) => {
    const client = new MadeUpClient();
    handshake(client, { id: 7, cause, serverDefect: "untrusted" });
    expect(client.result("tls.server-certificate")).toMatchObject({
      verdict,
      handshakes: verdict === "pass" ? ["7"] : [],
    });
  });

  it("passes for any other alert, such as the internal_error of OpenSSL when a program refuses the certificate", () => {
    const client = new MadeUpClient();
    handshake(client, { id: 7, cause: "other", alert: "internal_error", serverDefect: "wrong-host" });
    expect(client.result("tls.server-certificate")).toMatchObject({ verdict: "pass", handshakes: ["7"] });
  });

  it("is not exercised if the sandbox ended the connection", () => {
    const client = new MadeUpClient();
    handshake(client, { serverDefect: "untrusted", endedByServer: true });
    expect(client.verdict("tls.server-certificate")).toBe("not-exercised");
  });

  it.each(["common-name-only", "sha1", "rsa-1024"] as const)(
    "%s, which some clients accept, is not judged",
    (serverDefect) => {
      const client = new MadeUpClient();
      client.does({ serverDefect });
      handshake(client, { serverDefect });
      expect(client.verdict("tls.server-certificate")).toBe("not-exercised");
    },
  );

  it("is not exercised by a valid certificate", () => {
    const client = new MadeUpClient();
    handshake(client, {});
    client.does();
    expect(client.verdict("tls.server-certificate")).toBe("not-exercised");
  });
});

describe("tls.encrypted and tls.version", () => {
  it("pass for any connection, and for a request on TLS 1.3", () => {
    const client = new MadeUpClient();
    handshake(client, {});
    expect(client.verdict("tls.encrypted")).toBe("pass");
    expect(client.verdict("tls.version")).toBe("not-exercised");
    client.does();
    expect(client.verdict("tls.version")).toBe("pass");
  });
});

it("tls.version is not exercised where the sandbox does not offer TLS 1.3", () => {
  const client = new MadeUpClient();
  client.does({ protocol: "TLSv1.2", highestProtocol: "TLSv1.2" });
  const message = "Not exercised: it takes a request to a sandbox that offers TLS 1.3.";
  expect(client.result("tls.version")).toMatchObject({ verdict: "not-exercised", message });
});

describe("tls.reuse", () => {
  /** Five requests, each on a connection that is opened when the request is sent. */
  const apart = (change: (client: MadeUpClient) => object = () => ({}), times = 5) => {
    const client = new MadeUpClient();
    for (let count = 0; count < times; count++)
      client.does({ connection: client.id + 2, ordinal: 1, begunAt: client.now, ...change(client) });
    return client;
  };

  it.each<[string, (client: MadeUpClient) => object]>([
    ["the sandbox closed them", () => ({ keptOpen: false })],
    ["they were opened in parallel", () => ({ begunAt: 900 })],
    ["each has its own certificate", ({ id }) => ({ thumbprint: `certificate ${id}` })],
    ["they are five seconds apart", (client) => ({ begunAt: client.wait(5000).now, arrivedAt: client.now })],
  ])("is not exercised if %s", (_why, change) => {
    expect(apart(change, 20).verdict("tls.reuse")).toBe("not-exercised");
  });

  it("fails for a new pool for each page, after others that shared a connection", () => {
    const client = new MadeUpClient();
    for (let count = 0; count < 3; count++) client.does();
    for (let page = 1; page <= 4; page++)
      client.does({ connection: page + 1, ordinal: 1, begunAt: client.now, arrivedAt: client.now });
    expect(client.result("tls.reuse")).toMatchObject({ verdict: "fail", exchanges: ["3", "4", "5", "6", "7"] });
  });

  it("fails if most requests of many come on connections of their own", () => {
    const client = new MadeUpClient();
    for (let count = 0; count < 8; count++) {
      client.does({ connection: client.id + 2, ordinal: 1, begunAt: client.now });
      client.does({ connection: client.id + 2, ordinal: 1, begunAt: client.now });
      client.does({ connection: client.id + 1, ordinal: 2 });
    }
    expect(client.verdict("tls.reuse")).toBe("fail");
  });

  it("does not count a connection that the client closed when it gave up", () => {
    const client = new MadeUpClient();
    for (let count = 0; count < 9; count++) {
      const connection = count + 2;
      client.does({ connection, ordinal: 1, begunAt: client.now });
      client.does({ connection, ordinal: 2, status: 0, ending: "abandoned", endedByClient: true, keptOpen: false });
    }
    expect(client.verdict("tls.reuse")).toBe("pass");
  });
});

describe("request.*", () => {
  it.each([
    ["request.path", { operation: undefined, status: 404, refusal: { code: "NOT_FOUND", kind: "no-such-path" } }],
    [
      "request.parameters",
      {
        status: 400,
        unknown: [{ name: "foo", near: undefined }],
        hasValues: true,
        refusal: { code: "VALIDATION_ERROR", kind: "parameter" },
      },
    ],
  ])("only %s fails", (check, change) => {
    const client = new MadeUpClient();
    client.does(change);
    expect(client.failed).toEqual([check]);
    expect(client.result(check).exchanges).toEqual(["1"]);
  });

  it("say what was meant", () => {
    const client = new MadeUpClient();
    client.does({ unknown: [{ name: "pagesize", near: "pageSize" }] });
    expect(client.result("request.parameters").message).toContain('"pagesize"; did you mean "pageSize"?');
  });

  it("are not exercised by an injected error, or by a request without an operation", () => {
    const client = new MadeUpClient();
    for (const status of [404, 405, 400])
      client.does({ operation: undefined, status, hasValues: true, correlationId: "1" });
    for (const check of ["path", "parameters", "values", "correlation-id"])
      expect(client.verdict(`request.${check}`)).toBe("not-exercised");
  });

  it("pass for correct requests", () => {
    const client = new MadeUpClient();
    client.does({ hasValues: true, correlationId: "1" });
    for (const check of ["path", "parameters", "values", "correlation-id"])
      expect(client.verdict(`request.${check}`)).toBe("pass");
  });
});
