import { setImmediate as nextTurn } from "node:timers/promises";
import type { AdminContext, Downloads } from "../../admin/context.js";
import { IdentityStore, type Issuer, type KeptIdentity } from "../../admin/identities.js";
import { displayPath } from "../../base/files/display-path.js";
import { environmentLines } from "../../base/text/environment.js";
import type { ClientRegistry } from "../../sandbox/clients.js";
import { type Clock, monotonicNow } from "../../sandbox/clock.js";
import type { Configuration, ServerFiles } from "../../sandbox/config/configuration.js";
import { SettingError } from "../../sandbox/config/settings.js";
import type { DefectUrls } from "../../sandbox/connection/server-defect.js";
import { certificateFacts, thumbprintOfPem } from "../../sandbox/pki/certificate-facts.js";
import {
  type Authority,
  type CertificateSet,
  CertsError,
  type Identity,
  type OpenCertificates,
} from "../../sandbox/pki/certs.js";
import { defectVariables, environmentText } from "../../sandbox/pki/environment.js";
import type { FileOperations } from "../../sandbox/pki/file-operations.js";
import { openCerts } from "../../sandbox/pki/folder.js";
import type { KeyPool } from "../../sandbox/pki/key-pool.js";
import { readKeys } from "../../sandbox/pki/keys.js";
import { bundlePassword } from "../../sandbox/pki/profiles.js";
import { type StateFiles, writeAll } from "../../sandbox/store.js";
import { answers } from "../../sandbox/tls/answers.js";

/** Where clients reach the API. */
export interface ApiUrls {
  readonly url: string;
  readonly defectUrls: DefectUrls | undefined;
}

/**
 * Opens the certificates folder, or makes a set in memory only.
 * @param ownsProcess whether the process began in order to run this sandbox
 * @param files default: those of the system
 * @throws CertsError
 */
export async function openCertificates(
  configuration: Configuration,
  clock: Clock,
  ownsProcess = false,
  files?: FileOperations,
): Promise<OpenCertificates> {
  const { certs, hostnames, keyType, nameConstraints: constraints, freshCerts } = configuration;
  if (certs !== undefined) {
    const startedAt = ownsProcess ? clock.now() - monotonicNow() : undefined;
    return openCerts({ directory: certs, hostnames, keyType, constraints, fresh: freshCerts, startedAt, clock, files });
  }
  const { certsInMemory } = await import("../../sandbox/pki/make.js");
  return certsInMemory({ hostnames, keyType, constraints, clock });
}

/**
 * The certificates with one for the server that is the user's. What the sandbox's CA issues for the server later, such
 * as a renewal or a defect, must not look untrusted: `ca.pem` has both roots.
 * @throws CertsError or UnfinishedError when `ca.pem` cannot be written
 */
export function withServerOf(server: ServerFiles | undefined, certs: OpenCertificates): OpenCertificates {
  if (server === undefined) return certs;
  const { certPem, keyPem, rootPem } = server;
  const hasRoot = certs.caPem.includes(rootPem.trim());
  const caPem = hasRoot ? certs.caPem : `${certs.caPem.trimEnd()}\n${rootPem}`;
  if (!hasRoot) writeAll(certs.authorityFiles?.({ certPem: rootPem, keyPem: undefined }, () => true));
  return { ...certs, caPem, server: { certPem, keyPem } };
}

/**
 * Writes the address of the API into the folder of each client (`client.env`). Warns if that fails, and if files named
 * another sandbox, which still answers and shares no state with this one.
 * @param warn gets each text once
 * @throws CertsError
 */
export async function writeEnvironment(
  certs: OpenCertificates,
  { hostCerts, shared }: Configuration,
  { url, defectUrls }: ApiUrls,
  warn: (text: string) => void,
): Promise<void> {
  if (hostCerts === undefined) return;
  const before = certs.environmentUrls?.() ?? [];
  const problem = await certs.writeEnvironment?.({ url, defectUrls, certsPath: hostCerts });
  if (problem) return warn(`${problem.message} The existing files may name another address than ${url}.`);
  for (const other of shared ? [] : before) {
    // This sandbox listens already: it may be the one that answers.
    if (new URL(other).port !== new URL(url).port && (await answers(other, certs.caPem)))
      warn(
        `The client.env files in ${displayPath(hostCerts)} name ${url} now. The sandbox at ${other}, which they named before, still answers: give each its own --certs folder, or stop one of them.`,
      );
  }
}

/**
 * Writes what the shared state has and the folder has not: a replica may have been killed between both, or have another
 * copy of the folder.
 * @throws CertsError or UnfinishedError
 */
