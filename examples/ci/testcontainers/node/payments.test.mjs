// node --test, with the client of ../../../node-https.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PaymentsClient } from "../../../node-https/client.mjs";
import { startSandboxContainer } from "./sandbox-container.mjs";

let sandbox;

before(async () => {
  sandbox = await startSandboxContainer();
});

after(() => sandbox?.stop());

test("a refused token is replaced by a new one", async () => {
  const { clientId, certificate, key, ca, useScenario } = await sandbox.newClient();
  await useScenario("unauthorized-once");
  const client = new PaymentsClient({ url: sandbox.url, clientId, cert: certificate, key, ca });
  assert.deepEqual(await client.ping(), { status: "OK" });
  client.close();
});
