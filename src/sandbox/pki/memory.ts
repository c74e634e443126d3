import type { Clock } from "../clock.js";
import { loadAuthority } from "./authority.js";
import type { CertificateSet } from "./certs.js";
import { serverHostnames } from "./hostnames.js";
import type { KeyType } from "./keys.js";
import { makeMisfits, makeReadyParts } from "./make.js";

/**
 * Makes the certificate set of a new folder in memory: for a sandbox that runs as long as a test.
 * @param settings.hostnames names and addresses of the server in addition to those that it always has
 * @param settings.keyType default P-256, which takes a few milliseconds
 * @throws CertsError when a host name is malformed
 */
export async function certsInMemory(settings: {
  hostnames?: readonly string[] | undefined;
  keyType?: KeyType | undefined;
  clock: Clock;
}): Promise<CertificateSet> {
  const { hostnames = [], keyType = "ec", clock } = settings;
  const contents = { serverFits: false, identities: new Map() };
  const work = { contents, hostnames: serverHostnames(hostnames), keyType, now: clock.now() };
  const { ca, ...ready } = await makeReadyParts(work);
  const complete = makeMisfits(work, { ca, ...ready });
  // A caller that needs the misfits waits for `complete` itself.
  complete.catch(() => {});
  const authority = loadAuthority(ca);
  return { ...ready, caPem: ca.certPem, complete, authority: async () => authority };
}
