import { beforeAll, describe, expect, it, vi } from "vitest";
import { adminRoutes } from "../../src/admin/routes/table.js";
import type { AdminAnswer } from "./admin-client.js";
import { type ApiClient, startShared, type TestSandbox } from "./fixture.js";

const scenarioText = "description: Mine.\nrules: [{ name: a, then: { error: EXAMPLE_ERROR } }]";

/** A request that each route answers with success. The client checks status, content type and schema. */
const samples: Readonly<Record<string, (sandbox: TestSandbox) => Promise<AdminAnswer>>> = {
  "GET /health": ({ admin }) => admin.get("/health"),
  "GET /ca.pem": ({ admin }) => admin.get("/ca.pem"),
  "GET /assumptions": ({ admin }) => admin.get("/assumptions"),
  "POST /reset": ({ admin }) => admin.post("/reset", { client: "fixed" }),
  "GET /openapi.json": ({ admin }) => admin.get("/openapi.json"),
  "GET /admin-openapi.json": ({ admin }) => admin.get("/admin-openapi.json"),
  "GET /llms.txt": ({ admin }) => admin.get("/llms.txt"),
  "GET /metrics": ({ admin }) => admin.get("/metrics"),
  "GET /errors/{code}": ({ admin }) => admin.get("/errors/INVALID_CURSOR"),
  "GET /checks/{id}": ({ admin }) => admin.get("/checks/token.reused"),
  "GET /assumptions/{id}": ({ admin }) => admin.get("/assumptions/token.scopes"),
  "GET /clients": ({ admin }) => admin.get("/clients"),
  "POST /clients": ({ admin }) => admin.post("/clients", {}),
  "GET /clients/{id}": ({ admin }) => admin.get("/clients/fixed"),
  "DELETE /clients/{id}": async ({ admin }) =>
    admin.delete(`/clients/${(await admin.post("/clients", {})).json.clientId}`),
  "POST /clients/{id}/certificates": ({ admin }) => admin.post("/clients/fixed/certificates", {}),
  "POST /clients/{id}/rotate": ({ admin }) => admin.post("/clients/fixed/rotate", { overlap: "30s" }),
  "POST /clients/{id}/rotate/finish": ({ admin }) => admin.post("/clients/fixed/rotate/finish", undefined),
  "POST /clients/{id}/certificates/{thumbprint}/end": async ({ admin }) => {
    const { thumbprint } = (await admin.post("/clients/fixed/certificates", {})).json;
    return admin.post(`/clients/fixed/certificates/${thumbprint}/end`, {});
  },
  "DELETE /clients/{id}/certificates/{thumbprint}": async ({ admin }) => {
    const { thumbprint } = (await admin.post("/clients/fixed/certificates", {})).json;
    return admin.delete(`/clients/fixed/certificates/${thumbprint}`);
  },
  "GET /clients/{id}/cert.pem": ({ admin }) => admin.get("/clients/fixed/cert.pem"),
  "GET /clients/{id}/key.pem": ({ admin }) => admin.get("/clients/fixed/key.pem"),
  "GET /clients/{id}/identity.pem": ({ admin }) => admin.get("/clients/fixed/identity.pem"),
  "GET /clients/{id}/client.p12": ({ admin }) => admin.get("/clients/fixed/client.p12"),
  "GET /clients/{id}/client.env": ({ admin }) => admin.get("/clients/fixed/client.env"),
  "GET /identities": ({ admin }) => admin.get("/identities"),
  "GET /identities/{name}/cert.pem": ({ admin }) => admin.get("/identities/expired/cert.pem"),
  "GET /identities/{name}/key.pem": ({ admin }) => admin.get("/identities/expired/key.pem"),
  "GET /identities/{name}/identity.pem": ({ admin }) => admin.get("/identities/expired/identity.pem"),
  "GET /identities/{name}/client.p12": ({ admin }) => admin.get("/identities/expired/client.p12"),
  "GET /clients/{id}/client-legacy.p12": ({ admin }) => admin.get("/clients/fixed/client-legacy.p12"),
  "GET /identities/{name}/client-legacy.p12": ({ admin }) => admin.get("/identities/expired/client-legacy.p12"),
  "GET /identities/{name}/client.env": ({ admin }) => admin.get("/identities/expired/client.env"),
  "GET /server/certificate": ({ admin }) => admin.get("/server/certificate"),
  "POST /server/certificate": ({ admin }) => admin.post("/server/certificate", {}),
  "POST /server/next-ca": ({ admin }) => admin.post("/server/next-ca", {}),
  "GET /ca-next.pem": async ({ admin }) => {
    await admin.post("/server/next-ca", {});
    return admin.get("/ca-next.pem");
  },
  "GET /scenario": ({ admin }) => admin.get("/scenario"),
  "PUT /scenario": ({ admin }) => admin.put("/scenario", { name: null }),
  "DELETE /scenario": ({ admin }) => admin.delete("/scenario"),
  "POST /scenario/undo": ({ admin }) => admin.post("/scenario/undo", undefined),
  "POST /clients/{id}/scenario/undo": ({ admin }) => admin.post("/clients/fixed/scenario/undo", undefined),
  "GET /clients/{id}/scenario": ({ admin }) => admin.get("/clients/fixed/scenario"),
  "PUT /clients/{id}/scenario": ({ admin }) => admin.put("/clients/fixed/scenario", { name: null }),
  "DELETE /clients/{id}/scenario": ({ admin }) => admin.delete("/clients/fixed/scenario"),
  "GET /scenarios": ({ admin }) => admin.get("/scenarios"),
  "GET /scenarios/{name}": ({ admin }) => admin.get("/scenarios/flaky"),
  "PUT /scenarios/{name}": ({ admin }) => admin.putYaml("/scenarios/mine", scenarioText),
  "POST /scenario/check": ({ admin }) =>
    admin.send("POST", "/scenario/check", { headers: { "Content-Type": "application/yaml" }, body: scenarioText }),
  "DELETE /scenarios/{name}": async ({ admin }) => {
    await admin.putYaml("/scenarios/mine", scenarioText);
    return admin.delete("/scenarios/mine");
  },
  "GET /clock": ({ admin }) => admin.get("/clock"),
  "PUT /clock": ({ admin }) => admin.put("/clock", { offset: "0s" }),
  "DELETE /clock": ({ admin }) => admin.delete("/clock"),
  "POST /clock": ({ admin }) => admin.post("/clock", { advance: "0s" }),
  "PUT /clients/{id}/expected": ({ admin }) => admin.put("/clients/fixed/expected", { expected: ["INVALID_CURSOR"] }),
  "GET /clients/{id}/clock": ({ admin }) => admin.get("/clients/fixed/clock"),
  "PUT /clients/{id}/clock": ({ admin }) => admin.put("/clients/fixed/clock", { offset: "1h" }),
  "DELETE /clients/{id}/clock": ({ admin }) => admin.delete("/clients/fixed/clock"),
  "POST /clients/{id}/clock": ({ admin }) => admin.post("/clients/fixed/clock", { advance: "301s" }),
  "GET /journal": ({ admin }) => admin.get("/journal"),
  "GET /journal/overview": ({ admin }) => admin.get("/journal/overview"),
  "GET /journal/missing": ({ admin }) => admin.get("/journal/missing?requests=1"),
  "GET /journal/export": ({ admin }) => admin.get("/journal/export"),
  "GET /requests": ({ admin }) => admin.get("/requests"),
  "GET /report": ({ admin }) => admin.get("/report?client=demo"),
  "GET /requests/count": ({ admin }) => admin.get("/requests/count"),
  "GET /requests/{id}": async (sandbox) => sandbox.admin.get(`/requests/${await newestRequest(sandbox)}`),
  "POST /requests/{id}/repeat": async (sandbox) =>
    sandbox.admin.post(`/requests/${await newestRequest(sandbox)}/repeat`, {}),
  "DELETE /requests": ({ admin }) => admin.delete("/requests?client=nobody"),
  "GET /handshakes": ({ admin }) => admin.get("/handshakes"),
};

