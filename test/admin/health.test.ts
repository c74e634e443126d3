import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAdminApp } from "../../src/admin/app.js";
import type { Health } from "../../src/admin/common-schemas.js";
import type { AdminContext } from "../../src/admin/context.js";
import { resolveConfiguration } from "../../src/sandbox/config/resolve.js";
import { issueCertificate } from "../support/certificates.js";
import { start } from "./fixture.js";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "admin-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe("GET /health", () => {
  it("is 200 once every identity exists", async () => {
    const { sandbox, admin } = await start();
    await sandbox.identities;
    const { status, json } = await admin.get("/health");
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: "ok", identities: "ready" });
    expect(json.ports).toEqual({
      api: Number(new URL(sandbox.url).port),
      admin: Number(new URL(sandbox.adminUrl).port),
    });
  });

  it("answers on a connection that stays open as long as one of the API", async () => {
    const { admin } = await start();
    expect((await admin.get("/health")).headers["keep-alive"]).toBe("timeout=65");
  });

  it.each([
    ["starting", "pending"],
    ["failed", "failed"],
  ] as const)("is 503 while it is %s", async (status, identities) => {
    const [ports, tls] = [{ api: 1, admin: 2 }, { minVersion: "1.2", maxVersion: "1.3" } as const];
    const health: Health = { status, identities, version: "0", uptime: 0, ports, tls };
    const app = createAdminApp({ health: () => health } as AdminContext);
    const answer = await app.request("http://anything/health");
    expect([answer.status, await answer.json()]).toEqual([503, health]);
  });

  it("accepts any Host, and only GET and HEAD", async () => {
    const { admin } = await start();
    expect((await admin.get("/health", { Host: "10.1.2.3:9999" })).headers["content-type"]).toBe("application/json");
    expect((await admin.send("HEAD", "/health", { headers: { Host: "probe" } })).status).toBeLessThan(504);
    expect((await admin.send("POST", "/health", { headers: { Host: "probe" } })).status).toBe(403);
    expect((await admin.send("POST", "/health")).status).toBe(405);
  });
});

describe("a certificates folder without the key of its CA", () => {
  it("issues nothing and says why, but registers certificates of the caller", { tags: "slow" }, async () => {
    const folder = await temporaryFolder();
    const first = await start({ certs: folder, hostCerts: folder, keyType: "ec" });
    await first.sandbox.identities;
    await first.close();
    await rm(join(folder, "ca.key.pem"));
    const { admin } = await start({ certs: folder, hostCerts: folder });
    for (const path of ["/clients", "/clients/demo/certificates"]) {
      const { status, json } = await admin.post(path, {});
      expect([status, json.code]).toEqual([503, "CANNOT_ISSUE"]);
      expect(json.message).toContain("ca.key.pem");
    }
    const own = issueCertificate({ commonName: "own" });
    expect((await admin.post("/clients", { certificate: own.cert })).status).toBe(201);
    expect((await admin.get("/clients/demo/client.p12")).status).toBe(200);
  });

  it("client.env of an identity in the folder names the files there", async () => {
    const folder = await temporaryFolder();
    const { admin, sandbox } = await start({ certs: folder, hostCerts: "/home/me/certs", keyType: "ec" });
    await sandbox.identities;
    const { text } = await admin.get("/clients/demo/client.env");
    expect(text).toContain("SANDBOX_CERT_FILE=/home/me/certs/clients/demo/cert.pem\n");
    expect((await admin.get("/identities/expired/client.env")).text).toContain(
      "SANDBOX_KEY_FILE=/home/me/certs/misfits/expired/key.pem\n",
    );
  });
});

describe("journal in sandbox.yaml", () => {
  it("bounds the journal of a sandbox that is started with it", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "sandbox.yaml"), "journal: { requests: 2, bytes: 100000, handshakes: 7 }\n");
    const { journal } = await resolveConfiguration({}, {}, folder);
    expect(journal).toEqual({ requests: 2, bytes: 100_000, handshakes: 7 });
    const { admin, connect, sandbox } = await start({ journal }).then((own) => ({
      admin: own.admin,
      sandbox: own.sandbox,
      connect: own.connect.bind(own),
    }));
    const anonymous = connect();
    for (let index = 0; index < 3; index++) await anonymous.send("/v1/ping");
    expect((await admin.get("/requests/count")).json).toEqual({ count: 2 });
    expect(sandbox.journal.limits).toEqual(journal);
  });
});
