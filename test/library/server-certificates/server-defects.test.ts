import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ServerDefect } from "../../../src/index.js";
import { openSandbox, type RunningSandbox, type versions } from "../../sandbox/conformance/sandbox.js";
import { startTls } from "../../support/raw-client.js";

/** Of OpenSSL in Node.js, by default: 1 in Node.js 20 and 22, 2 from 24 on. */
const securityLevel = Number(process.versions.node.split(".")[0]) >= 24 ? 2 : 1;

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
// Also after a failure: the next test expects the usual certificate.
afterEach(() => admin("DELETE", "/scenario"));
afterAll(() => sandbox.close());

it.each(["constructor", "__proto__"])("%s is a host name like any other", async (name) => {
  expect(await connect(name)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  expect((await admin("GET", "/handshakes")).items[0].serverDefect).toBeNull();
});

/** The result of a careful client: the error code of its handshake, or undefined if it would continue. */
async function connect(
  servername: string,
  version: (typeof versions)[number] = "TLSv1.3",
): Promise<string | undefined> {
  const { socket } = startTls({
    port: sandbox.port,
    ca: sandbox.ca,
    servername,
    minVersion: version,
    maxVersion: version,
  });
  const error = await Promise.race([
    once(socket, "secureConnect").then(() => undefined),
    new Promise<NodeJS.ErrnoException>((resolve) => socket.once("error", resolve)),
  ]);
  socket.destroy();
  return error?.code;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests check the content of the answers
async function admin(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(sandbox.adminUrl + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  });
  return response.status === 204 ? undefined : response.json();
}

/** What Node says; undefined for what it accepts. */
const refusals: Readonly<Record<ServerDefect, string | undefined>> = {
  expired: "CERT_HAS_EXPIRED",
  "wrong-host": "ERR_TLS_CERT_ALTNAME_INVALID",
  // The issuer has the name of the trusted CA, and another key.
  untrusted: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  incomplete: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "expired-intermediate": "CERT_HAS_EXPIRED",
  "self-signed": "DEPTH_ZERO_SELF_SIGNED_CERT",
  "not-yet-valid": "CERT_NOT_YET_VALID",
  "wrong-usage": "INVALID_PURPOSE",
  "common-name-only": undefined,
  // Node has no code for "CA signature digest algorithm too weak", and none for "EE certificate key too weak".
  sha1: "UNSPECIFIED",
  "rsa-1024": securityLevel >= 2 ? "UNSPECIFIED" : undefined,
};

const defects = Object.entries(refusals);

// The two ways are served alike over both versions: one way for each.
describe("a server certificate with a defect", () => {
  it.each(defects)("by the host name %s.localhost, over TLS 1.2", async (defect, code) => {
    expect(await connect(`${defect}.localhost`, "TLSv1.2")).toBe(code);
    expect(await connect(`${defect.toUpperCase()}.LOCALHOST`, "TLSv1.2")).toBe(code);
    expect(await connect("localhost", "TLSv1.2")).toBeUndefined();
  });

  it.each(defects)("by a scenario with %s, for every name and without one", async (defect, code) => {
    const yaml = `{ description: Shows it., server: { certificate: ${defect} } }`;
    const headers = { "Content-Type": "application/yaml" };
    await fetch(`${sandbox.adminUrl}/scenarios/shows-${defect}`, { method: "PUT", headers, body: yaml });
    await admin("PUT", "/scenario", { name: `shows-${defect}` });
    expect(await connect("localhost")).toBe(code);
    // For Node, a client without a host name has connected to 127.0.0.1, which is not the common name.
    expect(await connect("")).toBe(defect === "common-name-only" ? "ERR_TLS_CERT_ALTNAME_INVALID" : code);
    await admin("DELETE", "/scenario");
    expect(await connect("localhost")).toBeUndefined();
  });
});

describe("the journal", () => {
  it("says that the defect was on purpose", async () => {
    await admin("DELETE", "/requests");
    await connect("expired.localhost");
    await expect
      .poll(async () => (await admin("GET", "/handshakes")).items[0]?.explanation)
      .toMatch(/an intended defect \(expired, by the host name expired\.localhost\)/);
  });
});
