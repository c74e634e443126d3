import type { Store } from "../../sandbox/store.js";
import type { Fetch } from "../../sandbox/tls/adapter.js";

/**
 * A request gets the state that was there when it came, and its answer leaves once the journal in Redis has it. So a
 * replica that is killed loses nothing that it answered.
 */
export function withSharedState(shared: Pick<Store, "current" | "written">, fetch: Fetch): Fetch {
  return async (request, env) => {
    const { outgoing } = env;
    await shared.current();
    // The rest of the request was not valid. It has its answer, and its entry.
    if (outgoing.state === "replaced") return env.wire().alreadySent;
    const response = await fetch(request, env);
    // It has its entry, so no other answer may be given instead.
    const wasOpen = outgoing.state === "open";
    if (wasOpen) outgoing.state = "withheld";
    await shared.written();
    if (wasOpen && outgoing.state === "withheld") outgoing.state = "open";
    return response;
  };
}
