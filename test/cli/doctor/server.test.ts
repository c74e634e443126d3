import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../../src/index.js";
import { issueCertificate, issueTestCertificates } from "../../support/certificates.js";
import { clinic, findings, marked } from "./fixture.js";

const doctor = clinic({ hostnames: ["payments.test"] });
const { certs, file, examine } = doctor;
const demo = { cert: certs("clients/demo/cert.pem"), key: certs("clients/demo/key.pem") };

/** The port of a server that listens until the end of its test. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const problems = async (flags: Parameters<typeof examine>[0]) => marked("✗", await examine({ ...demo, ...flags }));

describe("the server", () => {
  it("is asked by its IPv6 address over both versions of HTTP", { tags: "slow" }, async () => {
    const lines = await examine({ ...demo, url: doctor.sandbox.url.replace("localhost", "[::1]") });
    expect(marked("✗", lines)).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^✓ The client "demo" got a token/));
    expect(lines).toContainEqual(expect.stringContaining("also supports HTTP/1.1"));
  });

  it("does not listen", async () => {
    const url = `https://localhost:${await closedPort()}`;
    const lines = await findings({ ...demo, ca: certs("ca.pem"), url });
    expect(marked("✗", lines)).toEqual([
      expect.stringMatching(/^✗ Nothing listens at localhost, port \d+\.\n {2}→ Start the sandbox/),
    ]);
    expect(marked("–", lines)).toContain("– A token and a ping were not tried: there was no connection.");
  });

  it("has an unknown name", async () => {
    const lines = await findings({ ...demo, ca: certs("ca.pem"), url: "https://no-such-host.invalid" });
    expect(marked("✗", lines)).toEqual([
      expect.stringMatching(/^✗ The host name no-such-host\.invalid is not known here/),
    ]);
  });

  it("is the admin API, by either kind of URL", async () => {
    const { url, adminUrl } = doctor.sandbox;
    const expected = expect.stringContaining(`admin API, which uses plain HTTP.\n  → The API is at ${url}.`);
    expect(await problems({ url: adminUrl.replace("http:", "https:") })).toEqual([expected]);
    expect(await problems({ url: adminUrl })).toEqual([
      expect.stringMatching(/begins with http:\/\/, but the API supports HTTPS only\.\n {2}→ Use https:/),
      expected,
    ]);
  });

  it("has a certificate with a defect on purpose, on this port", { tags: "slow" }, async () => {
    const { url, defectUrls } = doctor.sandbox;
    const why = `this on purpose on this port. A client must refuse it; the usual port is ${new URL(url).port}.`;
    const found = async (at: string) => (await problems({ url: at })).map((line) => line.split("\n"));
    const explained = [expect.any(String), `  → The sandbox does ${why}`];
    expect(await found(defectUrls.expired)).toEqual([explained]);
    expect(await found(defectUrls.wrongHost)).toEqual([explained]);
    expect(await found(defectUrls.untrusted)).toEqual([explained]);
  });

  it("speaks neither TLS nor HTTP", async () => {
    const port = await listening(createServer((socket) => socket.end("220 mail.test ESMTP\r\n")));
    expect(await problems({ url: `https://localhost:${port}` })).toEqual([
      expect.stringMatching(/does not use TLS\.\n/),
    ]);
  });

  it("is not trusted, without the CA or with another CA", async () => {
    const { url, adminUrl } = doctor.sandbox;
    const withoutAdmin = await findings({ ...demo, url });
    expect(marked("✗", withoutAdmin)).toEqual([
      expect.stringMatching(
        /^✗ The server's certificate is not trusted: .*, and no CA was given\.\n {2}→ .*ca\.pem.*Do not turn verification off/,
      ),
    ]);
    const withAdmin = await findings({ ...demo, url, adminUrl });
    expect(marked("✗", withAdmin)).toEqual([]);
    expect(marked("!", withAdmin)).toEqual([
      expect.stringMatching(/^! No CA was given; the sandbox's own is used.*\n.*curl -o ca\.pem http/),
    ]);

    const ca = file("other-ca.pem", issueCertificate({ commonName: "Other CA", ca: true }).cert);
    expect(await problems({ ca })).toEqual([
      expect.stringContaining("The given CA is not this sandbox's"),
      expect.stringMatching(/is not trusted: .*the given CA is another one/),
    ]);
  });

  it("is not judged by a CA that was not read, which is one problem", async () => {
    const { url, adminUrl } = doctor.sandbox;
    const missing = expect.stringMatching(/^✗ CA no\/ca\.pem does not exist/);
    const withAdmin = await findings({ ...demo, ca: "no/ca.pem", url, adminUrl });
    expect(marked("✗", withAdmin)).toEqual([missing]);
    expect(withAdmin).toContainEqual(expect.stringMatching(/^✓ The client "demo" got a token/));
    const withoutAdmin = await findings({ ...demo, ca: "no/ca.pem", url });
    expect(marked("✗", withoutAdmin)).toEqual([missing]);
    expect(marked("–", withoutAdmin)).toContain(
      "– Whether the server's certificate is trusted was not checked: the given CA was not read.",
    );
  });

  // Other systems have only one loopback address.
  it.skipIf(process.platform !== "linux")(
    "has another name than the URL, and another issuer: both are reported",
    async () => {
      const url = doctor.sandbox.url.replace("localhost", "127.0.0.2");
      const port = Number(new URL(url).port);
      // The sandbox does not listen at this address, so a relay does.
      const relay = createServer((socket) => {
        const onward = connect(port, "127.0.0.1");
        socket
          .on("error", () => onward.destroy())
          .pipe(onward)
          .on("error", () => socket.destroy())
          .pipe(socket);
      });
      await new Promise<void>((resolve) => relay.listen(port, "127.0.0.2", resolve));
      onTestFinished(() => {
        relay.close();
      });
      const lines = await findings({ ...demo, ca: certs("ca.pem"), url });
      expect(marked("✗", lines)).toEqual([
        expect.stringMatching(
          /is not for 127\.0\.0\.2, but for .*localhost.*payments\.test.*\n {2}→ Use localhost in the URL, or .*--hostname/,
        ),
      ]);
      const ca = file("yet-another-ca.pem", issueCertificate({ commonName: "Other CA", ca: true }).cert);
      expect(marked("✗", await findings({ ...demo, ca, url }))).toHaveLength(2);
    },
  );

  it.each([["expired", /certificate \(or its CA's\) expired: it was valid until/]])(
    "has a certificate with a defect on purpose: %s",
    async (defect, expected) => {
      await doctor.sandbox.useScenario(`server-certificate-${defect}`);
      const found = await problems({});
      await doctor.sandbox.clearScenario();
      expect(found).toEqual([expect.stringMatching(expected)]);
      expect(found[0]).toMatch(
        /\n {2}→ The scenario "server-certificate-.*" is active, and does this on purpose: curl -X DELETE http/,
      );
    },
  );

  it("refuses in the handshake when it requires a valid certificate there", async () => {
    await using strict = await startSandbox({ tls: { clientCertificate: "require" } });
    const { url, adminUrl } = strict;
    const ca = file("strict-ca.pem", strict.ca);
    const found = marked("✗", await findings({ ...demo, ca, url, adminUrl }));
    expect(found.at(-1)).toMatch(
      /^✗ The sandbox refused the certificate in the handshake\.\n {2}→ .*refused in the handshake/,
    );
    expect(marked("✗", await findings({ ...demo, ca, url }))).toEqual([
      expect.stringMatching(/^✗ The connection broke \(.*\)\.\n {2}→ See GET \/handshakes/),
    ]);
  });

  it.each([
    [
      "changes the protocol",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
      /101 Switching/,
    ],
    ["answers without an end", "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", /longer than 4,194,304 bytes/],
  ])("%s", { tags: "slow" }, async (_what, head, why) => {
    const { ca, server } = issueTestCertificates();
    const odd = createHttpsServer({ cert: server.cert, key: server.key }, ({ socket }) => {
      socket.on("error", () => {});
      socket.write(head);
      if (head.includes("200")) socket.write("x".repeat(8_000_000));
    });
    const url = `https://localhost:${await listening(odd)}`;
    const lines = await findings({ ...demo, ca: file("odd-ca.pem", ca.cert), url });
    expect(marked("✗", lines)).toEqual([expect.stringMatching(/^✗ The connection broke/)]);
    expect(marked("✗", lines)[0]).toMatch(why);
  });

  it("has a different clock", async () => {
    const { ca, server } = issueTestCertificates();
    const skewed = createHttpsServer({ cert: server.cert, key: server.key }, (_request, response) => {
      response.setHeader("Date", new Date(Date.now() + 10 * 60_000).toUTCString());
      response.setHeader("Content-Type", "application/json").end('{"access_token":"token"}');
    });
    const url = `https://localhost:${await listening(skewed)}`;
    const lines = await findings({ ...demo, ca: file("skewed-ca.pem", ca.cert), url });
    expect(marked("✗", lines)).toEqual([
      expect.stringMatching(/machine, is 10 min ahead of this one's\.\n {2}→ Let both follow a time server/),
    ]);
  });
});

describe("the versions of TLS", () => {
  const accepts = (versions: string) => `✓ The API accepts TLS ${versions} (tls.minVersion, tls.maxVersion).`;

  it("are those of the settings", async () => {
    expect(await examine(demo)).toContain(accepts("1.2 and 1.3"));
    await using own = await startSandbox({ tls: { minVersion: "1.3" } });
    const { certificate, key, clientId } = await own.createClient();
    const flags = {
      ca: file("tls-ca.pem", own.ca),
      cert: file("tls.pem", certificate),
      key: file("tls.key.pem", key),
      clientId,
      url: own.url,
      adminUrl: own.adminUrl,
    };
    expect(await findings(flags)).toContain(accepts("1.3 only"));

    const port = Number(new URL(own.url).port);
    const old = tlsConnect({ host: "localhost", port, ca: own.ca, maxVersion: "TLSv1.2" });
    await new Promise((resolve) => old.on("error", resolve));
    await expect
      .poll(() => findings(flags))
      .toContainEqual(expect.stringMatching(/^! .*no version of TLS in common with the sandbox/));
  });
});

describe("the version of HTTP", () => {
  const chosen = (version: string) => `✓ The server chose ${version}; HTTP/2 and HTTP/1.1 were offered by ALPN.`;

  it("is tried with both if the server supports both", async () => {
    const lines = await examine(demo);
    expect(lines).toContain(chosen("HTTP/2"));
    expect(lines).toContain("✓ The server also supports HTTP/1.1, if a client offers nothing else.");
    const sent = await doctor.sandbox.requests({ limit: 2 });
    expect(sent.map(({ httpVersion }) => httpVersion).sort()).toEqual(["HTTP/1.1", "HTTP/2"]);
  });

  it.each([
    { alpn: ["h2"] as const, spoken: "HTTP/2", other: "HTTP/1.1" },
    { alpn: ["http/1.1"] as const, spoken: "HTTP/1.1", other: "HTTP/2" },
  ])("is the only one if tls.alpn is $alpn", async ({ alpn, spoken, other }) => {
    await using own = await startSandbox({ tls: { alpn: [...alpn] } });
    const client = await own.createClient();
    const flags = {
      ca: file("alpn-ca.pem", own.ca),
      cert: file("alpn.pem", client.certificate),
      key: file("alpn.key.pem", client.key),
      clientId: client.clientId,
      url: own.url,
      adminUrl: own.adminUrl,
    };
    const lines = await findings(flags);
    expect([...marked("✗", lines), ...marked("!", lines)]).toEqual([]);
    expect(lines).toContain(chosen(spoken));
    expect(marked("–", lines)).toEqual([
      `– The server does not support ${other}. The setting of the sandbox is tls.alpn.`,
    ]);
    expect(lines).toContain("✓ A ping with the token was answered with 200.");
    const [refused] = await own.handshakes();
    expect(refused?.explanation).toContain("payments-sandbox-doctor");
    // The doctor's own attempts do not cause findings the next time.
    expect(marked("!", await findings(flags))).toEqual([]);

    const otherClient = tlsConnect({
      host: "localhost",
      port: Number(new URL(own.url).port),
      ca: own.ca,
      ALPNProtocols: ["spdy/3"],
    });
    await new Promise((resolve) => otherClient.on("error", resolve));
    await expect
      .poll(() => findings(flags))
      .toContainEqual(
        expect.stringMatching(
          /^! The newest client that failed to connect .*HTTP in common with the sandbox\.\n {2}→ .*offers "spdy\/3"/,
        ),
      );
  });
});

describe("the admin API", () => {
  it("does not listen, or was not named", async () => {
    const adminUrl = `http://localhost:${await closedPort()}`;
    const named = await examine({ ...demo, adminUrl });
    expect(marked("!", named)).toEqual([expect.stringContaining(`No admin API answers at ${adminUrl}.`)]);
    expect(marked("✗", named)).toEqual([]);
  });

  it.each([
    ["null", "null"],
    ["no JSON", "{"],
    ["odd items", '{"ports":{"api":1},"items":[{}],"name":null}'],
  ])("is another server, which answers with %s", async (_what, body) => {
    const otherServer = createHttpServer((_request, response) =>
      response.setHeader("Content-Type", "application/json").end(body),
    );
    const adminUrl = `http://localhost:${await listening(otherServer)}`;
    const lines = await examine({ ...demo, adminUrl });
    expect(marked("!", lines)).toEqual([
      expect.stringMatching(/^! What listens at .* is not the admin API of a sandbox/),
    ]);
    expect(marked("✗", lines)).toEqual([]);
  });

  it("has a CA, but all other answers are those of another server", async () => {
    const { port } = new URL(doctor.sandbox.url);
    const answers: Record<string, string> = {
      "/ca.pem": doctor.sandbox.ca,
      "/health": `{"ports":{"api":${port}}}`,
      "/clients": "[]",
      "/identities": '{"items":[null]}',
      "/clock": "null",
    };
    const otherServer = createHttpServer(({ url = "" }, response) =>
      response.setHeader("Content-Type", "application/json").end(answers[url.split("?")[0] ?? ""] ?? "{}"),
    );
    const adminUrl = `http://localhost:${await listening(otherServer)}`;
    const lines = await examine({ ...demo, adminUrl });
    expect(marked("!", lines)).toEqual([expect.stringMatching(/^! What listens at .* is not the admin API/)]);
  });

  it("requires its token", async () => {
    await using guarded = await startSandbox({ adminAuth: "token" });
    const { url, adminUrl, adminToken = "" } = guarded;
    const client = await guarded.createClient();
    const flags = {
      ca: file("guarded-ca.pem", guarded.ca),
      cert: file("guarded.pem", client.certificate),
      key: file("guarded.key.pem", client.key),
      clientId: client.clientId,
      url,
      adminUrl,
    };
    expect(marked("!", await findings(flags))).toEqual([
      expect.stringMatching(/requires its token.*\n {2}→ Give it with --admin-token/),
    ]);
    const allowed = await findings({ ...flags, adminToken });
    expect(marked("!", allowed)).toEqual([]);
    expect(allowed.join("\n")).not.toContain(adminToken);
  });

  it("belongs to another sandbox", async () => {
    await using other = await startSandbox();
    const lines = await examine({ ...demo, adminUrl: other.adminUrl });
    expect(marked("!", lines)).toEqual([
      expect.stringMatching(/belongs to another sandbox, whose API is on port \d+\.\n/),
    ]);
    expect(marked("✗", lines)).toEqual([]);
  });

  it("has only the doctor's two requests in its journal", async () => {
    await doctor.sandbox.reset();
    await examine(demo);
    expect(await doctor.sandbox.countRequests()).toBe(2);
    expect(await doctor.sandbox.handshakes()).toEqual([]);
    expect(readFileSync(demo.key, "utf8")).toContain("PRIVATE KEY");
  });
});

describe("a base path", () => {
  it.each(["", "/business"])("is named if it is missing in the URL %j", async (path) => {
    await using own = await startSandbox({ basePath: "/business/api" });
    const client = await own.createClient();
    const { origin } = new URL(own.url);
    const flags = { ca: file("own-ca.pem", own.ca), adminUrl: own.adminUrl, url: origin + path };
    const key = { cert: file("own.pem", client.certificate), key: file("own.key.pem", client.key) };
    const fix = `The API is at ${own.url}: give this URL with --url, and to your client.`;
    const lines = marked("✗", await findings({ ...flags, ...key, clientId: client.clientId }));
    expect(lines).toEqual([expect.stringContaining(fix)]);
    const without = marked("✗", await findings(flags));
    expect(without).toEqual([expect.stringContaining("no client certificate"), expect.stringContaining(fix)]);
    expect(marked("✗", await findings({ ...flags, ...key, clientId: client.clientId, url: `${own.url}/` }))).toEqual(
      [],
    );
  });

  it("that is in quotes in client.env is understood", async () => {
    await using own = await startSandbox({ basePath: "/~x" });
    const { adminUrl, url } = own;
    const lines = await findings({ ca: file("tilde-ca.pem", own.ca), adminUrl, url: new URL(url).origin });
    expect(lines).toContain(`✓ The sandbox's admin API answers at ${adminUrl}.`);
    expect(marked("✗", lines)).toContainEqual(expect.stringContaining(`The API is at ${url}: give this URL`));
  });
});
