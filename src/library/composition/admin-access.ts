import { randomBytes } from "node:crypto";
import { Guard } from "../../admin/guard.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { isLoopback } from "../../sandbox/connection/addresses.js";
import { canonicalHostname } from "../../sandbox/pki/hostnames.js";

/** The token that the admin API demands. A configured one is never printed. */
export interface AdminToken {
  readonly value: string;
  /** Whether it was made by this start, because none was given. */
  readonly made: boolean;
}

/** The token of the admin API; undefined if it demands none. */
export function adminToken({ adminAuth, adminHosts, adminToken: given }: Configuration): AdminToken | undefined {
  const local = adminHosts.every((host) => isLoopback(host) || host === "localhost");
  if (adminAuth === "none" || (adminAuth === "auto" && local)) return undefined;
  return given === undefined
    ? { value: randomBytes(24).toString("base64url"), made: true }
    : { value: given, made: false };
}

/** The guard of the admin API. It knows the host names as browsers and clients write them in `Host`. */
export function createGuard({ hostnames, adminHosts }: Configuration, token: AdminToken | undefined): Guard {
  return new Guard({ hostnames: hostnames.map(canonicalHostname), adminHosts, token: token?.value });
}
