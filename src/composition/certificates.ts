import type { Issuer, KeptIdentity } from "../admin/identities.js";
import type { ClientRegistry } from "../clients.js";
import type { Clock } from "../clock.js";
import type { Configuration } from "../config/configuration.js";
import type { CertificateSet, Certs, EnvironmentSettings, Identity } from "../pki/certs.js";
import { openCerts } from "../pki/folder.js";
import { certificateFacts } from "../pki/thumbprint.js";

/**
 * Opens the certificates folder, or makes a set that lives in memory only.
 * @param url base URL of the API, if it is known already
 * @throws CertsError
 */
export async function openCertificates(
  configuration: Configuration,
  url: string | undefined,
  clock: Clock,
): Promise<CertificateSet & Partial<Pick<Certs, "writeEnvironment">>> {
  const { certs, hostCerts, hostnames, keyType, freshCerts } = configuration;
  if (certs !== undefined) {
    const environment = url === undefined ? undefined : { url, certsPath: hostCerts ?? certs };
    return openCerts({ directory: certs, hostnames, keyType, fresh: freshCerts, clock, environment });
  }
  const { certsInMemory } = await import("../pki/memory.js");
  return certsInMemory({ hostnames, keyType, clock });
}

/** Registers the standing clients and those of the configuration. @throws RegistrationError when two claim one certificate */
export function registerClients(clients: ClientRegistry, configuration: Configuration, certs: CertificateSet): void {
  for (const { clientId, certPem } of certs.clients) {
    const facts = certificateFacts(certPem);
    clients.register({ id: clientId, thumbprints: [facts.thumbprint], certificates: [facts], scopes: ["read"] });
  }
  for (const { clientId, certificates, scopes, grantTypes } of configuration.clients) {
    const facts = certificates.map(certificateFacts);
    clients.register({
      id: clientId,
      thumbprints: facts.map(({ thumbprint }) => thumbprint),
      certificates: facts,
      scopes,
      grantTypes,
    });
  }
}

/** Some misfits are registered, so that nothing but their own defect has them refused. */
export function registerMisfits(clients: ClientRegistry, identities: readonly Identity[]): void {
  for (const { kind, registered, clientId, certPem } of identities) {
    const client = clients.get(clientId);
    if (kind !== "misfit" || !registered || !client) continue;
    const facts = certificateFacts(certPem);
    clients.addCertificate(client, facts.thumbprint, facts);
  }
}

/** An identity of the certificates folder as the admin API keeps it. */
export function keptIdentity(identity: Identity): KeptIdentity {
  return { ...identity, thumbprint: certificateFacts(identity.certPem).thumbprint };
}

/** What issues further certificates: the CA's key and the library are loaded with the first one. */
export function createIssuer(certs: CertificateSet, machineClock: Clock): Issuer {
  return {
    mint: async (clientId, keyType) => {
      const { mintClient } = await import("../pki/issue.js");
      const issued = await mintClient(await certs.authority(), { clientId, keyType, now: machineClock.now() });
      return { ...issued, thumbprint: certificateFacts(issued.certPem).thumbprint };
    },
    bundle: async ({ name, certPem, keyPem }) => {
      const [{ encodeBundle }, { bundlePassword }] = await Promise.all([
        import("../pki/pkcs12.js"),
        import("../pki/profiles.js"),
      ]);
      return encodeBundle({ name, certPem, keyPem, caPem: certs.caPem, password: bundlePassword });
    },
  };
}

/** The text of `client.env` for an identity, as a download: files that lie in no folder are named as they are downloaded. */
export async function environmentFor(identity: KeptIdentity, settings: EnvironmentSettings): Promise<string> {
  const { environmentText } = await import("../pki/environment.js");
  return environmentText(
    { folder: identity.folder ?? `clients/${identity.clientId}`, clientId: identity.clientId },
    settings,
  );
}
