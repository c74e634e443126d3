import fc from "fast-check";
import { expect, test } from "vitest";
import { hasFirstRecord, readHello } from "../../../src/sandbox/tls/client-hello.js";
import { clientHello } from "../../support/client-hello.js";

test.each(["localhost", "expired.localhost", `${"a".repeat(60)}.test`])("the name %s is read", async (name) => {
  const hello = await clientHello(name);
  expect(readHello(hello).serverName).toBe(name);
  expect(hasFirstRecord(hello)).toBe(true);
});

test("a client without SNI has no name", async () => {
  expect(readHello(await clientHello(""))).toEqual({ serverName: undefined, alpn: [] });
});

test.each([[["h2", "http/1.1"]], [["spdy/3"]]])("the protocols offered by ALPN are read: %j", async (alpn) => {
  expect(readHello(await clientHello("localhost", alpn))).toEqual({ serverName: "localhost", alpn });
});

test("a part of a message is not treated as the whole, and is not read beyond its end", async () => {
  const hello = await clientHello("localhost");
  for (let length = 0; length < hello.length; length++) {
    expect(hasFirstRecord(hello.subarray(0, length))).toBe(length === 0);
    expect([undefined, "localhost"]).toContain(readHello(hello.subarray(0, length)).serverName);
  }
});

test("a message with any change causes no exception", async () => {
  const hello = await clientHello("localhost");
  fc.assert(
    fc.property(fc.nat(hello.length - 1), fc.nat(255), (index, byte) => {
      const changed = Buffer.from(hello);
      changed[index] = byte;
      readHello(changed);
      hasFirstRecord(changed);
    }),
  );
});

test("the reader does not wait for more if it is not a handshake, or if the record is too long", () => {
  expect(hasFirstRecord(Buffer.from("SSH-2.0"))).toBe(true);
  expect(hasFirstRecord(Buffer.from([0x16, 3, 1, 0xff, 0xff]))).toBe(true);
  expect(hasFirstRecord(Buffer.from([0x16, 3, 1, 0x40, 0x00]))).toBe(false);
});