async function newestRequest({ admin }: TestSandbox): Promise<string> {
  await demo.send("/v1/ping");
  return (await admin.get("/requests?pageSize=1")).json.items[0].id;
}

let sandbox: TestSandbox;
let demo: ApiClient;

beforeAll(async () => {
  sandbox = await startShared();
  await sandbox.sandbox.identities;
  await sandbox.mint({ clientId: "fixed" });
  demo = await sandbox.standing("demo");
});

/** A stream ends only with its reader, so it has its own tests. */
const answering = adminRoutes.filter(({ path }) => !path.endsWith("/stream"));

/** Values for the parameters of a path. */
const inPlace: Readonly<Record<string, string>> = {
  "/clients/{id}": "/clients/fixed",
  "/scenarios/{name}": "/scenarios/flaky",
  "/identities/{name}": "/identities/demo",
  "/requests/{id}": "/requests/1",
  "/errors/{code}": "/errors/INVALID_CURSOR",
  "/checks/{id}": "/checks/token.reused",
  "/assumptions/{id}": "/assumptions/token.scopes",
};

function concrete(path: string): string {
  const start = /^\/\w+\/\{\w+\}/.exec(path)?.[0] ?? "";
  return path.replace(start, inPlace[start] ?? start).replace("{thumbprint}", "A".repeat(43));
}

