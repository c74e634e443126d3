import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HandshakeRecord } from "../../../src/sandbox/journal/entry.js";
import { explainHandshake } from "../../../src/sandbox/journal/explain-handshake.js";
import { configuration, eventually, start, startShared, type TestSandbox } from "../../admin/fixture.js";
import { issueCertificate } from "../../support/certificates.js";
import { patience } from "../../support/patience.js";

const theCa =
  "the CA's certificate (certs/ca.pem; under `payments-sandbox run` the file that SANDBOX_CA_FILE names; or GET /ca.pem from the admin port)";
const noCurl = spawnSync("curl", ["--version"]).status !== 0;

let sandbox: TestSandbox;
let port: number;
let folder: string;
let caFile: string;
let foreignCaFile: string;

beforeAll(async () => {
  sandbox = await startShared();
  port = Number(new URL(sandbox.sandbox.url).port);
  folder = await mkdtemp(join(tmpdir(), "handshakes-"));
  caFile = join(folder, "ca.pem");
  foreignCaFile = join(folder, "foreign.pem");
  await writeFile(caFile, sandbox.sandbox.caPem);
  await writeFile(foreignCaFile, issueCertificate({ commonName: "Foreign CA", ca: true }).cert);
});

afterAll(() => rm(folder, { recursive: true }));

/** What `GET /handshakes` says about the next connection without a request. */
async function next(attempt: () => Promise<unknown>, { admin }: TestSandbox = sandbox) {
  const newest = async () => (await admin.get("/handshakes?pageSize=1")).json.items[0];
  const before = (await newest())?.id;
  await attempt();
  return eventually(async () => {
    const found = await newest();
    return found?.id === before ? undefined : found;
  });
}

/** A handshake by Node, which then closes the connection. */
function handshake(options: object, at = port): Promise<void> {
  return new Promise((resolve) => {
    const socket = connectTls(
      { port: at, host: "127.0.0.1", servername: "localhost", ca: sandbox.sandbox.caPem, ...options },
      () => socket.end(),
    );
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
}

function curl(...args: string[]): Promise<void> {
  return new Promise(
    (resolve) => void execFile("curl", ["-sS", "--max-time", String(patience / 1000), ...args], () => resolve()),
  );
}

function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes, "latin1"));
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}

