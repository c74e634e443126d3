import { type KeyObject, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { displayPath } from "../../base/files/display-path.js";
import { issued, nameLine, permitsIntermediate, splitPem } from "../../base/x509/certificate.js";
import { readElements } from "../../base/x509/der.js";
import {
  type CaFiles,
  type CertificateSet,
  CertsError,
  type ConstraintsForm,
  type Identity,
  type KeyedCertificate,
} from "./certs.js";
import type { FileOperations } from "./file-operations.js";
import { addressBytes } from "./hostnames.js";
import type { KeyPair, KeyType } from "./keys.js";
import { constraintsFormOf } from "./name-constraints.js";
import { broken, mismatch } from "./problems.js";
import {
  authorityValidity,
  type IdentityProfile,
  identityOf,
  identityProfiles,
  isPastUse,
  leafValidity,
  profilesOf,
  serverName,
} from "./profiles.js";
import { type CertificateFile, type KeyFile, read, readCertificate, readCursorKey, readKeyFile } from "./reading.js";

/** The contents of a certificates folder. All of it has been checked; a missing part is undefined. */
export interface FolderContents {
  readonly ca?: (CaFiles & { readonly keyType: KeyType }) | undefined;
  /** Of a first start that was interrupted between the key and the certificate; undefined if `ca` is set. */
  readonly loneCaKeys?: KeyPair | undefined;
  readonly server?: KeyedCertificate | undefined;
  /** False when the server's certificate is missing, expires within a day, or does not cover the wanted names. */
  readonly serverFits: boolean;
  /** As `loneCaKeys`. */
  readonly loneServerKeys?: KeyPair | undefined;
  readonly identities: ReadonlyMap<string, FoundIdentity>;
  readonly tokenSigningKeyPem?: string | undefined;
  readonly cursorKey?: Buffer | undefined;
}

export interface FoundIdentity {
  readonly identity: Identity;
  /**
   * `unbundled`: only `client.p12` is missing. `renew`: it needs a new certificate. `replace`: it needs a new key as
   * well.
   */
  readonly state: "fit" | "unbundled" | "renew" | "replace";
}

export interface InspectionSettings {
  /** Canonical names and addresses that the server's certificate must cover. */
  readonly hostnames: readonly string[];
  /** Undefined if any type is accepted. */
  readonly keyType: KeyType | undefined;
  /** Undefined if either form is accepted. */
  readonly constraints: ConstraintsForm | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly files: FileOperations;
}

/** What the server needs to start. */
export interface ReadyParts extends Omit<CertificateSet, "caPem" | "complete" | "authority"> {
  readonly ca: CaFiles;
}

/** A folder and its CA, with which everything else in the folder is checked. */
interface Place {
  readonly directory: string;
  readonly caKey: KeyObject | undefined;
  /** Of the further roots in `ca.pem`: next CAs that were announced. */
  readonly otherKeys: readonly KeyObject[];
  readonly settings: InspectionSettings;
}

const extendedKeyUsage = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" };

/**
 * Reads and checks the folder, without forge, which is slow to load. Synchronously: it happens once, before the server
 * listens, and is the fastest way to read forty small files.
 * @throws CertsError for the first file that is broken or does not belong to the others
 */
export function inspectFolder(directory: string, settings: InspectionSettings): FolderContents {
  const { caKey, otherKeys = [], ...authority } = readAuthority(directory, settings);
  const place = { directory, caKey, otherKeys, settings };
  const server = readServer(place);
  const identities = new Map<string, FoundIdentity>();
  for (const profile of identityProfiles) {
    const found = readIdentity(place, profile, identities.get("demo")?.identity);
    if (found) identities.set(profile.name, found);
  }
  const tokenKeys = readKeyFile(join(directory, "token-signing.key.pem"), settings.files);
  if (tokenKeys && tokenKeys.keys.keyType !== "ec") throw broken(tokenKeys.path, "is not a P-256 key");
  const cursorKey = readCursorKey(join(directory, "cursor.key"), settings.files);
  return { ...authority, ...server, identities, tokenSigningKeyPem: tokenKeys?.pem, cursorKey };
}

/**
 * What the server needs to start; undefined if a part of it is missing or must be renewed. The misfits may be missing.
 */
export function readyParts(contents: FolderContents): ReadyParts | undefined {
  const { ca, server, serverFits, tokenSigningKeyPem, cursorKey } = contents;
  const clients = fitIdentities(contents, profilesOf("client"));
  if (!ca || !server || !serverFits || !clients || !tokenSigningKeyPem || !cursorKey) return undefined;
  return { ca, server, clients, tokenSigningKeyPem, cursorKey };
}

/** The identities of these profiles; undefined unless all of them can be used unchanged. */
export function fitIdentities(contents: FolderContents, all: readonly IdentityProfile[]): Identity[] | undefined {
  const { identities } = contents;
  const profiles = wanted(contents, all);
  const found = profiles.flatMap(({ name }) => identities.get(name) ?? []);
  const fit = found.length === profiles.length && found.every(({ state }) => state === "fit");
  return fit ? found.map(({ identity }) => identity) : undefined;
}

/**
 * Those of the profiles that a folder has or can have: one below an intermediate CA is left out if the CA of the folder
 * permits none, or its key is not there.
 */
export function wanted({ ca, identities }: FolderContents, profiles: readonly IdentityProfile[]): IdentityProfile[] {
  const canChain = () => ca === undefined || (ca.keyPem !== undefined && permitsIntermediate(ca.certPem));
  return profiles.filter(({ issuer, name }) => issuer !== "intermediate" || identities.has(name) || canChain());
}

function readAuthority(
  directory: string,
  { keyType, constraints, now, files }: InspectionSettings,
): Pick<FolderContents, "ca" | "loneCaKeys"> & { caKey?: KeyObject; otherKeys?: readonly KeyObject[] } {
  const cert = readCertificate(join(directory, "ca.pem"), files);
  const key = readKeyFile(join(directory, "ca.key.pem"), files);
  const present = key?.keys.keyType ?? (cert?.x509.publicKey.asymmetricKeyType === "ec" ? "ec" : "rsa");
  if ((cert || key) && keyType && keyType !== present) {
    throw new CertsError(
      "KEY_TYPE",
      `${displayPath(directory)} was made with ${present.toUpperCase()} keys, not ${keyType.toUpperCase()}. Leave the key type out, or start with --fresh-certs to make everything again.`,
    );
  }
  if (!cert) return { loneCaKeys: key?.keys };

  const { x509, path } = cert;
  if (!x509.ca || !x509.checkIssued(x509) || !x509.verify(x509.publicKey)) {
    throw mismatch(path, "is not the certificate of a self-signed CA");
  }
  const form = constraintsFormOf({ certPem: cert.pem });
  if (constraints && constraints !== form) {
    throw new CertsError(
      "NAME_CONSTRAINTS",
      `The CA in ${displayPath(path)} was made with the name constraints "${form}", not "${constraints}". Leave the setting out, or start with --fresh-certs to make everything again.`,
    );
  }
  if (key) checkKey(cert, key);
  // Not renewed automatically: users copied it into trust stores, and those would not have the new one.
  if (isPastUse(authorityValidity, x509, now)) {
    const early = Date.parse(x509.validFrom) > now;
    const what = early ? `is not valid before ${x509.validFrom}` : `expires on ${x509.validTo}`;
    throw new CertsError(
      "CA_NOT_VALID",
      `The CA in ${displayPath(path)} ${what}. Check this machine's clock, or start with --fresh-certs to make everything again.`,
    );
  }
  const [first, ...others] = splitPem(cert.pem);
  const certPem = others.length === 0 ? cert.pem : `${first}\n`;
  const otherKeys = others.map((pem) => new X509Certificate(pem).publicKey);
  const announcedPem = others.map((pem) => `${pem}\n`).join("");
  return { ca: { certPem, announcedPem, keyPem: key?.pem, keyType: present }, caKey: x509.publicKey, otherKeys };
}

function readServer(place: Place): Pick<FolderContents, "server" | "serverFits" | "loneServerKeys"> {
  const { hostnames, now, files } = place.settings;
  const keyPath = join(place.directory, "server.key.pem");
  const cert = readCertificate(join(place.directory, "server.pem"), files);
  const key = readKeyFile(keyPath, files);
  if (!cert) return { serverFits: false, loneServerKeys: key?.keys };
  if (!key) throw broken(keyPath, `is missing, but ${displayPath(cert.path)} exists`);
  const server = checkedPair(place, cert, key, { issuer: "sandbox", commonName: serverName });
  const covered = hostnames.every((name) =>
    addressBytes(name) ? cert.x509.checkIP(name) : cert.x509.checkHost(name, { subject: "never" }),
  );
  return { server, serverFits: covered && !isPastUse(leafValidity, cert.x509, now) };
}

function readIdentity(
  place: Place,
  profile: IdentityProfile,
  demo: KeyedCertificate | undefined,
): FoundIdentity | undefined {
  const at = (file: string): string => join(place.directory, profile.folder, file);
  const { files, now } = place.settings;
  const cert = readCertificate(at("cert.pem"), files);
  const key = readKeyFile(at("key.pem"), files);
  const bundle = read(at("client.p12"), files);
  if (!cert && !key && !bundle) return undefined;
  if (!cert) throw broken(at("cert.pem"), `is missing from ${displayPath(at(""))}`);
  if (!key) throw broken(at("key.pem"), `is missing from ${displayPath(at(""))}`);
  const pair = checkedPair(place, cert, key, profile);
  if (!cert.x509.keyUsage?.includes(extendedKeyUsage[profile.usage])) {
    throw mismatch(cert.path, `is not for a TLS ${profile.usage}`);
  }
  if (bundle && readElements(bundle)?.length !== 1) throw broken(at("client.p12"), "is truncated");
  const identity = identityOf(profile, pair);
  // It must have the key of `demo`, which may have been lost and made again.
  const keyLost = profile.key === "demo" && (demo?.keyPem !== pair.keyPem || demo.certPem === pair.certPem);
  if (keyLost) return { identity, state: "replace" };
  if (isPastUse(profile.validity, cert.x509, now)) return { identity, state: "renew" };
  return { identity, state: bundle ? "fit" : "unbundled" };
}

/**
 * @throws CertsError unless the key belongs to the certificate, and the certificate has the expected issuer and subject
 */
function checkedPair(
  { directory, caKey, otherKeys }: Place,
  cert: CertificateFile,
  key: KeyFile,
  { issuer, commonName }: Pick<IdentityProfile, "issuer" | "commonName">,
): KeyedCertificate {
  const { x509, path } = cert;
  checkKey(cert, key);
  if (!caKey) throw broken(join(directory, "ca.pem"), `is missing, but ${displayPath(path)} exists`);
  if ([caKey, ...otherKeys].some((key) => isBelow(cert, key)) !== (issuer !== "impostor")) {
    throw mismatch(path, `${issuer === "impostor" ? "must not be" : "was not"} issued by the CA in ca.pem`);
  }
  if (!x509.subject.split("\n").includes(`CN=${commonName}`)) {
    const subject = nameLine(x509.subject);
    throw mismatch(path, `has the subject "${subject}", not CN=${commonName}`);
  }
  return { certPem: cert.pem, keyPem: key.pem };
}

/** Whether each certificate of a file is issued by the next one, and the last one by the CA. */
function isBelow({ pem, x509 }: CertificateFile, caKey: KeyObject): boolean {
  let last = x509;
  for (const text of splitPem(pem).slice(1)) {
    const next = new X509Certificate(text);
    if (!issued(next, last)) return false;
    last = next;
  }
  return last.verify(caKey);
}

/** @throws CertsError unless the key belongs to the certificate */
export function checkKey({ x509, path }: CertificateFile, key: KeyFile): void {
  if (!x509.checkPrivateKey(key.keys.privateKey)) throw mismatch(key.path, `is not the key of ${displayPath(path)}`);
}
