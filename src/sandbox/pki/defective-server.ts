import type { ServerDefect } from "../connection/server-defect.js";
import { issueCertificate, newIntermediate, selfIssuer } from "./authority.js";
import type { Authority, KeyedCertificate } from "./certs.js";
import { serverHostnames } from "./hostnames.js";
import { impostorCa, intermediateOf } from "./issue.js";
import { generateKeys, privateKeyPem } from "./keys.js";
import { futureValidity, leafValidity, pastValidity, serverName, validityAt } from "./profiles.js";

/** A name that the CA permits, but that is not a name of the sandbox. */
const elsewhere = "elsewhere.test";

interface DefectiveServer {
  /** Configured names of the server, as given; those that it always has are added. */
  readonly hostnames: readonly string[];
  /** The name by which the client knows the server; the common name if that is all there is. */
  readonly hostname: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How the certificate differs from a good one. */
interface Differences {
  readonly issuer?: Omit<Authority, keyof KeyedCertificate>;
  readonly validity?: typeof leafValidity;
  readonly hostnames?: readonly string[];
  readonly commonName?: string;
  readonly profile?: "client";
  readonly digest?: "sha1";
}

/**
 * Makes a server certificate that a client must refuse, with a P-256 key unless the key is the defect.
 * @throws CertsError when a host name is malformed, or the CA permits no intermediate CA and the defect needs one
 */
export async function issueDefectiveServer(
  authority: Authority,
  defect: ServerDefect,
  { hostnames, hostname, now }: DefectiveServer,
): Promise<KeyedCertificate> {
  const keys = await (defect === "rsa-1024" ? generateKeys("rsa", 1024) : generateKeys("ec"));
  const differences: Readonly<Record<ServerDefect, () => Differences | Promise<Differences>>> = {
    expired: () => ({ validity: pastValidity }),
    "wrong-host": () => ({ hostnames: [elsewhere] }),
    untrusted: async () => ({ issuer: await impostorCa(authority, now) }),
    incomplete: async () => ({ issuer: { ...(await intermediateOf(authority, now)), chainPem: "" } }),
    "expired-intermediate": async () => ({
      issuer: newIntermediate(authority, await generateKeys("ec"), now, pastValidity),
    }),
    "self-signed": () => ({ issuer: selfIssuer(keys, serverName) }),
    "not-yet-valid": () => ({ validity: futureValidity }),
    "wrong-usage": () => ({ profile: "client" }),
    "common-name-only": () => ({ hostnames: [], commonName: hostname }),
    sha1: () => ({ digest: "sha1" }),
    "rsa-1024": () => ({}),
  };
  const { issuer = authority, validity = leafValidity, ...others } = await differences[defect]();
  const certPem = issueCertificate(issuer, {
    profile: "server",
    commonName: serverName,
    hostnames: serverHostnames(hostnames),
    publicKey: keys.publicKey,
    ...validityAt(validity, now),
    ...others,
  });
  return { certPem, keyPem: privateKeyPem(keys.privateKey) };
}
