import { issueCertificate, newAuthority } from "./authority.js";
import type { Authority, KeyedCertificate } from "./certs.js";
import { serverHostnames } from "./hostnames.js";
import { generateKeys, type KeyPair, type KeyType, privateKeyPem } from "./keys.js";
import { type IdentityProfile, leafValidity, pastValidity, serverName, type Validity, validityAt } from "./profiles.js";

/** What is wrong with a server certificate that a client must refuse. */
export type ServerDefect =
  /** Its validity ended yesterday. */
  | "expired"
  /** It is another host's, `elsewhere.test`. */
  | "wrong-host"
  /** It is issued by another CA of the same name. */
  | "untrusted";

/** A name that the CA permits and nobody reaches the sandbox by. */
const elsewhere = "elsewhere.test";

/**
 * Issues the server's certificate.
 * @param hostnames canonical names and addresses
 * @param now milliseconds since the epoch
 */
export function issueServer(authority: Authority, keys: KeyPair, hostnames: readonly string[], now: number): string {
  return issueServerLeaf(authority, keys, hostnames, now, leafValidity);
}

/**
 * Makes a server certificate that a careful client refuses.
 * @param settings.hostnames configured names of the server, as given; the standing ones are added
 * @param settings.now milliseconds since the epoch
 * @param settings.keys the server's own, or left out: a new P-256 pair
 * @throws CertsError when a host name is malformed
 */
export async function issueDefectiveServer(
  authority: Authority,
  defect: ServerDefect,
  settings: { hostnames: readonly string[]; now: number; keys?: KeyPair | undefined },
): Promise<KeyedCertificate> {
  const { now } = settings;
  const keys = settings.keys ?? (await generateKeys("ec"));
  const issuer = defect === "untrusted" ? await strangerLike(authority, now) : authority;
  const hostnames = defect === "wrong-host" ? [elsewhere] : serverHostnames(settings.hostnames);
  const validity = defect === "expired" ? pastValidity : leafValidity;
  return {
    certPem: issueServerLeaf(issuer, keys, hostnames, now, validity),
    keyPem: privateKeyPem(keys.privateKey),
  };
}

/** Issues the certificate of a standing identity. @param now milliseconds since the epoch */
export async function issueIdentity(
  authority: Authority,
  profile: IdentityProfile,
  keys: KeyPair,
  now: number,
): Promise<string> {
  const issuer = profile.issuer === "stranger" ? await strangerLike(authority, now) : authority;
  return issueCertificate(issuer, {
    profile: profile.usage,
    commonName: profile.commonName,
    publicKey: keys.publicKey,
    ...validityAt(profile, now),
  });
}

/**
 * Makes a certificate and a key for one more client, as the admin API does for a test that wants to be alone.
 * @param settings.clientId shown in the subject; registration goes by the thumbprint
 * @param settings.keyType P-256 when left out, which takes less than a millisecond
 * @param settings.keys made already; in place of `keyType`
 * @param settings.now milliseconds since the epoch
 */
export async function mintClient(
  authority: Authority,
  settings: { clientId: string; keyType?: KeyType | undefined; keys?: KeyPair | undefined; now: number },
): Promise<KeyedCertificate> {
  const keys = settings.keys ?? (await generateKeys(settings.keyType ?? "ec"));
  const certPem = issueCertificate(authority, {
    profile: "client",
    // OpenSSL holds a common name with a dot against the CA's name constraints. 64 characters: RFC 5280 appendix A.1.
    commonName: settings.clientId.replaceAll(".", "-").slice(0, 64),
    publicKey: keys.publicKey,
    notBefore: settings.now + leafValidity.from,
    notAfter: settings.now + leafValidity.until,
  });
  return { certPem, keyPem: privateKeyPem(keys.privateKey) };
}

/**
 * A CA with the name of ours and another key, which is forgotten with the return value. The same name, because Java and
 * Go clients send a certificate only when the server names its issuer; and because a name must not be what trust rests on.
 */
async function strangerLike(authority: Authority, now: number): Promise<Authority> {
  return newAuthority({ keys: await generateKeys("ec"), hostnames: [], now, subject: authority.subject });
}

function issueServerLeaf(
  authority: Authority,
  keys: KeyPair,
  hostnames: readonly string[],
  now: number,
  validity: Validity,
): string {
  return issueCertificate(authority, {
    profile: "server",
    commonName: serverName,
    publicKey: keys.publicKey,
    notBefore: now + validity.from,
    notAfter: now + validity.until,
    hostnames,
  });
}
