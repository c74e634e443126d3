import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import * as der from "../../src/sandbox/pki/der.js";

const DAY = 86_400_000;
const OID = {
  commonName: "2.5.4.3",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  sha256WithRsa: "1.2.840.113549.1.1.11",
  basicConstraints: "2.5.29.19",
  keyUsage: "2.5.29.15",
  extendedKeyUsage: "2.5.29.37",
  subjectAltName: "2.5.29.17",
} as const;

/** Extended key usages by their short names. */
export const purpose = {
  client: "1.3.6.1.5.5.7.3.2",
  server: "1.3.6.1.5.5.7.3.1",
  any: "2.5.29.37.0",
} as const;

export interface TestIdentity {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  readonly x509: X509Certificate;
  readonly subject: der.Der;
  readonly privateKey: KeyObject;
}

export interface CertificateRequest {
  readonly commonName: string;
  /** The signer; without it, the certificate is self-signed. */
  readonly issuer?: TestIdentity;
  readonly ca?: boolean;
  readonly keyType?: "ec" | "rsa";
  /** Of an RSA key, in bits; 2,048 by default. */
  readonly modulusLength?: number;
  readonly notBefore?: number;
  readonly notAfter?: number;
  /** Instead of the two dates. */
  readonly validity?: der.Der;
  /** Instead of a subject of one common name. */
  readonly subject?: der.Der;
  /** Instead of those for a CA or a client. */
  readonly extensions?: readonly der.Der[];
}

/**
 * Makes any requested certificate, however wrong, because tests need certificates that a real CA would refuse to sign.
 */
export function issueCertificate(request: CertificateRequest): TestIdentity {
  const { commonName, issuer, ca = false, modulusLength = 2048 } = request;
  const keys =
    request.keyType === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = request.subject ?? name(commonName);
  const signer = issuer?.privateKey ?? keys.privateKey;
  const algorithm =
    signer.asymmetricKeyType === "rsa"
      ? der.sequence(der.objectId(OID.sha256WithRsa), der.nothing())
      : der.sequence(der.objectId(OID.ecdsaWithSha256));
  const now = Date.now();
  const { notBefore = now - DAY, notAfter = now + 60 * DAY } = request;
  const toBeSigned = der.sequence(
    der.tagged(0, der.integer(2)),
    der.integer(Buffer.concat([Buffer.of(0x5a), randomBytes(9)])),
    algorithm,
    issuer?.subject ?? subject,
    request.validity ?? der.sequence(der.time(notBefore), der.time(notAfter)),
    subject,
    der.decode(keys.publicKey.export({ type: "spki", format: "der" })),
    der.tagged(3, der.sequence(...(request.extensions ?? (ca ? [authority()] : [extendedKeyUsage(purpose.client)])))),
  );
  const signature = sign("sha256", der.encode(toBeSigned), signer);
  const x509 = new X509Certificate(der.encode(der.sequence(toBeSigned, algorithm, der.bits(signature))));
  const key = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { cert: x509.toString(), key, x509, subject, privateKey: keys.privateKey };
}

export function name(...commonNames: string[]): der.Der {
  return der.sequence(...commonNames.map((text) => der.set(commonName(text))));
}

export function commonName(text: string): der.Der {
  return der.sequence(der.objectId(OID.commonName), der.utf8(text));
}

export function extension(objectId: string, value: Buffer, critical = false): der.Der {
  return der.sequence(der.objectId(objectId), ...(critical ? [der.yes()] : []), der.octets(value));
}

/** @param pathLength how many CAs may be below it; any number when left out */
export function authority(pathLength?: number): der.Der {
  const length = pathLength === undefined ? [] : [der.integer(pathLength)];
  return extension(OID.basicConstraints, der.encode(der.sequence(der.yes(), ...length)), true);
}

export function extendedKeyUsage(...purposes: string[]): der.Der {
  return extension(OID.extendedKeyUsage, der.encode(der.sequence(...purposes.map(der.objectId))));
}

/** @param bits the first byte of the bit string: 0x80 is digitalSignature, 0x20 keyEncipherment, 0x04 keyCertSign */
export function keyUsage(bits: number): der.Der {
  return extension(OID.keyUsage, der.encode(der.bits(Buffer.of(bits))), true);
}

/** Names of a server: host names, and always 127.0.0.1 and ::1. */
function subjectAltNames(...hostNames: string[]): der.Der {
  const addresses = [Buffer.of(127, 0, 0, 1), Buffer.from("00000000000000000000000000000001", "hex")];
  const names = [
    ...hostNames.map((host) => der.taggedBytes(2, Buffer.from(host))),
    ...addresses.map((address) => der.taggedBytes(7, address)),
  ];
  return extension(OID.subjectAltName, der.encode(der.sequence(...names)));
}

export interface TestCertificates {
  readonly ca: TestIdentity;
  readonly server: TestIdentity;
  readonly client: TestIdentity;
  /** Another CA with the same name, and a client of it. */
  readonly otherCa: TestIdentity;
  readonly untrusted: TestIdentity;
  readonly expired: TestIdentity;
}

/** A CA with a server for `localhost` and the loopback addresses, a valid client, and some invalid ones. */
export function issueTestCertificates(keyType: "ec" | "rsa" = "ec"): TestCertificates {
  const ca = issueCertificate({ commonName: "Test CA", ca: true, keyType });
  const otherCa = issueCertificate({ commonName: "Test CA", ca: true });
  return {
    ca,
    otherCa,
    server: issueCertificate({
      commonName: "test server",
      issuer: ca,
      keyType,
      extensions: [extendedKeyUsage(purpose.server), subjectAltNames("localhost")],
    }),
    client: issueCertificate({ commonName: "test client", issuer: ca, keyType }),
    untrusted: issueCertificate({ commonName: "test client", issuer: otherCa }),
    expired: issueCertificate({ commonName: "expired client", issuer: ca, notAfter: Date.now() - 3_600_000 }),
  };
}
