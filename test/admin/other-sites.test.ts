import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/table.js";
import type { AdminAnswer } from "./admin-client.js";
import { startShared, type TestSandbox } from "./fixture.js";

// What the page of another site can make a browser send to the admin port, for every route of the table. Nothing of it
// may act.

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
  await sandbox.mint({ clientId: "fixed" });
});

const names: Readonly<Record<string, string>> = { id: "fixed", name: "flaky", thumbprint: "A".repeat(43) };

function concrete(path: string): string {
  if (path.startsWith("/requests/{")) return path.replace("{id}", "1");
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => names[name] ?? name);
}

const routes = adminRoutes.map(({ method, path }) => [method, concrete(path)] as const);
/** `GET /health` answers to everyone: a health check uses any name. */
const guarded = routes.filter(([, path]) => path !== "/health");
const acting = guarded.filter(([method]) => method !== "GET");

/** All of several values for the first routes, and one of them for each of the others, in turn. */
function inTurn<T>(all: readonly T[], index: number): readonly T[] {
  return index < 2 ? all : [all[index % all.length] as T];
}

const numbered = <T>(some: readonly T[]) => some.map((one, index) => [...(one as [string, string]), index] as const);

describe("a body of a type that a page of another site may send", () => {
  const types = [
    "text/plain",
    "text/plain;charset=UTF-8",
    "TEXT/PLAIN",
    "text/plain; application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "",
  ];

  it.each(numbered(acting))(
    "%s %s refuses it, also without a body, and says what to send",
    async (method, path, index) => {
      for (const type of inTurn(types, index)) {
        for (const body of ["{}", ""]) {
          const headers = { "Content-Type": type, "Content-Length": String(body.length) };
          const { status, json } = await sandbox.admin.send(method, path, { headers, body });
          expect([type, body, status, json?.code]).toEqual([type, body, 415, "UNSUPPORTED_MEDIA_TYPE"]);
          expect(json.message).toMatch(/Content-Type: application\/(json|yaml)|leave out/);
        }
      }
    },
  );

  it.each(acting)("%s %s refuses a body without a type, with its length or in chunks", async (method, path) => {
    for (const headers of [{ "Content-Length": "2" }, { "Transfer-Encoding": "chunked" }]) {
      const { status, json } = await sandbox.admin.send(method, path, { headers, body: "{}" });
      expect([status, json?.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    }
  });

  it("has no effect", async () => {
    await sandbox.admin.put("/scenario", { name: "flaky" });
    for (const type of types) {
      await sandbox.admin.send("POST", "/reset", { headers: { "Content-Type": type } });
      await sandbox.admin.send("DELETE", "/scenario", { headers: { "Content-Type": type } });
    }
    expect((await sandbox.admin.get("/scenario")).json.name).toBe("flaky");
    expect((await sandbox.admin.delete("/scenario")).json.name).toBeNull();
  });

  it("a POST without a body and without a type still works, as `curl -X POST` sends it", async () => {
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(`${sandbox.admin.url}/reset`, { method: "POST" }, (incoming) => {
        incoming.resume();
        resolve(incoming.statusCode);
      });
      outgoing.on("error", reject);
      outgoing.flushHeaders();
      outgoing.end();
    });
    expect(status).toBe(204);
    expect((await sandbox.admin.send("POST", "/clients", { headers: { "Content-Length": "0" } })).status).toBe(201);
    expect((await sandbox.admin.send("POST", "/clients/fixed/certificates")).status).toBe(201);
  });
});

describe("a request of another site", () => {
  const refused = async (
    method: string,
    path: string,
    headers: Record<string, string>,
  ): Promise<AdminAnswer["json"]> => {
    const { status, json } = await sandbox.admin.send(method, path, { headers });
    expect([headers, status]).toEqual([headers, 403]);
    return json?.code;
  };

  it.each(numbered(guarded))("%s %s is refused with another Origin, also with `null`", async (method, path, index) => {
    const own = new URL(sandbox.admin.url);
    const others = ["https://attacker.test", "null", `http://localhost:${Number(own.port) - 1}`, "file://"];
    for (const origin of inTurn(others, index))
      expect(await refused(method, path, { Origin: origin })).toBe("ORIGIN_NOT_ALLOWED");
  });

  const modes = ["navigate", "cors", "no-cors", "same-origin", "websocket", undefined];

  it.each(numbered(guarded))(
    "%s %s is refused if it was fetched cross-site, in every mode",
    async (method, path, index) => {
      for (const site of inTurn(["cross-site", "same-site"], index)) {
        for (const mode of inTurn(modes, index)) {
          // A link on another page may open something; the page cannot read the answer.
          if (method === "GET" && mode === "navigate") continue;
          const headers = { "Sec-Fetch-Site": site, ...(mode !== undefined && { "Sec-Fetch-Mode": mode }) };
          expect(await refused(method, path, headers)).toBe("ORIGIN_NOT_ALLOWED");
        }
        const frame = { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" };
        expect(await refused(method, path, frame)).toBe("ORIGIN_NOT_ALLOWED");
      }
    },
  );

  it.each(numbered(guarded))("%s %s is refused under a rebound name", async (method, path, index) => {
    for (const host of inTurn(["attacker.test", "127.0.0.1.nip.io:8090", "localhost.attacker.test"], index))
      expect(await refused(method, path, { Host: host })).toBe("HOST_NOT_ALLOWED");
  });

  it("may follow a link, which only reads: no GET changes the state", async () => {
    const link = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
    expect((await sandbox.admin.get("/openapi.json", link)).status).toBe(200);
    expect((await sandbox.admin.send("HEAD", "/openapi.json", { headers: link })).status).toBe(200);
    expect(adminRoutes.filter(({ method, changes }) => method === "GET" && changes)).toEqual([]);
  });

  it.each([
    ["POST", "/"],
    ["POST", "/session"],
    ["DELETE", "/session"],
  ])("%s %s, the sign-in of the dashboard, is refused as well", async (method, path) => {
    for (const headers of [
      { Origin: "https://attacker.test" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" },
      { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate" },
      { Host: "attacker.test" },
    ])
      expect((await sandbox.admin.send(method, path, { headers: headers as Record<string, string> })).status).toBe(403);
  });
});
