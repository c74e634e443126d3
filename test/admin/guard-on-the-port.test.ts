import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandbox, type RunningSandbox } from "../sandbox/conformance/sandbox.js";
import { openTcp } from "../support/raw-client.js";

const token = "the-token-of-the-tests";
let open: RunningSandbox;
let guarded: RunningSandbox;

beforeAll(async () => {
  open = await openSandbox();
  guarded = await openSandbox({ certs: open.certs, settings: { adminAuth: "token", adminToken: token } });
});

afterAll(async () => {
  await Promise.all([open?.close(), guarded?.close()]);
});

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends a request to the admin port unchanged; `Host: localhost` unless another is given. */
async function send(
  sandbox: RunningSandbox,
  target: string,
  headers: readonly string[] = [],
  method = "GET",
): Promise<Answer> {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : ["Host: localhost"];
  const client = await openTcp(Number(new URL(sandbox.adminUrl).port));
  const text = await client.sendAndClose(
    [`${method} ${target} HTTP/1.1`, ...host, "Connection: close", ...headers, "", ""].join("\r\n"),
  );
  const [head = "", ...body] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body: body.join("\r\n\r\n") };
}

/** A path for each route of the admin API, for requests without a body. */
const somePaths = ["/ca.pem", "/identities", "/clients", "/requests", "/scenarios", "/nothing", "/"];

describe("a request under another name", () => {
  it("is refused on every path but /health, with a message that helps", async () => {
    for (const host of ["attacker.test", "localhost.attacker.test", "127.0.0.1.nip.io:8090"]) {
      for (const path of somePaths) {
        const answer = await send(open, path, [`Host: ${host}`]);
        expect([path, answer.status]).toEqual([path, 403]);
        expect(JSON.parse(answer.body)).toEqual({
          message: expect.stringContaining("--hostname"),
          code: "HOST_NOT_ALLOWED",
        });
      }
      expect((await send(open, "/health", [`Host: ${host}`])).status).toBe(200);
    }
  });

  it("is refused with every method, and as an absolute target", async () => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
      expect((await send(open, "/clients", ["Host: attacker.test", "Content-Length: 0"], method)).status).toBe(403);
      if (method !== "GET")
        expect((await send(open, "/health", ["Host: attacker.test", "Content-Length: 0"], method)).status).toBe(403);
    }
    expect((await send(open, "http://localhost/ca.pem", ["Host: attacker.test"])).status).toBe(403);
  });

  it("without a Host is not valid HTTP", async () => {
    const client = await openTcp(Number(new URL(open.adminUrl).port));
    expect(await client.sendAndClose("GET /ca.pem HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("is accepted by /health only", async () => {
    for (const path of ["//health", "/health/", "/HEALTH", "/health/../ca.pem", "/health/x", "/%68ealth/../ca.pem"]) {
      expect([path, (await send(open, path, ["Host: attacker.test"])).status]).toEqual([path, 403]);
    }
  });
});

describe("a request of another site's page", () => {
  it("is refused, and CORS never allows it", async () => {
    for (const headers of [
      ["Origin: https://attacker.test"],
      ["Origin: null"],
      ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
      ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: cors"],
    ]) {
      for (const path of somePaths) {
        const answer = await send(open, path, headers);
        expect([path, answer.status]).toEqual([path, 403]);
        expect(answer.head.toLowerCase()).not.toContain("access-control-");
      }
    }
    const preflight = ["Origin: https://attacker.test", "Access-Control-Request-Method: PUT"];
    const answer = await send(open, "/scenario", preflight, "OPTIONS");
    expect(answer.status).toBe(403);
    expect(answer.head.toLowerCase()).not.toContain("access-control-");
  });

  it("a page of the sandbox itself is accepted", async () => {
    const headers = ["Origin: http://localhost", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"];
    expect((await send(open, "/ca.pem", headers)).status).toBe(200);
  });
});

describe("where a token is required", () => {
  it("only /health answers without it", async () => {
    for (const path of somePaths.filter((path) => path !== "/")) {
      const answer = await send(guarded, path);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(JSON.parse(answer.body).code).toBe("ADMIN_TOKEN_REQUIRED");
      expect(answer.head).toMatch(/\r\nwww-authenticate: Bearer/i);
    }
    expect((await send(guarded, "/health")).status).toBe(200);
    expect((await send(guarded, "/ca.pem", [`Authorization: Bearer ${token}`])).status).toBe(200);
  });

  it("the token is accepted in the header only", async () => {
    for (const [path, header] of [
      [`/ca.pem?token=${token}`, "X: y"],
      [`/ca.pem?access_token=${token}`, "X: y"],
      ["/ca.pem", `X-Admin-Token: ${token}`],
      ["/ca.pem", `Cookie: token=${token}`],
      ["/ca.pem", `Authorization: Basic ${Buffer.from(`:${token}`).toString("base64")}`],
      ["/ca.pem", `Authorization: Bearer ${token}x`],
    ] as const) {
      expect((await send(guarded, path, [header])).status).toBe(401);
    }
  });

  it("no answer contains it", async () => {
    for (const path of [...somePaths, "/health"]) {
      for (const headers of [[], [`Authorization: Bearer ${token}`]]) {
        const answer = await send(guarded, path, headers);
        expect(answer.head + answer.body).not.toContain(token);
      }
    }
  });
});

describe("the CA", () => {
  it("serves its certificate", async () => {
    const answer = await send(open, "/ca.pem");
    expect([answer.status, answer.body]).toEqual([200, open.ca]);
    expect(answer.head.toLowerCase()).toMatch(/content-type: application\/(x-pem-file|pem-certificate-chain)/);
  });

  it("never serves its key, or any other key of the sandbox, under any path", async () => {
    const keys = ["ca.key.pem", "server.key.pem", "token-signing.key.pem", "cursor.key"].map((name) =>
      open.file(name).replaceAll(/-----[A-Z ]+-----|\s/g, ""),
    );
    const names = ["ca.key.pem", "ca.key", "server.key.pem", "token-signing.key.pem", "cursor.key"];
    const places = [
      "/",
      "/certs/",
      "/./",
      "//",
      "/ca.pem/../",
      "/clients/../",
      "/clients/demo/../../",
      "/assets/../",
      "/assets/..%2f",
    ];
    const further = [
      "/%2e%2e/certs/",
      "/identities/../",
      "/identities/ca/",
      "/clients/ca/",
      "/..%5c",
      "/assets/%2e%2e%2f%2e%2e%2f",
    ];
    for (const place of [...places, ...further]) {
      for (const name of names) {
        const { body } = await send(open, place + name);
        const flat = body.replaceAll(/\\n|\s/g, "");
        for (const key of keys) expect(flat).not.toContain(key);
      }
    }
    for (const path of [
      "/",
      "/ca.pem",
      "/health",
      "/clients",
      "/identities",
      "/openapi.json",
      "/assumptions",
      "/metrics",
    ]) {
      const { body } = await send(open, path);
      for (const key of keys) expect(body.replaceAll(/\\n|\s/g, "")).not.toContain(key);
    }
  });
});
