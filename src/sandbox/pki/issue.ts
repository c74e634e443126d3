import { issueCertificate, newAuthority, newIntermediate } from "./authority.js";
import type { Authority, KeyedCertificate } from "./certs.js";
import { generateKeys, type KeyPair, privateKeyPem } from "./keys.js";
import { type IdentityProfile, leafValidity, serverName, validityAt } from "./profiles.js";

/**
 * Issues the server's certificate.
 * @param hostnames canonical names and addresses
 * @param now milliseconds since the epoch
 */
export function issueServer(
  authority: Authority,
  { publicKey }: KeyPair,
  hostnames: readonly string[],
  now: number,
): string {
  const dates = validityAt(leafValidity, now);
  return issueCertificate(authority, { profile: "server", commonName: serverName, publicKey, hostnames, ...dates });
}

/**
 * Issues the certificate of an identity of the folder.
 * @param now milliseconds since the epoch
 */
export async function issueIdentity(
  authority: Authority,
  { issuer, usage, commonName, validity }: IdentityProfile,
  { publicKey }: KeyPair,
  now: number,
): Promise<string> {
  const signers = {
    sandbox: () => authority,
    impostor: () => impostorCa(authority, now),
    intermediate: () => intermediateOf(authority, now),
  };
  const signer = await signers[issuer]();
  return issueCertificate(signer, { profile: usage, commonName, publicKey, ...validityAt(validity, now) });
}

/**
 * Makes an intermediate CA with a new P-256 key, which is in memory only.
 * @param now milliseconds since the epoch
 * @throws CertsError when the root permits none
 */
export async function intermediateOf(root: Authority, now: number): Promise<Authority> {
  return newIntermediate(root, await generateKeys("ec"), now);
}

/**
 * Makes a certificate and a key for one more client.
 * @param settings.clientId shown in the subject; registration uses the thumbprint
 * @param settings.keys a new P-256 pair when left out, which takes less than a millisecond
 * @param settings.now milliseconds since the epoch
 * @param settings.validFor how long the certificate is valid from now on, in milliseconds; about a year when left out
 */
export async function mintClient(
  authority: Authority,
  settings: { clientId: string; keys?: KeyPair | undefined; now: number; validFor?: number | undefined },
): Promise<KeyedCertificate> {
  const { privateKey, publicKey } = settings.keys ?? (await generateKeys("ec"));
  // OpenSSL checks a common name with a dot against the CA's name constraints. 64 characters: RFC 5280 appendix A.1.
  const commonName = settings.clientId.replaceAll(".", "-").slice(0, 64);
  const { from, until } = leafValidity;
  const dates = validityAt({ from, until: settings.validFor ?? until }, settings.now);
  const certPem = issueCertificate(authority, { profile: "client", commonName, publicKey, ...dates });
  return { certPem, keyPem: privateKeyPem(privateKey) };
}

/**
 * A CA with the same name and another key, which is not kept. The name is the same because Java and Go clients send a
 * certificate only if the server names its issuer.
 */
export async function impostorCa({ subject }: Authority, now: number): Promise<Authority> {
  return newAuthority({ keys: await generateKeys("ec"), hostnames: [], constraints: "names", now, subject });
}