export async function writeShared(certs: OpenCertificates, { store, filesOf }: Identities): Promise<void> {
  for (const identity of store.standing()) {
    const { kind, folder, certPem, keyPem } = identity;
    if (kind !== "client" || folder === undefined || certs.hasIdentity?.({ folder, certPem, keyPem })) continue;
    writeAll(await filesOf(identity));
  }
}

/** The CA of clients, which may change while the sandbox runs. */
interface ClientCa {
  /** What clients trust, PEM. */
  readonly caPem: string;
  /** The CA that issues now. Rejects with a `CertsError` when its key is missing. */
  authority(): Promise<Authority>;
}

/** The identities of a sandbox. */
export interface Identities {
  readonly store: IdentityStore;
  readonly filesOf: AdminContext["filesOf"];
  readonly finishFiles: AdminContext["finishFiles"];
  /** All identities, once they are made. */
  readonly complete: Promise<readonly Identity[]>;
  /** From then on, no key is made and no file is written. */
  close(): Promise<void>;
}

/**
 * Registers the clients, and opens the store of identities.
 * @throws RegistrationError when two clients claim one certificate; SettingError when a certificate of a configured
 *   client cannot be made
 */
export async function openIdentities(
  certs: OpenCertificates,
  trust: ClientCa,
  clients: ClientRegistry,
  configuration: Configuration,
  clock: Clock,
  warn: (text: string) => void,
): Promise<Identities> {
  const issuer = createIssuer(trust);
  const store = new IdentityStore(issuer);
  registerClients(clients, await withCertificates(configuration, store, clock), certs);
  for (const identity of certs.clients) store.add(keptIdentity(identity));
  const complete = certs.complete.then((all) => {
    registerMisfits(clients, all);
    for (const identity of all) store.add(keptIdentity(identity));
    return all;
  });
  complete.catch(() => {});
  let isClosed = false;
  const finish = (files: Pick<StateFiles, "finish"> | undefined) => {
    try {
      if (!isClosed) files?.finish();
    } catch (error) {
      warn(`payments-sandbox: A rotation stays half done. ${(error as Error).message}\n`);
    }
  };
  const filesOf: AdminContext["filesOf"] = async (identity, { file: held, time } = {}) => {
    const { folder, thumbprint } = identity;
    if (folder === undefined) return undefined;
    const isInForce = () => store.byThumbprint(thumbprint)?.folder === folder;
    const onWritten = time === undefined ? undefined : () => void setTimeout(() => finish(files), time).unref();
    const files = await certs.identityFiles?.({ ...identity, folder }, { isInForce, held, onWritten });
    return files;
  };
  const close = () => {
    isClosed = true;
    return issuer.close();
  };
  return { store, filesOf, finishFiles: () => certs.finish?.(), complete, close };
}

/**
 * The configured clients, each with a certificate: its own, or one that is made and kept.
 * @throws SettingError when one cannot be made
 */
async function withCertificates(
  { clients, shared }: Configuration,
  store: IdentityStore,
  clock: Clock,
): Promise<Configuration["clients"]> {
  return Promise.all(
    clients.map(async (client) => {
      const { clientId, certificates, made } = client;
      if (certificates.length > 0) return client;
      // Each replica would make another one.
      if (shared)
        throw new SettingError(
          `The client "${clientId}" needs certificates: sandboxes that share their state make none.`,
        );
      const identity = await store
        .issue(clientId, { ...made, now: clock.now() }, "made for sandbox.yaml")
        .catch((error: unknown) => {
          throw error instanceof CertsError ? new SettingError(`The client "${clientId}": ${error.message}`) : error;
        });
      store.add(identity);
      return { ...client, certificates: [identity.certPem] };
    }),
  );
}

/**
 * Registers the standing clients and those of the configuration.
 * @throws RegistrationError when two claim one certificate
 */
function registerClients(clients: ClientRegistry, configured: Configuration["clients"], certs: CertificateSet): void {
  const standing = certs.clients.map(({ clientId, certPem }) => ({
    clientId,
    certificates: [certPem],
    scopes: ["read"],
    grantTypes: ["client_credentials"],
  }));
  for (const { clientId, certificates, scopes, grantTypes } of [...standing, ...configured]) {
    const facts = certificates.map(certificateFacts);
    const thumbprints = facts.map(({ thumbprint }) => thumbprint);
    clients.register({ id: clientId, thumbprints, certificates: facts, scopes, grantTypes });
  }
}

