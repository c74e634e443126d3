import { expect, it } from "vitest";
import { addressInUrl, isLoopback, reachableAddress } from "../../../src/sandbox/connection/addresses.js";

it.each([
  ["127.0.0.1", true],
  ["127.255.255.254", true],
  ["::1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["128.0.0.1", false],
  ["127.0.0.1.attacker.test", false],
  ["localhost", false],
  ["::ffff:127.0.0.1", false],
])("isLoopback(%s) is %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

it.each([
  ["0.0.0.0", "127.0.0.1", "127.0.0.1"],
  ["::", "::1", "[::1]"],
  ["fe80::1", "fe80::1", "[fe80::1]"],
  ["10.0.0.1", "10.0.0.1", "10.0.0.1"],
])("%s is reached at %s, in a URL %s", (bound, reachable, inUrl) => {
  expect([reachableAddress(bound), addressInUrl(reachableAddress(bound))]).toEqual([reachable, inUrl]);
});
