import { randomBytes } from "node:crypto";
import { constraintsOf, loadAuthority, newAuthority } from "./authority.js";
import { type Authority, CertsError, type EnvironmentSettings, type Identity, type KeyedCertificate } from "./certs.js";
import { environmentText } from "./environment.js";
import type { FolderContents, FoundIdentity } from "./inspect.js";
import { issueIdentity, issueServer } from "./issue.js";
import { generateKeys, type KeyPair, type KeyType, keySource, privateKeyPem, readKeys } from "./keys.js";
import { permits } from "./name-constraints.js";
import { encodeBundle } from "./pkcs12.js";
import { bundlePassword, type IdentityProfile, identityFolder, identityOf, identityProfiles } from "./profiles.js";
import { caKeyMissing } from "./reading.js";
import { modes, type Staging } from "./staging.js";

/** What there is to complete, and with what. */
export interface Work {
  readonly contents: FolderContents;
  readonly staging: Staging;
  /** Canonical names and addresses of the server. */
  readonly hostnames: readonly string[];
  /** Of new keys. */
  readonly keyType: KeyType;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What `client.env` says; undefined until it is known. */
  environment(): EnvironmentSettings | undefined;
}

/** What the server needs to start. */
export interface ReadyParts {
  readonly ca: { readonly certPem: string; readonly keyPem: string | undefined };
  readonly server: KeyedCertificate;
  readonly clients: readonly Identity[];
  readonly tokenSigningKeyPem: string;
  readonly cursorKey: Buffer;
}

/** Who issues, read only when something must be issued: a CA without its key is good enough for the rest. */
interface Issuer {
  readonly caPem: string;
  authority(): Authority;
}

/**
 * Makes what the server needs to start, as far as it is missing or due, and leaves the rest. Each file is written as soon as
 * it can be, the CA first: a start that is interrupted is completed by the next one.
 * @throws CertsError when something must be issued and the CA's key is missing or does not permit it, or a write fails
 */
export async function makeReadyParts(work: Work): Promise<ReadyParts> {
  const { contents, staging } = work;
  const newKeys = keySource(work.keyType);
  // Asked for all at once, so that no core is idle: they come in this order.
  const caKeys = contents.ca ? undefined : (contents.loneCaKeys ?? newKeys());
  const serverKeys = contents.server ? undefined : (contents.loneServerKeys ?? newKeys());
  const clients = identityProfiles.filter(({ kind }) => kind === "client");
  const lacking = clients.filter(({ name }) => !contents.identities.has(name));
  const clientKeys = new Map(lacking.map(({ name }) => [name, newKeys()]));

  const tokenSigningKeyPem = contents.tokenSigningKeyPem ?? (await makeTokenSigningKey(staging));
  const cursorKey = contents.cursorKey ?? (await makeCursorKey(staging));
  const made = caKeys && (await makeAuthority(work, await caKeys));
  const ca = made ?? contents.ca;
  if (!ca) throw new Error("unreachable: there is a CA, or one was made");
  const issuer = { caPem: ca.certPem, authority: once(() => made ?? load(ca)) };
  const keysOf = ({ name }: IdentityProfile): Promise<KeyPair> => clientKeys.get(name) ?? newKeys();
  const [server, identities] = await settled([
    makeServer(work, issuer, serverKeys),
    settled(clients.map((profile) => provideIdentity(work, issuer, profile, keysOf))),
  ]);
  return { ca, server, clients: identities, tokenSigningKeyPem, cursorKey };
}

/**
 * Makes the misfits, as far as they are missing or no longer do what they are for.
 * @returns all identities, in the order of the table
 * @throws CertsError as `makeReadyParts`
 */
export async function makeMisfits(work: Work, { ca, clients }: ReadyParts): Promise<Identity[]> {
  const issuer = { caPem: ca.certPem, authority: once(() => load(ca)) };
  const shared = once(() => generateKeys(work.keyType));
  const demo = clients.find(({ name }) => name === "demo");
  const keysOf = async ({ key }: IdentityProfile): Promise<KeyPair> =>
    key === "demo" && demo ? readKeys(demo.keyPem) : shared();
  const misfits = identityProfiles.filter(({ kind }) => kind === "misfit");
  return [...clients, ...(await settled(misfits.map((profile) => provideIdentity(work, issuer, profile, keysOf))))];
}

async function makeTokenSigningKey(staging: Staging): Promise<string> {
  const { privateKey } = await generateKeys("ec");
  const pem = privateKeyPem(privateKey);
  await staging.publishFile("token-signing.key.pem", pem, modes.key);
  return pem;
}

async function makeCursorKey(staging: Staging): Promise<Buffer> {
  const key = randomBytes(32);
  await staging.publishFile("cursor.key", `${key.toString("base64")}\n`, modes.key);
  return key;
}

