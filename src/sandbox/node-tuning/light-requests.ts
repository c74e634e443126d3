import { switches } from "./switches.js";

/**
 * Whether Hono's adapter replaces the `Request` and `Response` of the process by lighter ones (`overrideGlobalObjects`).
 *
 * - Instead of: the classes of Node, which build streams and header lists that a ping never uses.
 * - Obsolete: when Node's own classes do not cost more. In Node 24 they do.
 * - Gain: without it, a ping takes 2.8 times the CPU time (Node 20.20.2, Intel Xeon, 2026-11-25).
 * - Off: `lightRequests` in `switches.ts`.
 *
 * @param ownsProcess whether the process runs nothing but the sandbox. A test suite keeps its globals: the library runs without this piece
 */
export function replacesGlobals(ownsProcess: boolean): boolean {
  return ownsProcess && switches.lightRequests;
}
