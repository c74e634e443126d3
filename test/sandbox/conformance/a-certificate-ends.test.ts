import { expect, it } from "vitest";
import { HttpsClient } from "../../support/https-client.js";
import { goodForm, type RunningSandbox, sharedSandbox, tokenPath } from "./sandbox.js";

const usual = sharedSandbox();
const strict = sharedSandbox({ yaml: "assumptions:\n  certificate.ended: { status: 403, code: FORBIDDEN }\n" });

/** A client with a new certificate, and what can be done with it. */
async function newClient(sandbox: RunningSandbox) {
  // biome-ignore lint/suspicious/noExplicitAny: the answers of the admin API are of many kinds
  const ask = async (path: string, body: object = {}): Promise<any> => {
    const sent = { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    return (await fetch(sandbox.adminUrl + path, sent)).json();
  };
  const { clientId, certificate, key, thumbprint } = await ask("/clients");
  const over = (cert: string, ofKey: string) => {
    const client = new HttpsClient(sandbox.url, { ca: sandbox.ca, identity: { cert, key: ofKey } });
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    return {
      token: () => client.send(tokenPath, { method: "POST", headers: form, body: goodForm(clientId) }),
      ping: async (token: string) =>
        (await client.send("/v1/ping", { headers: { Authorization: `Bearer ${token}` } })).status,
    };
  };
  return { clientId, thumbprint, ask, over, old: over(certificate, key) };
}

it("a token of a replaced certificate is good over it until it ends, and never over the new one", async () => {
  const { clientId, ask, over, old } = await newClient(usual());
  const token = (await old.token()).json.access_token;
  const { certificate, key } = await ask(`/clients/${clientId}/rotate`, { overlap: "30s" });
  const next = over(certificate, key);
  expect([await old.ping(token), await next.ping(token)]).toEqual([200, 401]);
  await ask(`/clients/${clientId}/clock`, { advance: "30s" });
  expect([await old.ping(token), await next.ping(token)]).toEqual([401, 401]);
  expect(await next.ping((await next.token()).json.access_token)).toBe(200);
});

it("a connection that was opened before is kept until the end, and its requests are refused from then on", async () => {
  const { clientId, thumbprint, ask, old } = await newClient(usual());
  const token = (await old.token()).json.access_token;
  expect(await old.ping(token)).toBe(200);
  await ask(`/clients/${clientId}/certificates/${thumbprint}/end`);
  expect([await old.ping(token), await old.ping(token)]).toEqual([401, 401]);
  expect((await old.token()).json.code).toBe("INVALID_CLIENT");
});

it("its refusal can be another one: 403 by the error object", async () => {
  const { clientId, thumbprint, ask, old } = await newClient(strict());
  const token = (await old.token()).json.access_token;
  await ask(`/clients/${clientId}/certificates/${thumbprint}/end`);
  expect(await old.ping(token)).toBe(403);
  const { status, json } = await old.token();
  expect([status, json.code]).toEqual([403, "FORBIDDEN"]);
});