describe("every route of the table", () => {
  it.each(answering.map(({ method, path }) => `${method} ${path}`))("%s answers as described", async (name) => {
    const answer = await samples[name]?.(sandbox);
    expect(answer?.status).toBeLessThan(300);
  });

  it("has a sample, and no other route has one", () => {
    expect(Object.keys(samples).sort()).toEqual(answering.map(({ method, path }) => `${method} ${path}`).sort());
  });

  const paths = [...new Set(adminRoutes.map(({ path }) => path))];

  it.each(paths)("%s names its methods when another method is refused", async (path) => {
    const known = adminRoutes.filter((route) => route.path === path).map(({ method }) => method);
    const allowed = known.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const { status, headers, json } = await sandbox.admin.send("PATCH", concrete(path));
    expect([status, json.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
    expect(headers["allow"]).toBe(allowed.join(", "));
    expect(json.message).toBe(`This path answers to ${allowed.join(", ")}.`);
  });

  it.each(["/clients", "/clients/{id}/cert.pem", "/journal/export"])("HEAD %s is GET without a body", async (path) => {
    const asked = vi.spyOn(sandbox.admin, "get");
    const got = await samples[`GET ${path}`]?.(sandbox);
    const target = asked.mock.lastCall?.[0] ?? "";
    asked.mockRestore();
    const head = await sandbox.admin.send("HEAD", target);
    expect(head.status).toBe(200);
    expect(head.bytes.length).toBe(0);
    expect(head.headers["content-type"]).toBe(got?.headers["content-type"]);
    expect(head.headers["content-disposition"]).toBe(got?.headers["content-disposition"]);
  });

  const withName = adminRoutes.filter(({ path }) => path.includes("{"));

  it.each(withName.map(({ method, path }) => [method, path] as const))(
    "%s %s refuses an unknown name",
    async (method, path) => {
      // An upload creates the scenario.
      if (method === "PUT" && path === "/scenarios/{name}") return;
      const target = concrete(path).replace(
        /fixed|flaky|demo|requests\/1|INVALID_CURSOR|token\.(?:reused|scopes)/,
        (known) => (known === "requests/1" ? "requests/999999" : "nobody"),
      );
      const { status, json } = await sandbox.admin.send(method, target, bodyFor(method, path));
      expect(status).toBe(404);
      expect(json.message).toMatch(/nobody|999999/);
    },
  );

  const odd = [
    "%00",
    "a%20b",
    "%2e%2e%2fca",
    "%F0%9F%92%B6",
    "%3Cscript%3E",
    "%ZZ",
    "a".repeat(65),
    "-",
    "%2F",
    "a%0Ab",
  ];

  it.each(withName.map(({ method, path }) => [method, path] as const))(
    "%s %s refuses odd names",
    async (method, path) => {
      // All of them for the first route, and two for each of the others.
      for (const name of path === withName[0]?.path ? odd : odd.slice(0, 2)) {
        const target = path.replace(/\{\w+\}/, name).replace("{thumbprint}", "A".repeat(43));
        const { status, json } = await sandbox.admin.send(method, target, bodyFor(method, path));
        expect([target, status, json.code]).toEqual([target, 400, "INVALID_REQUEST"]);
        expect(json.message).toMatch(/^In the path: (id|name|code): (use letters|give )/);
      }
    },
  );

  /** A valid body, so that only the name is wrong. */
  function bodyFor(method: string, path: string) {
    if (method === "GET" || method === "DELETE") return {};
    const json = { "Content-Type": "application/json" };
    if (path === "/scenarios/{name}") return { body: "rules: []", headers: { "Content-Type": "application/yaml" } };
    if (path.endsWith("/clock"))
      return { headers: json, body: JSON.stringify(method === "POST" ? { advance: "1s" } : { offset: "1s" }) };
    if (path.endsWith("/scenario")) return { headers: json, body: '{"name":null}' };
    if (path.endsWith("/expected")) return { headers: json, body: '{"expected":[]}' };
    return { headers: json, body: "{}" };
  }
});

describe("a request that has no route", () => {
  const targets = [
    "/clients/",
    "//clients",
    "/Clients",
    "/ca.key.pem",
    "/certs/ca.key.pem",
    "/clients/fixed/ca.key.pem",
  ];

  it.each(targets)("%s is answered with 404 as JSON", async (target) => {
    const { status, json } = await sandbox.admin.get(target);
    expect([status, json?.code]).toEqual([404, "NOT_FOUND"]);
    expect(json.message).toContain("/admin-openapi.json");
  });
});
