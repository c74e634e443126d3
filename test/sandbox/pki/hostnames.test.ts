import { describe, expect, it } from "vitest";
import { canonicalHostname, serverHostnames } from "../../../src/sandbox/pki/hostnames.js";

describe("canonicalHostname", () => {
  it.each([
    ["Payments.Example", "payments.example"],
    ["payments.example.", "payments.example"],
    ["Bücher.example", "xn--bcher-kva.example"],
    ["pay_ments", "pay_ments"],
    ["1password.test", "1password.test"],
    ["10.0.0.1", "10.0.0.1"],
    ["[::1]", "::1"],
    ["FD00:0:0::0007", "fd00::7"],
    ["::ffff:10.0.0.1", "::ffff:a00:1"],
  ])("reads %s as %s", (given, canonical) => {
    expect(canonicalHostname(given)).toBe(canonical);
  });

  it.each([
    "",
    " ",
    ".",
    "-a.test",
    "a-.test",
    "a..test",
    "*.test",
    "https://payments.test",
    "payments.test:8443",
    "payments.test/path",
    "user@payments.test",
    "pay ments.test",
    "payments.test\nevil.test",
    "127.1",
    "1.2.3.4.5",
    "fe80::1%eth0",
    "[10.0.0.1",
    `${"a".repeat(64)}.test`,
    `${"a.".repeat(130)}test`,
  ])("refuses %j", (given) => {
    expect(() => canonicalHostname(given)).toThrow(
      expect.objectContaining({ code: "HOSTNAME_INVALID", message: expect.stringContaining(JSON.stringify(given)) }),
    );
  });
});

describe("serverHostnames", () => {
  it("has the standing names first and each name once", () => {
    expect(serverHostnames(["Payments.test", "localhost", "payments.test", "0:0::1"])).toEqual([
      "localhost",
      "sandbox",
      "host.docker.internal",
      "127.0.0.1",
      "::1",
      "payments.test",
    ]);
  });
});
