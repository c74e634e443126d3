import type { Health } from "../admin/context.js";
import { monotonicNow } from "../clock.js";
import { version } from "../files/version.js";

/** Tells the health of a sandbox. It is `ok` once all identities are there. */
export function healthOf(identities: Promise<unknown>, ports: Health["ports"]): () => Health {
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
  return () => ({
    status: status[state],
    identities: state,
    version,
    uptime: Math.round((monotonicNow() - startedAt) / 1000),
    ports,
  });
}
