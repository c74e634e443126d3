import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveConfiguration } from "../../../src/sandbox/config/resolve.js";
import { issueCertificate, issueTestCertificates, type TestIdentity } from "../../support/certificates.js";
import { HttpsClient } from "../../support/https-client.js";
import { openTls } from "../../support/raw-client.js";
import { expectError, goodForm, openSandbox, type RunningSandbox } from "../conformance/sandbox.js";
import { configured, folderWith, problemsOf } from "./configuration.js";

const bank = issueTestCertificates();
const selfSigned = issueCertificate({ commonName: "self-signed" });
const second = issueCertificate({ commonName: "second", issuer: bank.otherCa });
const bundled = issueCertificate({ commonName: "bundled", issuer: bank.ca });

describe("clients of the user's own", () => {
  let sandbox: RunningSandbox;
  const clients: HttpsClient[] = [];
  beforeAll(async () => {
    sandbox = await openSandbox({
      files: {
        "acme.pem": bank.client.cert,
        "acme-next.pem": second.cert,
        "nested/self.pem": `Some words before it\n${selfSigned.cert}`,
        "bundle.pem": bundled.cert + bundled.key + bank.ca.cert,
      },
      yaml: `
clients:
  - clientId: acme
    certificates: [acme.pem, acme-next.pem]
  - clientId: Self_signed-1.x
    certificates: [nested/self.pem]
    scopes: [read, payments:write]
  - clientId: writer
    certificates: [bundle.pem]
    scopes: [payments:write]
`,
    });
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await sandbox?.close();
  });

  function as({ cert, key }: TestIdentity) {
    const client = new HttpsClient(sandbox.url, { ca: sandbox.ca, identity: { cert, key } });
    clients.push(client);
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return {
      post: (clientId: string, scope = "read") =>
        client.send("/oauth/v2/oauth-token", {
          method: "POST",
          headers,
          body: `${goodForm(clientId).replace("read", encodeURIComponent(scope))}`,
        }),
      ping: (token: string) => client.send("/v1/ping", { headers: { Authorization: `Bearer ${token}` } }),
    };
  }

  it("are recognised by the exact certificate, from any issuer or self-signed", async () => {
    for (const [identity, clientId] of [
      [bank.client, "acme"],
      [second, "acme"],
      [selfSigned, "Self_signed-1.x"],
    ] as const) {
      const answer = await as(identity).post(clientId);
      expect(answer.status).toBe(200);
      expect((await as(identity).ping(answer.json.access_token)).status).toBe(200);
    }
  });

  it("have tokens bound to the certificate over which they were issued", async () => {
    const token = (await as(bank.client).post("acme")).json.access_token;
    expectError(await as(second).ping(token), 401, "UNAUTHORIZED");
    expectError(await as(selfSigned).ping(token), 401, "UNAUTHORIZED");
  });

  it("are not recognised by another certificate of the same CA, name or key", async () => {
    const again = issueCertificate({ commonName: "test client", issuer: bank.ca });
    for (const identity of [again, bank.untrusted, bank.expired]) {
      const answer = await as(identity).post("acme");
      expect([answer.status, answer.json.code]).toEqual([400, "INVALID_CLIENT"]);
    }
  });

  it("can request their own scopes, of which only read gives access", async () => {
    expect((await as(selfSigned).post("Self_signed-1.x", "payments:write read")).json.scope).toBe(
      "payments:write read",
    );
    expect((await as(bank.client).post("acme", "payments:write")).json.code).toBe("INVALID_SCOPE");
    const writer = await as(bundled).post("writer", "payments:write");
    expect(writer.status).toBe(200);
    const answer = await as(bundled).ping(writer.json.access_token);
    expectError(answer, 403, "FORBIDDEN");
  });

  it("exist next to demo and other", async () => {
    expect((await sandbox.postToken()).status).toBe(200);
    expect((await sandbox.postToken(goodForm("acme"))).status).toBe(400);
  });
});

