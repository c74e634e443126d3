import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { start } from "./fixture.js";

// More of clients.test.ts.

it("takes the keys of RSA clients from a pool, and waits for keys when the pool is empty", async () => {
  const sandbox = await start();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => sandbox.admin.post("/clients", { keyType: "rsa" })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  const keys = answers.map(({ json }) => new X509Certificate(json.certificate).publicKey);
  expect(keys.map((key) => key.asymmetricKeyDetails?.modulusLength)).toEqual(Array(8).fill(2048));
  expect(new Set(keys.map((key) => key.export({ type: "spki", format: "pem" }))).size).toBe(8);
  const [{ json }] = answers as [(typeof answers)[number]];
  expect((await sandbox.connect({ cert: json.certificate, key: json.key }, json.clientId).ping()).status).toBe(200);
});
