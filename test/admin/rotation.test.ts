import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { IdentityStore } from "../../src/admin/identities.js";
import { issueCertificate } from "../support/certificates.js";
import { type ApiClient, startShared, type TestSandbox } from "./fixture.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
  await sandbox.sandbox.identities;
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("rotation", () => {
  let client: ApiClient & { readonly minted: { readonly thumbprint: string; readonly certificate: string } };
  let second: ApiClient;
  let secondCertificate: { readonly thumbprint: string; readonly certificate: string; readonly key: string };

  beforeAll(async () => {
    client = await sandbox.mint({ clientId: "rotating" });
    const { status, json } = await sandbox.admin.post("/clients/rotating/certificates", {});
    expect(status).toBe(201);
    secondCertificate = json;
    second = sandbox.connect({ cert: json.certificate, key: json.key }, "rotating");
  });

  it("the new certificate is valid, and the old one still is", async () => {
    expect((await second.ping()).status).toBe(200);
    expect((await client.ping()).status).toBe(200);
    const { json } = await sandbox.admin.get("/clients/rotating");
    expect(json.certificates).toHaveLength(2);
    expect((await sandbox.admin.get("/clients/rotating/cert.pem")).text).toBe(secondCertificate.certificate);
  });

  it("a deleted certificate is refused together with its tokens, also on an open connection", async () => {
    const token = await client.token();
    expect((await client.ping(token)).status).toBe(200);
    const path = `/clients/rotating/certificates/${client.minted.thumbprint}`;
    expect((await sandbox.admin.delete(path)).status).toBe(204);
    expect((await client.ping(token)).status).toBe(401);
    expect((await client.requestToken()).json.code).toBe("INVALID_CLIENT");
    expect((await second.ping()).status).toBe(200);
    const again = await sandbox.admin.delete(path);
    expect([again.status, again.json.code]).toEqual([404, "UNKNOWN_CERTIFICATE"]);
    const refused = (await sandbox.admin.get("/requests?operation=token&status=400&pageSize=1")).json.items[0];
    expect(refused.explanation).toContain("It was registered for rotating, until it or the client was deleted");
    expect(refused.explanation).toContain("POST /clients/rotating/certificates");
  });

  it("without a certificate there are no files, and with a new one they exist again", async () => {
    await sandbox.admin.delete(`/clients/rotating/certificates/${secondCertificate.thumbprint}`);
    const { json } = await sandbox.admin.get("/clients/rotating");
    expect([json.certificates, json.downloads]).toEqual([[], []]);
    expect((await sandbox.admin.get("/clients/rotating/key.pem")).json.message).toContain(
      "it has no certificate any more",
    );
    const third = await sandbox.admin.post("/clients/rotating/certificates", {});
    expect((await sandbox.admin.get("/clients/rotating/cert.pem")).text).toBe(third.json.certificate);
  });

  it("accepts the caller's certificate, unless it belongs to another client", async () => {
    const own = issueCertificate({ commonName: "own rotation" });
    const { status, json } = await sandbox.admin.post("/clients/rotating/certificates", { certificate: own.cert });
    expect([status, json.key]).toEqual([201, null]);
    expect((await sandbox.connect(own, "rotating").ping()).status).toBe(200);
    const taken = await sandbox.admin.post("/clients/demo/certificates", { certificate: own.cert });
    expect([taken.status, taken.json.code]).toEqual([409, "CERTIFICATE_IN_USE"]);
  });

  it("a client that is deleted while its certificate is made does not get it", async () => {
    await sandbox.mint({ clientId: "leaving" });
    const kept = vi.spyOn(IdentityStore.prototype, "add");
    const { issue } = IdentityStore.prototype;
    vi.spyOn(IdentityStore.prototype, "issue").mockImplementationOnce(async function (this: IdentityStore, ...args) {
      const identity = await issue.apply(this, args);
      expect((await sandbox.admin.delete("/clients/leaving")).status).toBe(204);
      return identity;
    });
    const { status, json } = await sandbox.admin.post("/clients/leaving/certificates", {});
    expect([status, json.code]).toEqual([404, "UNKNOWN_CLIENT"]);
    expect(kept).not.toHaveBeenCalled();
  });
});

describe("DELETE /clients/ID", () => {
  it("invalidates certificates and tokens, and the id is free again", async () => {
    const client = await sandbox.mint({ clientId: "short-lived" });
    const token = await client.token();
    const forgotten = vi.spyOn(IdentityStore.prototype, "forget");
    expect((await sandbox.admin.delete("/clients/short-lived")).status).toBe(204);
    expect(forgotten).toHaveBeenCalledExactlyOnceWith(client.minted.thumbprint);
    expect((await client.ping(token)).status).toBe(401);
    expect((await sandbox.admin.get("/clients/short-lived")).status).toBe(404);
    const again = await sandbox.mint({ clientId: "short-lived" });
    expect((await again.ping()).status).toBe(200);
    expect((await client.ping(token)).status).toBe(401);
  });

  it("works on the built-in clients too, and they can be made again", async () => {
    const other = await sandbox.standing("other");
    expect((await other.ping()).status).toBe(200);
    expect((await sandbox.admin.delete("/clients/other")).status).toBe(204);
    expect((await other.requestToken()).status).toBe(400);
    const { json } = await sandbox.admin.get("/identities");
    expect(json.items.find(({ name }: { name: string }) => name === "other")).toMatchObject({ registeredFor: null });
    const certificate = (await sandbox.admin.get("/identities/other/cert.pem")).text;
    const back = await sandbox.admin.post("/clients", { clientId: "other", certificate });
    expect(back.status).toBe(201);
    expect((await other.ping()).status).toBe(200);
    // The sandbox still has its key.
    expect((await sandbox.admin.get("/clients/other")).json.downloads).toHaveLength(5);
  });
});
