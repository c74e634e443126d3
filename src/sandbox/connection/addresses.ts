import { isIP } from "node:net";

/** Whether only this machine can reach an address: 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  return address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

/** The address at which this machine reaches a bound address: "all addresses" are reached through loopback. */
export function reachableAddress(bound: string): string {
  if (bound === "0.0.0.0") return "127.0.0.1";
  return bound === "::" ? "::1" : bound;
}

/** An address in the form of a URL: IPv6 in brackets (RFC 3986 §3.2.2). */
export function addressInUrl(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
