import { createHash } from "node:crypto";
import { version } from "../../base/files/version.js";
import type { Shared } from "../../replicas/shared.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import type { Store } from "../../sandbox/store.js";
import type { Fetch } from "../../sandbox/tls/adapter.js";

/**
 * Connects to the state that sandboxes share, if one is configured. Its code is loaded only then.
 * @throws SharedStateError when it cannot be reached, or belongs to sandboxes with another CA, seed, release or
 *   configuration
 */
export async function openShared(
  configuration: Configuration,
  caPem: string,
  warn: (text: string) => void,
): Promise<Shared | undefined> {
  const { shared, seed } = configuration;
  if (shared === undefined) return undefined;
  const { Shared: Opened } = await import("../../replicas/shared.js");
  const own = { ca: certificateFacts(caPem).thumbprint, seed, release: version, settings: digests(configuration) };
  return Opened.open(shared, own, warn);
}

/**
 * What decides answers and reports, and so must be the same at all replicas. Ports, folders and the console are each
 * replica's own. The folder of scenarios is not compared, because its files may be changed while the sandbox runs.
 */
function digests(configuration: Configuration): Record<string, string> {
  const { basePath, alpn, tlsMinVersion, tlsMaxVersion, tls, clients, lists, assumptions, scenario, report, journal } =
    configuration;
  const { requests, refusals } = journal;
  const decisive = {
    basePath,
    alpn,
    tlsVersions: [tlsMinVersion, tlsMaxVersion],
    tls,
    clients,
    lists,
    assumptions,
    scenario,
    report,
    journal: [requests, refusals],
  };
  return Object.fromEntries(Object.entries(decisive).map(([name, value]) => [name, digest(value)]));
}

function digest(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64url");
}

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
