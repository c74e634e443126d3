import fc from "fast-check";
import { expect, test } from "vitest";
import { hasFirstRecord, readHello } from "../../src/tls/client-hello.js";
import { clientHello } from "../support/client-hello.js";

test.each(["localhost", "expired.localhost", `${"a".repeat(60)}.test`])("the name %s is read", async (name) => {
  const hello = await clientHello(name);
  expect(readHello(hello).serverName).toBe(name);
  expect(hasFirstRecord(hello)).toBe(true);
});

test("a client that names no host has none", async () => {
  expect(readHello(await clientHello(""))).toEqual({ serverName: undefined, alpn: [] });
});

test.each([[["h2", "http/1.1"]], [["spdy/3"]]])("what is offered by ALPN is read: %j", async (alpn) => {
  expect(readHello(await clientHello("localhost", alpn))).toEqual({ serverName: "localhost", alpn });
});

test("no part of a message is taken for the whole, and none is read beyond its end", async () => {
  const hello = await clientHello("localhost");
  for (let length = 0; length < hello.length; length++) {
    expect(hasFirstRecord(hello.subarray(0, length))).toBe(length === 0);
    expect([undefined, "localhost"]).toContain(readHello(hello.subarray(0, length)).serverName);
  }
});

test("whatever is changed in a message, reading it throws nothing", async () => {
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

test("does not wait for what is not a handshake, nor for a record that is too long", () => {
  expect(hasFirstRecord(Buffer.from("SSH-2.0"))).toBe(true);
  expect(hasFirstRecord(Buffer.from([0x16, 3, 1, 0xff, 0xff]))).toBe(true);
  expect(hasFirstRecord(Buffer.from([0x16, 3, 1, 0x40, 0x00]))).toBe(false);
});
