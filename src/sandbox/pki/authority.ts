import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { pemOf, permitsIntermediate } from "../../base/x509/certificate.js";
import { contentOf, extensionIds, readCertificate, readElements, tags } from "../../base/x509/der.js";
import { type Authority, type CaFiles, CertsError, type ConstraintsForm, type KeyedCertificate } from "./certs.js";
import * as der from "./der.js";
import { encodeAlternativeNames, encodeNameConstraints } from "./general-names.js";
import { type KeyPair, privateKeyPem, readKeys } from "./keys.js";
import { constraintsFor } from "./name-constraints.js";
import {
  authorityName,
  authorityValidity,
  intermediateName,
  organization,
  type Validity,
  validityAt,
} from "./profiles.js";

interface LeafRequest {
  /** For a TLS server or a TLS client: the extended key usage (RFC 5280 §4.2.1.12). */
  readonly profile: "server" | "client";
  /** Common name; at most 64 characters (RFC 5280 appendix A.1), without a dot if there are no hostnames. */
  readonly commonName: string;
  readonly publicKey: KeyObject;
  /** Milliseconds since the epoch; the fraction of a second is dropped. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Subject alternative names, in canonical form. */
  readonly hostnames?: readonly string[] | undefined;
  /** Of the signature; SHA-256 if left out. */
  readonly digest?: "sha1" | undefined;
}

const oid = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  server: "1.3.6.1.5.5.7.3.1",
  client: "1.3.6.1.5.5.7.3.2",
  sha256WithRsa: "1.2.840.113549.1.1.11",
  sha256WithEcdsa: "1.2.840.10045.4.3.2",
  sha1WithRsa: "1.2.840.113549.1.1.5",
  sha1WithEcdsa: "1.2.840.10045.4.1",
} as const;

/** Bits of the key usage extension, the first byte (RFC 5280 §4.2.1.3). */
const digitalSignature = 0x80;
const keyCertSign = 0x04;
const cRLSign = 0x02;

/**
 * Makes a self-signed CA that should issue only for the sandbox: name constraints (RFC 5280 §4.2.1.10), one CA below
 * it, and an extended key usage that excludes mail and code. Not every client enforces these for a CA that it trusts.
 * @param settings.constraints the form of its name constraints
 * @param settings.hostnames canonical names and addresses of the server; permitted in addition to the names that are
 *   always permitted
 * @param settings.subject the encoded name of the CA that an impostor copies; otherwise the name is derived from the
 *   key
 * @param settings.now milliseconds since the epoch
 */
export function newAuthority(settings: {
  keys: KeyPair;
  hostnames: readonly string[];
  constraints: ConstraintsForm;
  now: number;
  subject?: Buffer | undefined;
}): Authority {
  const { privateKey, publicKey } = settings.keys;
  const now = settings.now - (settings.now % 1000);
  const keyInfo = publicKeyInfo(publicKey);
  const identifier = keyIdentifierOf(keyInfo);
  const subject = settings.subject ?? der.encode(nameOf(`${authorityName} ${identifier.toString("hex", 0, 4)}`));
  const notAfter = now + authorityValidity.until;
  const constraints = extension(
    oid.nameConstraints,
    encodeNameConstraints(constraintsFor(settings.hostnames, settings.constraints)),
    settings.constraints === "strict" ? "critical" : undefined,
  );
  const certPem = signedCertificate({ privateKey, subject }, der.decode(subject), {
    keyInfo,
    notBefore: now + authorityValidity.from,
    notAfter,
    extensions: [...authorityExtensions(identifier, 1), constraints],
  });
  const keyPem = privateKeyPem(privateKey);
  return { certPem, chainPem: "", keyPem, privateKey, subject, keyIdentifier: identifier, notAfter };
}

/**
 * Makes an intermediate CA below a root, which can issue what the root can, but no further CA.
 * @param now milliseconds since the epoch
 * @param validity as long as the root's if left out
 * @throws CertsError when the root permits no CA below it
 */
