import { beforeAll, expect, it } from "vitest";
import { type Caller, expectError, expectTokenError, sharedSandbox } from "./sandbox.js";

// §5 point 1: the certificate is that of the TLS handshake. Headers in which proxies forward one prove nothing.
const sandbox = sharedSandbox();
let headers: Record<string, string>;

beforeAll(() => {
  const pem = sandbox().identity("demo").cert;
  const oneLine = pem.replaceAll("\n", " ").trim();
  const escaped = encodeURIComponent(pem);
  const der = pem.replaceAll(/-----[A-Z ]+-----|\n/g, "");
  headers = {
    "X-Client-Cert": escaped,
    "X-Client-Certificate": oneLine,
    "X-Forwarded-Client-Cert": `Cert="${escaped}";Subject="CN=demo"`,
    "X-SSL-Cert": escaped,
    "X-SSL-Client-Cert": oneLine,
    "X-SSL-Client-Verify": "SUCCESS",
    "X-SSL-Client-S-DN": "CN=demo",
    "SSL-Client-Cert": oneLine,
    SSL_CLIENT_CERT: oneLine,
    "X-ARR-ClientCert": der,
    "X-Amzn-Mtls-Clientcert": escaped,
    "X-Amzn-Mtls-Clientcert-Leaf": escaped,
    // RFC 9440
    "Client-Cert": `:${der}:`,
    "Client-Cert-Chain": `:${der}:`,
    "X-Client-DN": "CN=demo",
    "X-Client-Verify": "SUCCESS",
  };
});

it.each<Caller>(["nobody", "other", "lookalike"])("%s gets no token with them", async (as) => {
  expectTokenError(await sandbox().postToken(undefined, { as, headers }), 400, "INVALID_CLIENT", "invalid_client");
  for (const [name, value] of Object.entries(headers)) {
    const answer = await sandbox().postToken(undefined, { as, headers: { [name]: value } });
    expect(`${name} ${answer.status}`).toBe(`${name} 400`);
  }
});

it.each<Caller>(["nobody", "other", "lookalike"])("%s can use no token with them", async (as) => {
  const token = await sandbox().token();
  expectError(await sandbox().send("/v1/ping", { as, token, headers }), 401, "UNAUTHORIZED");
});

it("they do not affect a peer with the certificate", async () => {
  const stranger = { "X-Client-Cert": encodeURIComponent(sandbox().identity("other").cert) };
  expect((await sandbox().postToken(undefined, { headers: stranger })).status).toBe(200);
  expect((await sandbox().send("/v1/ping", { token: await sandbox().token(), headers: stranger })).status).toBe(200);
});

it("headers that claim another host, path or method have no effect", async () => {
  const token = await sandbox().token();
  const answer = await sandbox().send("/v1/ping", {
    token,
    headers: {
      "X-Forwarded-Host": "attacker.test",
      "X-Forwarded-Proto": "http",
      "X-Original-URL": "/v1/payments",
      "X-Rewrite-URL": "/v1/payments",
      "X-HTTP-Method-Override": "POST",
      Forwarded: "for=1.2.3.4;host=attacker.test;proto=http",
    },
  });
  expect([answer.status, answer.json]).toEqual([200, { status: "OK" }]);
});
