import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import type { Authority } from "./certs.js";
import {
  bits,
  contents,
  type Der,
  decode,
  dotted,
  encode,
  integer,
  isTagged,
  nothing,
  objectId,
  octets,
  parts,
  sequence,
  set,
  tagged,
  taggedBytes,
  time,
  utf8,
  yes,
} from "./der.js";
import { type KeyPair, privateKeyPem, readKeys } from "./keys.js";
import {
  constraintsFor,
  decodeNameConstraints,
  encodeAlternativeNames,
  encodeNameConstraints,
  type NameConstraints,
} from "./name-constraints.js";
import { authorityName, authorityValidity, organization } from "./profiles.js";

/** What a leaf certificate is to say. */
export interface LeafRequest {
  /** For a TLS server or a TLS client: the extended key usage (RFC 5280 §4.2.1.12). */
  readonly profile: "server" | "client";
  /** Common name; at most 64 characters (RFC 5280 appendix A.1), without a dot where there are no hostnames. */
  readonly commonName: string;
  readonly publicKey: KeyObject;
  /** Milliseconds since the epoch; the fraction of a second is dropped. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Subject alternative names, in canonical form. */
  readonly hostnames?: readonly string[] | undefined;
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
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  sha256WithRsa: "1.2.840.113549.1.1.11",
  sha256WithEcdsa: "1.2.840.10045.4.3.2",
} as const;

/** Bits of the key usage extension, the first byte (RFC 5280 §4.2.1.3). */
const digitalSignature = 0x80;
const keyCertSign = 0x04;
const cRLSign = 0x02;

/** Positions in a TBSCertificate of version 3 (RFC 5280 §4.1). */
const subjectPosition = 5;
const extensionsTag = 3;

/**
 * Makes a self-signed CA that can vouch for the sandbox and nothing else: critical name constraints (RFC 5280 §4.2.1.10),
 * no CA below it, and an extended key usage that keeps it from mail and code.
 * @param settings.hostnames canonical names and addresses of the server; permitted beside the standing ones
 * @param settings.subject the encoded name of another CA to be mistaken for; else the name follows from the key
 * @param settings.now milliseconds since the epoch
 */
export function newAuthority(settings: {
  keys: KeyPair;
  hostnames: readonly string[];
  now: number;
  subject?: Buffer | undefined;
}): Authority {
  const { keys } = settings;
  const now = settings.now - (settings.now % 1000);
  const identifier = keyIdentifier(keys.publicKey);
  const subject = settings.subject ?? encode(nameOf(`${authorityName} ${identifier.toString("hex", 0, 4)}`));
  const notAfter = now + authorityValidity.until;
  const certPem = certificate(keys.privateKey, {
    issuer: subject,
    subject,
    publicKey: keys.publicKey,
    notBefore: now + authorityValidity.from,
    notAfter,
    extensions: [
      extension(oid.basicConstraints, sequence(yes(), integer(0)), "critical"),
      extension(oid.keyUsage, bits(Buffer.of(keyCertSign | cRLSign), 1), "critical"),
      extension(oid.extendedKeyUsage, sequence(objectId(oid.serverAuth), objectId(oid.clientAuth))),
      extension(oid.nameConstraints, encodeNameConstraints(constraintsFor(settings.hostnames)), "critical"),
      extension(oid.subjectKeyIdentifier, octets(identifier)),
    ],
  });
  return {
    certPem,
    keyPem: privateKeyPem(keys.privateKey),
    keyType: keys.keyType,
    privateKey: keys.privateKey,
    subject,
    keyIdentifier: identifier,
    notAfter,
  };
}

/** @throws Error when the files are not a CA certificate and an unencrypted key; whether they match is not looked at here */
export function loadAuthority({ certPem, keyPem }: { certPem: string; keyPem: string }): Authority {
  const x509 = new X509Certificate(certPem);
  const { keyType, privateKey } = readKeys(keyPem);
  const subject = toBeSigned(x509)[subjectPosition];
  if (!subject) throw new Error("The certificate of the CA has no subject.");
  const identifier = extensionOf(x509, oid.subjectKeyIdentifier);
  return {
    certPem,
    keyPem,
    keyType,
    privateKey,
    subject: encode(subject),
    keyIdentifier: identifier ? contents(identifier) : keyIdentifier(x509.publicKey),
    notAfter: Date.parse(x509.validTo),
  };
}