/** Some misfits are registered, so that only their defect is a reason to refuse them. */
function registerMisfits(clients: ClientRegistry, identities: readonly Identity[]): void {
  for (const { kind, registered, clientId, certPem } of identities) {
    const client = clients.get(clientId);
    if (kind !== "misfit" || !registered || !client) continue;
    const facts = certificateFacts(certPem);
    clients.addCertificate(client, facts.thumbprint, facts);
  }
}

/** An identity of the certificates folder as the admin API keeps it. */
function keptIdentity(identity: Identity): KeptIdentity {
  return { ...identity, thumbprint: certificateFacts(identity.certPem).thumbprint };
}

/**
 * Issues further certificates. The CA's key and the library are loaded for the first one. `close` stops making keys in
 * the background.
 */
function createIssuer(trust: ClientCa): Issuer & { close(): Promise<void> } {
  let rsaKeys: KeyPool | undefined;
  /** By their roots. */
  const intermediates = new WeakMap<Authority, Authority>();
  let closed = false;
  let turn = Promise.resolve();
  return {
    close: async () => {
      closed = true;
      await rsaKeys?.close();
    },
    mint: async (clientId, { keyType, issuer, keyPem, ...dates }) => {
      const [{ intermediateOf, mintClient }, { KeyPool: Pool }] = await Promise.all([
        import("../../sandbox/pki/issue.js"),
        import("../../sandbox/pki/key-pool.js"),
      ]);
      const below = async (root: Authority) => {
        const made = intermediates.get(root) ?? (await intermediateOf(root, dates.now));
        // Another call may have made one meanwhile.
        const kept = intermediates.get(root) ?? made;
        intermediates.set(root, kept);
        return kept;
      };
      const root = trust.authority();
      const authority = await (issuer === "root" ? root : root.then(below));
      if (closed) throw new CertsError("CLOSED", "The sandbox is being closed.");
      const isNewRsa = keyType === "rsa" && keyPem === undefined;
      if (isNewRsa) rsaKeys ??= new Pool();
      const keys = keyPem === undefined ? (isNewRsa ? await rsaKeys?.take() : undefined) : readKeys(keyPem);
      // One in each turn of the event loop: many calls at once would delay the requests of other clients.
      turn = turn.then(() => nextTurn());
      await turn;
      const issued = await mintClient(authority, { clientId, keys, ...dates });
      return { ...issued, thumbprint: thumbprintOfPem(issued.certPem) };
    },
    bundle: async ({ name, certPem, keyPem }, form) => {
      const { encodeBundle } = await import("../../sandbox/pki/pkcs12.js");
      return new Uint8Array(await encodeBundle({ name, certPem, keyPem, caPem: trust.caPem }, form));
    },
  };
}

/**
 * The text of `client.env` for an identity, as a download. For an identity in the certificates folder it names the
 * files there. For any other it names the downloaded files, which belong next to it, and says how to get them.
 * @param settings.certsPath the certificates folder; undefined for certificates that are in memory only
 */
export async function environmentFor(
  { folder, clientId }: Pick<KeptIdentity, "folder" | "clientId">,
  settings: ApiUrls & { readonly certsPath: string | undefined },
  downloads: Downloads,
): Promise<string> {
  const { url, defectUrls, certsPath } = settings;
  if (folder !== undefined && certsPath !== undefined)
    return environmentText({ folder, clientId }, { url, defectUrls, certsPath });
  const { name, path, demandsToken } = downloads;
  const curl = `curl -fsS${demandsToken ? ' -H "Authorization: Bearer $SANDBOX_ADMIN_TOKEN"' : ""}`;
  return [
    "# These files are not in a folder. Put them next to this one:",
    `#   for f in cert.pem key.pem identity.pem client.p12; do ${curl} -o ${name}-$f ${downloads.url}/${path}/$f; done`,
    `#   ${curl} -o ca.pem ${downloads.url}/ca.pem`,
    `# Then, in a shell: set -a; . ./${name}-client.env; set +a`,
    ...environmentLines({
      SANDBOX_URL: url,
      SANDBOX_CLIENT_ID: clientId,
      SANDBOX_CA_FILE: "ca.pem",
      SANDBOX_CERT_FILE: `${name}-cert.pem`,
      SANDBOX_KEY_FILE: `${name}-key.pem`,
      SANDBOX_IDENTITY_FILE: `${name}-identity.pem`,
      SANDBOX_P12_FILE: `${name}-client.p12`,
      SANDBOX_P12_PASSWORD: bundlePassword,
      ...defectVariables(defectUrls),
    }),
    "",
  ].join("\n");
}
