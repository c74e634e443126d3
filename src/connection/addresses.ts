import { isIP } from "node:net";

/** Whether an address is one that only this machine can reach: 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  return address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

/** Where this machine reaches an address that is listened on: "all addresses" are reached through loopback. */
export function reachableAddress(bound: string): string {
  if (bound === "0.0.0.0") return "127.0.0.1";
  return bound === "::" ? "::1" : bound;
}

/** An address as a URL has it: IPv6 in brackets (RFC 3986 §3.2.2). */
export function addressInUrl(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
