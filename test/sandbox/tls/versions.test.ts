import type { SecureVersion } from "node:tls";
import { describe, expect, test } from "vitest";
import { explainHandshake } from "../../../src/sandbox/journal/explain-handshake.js";
import { readVersions } from "../../../src/sandbox/tls/client-hello.js";
import { clientHello } from "../../support/client-hello.js";
import { eventually, startServer } from "./fixture.js";

const both = { min: "1.2", max: "1.3" } as const;
const only12 = { min: "1.2", max: "1.2" } as const;
const only13 = { min: "1.3", max: "1.3" } as const;
const old = { ciphers: "DEFAULT@SECLEVEL=0" };
const client = (minVersion: SecureVersion, maxVersion: SecureVersion) => ({ minVersion, maxVersion });

describe("a client gets the highest common version", () => {
  test.each([
    [both, client("TLSv1.2", "TLSv1.3"), "TLSv1.3"],
    [both, client("TLSv1.2", "TLSv1.2"), "TLSv1.2"],
    [only12, client("TLSv1.2", "TLSv1.3"), "TLSv1.2"],
    [only13, client("TLSv1.2", "TLSv1.3"), "TLSv1.3"],
  ])("of %j and %j", async (tlsVersions, offered, chosen) => {
    const server = await startServer({ tlsVersions });
    expect((await server.open(offered)).socket.getProtocol()).toBe(chosen);
  });
});

describe("without one, the journal says which versions each side has", () => {
  test.each([
    [
      only13,
      client("TLSv1.2", "TLSv1.2"),
      "The client offers no TLS version above TLSv1.2; the sandbox speaks TLS 1.3 only. Allow it in the client, or set tls.minVersion of the sandbox to 1.2.",
    ],
    [
      only12,
      client("TLSv1.3", "TLSv1.3"),
      "The client offers no TLS version below TLSv1.3; the sandbox speaks TLS 1.2 only. Allow it in the client, or set tls.maxVersion of the sandbox to 1.3.",
    ],
    [
      only13,
      { ...client("TLSv1", "TLSv1.1"), ...old },
      "The client offers no TLS version above TLSv1.1; the sandbox speaks TLS 1.3 only. Allow it in the client.",
    ],
    [
      both,
      { ...client("TLSv1", "TLSv1"), ...old },
      "The client offers no TLS version above TLSv1; the sandbox speaks TLS 1.2 and 1.3. Allow one of these in the client.",
    ],
  ])("of %j and %j", async (tlsVersions, offered, explanation) => {
    const server = await startServer({ tlsVersions });
    await server.start(offered).closed;
    const failure = await eventually(() => server.failures[0]);
    expect(failure).toMatchObject({ cause: "no-common-version" });
    expect(explainHandshake(failure)).toBe(explanation);
  });
});

test("a client without a common cipher is told those of the versions that are spoken", async () => {
  const server = await startServer({ tlsVersions: only12 });
  await server.start({ ...client("TLSv1.2", "TLSv1.2"), ciphers: "AES128-SHA" }).closed;
  expect(explainHandshake(await eventually(() => server.failures[0]))).toBe(
    "The client and the sandbox have no cipher suite in common. On TLS 1.2 the sandbox speaks ECDHE with AES-GCM only; allow one of these in the client.",
  );
});

describe("the versions of a ClientHello", () => {
  test("are those of its extension, without unknown ones", async () => {
    const hello = await clientHello("localhost");
    expect(readVersions(hello)).toEqual({ lowest: "TLSv1.2", highest: "TLSv1.3" });
    // The extension has the type 43, the length 5, and two versions. 0x3a3a is one of RFC 8701.
    const at = hello.indexOf(Buffer.from([0, 43, 0, 5, 4, 3, 4, 3, 3]));
    hello.writeUInt16BE(0x3a3a, at + 5);
    expect(readVersions(hello)).toEqual({ lowest: "TLSv1.2", highest: "TLSv1.2" });
  });

  test("are unknown where the message is incomplete, or is another one", async () => {
    const hello = await clientHello("localhost");
    for (let length = 0; length < hello.length; length++) readVersions(hello.subarray(0, length));
    expect(readVersions(hello.subarray(0, 8))).toBeUndefined();
    expect(readVersions(Buffer.from("SSH-2.0"))).toBeUndefined();
  });
});
