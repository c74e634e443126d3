import type { KeyObject, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { CertsError, type Identity, type KeyedCertificate } from "./certs.js";
import { addressBytes } from "./hostnames.js";
import type { KeyPair, KeyType } from "./keys.js";
import {
  type IdentityProfile,
  identityFolder,
  identityOf,
  identityProfiles,
  isPastUse,
  renewWithin,
  serverName,
} from "./profiles.js";
import {
  broken,
  type CertificateFile,
  isWholeDer,
  mismatch,
  read,
  readCertificate,
  readCursorKey,
  readKeyFile,
} from "./reading.js";
import { shown } from "./staging.js";

/** What a certificates folder holds. Everything in it has been checked; what is missing is undefined. */
export interface FolderContents {
  readonly ca: { readonly certPem: string; readonly keyPem: string | undefined; readonly keyType: KeyType } | undefined;
  /** Of a first start that was interrupted between the key and the certificate; undefined when `ca` is there. */
  readonly loneCaKeys: KeyPair | undefined;
  readonly server: KeyedCertificate | undefined;
  /** False when the server's certificate is missing, expires within a day, or does not cover the wanted names. */
  readonly serverFits: boolean;
  /** As `loneCaKeys`. */
  readonly loneServerKeys: KeyPair | undefined;
  readonly identities: ReadonlyMap<string, FoundIdentity>;
  readonly tokenSigningKeyPem: string | undefined;
  readonly cursorKey: Buffer | undefined;
}

export interface FoundIdentity {
  readonly identity: Identity;
  /** `renew`: the key needs a new certificate. `replace`: the key is of no use either. */
  readonly state: "fit" | "renew" | "replace";
  /** Whether `client.p12` is there. */
  readonly bundle: boolean;
}

/** What the files of a folder are judged by. */
export interface InspectionSettings {
  /** Canonical names and addresses that the server's certificate must cover. */
  readonly hostnames: readonly string[];
  /** Undefined when any type will do. */
  readonly keyType: KeyType | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A folder and the CA in it, against which everything else there is checked. */
interface Place {
  readonly directory: string;
  readonly caKey: KeyObject | undefined;
  readonly settings: InspectionSettings;
}

const extendedKeyUsage = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" };

/**
 * Reads and checks what is there, with node:crypto alone: a start that finds everything in order does not load forge.
 * It reads synchronously: it happens once, before anything is served, and forty small files are read faster so.
 * @throws CertsError for the first file that is broken or does not belong to the others
 */
export function inspectFolder(directory: string, settings: InspectionSettings): FolderContents {
  const authority = readAuthority(directory, settings);
  const place = { directory, caKey: authority.caKey, settings };
  const server = readServer(place);
  const identities = new Map<string, FoundIdentity>();
  for (const profile of identityProfiles) {
    const found = readIdentity(place, profile);
    if (found) identities.set(profile.name, found);
  }
  replaceWhatLostItsKey(identities);
  const tokenKeys = readKeyFile(join(directory, "token-signing.key.pem"));
  if (tokenKeys && tokenKeys.keys.keyType !== "ec") throw broken(tokenKeys.path, "is not a P-256 key");
  return {
    ca: authority.ca,
    loneCaKeys: authority.loneKeys,
    server: server.pair,
    serverFits: server.fits,
    loneServerKeys: server.loneKeys,
    identities,
    tokenSigningKeyPem: tokenKeys?.pem,
    cursorKey: readCursorKey(join(directory, "cursor.key")),
  };
}

/** A folder with everything that the server needs to start; the misfits may be missing. */
export type ReadyContents = FolderContents & {
  readonly ca: object;
  readonly server: object;
  readonly tokenSigningKeyPem: string;
  readonly cursorKey: Buffer;
};

/** Whether the server can start with what is there. */
export function isReady(contents: FolderContents): contents is ReadyContents {
  const { ca, serverFits, identities, tokenSigningKeyPem, cursorKey } = contents;
  const clients = identityProfiles.filter(({ kind }) => kind === "client");
  const fit = serverFits && clients.every(({ name }) => isFit(identities.get(name)));
  return Boolean(ca && fit && tokenSigningKeyPem && cursorKey);
}

/** Whether an identity can stay as it is. */
export function isFit(found: FoundIdentity | undefined): found is FoundIdentity {
  return found?.state === "fit" && found.bundle;
}

function readAuthority(
  directory: string,
  { keyType, now }: InspectionSettings,
): { ca: FolderContents["ca"]; caKey?: KeyObject; loneKeys?: KeyPair | undefined } {
  const cert = readCertificate(join(directory, "ca.pem"));
  const key = readKeyFile(join(directory, "ca.key.pem"));
  const present = key?.keys.keyType ?? (cert?.x509.publicKey.asymmetricKeyType === "ec" ? "ec" : "rsa");
  if ((cert || key) && keyType && keyType !== present) {
    throw new CertsError(
      "KEY_TYPE",
      `${shown(directory)} was made with ${present.toUpperCase()} keys, not ${keyType.toUpperCase()}. Leave the key type out, or start with --fresh-certs to make everything anew.`,
    );
  }
  if (!cert) return { ca: undefined, loneKeys: key?.keys };

  const { x509, path } = cert;
  if (!x509.ca || !x509.checkIssued(x509) || !x509.verify(x509.publicKey)) {
    throw mismatch(path, "is not the certificate of a self-signed CA");
  }
  if (key) checkKey(cert, key);
  const { notBefore, notAfter } = validityOf(x509);
  // Not renewed without being asked: it was copied into trust stores by hand, where the new one would be missing.
  if (notAfter < now + renewWithin || notBefore > now) {
    const what = notBefore > now ? `is not valid before ${x509.validFrom}` : `expires on ${x509.validTo}`;
    throw new CertsError(
      "CA_NOT_VALID",
      `The CA in ${shown(path)} ${what}. Check this machine's clock, or start with --fresh-certs to make everything anew.`,
    );
  }
  return { ca: { certPem: cert.pem, keyPem: key?.pem, keyType: present }, caKey: x509.publicKey };
}

function readServer(place: Place): {
  pair?: KeyedCertificate;
  fits: boolean;
  loneKeys?: KeyPair | undefined;
} {
  const { hostnames, now } = place.settings;
  const keyPath = join(place.directory, "server.key.pem");
  const cert = readCertificate(join(place.directory, "server.pem"));
  const key = readKeyFile(keyPath);
  if (!cert) return { fits: false, loneKeys: key?.keys };
  if (!key) throw broken(keyPath, `is missing, and ${shown(cert.path)} is there`);
  checkKey(cert, key);
  checkIssuer(place, cert, "sandbox");
  checkName(cert, serverName);
  const covered = hostnames.every((name) =>
    addressBytes(name) ? cert.x509.checkIP(name) : cert.x509.checkHost(name, { subject: "never" }),
  );
  const fits = covered && !isPastUse({ validity: "current" }, validityOf(cert.x509), now);
  return { pair: { certPem: cert.pem, keyPem: key.pem }, fits };
}

function readIdentity(place: Place, profile: IdentityProfile): FoundIdentity | undefined {
  const at = (file: string): string => join(place.directory, identityFolder(profile), file);
  const cert = readCertificate(at("cert.pem"));
  const key = readKeyFile(at("key.pem"));
  const bundle = read(at("client.p12"));
  if (!cert && !key && !bundle) return undefined;
  if (!cert) throw broken(at("cert.pem"), `is missing from ${shown(at(""))}`);
  if (!key) throw broken(at("key.pem"), `is missing from ${shown(at(""))}`);
  checkKey(cert, key);
  checkIssuer(place, cert, profile.issuer);
  checkName(cert, profile.commonName);
  if (!cert.x509.keyUsage?.includes(extendedKeyUsage[profile.usage])) {
    throw mismatch(cert.path, `is not for a TLS ${profile.usage}`);
  }
  if (bundle && !isWholeDer(bundle)) throw broken(at("client.p12"), "is truncated");
  return {
    identity: identityOf(profile, { certPem: cert.pem, keyPem: key.pem }),
    state: isPastUse(profile, validityOf(cert.x509), place.settings.now) ? "renew" : "fit",
    bundle: bundle !== undefined,
  };
}

/** An identity that has its key from `demo` is of no use when `demo` was lost and gets another. */
function replaceWhatLostItsKey(identities: Map<string, FoundIdentity>): void {
  const demo = identities.get("demo")?.identity;
  for (const { name, key } of identityProfiles) {
    const found = identities.get(name);
    if (key !== "demo" || !found) continue;
    const { keyPem, certPem } = found.identity;
    if (demo?.keyPem !== keyPem || demo.certPem === certPem) identities.set(name, { ...found, state: "replace" });
  }
}

function checkKey({ x509, path }: CertificateFile, key: { path: string; keys: KeyPair }): void {
  if (!x509.checkPrivateKey(key.keys.privateKey)) throw mismatch(key.path, `is not the key of ${shown(path)}`);
}

function checkIssuer(
  { directory, caKey }: Place,
  { x509, path }: CertificateFile,
  issuer: IdentityProfile["issuer"],
): void {
  if (!caKey) throw broken(join(directory, "ca.pem"), `is missing, and ${shown(path)} is there`);
  if (x509.verify(caKey) === (issuer === "sandbox")) return;
  throw mismatch(path, `${issuer === "sandbox" ? "was not" : "must not be"} issued by the CA in ca.pem`);
}

function checkName({ x509, path }: CertificateFile, commonName: string): void {
  if (x509.subject.split("\n").includes(`CN=${commonName}`)) return;
  const subject = x509.subject.replaceAll("\n", ", ");
  throw mismatch(path, `is somebody else's: its subject is "${subject}", not CN=${commonName}`);
}

function validityOf(x509: X509Certificate): { notBefore: number; notAfter: number } {
  return { notBefore: Date.parse(x509.validFrom), notAfter: Date.parse(x509.validTo) };
}
