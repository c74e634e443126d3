import type { Health } from "../../admin/schemas.js";
import { version } from "../../base/files/version.js";
import { monotonicNow } from "../../sandbox/clock.js";

/**
 * Reports the health of a sandbox. It is `ok` once all identities exist.
 * @param unavailable why the state that it shares with others cannot be reached; undefined if it can, or if it shares
 *   no state
 */
export function healthOf(
  identities: Promise<unknown>,
  ports: Health["ports"],
  unavailable: () => string | undefined = () => undefined,
): () => Health {
  const startedAt = monotonicNow();
  let state: Health["identities"] = "pending";
  identities.then(
    () => {
      state = "ready";
    },
    () => {
      state = "failed";
    },
  );
  const status = { ready: "ok", pending: "starting", failed: "failed" } as const;
  return () => {
    const reason = unavailable();
    return {
      status: reason === undefined || state !== "ready" ? status[state] : "unavailable",
      ...(reason !== undefined && { reason }),
      identities: state,
      version,
      uptime: Math.round((monotonicNow() - startedAt) / 1000),
      ports,
    };
  };
}