export function newIntermediate(
  root: Authority,
  { privateKey, publicKey }: KeyPair,
  now: number,
  validity: Validity = authorityValidity,
): Authority {
  if (!permitsIntermediate(root.certPem)) {
    throw new CertsError(
      "INTERMEDIATE_NOT_PERMITTED",
      "The CA in ca.pem permits no intermediate CA below it (its path length is 0). Start with --fresh-certs to make everything again.",
    );
  }
  const keyInfo = publicKeyInfo(publicKey);
  const identifier = keyIdentifierOf(keyInfo);
  const name = nameOf(`${intermediateName} ${identifier.toString("hex", 0, 4)}`);
  const dates = validityAt(validity, now);
  const notAfter = Math.min(dates.notAfter, root.notAfter);
  const certPem = signedCertificate(root, name, {
    keyInfo,
    notBefore: dates.notBefore,
    notAfter,
    extensions: [
      ...authorityExtensions(identifier, 0),
      extension(oid.authorityKeyIdentifier, der.sequence(der.taggedBytes(0, root.keyIdentifier))),
    ],
  });
  const keyPem = privateKeyPem(privateKey);
  const subject = der.encode(name);
  return {
    certPem,
    chainPem: certPem,
    keyPem,
    privateKey,
    subject,
    keyIdentifier: identifier,
    notAfter: root.notAfter,
  };
}

/**
 * The issuer of a certificate that is signed with its own key and is not that of a CA.
 * @param commonName of the certificate
 */
export function selfIssuer(
  { privateKey, publicKey }: KeyPair,
  commonName: string,
): Omit<Authority, keyof KeyedCertificate> {
  const keyIdentifier = keyIdentifierOf(publicKeyInfo(publicKey));
  const subject = der.encode(nameOf(commonName));
  return { privateKey, subject, chainPem: "", keyIdentifier, notAfter: Number.POSITIVE_INFINITY };
}

/** What every CA has: for a CA, at most this many others below it, to issue for TLS only. */
function authorityExtensions(identifier: Buffer, pathLength: number): der.Der[] {
  return [
    extension(oid.basicConstraints, der.sequence(der.yes(), der.integer(pathLength)), "critical"),
    extension(oid.keyUsage, der.bits(Buffer.of(keyCertSign | cRLSign), 1), "critical"),
    extension(oid.extendedKeyUsage, der.sequence(der.objectId(oid.server), der.objectId(oid.client))),
    extension(oid.subjectKeyIdentifier, der.octets(identifier)),
  ];
}

/**
 * @throws CertsError when the key is undefined; Error when these are not a CA certificate and an unencrypted key
 *   (whether they match is not checked)
 */
export function loadAuthority({ certPem, keyPem }: CaFiles): Authority {
  if (keyPem === undefined) {
    throw new CertsError(
      "CA_KEY_MISSING",
      "No certificate can be issued, because ca.key.pem is missing. Put it back, or start with --fresh-certs to make everything again.",
    );
  }
  const x509 = new X509Certificate(certPem);
  const { subject, extensions } = read(x509);
  if (!subject) throw new Error("The certificate of the CA has no subject.");
  const identifier = contentOf(extensions.get(extensionIds.subjectKeyIdentifier), tags.octetString);
  const { privateKey } = readKeys(keyPem);
  const keyIdentifier = identifier ?? keyIdentifierOf(publicKeyInfo(x509.publicKey));
  return { certPem, chainPem: "", keyPem, privateKey, subject, keyIdentifier, notAfter: Date.parse(x509.validTo) };
}

/**
 * Issues a leaf certificate (RFC 5280 §4.1) and returns it as PEM, with that of its issuer if this is an intermediate
 * CA. It takes about a millisecond with a P-256 CA.
 */