describe("a certificate file that cannot be registered is an error at the position that names it", () => {
  const yaml = "clients:\n  - clientId: acme\n    certificates: [c.pem]\n";
  const at = (message: string) => [expect.stringMatching(new RegExp(`^sandbox\\.yaml:3:20: .*${message}`))];
  const cut = bank.client.cert.slice(0, 300);

  it.each<[string, string, string]>([
    ["expired", bank.expired.cert, "expired on"],
    ["cut short", cut, "broken or cut short"],
    ["cut short, with an end", `${cut}\n-----END CERTIFICATE-----\n`, "broken or cut short"],
    ["altered", bank.client.cert.replace(/[A-Za-z0-9]{20}/, "!".repeat(20)), "broken"],
    ["empty", "", "no certificate in PEM form"],
    ["only a key", bank.client.key, "no certificate in PEM form"],
    [
      "a request",
      "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n",
      "no certificate in PEM",
    ],
    ["DER", bank.client.x509.raw.toString("latin1"), "no certificate in PEM form"],
    ["encrypted", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n", "is encrypted"],
  ])("%s", async (_name, text, message) => {
    expect(await problemsOf(yaml, { "c.pem": text })).toEqual(at(message));
  });

  it("missing, with the full path", async () => {
    expect(await problemsOf(yaml)).toEqual(at("There is no file c\\.pem|There is no file .*c\\.pem"));
  });

  it("a folder", async () => {
    const folder = folderWith({ "sandbox.yaml": yaml });
    mkdirSync(join(folder, "c.pem"));
    await expect(
      import("../../../src/sandbox/config/resolve.js").then((m) => m.resolveConfiguration({}, {}, folder)),
    ).rejects.toThrow(/sandbox\.yaml:3:20: .*c\.pem cannot be read/);
  });

  const noOpenssl = spawnSync("openssl", ["version"]).status !== 0;
  it.skipIf(noOpenssl)(
    "the output of openssl is refused if it is encrypted, and read if it is not, with attributes before it",
    async () => {
      const folder = folderWith({ "key.pem": bank.client.key, "cert.pem": bank.client.cert });
      execFileSync("openssl", ["pkcs8", "-topk8", "-in", "key.pem", "-out", "c.pem", "-passout", "pass:x"], {
        cwd: folder,
      });
      writeFileSync(join(folder, "sandbox.yaml"), yaml);
      await expect(resolveConfiguration({}, {}, folder)).rejects.toThrow(/sandbox\.yaml:3:20: c\.pem is encrypted/);
      execFileSync("openssl", ["x509", "-in", "cert.pem", "-text", "-out", "c.pem"], { cwd: folder });
      const { clients } = await resolveConfiguration({}, {}, folder);
      expect(clients[0]?.certificates).toEqual([bank.client.cert]);
    },
  );
});

it("a certificate that is not valid yet can be registered", async () => {
  const future = issueCertificate({ commonName: "future", notBefore: Date.now() + 86_400_000 });
  const yaml = "clients: [{ clientId: a, certificates: [c.pem] }]";
  expect((await configured(yaml, { files: { "c.pem": future.cert } })).clients).toHaveLength(1);
});

describe("conflicting registrations end the start", () => {
  const files = { "a.pem": bank.client.cert, "b.pem": second.cert };

  it.each([
    ["two clients of one id", "{ clientId: x, certificates: [a.pem] }, { clientId: x, certificates: [b.pem] }", /"x"/],
    [
      "one certificate for two clients",
      "{ clientId: x, certificates: [a.pem] }, { clientId: y, certificates: [a.pem] }",
      /"x"/,
    ],
    ["the id of a standing client", "{ clientId: demo, certificates: [a.pem] }", /"demo"/],
  ])("%s", async (_name, clients, message) => {
    await expect(openSandbox({ yaml: `clients: [${clients}]`, files })).rejects.toThrow(message);
  });

  it("one certificate twice for one client is not a conflict", async () => {
    const sandbox = await openSandbox({ yaml: "clients: [{ clientId: x, certificates: [a.pem, a.pem] }]", files });
    expect((await sandbox.send("/v1/ping")).status).toBe(401);
    await sandbox.close();
  });
});

describe("tls.clientCertificate: require", () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({
      files: { "bank.pem": bank.otherCa.cert + bank.ca.cert, "acme.pem": bank.client.cert },
      yaml: "tls: { clientCertificate: require, clientCa: [bank.pem] }\nclients: [{ clientId: acme, certificates: [acme.pem] }]\n",
    });
  });
  afterAll(() => sandbox?.close());

  it("refuses in the handshake what it would refuse later", async () => {
    for (const as of ["nobody", "untrusted", "expired", "not-yet-valid", "wrong-usage"] as const) {
      await expect(sandbox.send("/v1/ping", { as })).rejects.toThrow(/ECONNRESET|socket hang up|alert|ERR_SSL/);
    }
  });

  it("accepts valid certificates, and checks them with each request", async () => {
    expect((await sandbox.postToken()).status).toBe(200);
    for (const as of ["unregistered", "renewed", "lookalike"] as const) {
      expect((await sandbox.postToken(goodForm(), { as })).json.code).toBe("INVALID_CLIENT");
    }
  });

  it("trusts every certificate of a clientCa file, and sends their names to the client", async () => {
    for (const { cert, key } of [bank.client, bank.untrusted]) {
      const client = await openTls({ port: sandbox.port, ca: sandbox.ca, cert, key });
      client.send("GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      await client.closed;
      expect(client.received).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  it("a clientCa that cannot be read is an error at its position", async () => {
    expect(await problemsOf("tls: { clientCa: [x.pem] }")).toEqual([
      expect.stringMatching(/^sandbox\.yaml:1:19: There is no file .*x\.pem/),
    ]);
    expect(await problemsOf("tls: { clientCa: [x.pem] }", { "x.pem": "hello" })).toEqual([
      expect.stringMatching(/^sandbox\.yaml:1:19: x\.pem holds no certificate/),
    ]);
  });
});
