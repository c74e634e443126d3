import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, startShared, type TestSandbox } from "../../admin/fixture.js";
import { issueCertificate } from "../../support/certificates.js";
import { newestExplanation } from "./explained.js";

let sandbox: TestSandbox;
let demo: ApiClient;
let token: string;
const thumbprints = new Map<string, string>();

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
  token = await demo.token();
  const { json } = await sandbox.admin.get("/identities");
  for (const { name, thumbprint } of json.items) thumbprints.set(name, thumbprint);
});

const date = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;

/** For a certificate that is not registered: whose it may be, and how to connect. */
const unregistered = [
  "is not registered for any client",
  "The client demo has clients/demo (thumbprint DEMO)",
  "Connect with a certificate that is registered, such as clients/demo",
  "POST /clients/demo/certificates",
  "`clients` in sandbox.yaml",
];

const misfits: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  unregistered: [...unregistered, "a good certificate of the sandbox's CA"],
  untrusted: [...unregistered, "issued by another CA of the same name"],
  renewed: [...unregistered, "demo's key and subject in a new certificate"],
  lookalike: [...unregistered, "demo's subject with another key"],
  expired: [
    new RegExp(`registered for demo, expired at ${date}; at the sandbox it is ${date}, 24 hours later\\.`),
    "It exists to be refused",
    "Connect with one that is valid, such as clients/demo.",
  ],
  "not-yet-valid": [
    new RegExp(`registered for demo, is valid only from ${date}; at the sandbox it is ${date}, 365 days too early\\.`),
    "It exists to be refused",
    "such as clients/demo. Or advance the clock: POST /clock on the admin port.",
  ],
  "wrong-usage": [
    "registered for demo, is not for clients: its key usage or extended key usage does not permit client authentication",
    "extendedKeyUsage clientAuth",
    "such as clients/demo",
  ],
};

function expectAll(explanation: string, expected: readonly (string | RegExp)[]): void {
  for (const part of expected) {
    if (part instanceof RegExp) expect(explanation).toMatch(part);
    else expect(explanation).toContain(part.replace("DEMO", thumbprints.get("demo") as string));
  }
}

describe.each(Object.keys(misfits))("the misfit %s", (name) => {
  it("at the token endpoint: what is wrong with it, and how to fix it", async () => {
    const client = await sandbox.standing(name);
    expect((await client.requestToken({ client_id: "demo" })).status).toBe(400);
    const explanation = await newestExplanation(sandbox);
    expect(explanation).toContain(
      `The certificate of this connection, misfits/${name} (thumbprint ${thumbprints.get(name)})`,
    );
    expectAll(explanation, misfits[name] as readonly string[]);
  });

  it("with demo's token: to whom the token belongs, and over which certificate it was sent", async () => {
    const client = await sandbox.standing(name);
    expect((await client.ping(token)).status).toBe(401);
    const explanation = await newestExplanation(sandbox);
    const isRegistered = ["expired", "not-yet-valid", "wrong-usage"].includes(name);
    expectAll(explanation, [
      "The access token was issued to demo for its certificate clients/demo (thumbprint DEMO)",
      `but this connection uses misfits/${name} (thumbprint ${thumbprints.get(name)}), ${isRegistered ? "" : "not "}registered for `,
      "get a new one over this connection, and keep tokens by certificate",
    ]);
    const sameSubject = ["untrusted", "renewed", "lookalike"].includes(name);
    expect(explanation.includes("The two have the same subject")).toBe(sameSubject);
  });
});

