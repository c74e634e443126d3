import { switches } from "./switches.js";

/**
 * Whether Hono's adapter replaces the `Request` and `Response` of the process by lighter ones (`overrideGlobalObjects`).
 *
 * - Instead of: the classes of Node, which build streams and header lists that a ping never uses.
 * - Obsolete: when Node's own classes do not cost more. In Node 24 they do.
 * - Gain: GAIN_LIGHT
 * - Off: `lightRequests` in `switches.ts`.
 *
 * @param ownsProcess whether the process runs nothing but the sandbox. A test suite keeps its globals: the library runs without this piece
 */
export function replacesGlobals(ownsProcess: boolean): boolean {
  return ownsProcess && switches.lightRequests;
}
