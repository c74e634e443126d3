import { once } from "node:events";
import { checkServerIdentity } from "node:tls";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/sandbox/clock.js";
import { ListenError } from "../../../src/sandbox/connection/listen-error.js";
import { eventually, start, type TestSandbox } from "../../admin/fixture.js";
import { freePort } from "../../support/ports.js";
import { openTls, type RawClient, startTls } from "../../support/raw-client.js";

/** A clock that is correct until it is moved. */
class MovableClock implements Clock {
  ahead = 0;
  now(): number {
    return Date.now() + this.ahead;
  }
}

const day = 24 * 3600 * 1000;

const portOf = (url: string | undefined) => Number(new URL(url ?? "").port);

/** The result of a careful client: the error code of its handshake, or undefined if it would continue. */
async function refusal(port: number, ca: string, servername = "localhost"): Promise<string | undefined> {
  const { socket } = startTls({ port, ca, servername });
  const error = await Promise.race([
    once(socket, "secureConnect").then(() => undefined),
    new Promise<NodeJS.ErrnoException>((resolve) => socket.once("error", resolve)),
  ]);
  socket.destroy();
  return error?.code;
}

/**
 * A client that means another host, and therefore accepts the certificate for that host: it verifies the certificate,
 * and continues.
 * @param servername the name that it requests (SNI)
 */
