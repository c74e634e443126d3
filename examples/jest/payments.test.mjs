// NODE_OPTIONS=--experimental-vm-modules npx jest --config jest.modules.json
import { startSandbox } from "business-payments-sandbox";

let sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(() => sandbox.close());

// Instead of `client.request` and `client.token`, use your SDK with `client.url`, `client.clientId` and `client.tls`.

test("a token is refused once its five minutes are over", async () => {
  const client = await sandbox.createClient();
  const token = await client.token();
  expect((await client.request("/v1/ping", { token })).status).toBe(200);
  await client.clock.advance("301s");
  expect((await client.request("/v1/ping", { token })).status).toBe(401);
});

test("a client that is refused a token says why", async () => {
  const client = await sandbox.createClient();
  await client.useScenario("invalid-client");
  await expect(client.token()).rejects.toMatchObject({ code: "TOKEN_REFUSED", status: 400 });
});