async function makeAuthority({ contents, staging, hostnames, now }: Work, keys: KeyPair): Promise<Authority> {
  const authority = newAuthority({ keys, hostnames, now });
  // The key first: a key alone gets its certificate at the next start, a certificate alone could never issue anything.
  if (!contents.loneCaKeys) await staging.publishFile("ca.key.pem", authority.keyPem, modes.authorityKey);
  await staging.publishFile("ca.pem", authority.certPem, modes.open);
  return authority;
}

async function makeServer(
  { contents, staging, hostnames, now }: Work,
  { authority }: Issuer,
  newKeys: KeyPair | Promise<KeyPair> | undefined,
): Promise<KeyedCertificate> {
  const { server } = contents;
  if (server && contents.serverFits) return server;
  const constraints = constraintsOf(authority());
  const refused = constraints && hostnames.find((hostname) => !permits(constraints, hostname));
  if (refused !== undefined) {
    throw new CertsError(
      "HOSTNAME_NOT_PERMITTED",
      `The CA in ca.pem may not issue a certificate for "${refused}": its name constraints were set when it was made. Start with --fresh-certs to make everything anew for this name, or use a name that ends with .test, .internal or .localhost.`,
    );
  }
  const keys = newKeys ? await newKeys : readKeys(server?.keyPem ?? "");
  const keyed = {
    certPem: issueServer(authority(), keys, hostnames, now),
    keyPem: server?.keyPem ?? privateKeyPem(keys.privateKey),
  };
  // A renewal keeps the key: one file changes, in one step, and the pair matches at every moment.
  if (!server && !contents.loneServerKeys) await staging.publishFile("server.key.pem", keyed.keyPem, modes.key);
  await staging.publishFile("server.pem", keyed.certPem, modes.open);
  return keyed;
}

/** The identity of a profile: the one that is there, as far as it is of use, or a new one. */
function provideIdentity(
  work: Work,
  issuer: Issuer,
  profile: IdentityProfile,
  keysOf: (profile: IdentityProfile) => Promise<KeyPair>,
): Promise<Identity> {
  const found = work.contents.identities.get(profile.name);
  return found && found.state !== "replace"
    ? keepIdentity(work, issuer, profile, found)
    : makeIdentity(work, issuer, profile, keysOf(profile));
}

/** Keeps an identity that is there, with a new certificate for its key where one is due. */
async function keepIdentity(
  { staging, now }: Work,
  { authority, caPem }: Issuer,
  profile: IdentityProfile,
  found: FoundIdentity,
): Promise<Identity> {
  if (found.state === "fit" && found.bundle) return found.identity;
  const folder = identityFolder(profile);
  const due = found.state === "renew";
  const { keyPem } = found.identity;
  const certPem = due ? await issueIdentity(authority(), profile, readKeys(keyPem), now) : found.identity.certPem;
  const identity = identityOf(profile, { certPem, keyPem });
  await staging.publishFile(`${folder}/client.p12`, await bundleOf(identity, caPem), modes.key);
  // Last, because it is the certificate that tells the next start whether a renewal is due.
  if (due) await staging.publishFile(`${folder}/cert.pem`, certPem, modes.open);
  return identity;
}

async function makeIdentity(
  { staging, now, environment }: Work,
  { authority, caPem }: Issuer,
  profile: IdentityProfile,
  newKeys: Promise<KeyPair>,
): Promise<Identity> {
  const folder = identityFolder(profile);
  const keys = await newKeys;
  const keyPem = privateKeyPem(keys.privateKey);
  const identity = identityOf(profile, { certPem: await issueIdentity(authority(), profile, keys, now), keyPem });
  const bundle = await bundleOf(identity, caPem);
  const known = environment();
  await staging.publishFolder(folder, [
    { name: "cert.pem", data: identity.certPem, mode: modes.open },
    { name: "key.pem", data: keyPem, mode: modes.key },
    { name: "client.p12", data: bundle, mode: modes.key },
    ...(known ? [{ name: "client.env", data: environmentText(identity, known), mode: modes.open }] : []),
  ]);
  // The settings may have come while the folder was being written.
  const latest = environment();
  if (latest && latest !== known) {
    await staging.publishFile(`${folder}/client.env`, environmentText(identity, latest), modes.open);
  }
  return identity;
}

function bundleOf({ name, certPem, keyPem }: Identity, caPem: string): Promise<Buffer> {
  return encodeBundle({ name, certPem, keyPem, caPem, password: bundlePassword });
}

function load({ certPem, keyPem }: ReadyParts["ca"]): Authority {
  if (keyPem === undefined) throw caKeyMissing();
  return loadAuthority({ certPem, keyPem });
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** As `Promise.all`, but it rejects only when nothing is being written any more. */
async function settled<T extends readonly unknown[] | []>(
  all: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
