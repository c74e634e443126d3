import { randomBytes } from "node:crypto";
import { once } from "../../base/once.js";
import type { Clock } from "../clock.js";
import { loadAuthority, newAuthority } from "./authority.js";
import type { Authority, CertificateSet, ConstraintsForm, Identity, KeyedCertificate } from "./certs.js";
import { modes, type NewFile } from "./file-operations.js";
import { serverHostnames } from "./hostnames.js";
import { type FolderContents, type FoundIdentity, type ReadyParts, wanted } from "./inspect.js";
import { issueIdentity, issueServer } from "./issue.js";
import { generateKeys, type KeyPair, type KeyType, keySource, privateKeyPem, readKeys } from "./keys.js";
import { refuseHostnames } from "./name-constraints.js";
import { encodeBundle } from "./pkcs12.js";
import { type IdentityProfile, identityOf, identityPem, profilesOf } from "./profiles.js";

/** The folder to complete, and the settings for it. */
export interface Work {
  readonly contents: FolderContents;
  /** Gets the files to write. Left out for certificates that are only in memory. */
  readonly files?: NewFile[];
  /** Canonical names and addresses of the server. */
  readonly hostnames: readonly string[];
  /** The type of new keys. */
  readonly keyType: KeyType;
  /** The name constraints of a new CA. */
  readonly constraints: ConstraintsForm;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Makes the certificate set of a new folder in memory: for a sandbox that runs as long as a test.
 * @param settings.hostnames names and addresses of the server in addition to those that it always has
 * @param settings.keyType default P-256, which takes a few milliseconds
 * @param settings.constraints of the CA; default `names`
 * @throws CertsError when a host name is malformed
 */
export async function certsInMemory(settings: {
  hostnames?: readonly string[] | undefined;
  constraints?: ConstraintsForm | undefined;
  keyType?: KeyType | undefined;
  clock: Clock;
}): Promise<CertificateSet> {
  const { hostnames = [], keyType = "ec", constraints = "names", clock } = settings;
  const contents = { serverFits: false, identities: new Map() };
  const work = { contents, hostnames: serverHostnames(hostnames), keyType, constraints, now: clock.now() };
  const { ca, ...ready } = await makeReadyParts(work);
  const complete = makeMisfits(work, { ca, ...ready });
  // A caller that needs the misfits waits for `complete` itself.
  complete.catch(() => {});
  const authority = loadAuthority(ca);
  return { ...ready, caPem: ca.certPem, complete, authority: async () => authority };
}

/** Work with a CA. Its key is read only when something must be issued: everything else works without it. */
interface WorkWithCa extends Work {
  readonly caPem: string;
  authority(): Authority;
}

/**
 * Makes the parts that the server needs to start and that are missing or must be renewed.
 * @throws CertsError when something must be issued and the CA's key is missing or does not permit it
 */
export async function makeReadyParts(work: Work): Promise<ReadyParts> {
  const { contents, files } = work;
  const newKeys = keySource(work.keyType);
  // All are requested at once, to use all cores. They are made in this order.
  const caKeys = contents.ca ? undefined : (contents.loneCaKeys ?? newKeys());
  const serverKeys = contents.server ? undefined : (contents.loneServerKeys ?? newKeys());
  const profiles = wanted(contents, profilesOf("client"));
  const missing = profiles.filter(({ name }) => !contents.identities.has(name));
  const keysFor = ({ key }: IdentityProfile) => (key === "p256" ? generateKeys("ec") : newKeys());
  const clientKeys = new Map(missing.map((profile) => [profile.name, keysFor(profile)]));

  const tokenSigningKeyPem = contents.tokenSigningKeyPem ?? privateKeyPem((await generateKeys("ec")).privateKey);
  if (!contents.tokenSigningKeyPem) {
    files?.push({ path: "token-signing.key.pem", data: tokenSigningKeyPem, mode: modes.key });
  }
  const cursorKey = contents.cursorKey ?? randomBytes(32);
  if (!contents.cursorKey) {
    files?.push({ path: "cursor.key", data: `${cursorKey.toString("base64")}\n`, mode: modes.key });
  }
  const made = caKeys && makeAuthority(work, await caKeys);
  const ca = made ?? contents.ca;
  if (!ca) throw new Error("unreachable: there is a CA, or one was made");
  const issuing = { ...work, caPem: ca.certPem, authority: once(() => made ?? loadAuthority(ca)) };
  const keysOf = (profile: IdentityProfile): Promise<KeyPair> => clientKeys.get(profile.name) ?? keysFor(profile);
  const [server, clients] = await settled([
    makeServer(issuing, serverKeys),
    settled(profiles.map((profile) => provideIdentity(issuing, profile, keysOf))),
  ]);
  return { ca, server, clients, tokenSigningKeyPem, cursorKey };
}

/**
 * Makes the misfits that are missing or no longer have their defect.
 * @returns all identities
 * @throws as `makeReadyParts`
 */
export async function makeMisfits(work: Work, { ca, clients }: ReadyParts): Promise<Identity[]> {
  const issuing = { ...work, caPem: ca.certPem, authority: once(() => loadAuthority(ca)) };
  const shared = once(() => generateKeys(work.keyType));
  const demo = clients.find(({ name }) => name === "demo");
  const keysOf = async ({ key }: IdentityProfile): Promise<KeyPair> =>
    key === "demo" && demo ? readKeys(demo.keyPem) : shared();
  const misfits = profilesOf("misfit").map((profile) => provideIdentity(issuing, profile, keysOf));
  return [...clients, ...(await settled(misfits))];
}

function makeAuthority({ contents, files, hostnames, constraints, now }: Work, keys: KeyPair): Authority {
  const authority = newAuthority({ keys, hostnames, constraints, now });
  if (!contents.loneCaKeys) files?.push({ path: "ca.key.pem", data: authority.keyPem, mode: modes.authorityKey });
  files?.push({ path: "ca.pem", data: authority.certPem, mode: modes.open });
  return authority;
}

async function makeServer(
  { contents, files, hostnames, now, authority }: WorkWithCa,
  newKeys: KeyPair | Promise<KeyPair> | undefined,
): Promise<KeyedCertificate> {
  const { server } = contents;
  if (server && contents.serverFits) return server;
  refuseHostnames(authority(), hostnames);
  const keys = newKeys ? await newKeys : readKeys(server?.keyPem ?? "");
  const certPem = issueServer(authority(), keys, hostnames, now);
  const keyPem = server?.keyPem ?? privateKeyPem(keys.privateKey);
  // A renewal keeps the key, so the pair matches also for programs that read it in the middle of a publication.
  if (!server && !contents.loneServerKeys) files?.push({ path: "server.key.pem", data: keyPem, mode: modes.key });
  files?.push({ path: "server.pem", data: certPem, mode: modes.open });
  return { certPem, keyPem };
}

/** The identity of a profile: the existing one, renewed or completed if necessary, or a new one. */
async function provideIdentity(
  work: WorkWithCa,
  profile: IdentityProfile,
  keysOf: (profile: IdentityProfile) => Promise<KeyPair>,
): Promise<Identity> {
  const found = work.contents.identities.get(profile.name);
  if (!found || found.state === "replace") return makeIdentity(work, profile, await keysOf(profile));
  return found.state === "fit" ? found.identity : updateIdentity(work, profile, found);
}

async function updateIdentity(
  { files, now, authority, caPem }: WorkWithCa,
  profile: IdentityProfile,
  { identity, state }: FoundIdentity,
): Promise<Identity> {
  const renewed = state === "renew";
  const certPem = renewed
    ? await issueIdentity(authority(), profile, readKeys(identity.keyPem), now)
    : identity.certPem;
  const updated = { ...identity, certPem };
  const bundle = await encodeBundle({ ...updated, caPem });
  files?.push({ path: `${profile.folder}/client.p12`, data: bundle, mode: modes.key });
  if (renewed) {
    files?.push({ path: `${profile.folder}/cert.pem`, data: certPem, mode: modes.open });
    files?.push({ path: `${profile.folder}/identity.pem`, data: identityPem(updated), mode: modes.key });
  }
  return updated;
}

async function makeIdentity(
  { files, now, authority, caPem }: WorkWithCa,
  profile: IdentityProfile,
  keys: KeyPair,
): Promise<Identity> {
  const keyPem = privateKeyPem(keys.privateKey);
  const identity = identityOf(profile, { certPem: await issueIdentity(authority(), profile, keys, now), keyPem });
  files?.push(...(await identityFilesOf(identity, caPem)));
  return identity;
}

/** The files of an identity, except `client.env`. */
export async function identityFilesOf(
  identity: Pick<Identity, "name" | "folder" | keyof KeyedCertificate>,
  caPem: string,
): Promise<NewFile[]> {
  const { folder, certPem, keyPem } = identity;
  return [
    { path: `${folder}/cert.pem`, data: certPem, mode: modes.open },
    { path: `${folder}/key.pem`, data: keyPem, mode: modes.key },
    { path: `${folder}/identity.pem`, data: identityPem(identity), mode: modes.key },
    { path: `${folder}/client.p12`, data: await encodeBundle({ ...identity, caPem }), mode: modes.key },
  ];
}

/** As `Promise.all`, but it rejects only after everything has ended, so that nothing is being written any more. */
async function settled<T extends readonly unknown[] | []>(
  all: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