function elsewhere(port: number, ca: string, servername: string): Promise<RawClient> {
  const verified = (_host: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
    checkServerIdentity("elsewhere.test", certificate);
  return openTls({ port, ca, servername, checkServerIdentity: verified });
}

/**
 * A sandbox with three consecutive ports. Another program may take the second or the third after they were found free.
 */
async function startOnPorts(attempts = 20): Promise<{ first: number; sandbox: TestSandbox["sandbox"] }> {
  const first = await freePort();
  try {
    return { first, sandbox: (await start({ defectPorts: [first, first + 1, first + 2] })).sandbox };
  } catch (error) {
    if (attempts === 0 || !(error instanceof ListenError)) throw error;
    return startOnPorts(attempts - 1);
  }
}

const ping = "GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

const newest = async ({ admin }: TestSandbox) => (await admin.get("/requests")).json.items[0];

const wentOn = "The client went on despite a certificate that it should have refused";

describe("the defect ports", () => {
  it("serve the API with a certificate that a careful client refuses", async () => {
    const { sandbox, admin } = await start({ defectPorts: [0, 0, 0] });
    const { defectUrls, caPem, url } = sandbox;
    expect(await refusal(portOf(url), caPem)).toBeUndefined();
    expect(await refusal(portOf(defectUrls?.expired), caPem)).toBe("CERT_HAS_EXPIRED");
    expect(await refusal(portOf(defectUrls?.wrongHost), caPem)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(await refusal(portOf(defectUrls?.untrusted), caPem)).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
    // For clients that send no host name, and for those that send one of another defect.
    expect(await refusal(portOf(defectUrls?.expired), caPem, "")).toBe("CERT_HAS_EXPIRED");
    expect(await refusal(portOf(defectUrls?.expired), caPem, "untrusted.localhost")).toBe("CERT_HAS_EXPIRED");
    const defects = await eventually(async () => {
      const { items } = (await admin.get("/handshakes")).json;
      return items.length >= 6 && items.map((item: { serverDefect: string | null }) => item.serverDefect).sort();
    });
    expect(defects).toEqual(["expired", "expired", "expired", "untrusted", "wrong-host", null].sort());
    const [{ explanation }] = (await admin.get("/handshakes")).json.items.filter(
      ({ serverDefect }: { serverDefect: string }) => serverDefect === "untrusted",
    );
    expect(explanation).toContain("an intended defect (untrusted, by the port)");
  });

  it("are three consecutive ports, or none; a port in use is named, and nothing is left running", async () => {
    const { first, sandbox } = await startOnPorts();
    expect(sandbox.defectUrls).toEqual({
      expired: `https://localhost:${first}`,
      wrongHost: `https://localhost:${first + 1}`,
      untrusted: `https://localhost:${first + 2}`,
    });
    expect((await start()).sandbox.defectUrls).toBeUndefined();
    const port = await freePort();
    await expect(start({ port, defectPorts: [first, first + 1, first + 2] })).rejects.toThrow(
      `127.0.0.1:${first} is in use`,
    );
    expect(portOf((await start({ port })).sandbox.url)).toBe(port);
  });

  it("have the host of a public URL", async () => {
    const { sandbox } = await start({ defectPorts: [0, 0, 0], publicUrl: "https://sandbox.test:9443" });
    expect(sandbox.defectUrls?.expired).toMatch(/^https:\/\/sandbox\.test:\d+$/);
  });
});

describe("a request on a connection with a defective certificate is marked", () => {
  it("by port, in the journal and on the console; a request on the usual port is not", async () => {
    const written: string[] = [];
    const log = (text: string) => void written.push(text);
    const it = await start({ defectPorts: [0, 0, 0], log: "refusals" }, { output: { log, warn: () => {} } });
    const { defectUrls, caPem, url } = it.sandbox;

    const client = await elsewhere(portOf(defectUrls?.wrongHost), caPem, "localhost");
    expect(await client.sendAndClose(ping)).toMatch(/^HTTP\/1\.1 401 /);
    const entry = await newest(it);
    expect(entry).toMatchObject({ status: 401, serverDefect: "wrong-host" });
    expect(entry.explanation).toContain(
      `${wentOn}: the server presented one for another host, on purpose (by the port).`,
    );
    const detail = (await it.admin.get(`/requests/${entry.id}`)).json;
    expect(detail).toMatchObject({ serverDefect: "wrong-host", connection: { serverName: "localhost" } });
    expect(written.join("")).toContain(wentOn);

    written.length = 0;
    const usual = await openTls({ port: portOf(url), ca: caPem, servername: "localhost" });
    await usual.sendAndClose(ping);
    expect(await newest(it)).toMatchObject({ status: 401, serverDefect: null });
    expect(written.join("")).not.toContain("despite");
  });

  it("also if everything else is correct, or if it is not HTTP", async () => {
    const written: string[] = [];
    const log = (text: string) => void written.push(text);
    const it = await start(
      { defectPorts: [0, 0, 0], log: "refusals", logFormat: "json" },
      { output: { log, warn: () => {} } },
    );
    const { minted, ...client } = await it.mint();
    const token = await it.connect({ cert: minted.certificate, key: minted.key }, client.clientId).token();
    const identity = { cert: minted.certificate, key: minted.key };
    const port = portOf(it.sandbox.defectUrls?.wrongHost);
    const good = await openTls({ port, ca: it.sandbox.caPem, servername: "elsewhere.test", ...identity });
    expect(await good.sendAndClose(ping.replace("\r\n\r\n", `\r\nAuthorization: Bearer ${token}\r\n\r\n`))).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(await newest(it)).toMatchObject({ status: 200, serverDefect: "wrong-host", client: minted.clientId });
    expect(JSON.parse(written[0] ?? "")).toMatchObject({ level: "warn", status: 200, serverDefect: "wrong-host" });
    const odd = await openTls({ port, ca: it.sandbox.caPem, servername: "elsewhere.test", ...identity });
    expect(await odd.sendAndClose("no HTTP\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await newest(it)).toMatchObject({ status: 400, serverDefect: "wrong-host" });
  });

  it("and explained as a weakness, if other clients accept it, too", async () => {
    const it = await start();
    const client = await openTls({
      port: portOf(it.sandbox.url),
      ca: it.sandbox.caPem,
      servername: "common-name-only.localhost",
    });
    await client.sendAndClose(ping);
    const { serverDefect, explanation } = await newest(it);
    expect(serverDefect).toBe("common-name-only");
    expect(explanation).toContain(
      "the server presented one that names the host in its common name only, on purpose (by the host name common-name-only.localhost). Node.js, curl, Python, Java and openssl do so, too, by default",
    );
    expect(explanation).not.toContain("security bug");
  });

  it("by host name", async () => {
    const it = await start();
    const client = await elsewhere(portOf(it.sandbox.url), it.sandbox.caPem, "wrong-host.localhost");
    await client.sendAndClose(ping);
    const { serverDefect, explanation } = await newest(it);
    expect(serverDefect).toBe("wrong-host");
    expect(explanation).toContain("on purpose (by the host name wrong-host.localhost)");
  });

  it("by scenario: its connection's certificate decides, not the scenario that is active when the request arrives", async () => {
    const it = await start();
    const { caPem, url } = it.sandbox;
    const openedBefore = await openTls({ port: portOf(url), ca: caPem, servername: "localhost" });
    await it.admin.put("/scenario", { name: "server-certificate-wrong-host" });
    const openedUnder = await elsewhere(portOf(url), caPem, "localhost");
    await openedBefore.sendAndClose(ping);
    expect(await newest(it)).toMatchObject({ serverDefect: null });
    await it.admin.delete("/scenario");
    await openedUnder.sendAndClose(ping);
    const { serverDefect, explanation } = await newest(it);
    expect(serverDefect).toBe("wrong-host");
    expect(explanation).toContain("on purpose (by the scenario that is active for all)");
  });

  it("for an expired one, with a client whose clock is slow", async () => {
    const machineClock = new MovableClock();
    const it = await start({ defectPorts: [0, 0, 0] }, { machineClock });
    // The certificate is issued with the first connection, and expired a day before that: two days from now, for the
    // client.
    machineClock.ahead = 3 * day;
    const port = portOf(it.sandbox.defectUrls?.expired);
    const client = await openTls({ port, ca: it.sandbox.caPem, servername: "localhost" });
    await client.sendAndClose(ping);
    const { serverDefect, explanation } = await newest(it);
    expect(serverDefect).toBe("expired");
    expect(explanation).toContain("the server presented one that has expired, on purpose (by the port)");
  });
});