export function issueCertificate(authority: Omit<Authority, keyof KeyedCertificate>, request: LeafRequest): string {
  const { profile, commonName, publicKey, notBefore, hostnames = [], digest } = request;
  const keyInfo = publicKeyInfo(publicKey);
  const leaf = signedCertificate(authority, nameOf(commonName), {
    keyInfo,
    notBefore,
    notAfter: Math.min(request.notAfter, authority.notAfter),
    digest,
    extensions: [
      extension(oid.basicConstraints, der.sequence(), "critical"),
      extension(oid.keyUsage, der.bits(Buffer.of(digitalSignature), 7), "critical"),
      extension(oid.extendedKeyUsage, der.sequence(der.objectId(oid[profile]))),
      ...(hostnames.length > 0 ? [extension(oid.subjectAltName, encodeAlternativeNames(hostnames))] : []),
      extension(oid.subjectKeyIdentifier, der.octets(keyIdentifierOf(keyInfo))),
      extension(oid.authorityKeyIdentifier, der.sequence(der.taggedBytes(0, authority.keyIdentifier))),
    ],
  });
  return leaf + authority.chainPem;
}

function signedCertificate(
  issuer: Pick<Authority, "privateKey" | "subject">,
  subject: der.Der,
  content: Pick<LeafRequest, "notBefore" | "notAfter" | "digest"> & { keyInfo: Buffer; extensions: der.Der[] },
): string {
  const { digest = "sha256" } = content;
  const algorithm =
    issuer.privateKey.asymmetricKeyType === "rsa"
      ? der.sequence(der.objectId(oid[`${digest}WithRsa`]), der.nothing())
      : der.sequence(der.objectId(oid[`${digest}WithEcdsa`])); // RFC 5758 §3.2: without parameters
  const toBeSigned = der.sequence(
    der.tagged(0, der.integer(2)), // version 3
    der.integer(serialNumber()),
    algorithm,
    der.decode(issuer.subject),
    der.sequence(der.time(content.notBefore), der.time(content.notAfter)),
    subject,
    der.decode(content.keyInfo),
    der.tagged(3, der.sequence(...content.extensions)),
  );
  // forge's own RSA signature takes 22 ms, and forge cannot sign with elliptic curves.
  const signature = sign(digest, der.encode(toBeSigned), issuer.privateKey);
  return pemOf(der.encode(der.sequence(toBeSigned, algorithm, der.bits(signature))));
}

/** 128 bits, of which 126 are random: positive and without a leading zero byte (RFC 5280 §4.1.2.2). */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** RFC 7093 §2 method 1: as in RFC 5280, but with SHA-256, because hardened machines do not offer SHA-1. */
function keyIdentifierOf(keyInfo: Buffer): Buffer {
  const [, subjectPublicKey] = readElements(contentOf(keyInfo, tags.sequence)) ?? [];
  if (!subjectPublicKey) throw new Error("The public key cannot be read.");
  // The first byte of a bit string counts its unused bits.
  return createHash("sha256").update(subjectPublicKey.content.subarray(1)).digest().subarray(0, 20);
}

/** The subject public key info (RFC 5280 §4.1.2.7), which takes a fifth of a millisecond to encode. */
const publicKeyInfo = (publicKey: KeyObject): Buffer => publicKey.export({ type: "spki", format: "der" });

function nameOf(commonName: string): der.Der {
  return der.sequence(
    der.set(der.sequence(der.objectId(oid.organization), der.utf8(organization))),
    der.set(der.sequence(der.objectId(oid.commonName), der.utf8(commonName))),
  );
}

function read(x509: X509Certificate) {
  const parts = readCertificate(x509.raw);
  if (!parts) throw new Error("The certificate of the CA cannot be read.");
  return parts;
}

function extension(id: string, value: der.Der, critical?: "critical"): der.Der {
  return der.sequence(der.objectId(id), ...(critical ? [der.yes()] : []), der.octets(der.encode(value)));
}