describe("a connection without a request is explained", () => {
  it.skipIf(noCurl)("a client that does not know our CA, and sends an alert", async () => {
    const record = await next(() => curl("--cacert", foreignCaFile, `https://localhost:${port}/v1/ping`));
    expect(record).toMatchObject({
      cause: "client-refused-our-certificate",
      alert: "unknown_ca",
      serverName: "localhost",
    });
    expect(record.explanation).toContain("The client refused the server's certificate (alert unknown ca).");
    expect(record.explanation).toContain(`Give your client ${theCa} as a trusted CA`);
    expect(record.explanation).toContain("Do not turn verification off.");
  });

  it("a client that does not trust the CA, and sends no alert", async () => {
    const record = await next(() => handshake({ ca: issueCertificate({ commonName: "Foreign CA", ca: true }).cert }));
    expect(record).toMatchObject({ cause: "closed-by-client" });
    expect(record.explanation).toContain(`give the client ${theCa} as a trusted CA`);
    expect(record.explanation).toContain('another name than "localhost"');
  });

  it.skipIf(noCurl)("a host name that the certificate does not have", async () => {
    const record = await next(() =>
      curl("--cacert", caFile, "--resolve", `wrong.example:${port}:127.0.0.1`, `https://wrong.example:${port}/`),
    );
    expect(["no-request", "client-refused-our-certificate"]).toContain(record.cause);
    expect(record.serverName).toBe("wrong.example");
    expect(record.explanation).toMatch(/"wrong\.example"/);
    if (record.cause === "no-request") {
      expect(record.explanation).toContain(
        "The handshake succeeded, but the client closed the connection without a request.",
      );
      expect(record.explanation).toContain("use localhost, or start the sandbox with --hostname NAME");
    }
  });

  it("only old versions of TLS", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
    const record = await next(() => handshake(old));
    expect(record.cause).toBe("no-common-version");
    expect(record.explanation).toBe(
      "The client offers no TLS version above TLSv1.1; the sandbox speaks TLS 1.2 and 1.3. Allow one of these in the client.",
    );
  });

  it("only old ciphers", async () => {
    const record = await next(() => handshake({ maxVersion: "TLSv1.2", ciphers: "AES128-SHA" }));
    expect(record.cause).toBe("no-common-cipher");
    expect(record.explanation).toContain("no cipher suite in common");
    expect(record.explanation).toContain("ECDHE with AES-GCM");
  });

  it("no version of HTTP that the sandbox supports", async () => {
    const record = await next(() => handshake({ ALPNProtocols: ["spdy/3", "\u001b[2J"] }));
    expect(record.cause).toBe("no-common-application-protocol");
    expect(record.explanation).toContain(
      'By ALPN the client offers "spdy/3", "\\u001b[2J"; the sandbox offers "h2", "http/1.1".',
    );
  });

  it("plain HTTP", async () => {
    const record = await next(() => raw("GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    expect(record.cause).toBe("plain-http");
    expect(record.explanation).toContain("Use an https:// URL");
  });

  it("bytes that are neither TLS nor HTTP", async () => {
    const record = await next(() => raw("\x00\x01\x02\x03hello"));
    expect(record.explanation).toBe("What was sent is neither TLS nor HTTP. Is this the right port?");
  });

  it("an end in the middle of the handshake", async () => {
    const record = await next(() => raw("\x16\x03\x01\x02\x00\x01"));
    expect(record).toMatchObject({ cause: "closed-by-client", serverName: null });
    expect(record.explanation).toContain("the address it connected to");
  });

  it("a connection that was opened in advance and never used", async () => {
    const record = await next(() => handshake({}));
    expect(record).toMatchObject({ cause: "no-request", protocol: "TLSv1.3" });
    expect(record.explanation).toContain("Clients that open connections in advance do it, too.");
  });

  it("a check whether the port is open causes no entry", async () => {
    const before = (await sandbox.admin.get("/handshakes")).json.items.length;
    await raw("");
    await next(() => handshake({}));
    expect((await sandbox.admin.get("/handshakes")).json.items).toHaveLength(before + 1);
  });
});

describe("if the handshake requires a certificate (tls.clientCertificate: require)", () => {
  let requiring: TestSandbox;

  beforeAll(async () => {
    const { tls } = await configuration();
    requiring = await startShared({ tls: { ...tls, clientCertificate: "require" } });
    await requiring.sandbox.identities;
  });

  const date = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
  const cases: readonly [misfit: string, cause: string, expected: RegExp][] = [
    [
      "untrusted",
      "client-certificate-untrusted",
      /it names .* as its issuer, but was not signed by the trusted CA of that name\. Use one that the sandbox's CA issued, such as clients\/demo, or add its issuer to tls\.clientCa in sandbox\.yaml\./,
    ],
    [
      "expired",
      "client-certificate-expired",
      new RegExp(
        `it expired at ${date}, and by the machine's clock, which decides here, it is ${date}\\. Use one that is valid now, such as clients/demo\\.`,
      ),
    ],
    [
      "not-yet-valid",
      "client-certificate-not-yet-valid",
      new RegExp(`it is valid only from ${date}, and by the machine's clock`),
    ],
    [
      "wrong-usage",
      "client-certificate-wrong-usage",
      /does not permit client authentication\. Use one that has extendedKeyUsage clientAuth/,
    ],
  ];

  it.each(cases)("the misfit %s", async (misfit, cause, expected) => {
    const client = await requiring.standing(misfit);
    const record = await next(() => client.send("/v1/ping").catch(() => {}), requiring);
    expect(record.cause).toBe(cause);
    expect(record.explanation).toMatch(
      /^The client's certificate \(.*CN=.*, thumbprint [\w-]{43}\) was refused in the handshake: /,
    );
    expect(record.explanation).toMatch(expected);
    expect(record.certificate).toMatchObject({ subject: expect.stringContaining("CN="), notAfter: expect.any(String) });
  });

  it("no certificate", async () => {
    const record = await next(
      () =>
        requiring
          .connect()
          .send("/v1/ping")
          .catch(() => {}),
      requiring,
    );
    expect(record).toMatchObject({ cause: "no-client-certificate", certificate: null });
    expect(record.explanation).toContain("tls.clientCertificate: require in sandbox.yaml");
    expect(record.explanation).toContain("clients/demo/cert.pem and clients/demo/key.pem");
  });

  it("a valid one is accepted", async () => {
    expect((await (await requiring.standing("demo")).ping()).status).toBe(200);
  });
});

describe("GET /handshakes", () => {
  it("has pages, newest first, and is limited", async () => {
    const own = await start({ journal: { requests: 10, bytes: 1_000_000, handshakes: 3 } });
    const at = Number(new URL(own.sandbox.url).port);
    for (let index = 0; index < 5; index++) {
      await next(() => handshake({ ca: own.sandbox.caPem }, at), own);
    }
    const { items } = (await own.admin.get("/handshakes")).json;
    expect(items.map(({ id }: { id: string }) => id)).toEqual(["5", "4", "3"]);
    const page = (await own.admin.get("/handshakes?pageSize=2")).json;
    expect(page.items).toHaveLength(2);
    expect(
      (await own.admin.get(`/handshakes?cursor=${page.nextCursor}`)).json.items.map(({ id }: { id: string }) => id),
    ).toEqual(["3"]);
    expect((await own.admin.get("/handshakes?client=demo")).json.code).toBe("INVALID_REQUEST");
  });
});

describe("the text for each cause", () => {
  const record: HandshakeRecord = {
    at: 0,
    cause: "other",
    code: "ERR_SSL_SOMETHING",
    alert: undefined,
    reason: "",
    remoteAddress: "127.0.0.1",
    remotePort: 1,
    serverName: undefined,
    protocol: undefined,
    serverDefect: undefined,
    certificate: undefined,
  };

  it.each<[Partial<HandshakeRecord>, string]>([
    [{ cause: "time-out" }, "did not finish in time. Look for what stops the client"],
    [{ cause: "other", reason: "odd" }, "The handshake failed (ERR_SSL_SOMETHING): odd."],
    [
      { cause: "client-refused-our-certificate", alert: "certificate_expired" },
      "it has expired: check the clock of the client",
    ],
    [
      { cause: "client-refused-our-certificate", alert: "certificate_unknown" },
      `(alert certificate unknown). Give your client ${theCa} as a trusted CA`,
    ],
    [
      { cause: "client-refused-our-certificate", alert: "decrypt_error" },
      `(alert decrypt error). Give your client ${theCa} as a trusted CA`,
    ],
    [{ cause: "no-request", serverDefect: { defect: "expired", chosenBy: "scenario" } }, "That is correct"],
    [
      { cause: "no-request", end: "server-closed", serverDefect: { defect: "expired", chosenBy: "scenario" } },
      "not known whether the client refuses the certificate",
    ],
    [{ cause: "no-request", end: "server-closed" }, "no request came until the sandbox closed the connection"],
  ])("%j", (changes, expected) => {
    expect(explainHandshake({ ...record, ...changes })).toContain(expected);
  });
});