describe("no certificate", () => {
  it("where to find one, and why one may have been lost", async () => {
    await sandbox.connect().requestToken();
    expectAll(await newestExplanation(sandbox), [
      "This connection has no client certificate.",
      "clients/demo/cert.pem and clients/demo/key.pem",
      "A proxy that terminates TLS removes it",
    ]);
  });

  it("without a token either: a connection with one comes first", async () => {
    await sandbox.connect().send("/v1/ping");
    const explanation = await newestExplanation(sandbox);
    expect(explanation).toContain(
      "There is no client certificate either: connect with one, such as clients/demo, get a",
    );
    expect(explanation).not.toContain("this connection's certificate");
  });

  it("with a token: which certificate it requires", async () => {
    await sandbox.connect().ping(token);
    expectAll(await newestExplanation(sandbox), [
      "issued to demo for its certificate clients/demo (thumbprint DEMO), but this connection has no client certificate.",
      "for every request, not only for the one that gets the token",
    ]);
  });
});

describe("a user's own certificate that is not registered", () => {
  it("of a foreign CA", async () => {
    const issuer = issueCertificate({ commonName: "Our Bank's CA", ca: true });
    const own = issueCertificate({ commonName: "integration-7", issuer });
    await sandbox.connect(own).requestToken({ client_id: "integration-7" });
    expectAll(await newestExplanation(sandbox), [
      "The certificate of this connection, CN=integration-7 (thumbprint ",
      "The sandbox does not trust it: its issuer, CN=Our Bank's CA, is not among the trusted CAs.",
      "That may be right: a certificate of any issuer can be registered.",
      "POST /clients on the admin port with it as `certificate`",
    ]);
  });

  it("that is self-signed", async () => {
    await sandbox.connect(issueCertificate({ commonName: "me" })).requestToken();
    expectAll(await newestExplanation(sandbox), ["it is self-signed", ...unregistered]);
  });

  it("that was renewed for the same subject", async () => {
    const first = issueCertificate({ commonName: "yearly" });
    await sandbox.admin.post("/clients", { clientId: "yearly", certificate: first.cert });
    await sandbox.connect(issueCertificate({ commonName: "yearly" }), "yearly").requestToken();
    expectAll(await newestExplanation(sandbox), [
      "It has the same subject as a certificate of yearly, but it is another certificate.",
      "a renewed certificate must be registered again",
      "POST /clients/yearly/certificates",
    ]);
  });

  it("whose client was deleted", async () => {
    const client = await sandbox.mint({ clientId: "gone" });
    await sandbox.admin.delete("/clients/gone");
    await client.requestToken();
    expectAll(await newestExplanation(sandbox), [
      "It was registered for gone, until it or the client was deleted through the admin API.",
      "POST /clients on the admin port",
    ]);
  });
});

describe("a client_id that does not fit", () => {
  it("of another client: which certificate that client has", async () => {
    await demo.requestToken({ client_id: "other" });
    expectAll(await newestExplanation(sandbox), [
      "clients/demo (thumbprint DEMO), is registered for demo, but client_id is other.",
      `Send client_id=demo, or connect with a certificate of other, which has clients/other (thumbprint ${thumbprints.get("other")}).`,
    ]);
  });

  it("of an unknown client", async () => {
    await demo.requestToken({ client_id: "demoo" });
    expectAll(await newestExplanation(sandbox), [
      'There is no client "demoo".',
      "send client_id=demo, or register the client (POST /clients on the admin port, or `clients` in sandbox.yaml)",
    ]);
  });
});

describe("a clock that was moved", () => {
  it.each([
    ["400d", "expired at", "400 days ahead of"],
    ["-2d", "is valid only from", "48 hours behind"],
  ])("by %s: the certificate is valid, and the clock is the reason", async (offset, problem, distance) => {
    const client = await sandbox.mint();
    await sandbox.admin.put(`/clients/${client.clientId}/clock`, { offset });
    expect((await client.requestToken()).status).toBe(400);
    const explanation = await newestExplanation(sandbox);
    expectAll(explanation, [
      problem,
      `The sandbox's clock for ${client.clientId} is ${distance} the machine's: DELETE /clients/${client.clientId}/clock on the admin port returns it to the sandbox's time, DELETE /clock returns that to real time.`,
    ]);
    expect(explanation).not.toContain("Connect with one that is valid");
  });
});
