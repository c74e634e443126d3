import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.js";
import { newAuthority } from "./authority.js";
import type { CertificateSet, Identity } from "./certs.js";
import { serverHostnames } from "./hostnames.js";
import { issueIdentity, issueServer } from "./issue.js";
import { generateKeys, type KeyType, keySource, privateKeyPem } from "./keys.js";
import { type IdentityProfile, identityOf, identityProfiles } from "./profiles.js";

/**
 * Makes the certificate set of a new folder without a folder: for a sandbox that lives as long as a test.
 * @param settings.hostnames names and addresses of the server beside the standing ones
 * @param settings.keyType P-256 when left out, which takes a few milliseconds
 * @throws CertsError when a host name is malformed
 */
export async function certsInMemory(settings: {
  hostnames?: readonly string[] | undefined;
  keyType?: KeyType | undefined;
  clock: Clock;
}): Promise<CertificateSet> {
  const hostnames = serverHostnames(settings.hostnames ?? []);
  const now = settings.clock.now();
  const ofKind = (kind: Identity["kind"]): IdentityProfile[] =>
    identityProfiles.filter((profile) => profile.kind === kind);
  const newKeys = keySource(settings.keyType ?? "ec");
  // Asked for all at once, so that no core is idle.
  const caKeys = newKeys();
  const serverKeys = newKeys();
  const ownKeys = new Map(ofKind("client").map(({ name }) => [name, newKeys()]));
  const sharedKeys = newKeys();

  const authority = newAuthority({ keys: await caKeys, hostnames, now });
  const identity = async (profile: IdentityProfile): Promise<Identity> => {
    const keys = await (ownKeys.get(profile.key === "own" ? profile.name : profile.key) ?? sharedKeys);
    const certPem = await issueIdentity(authority, profile, keys, now);
    return identityOf(profile, { certPem, keyPem: privateKeyPem(keys.privateKey) });
  };
  const clients = await Promise.all(ofKind("client").map(identity));
  const misfits = ofKind("misfit").map(identity);
  const { privateKey } = await serverKeys;
  const tokenKeys = await generateKeys("ec");
  return {
    caPem: authority.certPem,
    server: { certPem: issueServer(authority, await serverKeys, hostnames, now), keyPem: privateKeyPem(privateKey) },
    clients,
    tokenSigningKeyPem: privateKeyPem(tokenKeys.privateKey),
    cursorKey: randomBytes(32),
    complete: Promise.all([...clients, ...misfits]),
    authority: async () => authority,
  };
}