/** What a CA may issue for. Undefined when it may issue for any name, which no CA made here may. */
export function constraintsOf({ certPem }: { certPem: string }): NameConstraints | undefined {
  const value = extensionOf(new X509Certificate(certPem), oid.nameConstraints);
  return value && decodeNameConstraints(value);
}

/** Issues a leaf certificate (RFC 5280 §4.1) and returns it as PEM. It takes well under a millisecond with a P-256 CA. */
export function issueCertificate(authority: Authority, request: LeafRequest): string {
  const { hostnames = [] } = request;
  return certificate(authority.privateKey, {
    issuer: authority.subject,
    subject: encode(nameOf(request.commonName)),
    publicKey: request.publicKey,
    notBefore: request.notBefore,
    notAfter: Math.min(request.notAfter, authority.notAfter),
    extensions: [
      extension(oid.basicConstraints, sequence(), "critical"),
      extension(oid.keyUsage, bits(Buffer.of(digitalSignature), 7), "critical"),
      extension(
        oid.extendedKeyUsage,
        sequence(objectId(request.profile === "server" ? oid.serverAuth : oid.clientAuth)),
      ),
      ...(hostnames.length > 0 ? [extension(oid.subjectAltName, encodeAlternativeNames(hostnames))] : []),
      extension(oid.subjectKeyIdentifier, octets(keyIdentifier(request.publicKey))),
      extension(oid.authorityKeyIdentifier, sequence(taggedBytes(0, authority.keyIdentifier))),
    ],
  });
}

function certificate(
  signingKey: KeyObject,
  content: {
    issuer: Buffer;
    subject: Buffer;
    publicKey: KeyObject;
    notBefore: number;
    notAfter: number;
    extensions: Der[];
  },
): string {
  const algorithm =
    signingKey.asymmetricKeyType === "rsa"
      ? sequence(objectId(oid.sha256WithRsa), nothing())
      : sequence(objectId(oid.sha256WithEcdsa)); // RFC 5758 §3.2: without parameters
  const tbs = sequence(
    tagged(0, integer(2)), // version 3
    integer(serialNumber()),
    algorithm,
    decode(content.issuer),
    sequence(time(content.notBefore), time(content.notAfter)),
    decode(content.subject),
    decode(content.publicKey.export({ type: "spki", format: "der" })),
    tagged(extensionsTag, sequence(...content.extensions)),
  );
  // forge's own RSA signature takes 22 ms, and it has none for elliptic curves.
  const signature = sign("sha256", encode(tbs), signingKey);
  const der = encode(sequence(tbs, algorithm, bits(signature)));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** 128 bits, of which 126 are random: positive and without a leading zero byte (RFC 5280 §4.1.2.2). */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** RFC 7093 §2 method 1: like RFC 5280's, with SHA-256 in the place of SHA-1, which strict machines no longer offer. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const [, subjectPublicKey] = parts(decode(publicKey.export({ type: "spki", format: "der" })));
  return createHash("sha256").update(contents(subjectPublicKey).subarray(1)).digest().subarray(0, 20);
}

function nameOf(commonName: string): Der {
  return sequence(
    set(sequence(objectId(oid.organization), utf8(organization))),
    set(sequence(objectId(oid.commonName), utf8(commonName))),
  );
}

function toBeSigned(x509: X509Certificate): readonly Der[] {
  return parts(parts(decode(x509.raw))[0]);
}

/** The decoded value of an extension (RFC 5280 §4.2). */
function extensionOf(x509: X509Certificate, id: string): Der | undefined {
  const wrapped = toBeSigned(x509).find((part) => isTagged(part, extensionsTag));
  const found = parts(parts(wrapped)[0]).find((candidate) => dotted(parts(candidate)[0]) === id);
  const value = found && parts(found).at(-1);
  return value && decode(contents(value));
}

function extension(id: string, value: Der, critical?: "critical"): Der {
  return sequence(objectId(id), ...(critical ? [yes()] : []), octets(encode(value)));
}
