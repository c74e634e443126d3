import { createCipheriv, createHmac, createPrivateKey, hash, pbkdf2, randomBytes, X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import { splitPem } from "../../base/x509/certificate.js";
import type { KeyedCertificate } from "./certs.js";
import * as der from "./der.js";
import { bundlePassword } from "./profiles.js";

interface BundleContents extends KeyedCertificate {
  /** Friendly name: Java's alias of the entry. */
  readonly name: string;
  /** The certificate of the CA to trust. */
  readonly caPem: string;
}

const oid = {
  data: "1.2.840.113549.1.7.1",
  encryptedData: "1.2.840.113549.1.7.6",
  shroudedKeyBag: "1.2.840.113549.1.12.10.1.2",
  certBag: "1.2.840.113549.1.12.10.1.3",
  x509Certificate: "1.2.840.113549.1.9.22.1",
  friendlyName: "1.2.840.113549.1.9.20",
  localKeyId: "1.2.840.113549.1.9.21",
  pbes2: "1.2.840.113549.1.5.13",
  pbkdf2: "1.2.840.113549.1.5.12",
  hmacWithSha256: "1.2.840.113549.2.9",
  aes256Cbc: "2.16.840.1.101.3.4.1.42",
  sha256: "2.16.840.1.101.3.4.2.1",
  /** Java's own attribute: the certificate is a trust anchor, for any usage. */
  trustedKeyUsage: "2.16.840.1.113894.746875.1.1",
  anyExtendedKeyUsage: "2.5.29.37.0",
} as const;

/**
 * OpenSSL's default. More would not add protection: the password is public, and the mode of the file keeps other users
 * out.
 */
const iterations = 2048;

const deriveKey = promisify(pbkdf2);

/**
 * Writes a PKCS#12 bundle (RFC 7292) of a private key, its certificate, its chain and the CA, with AES-256 and SHA-256: for Java a
 * key store and a trust store. node:crypto does not write such bundles, and forge writes them only with RSA keys and
 * HMAC-SHA-1.
 * @throws Error when certificate or key cannot be read
 */
export async function encodeBundle({ name, certPem, keyPem, caPem }: BundleContents): Promise<Buffer> {
  const [leaf = Buffer.alloc(0), ...chain] = splitPem(certPem).map((pem) => new X509Certificate(pem).raw);
  const ca = new X509Certificate(caPem).raw;
  const key = createPrivateKey(keyPem).export({ type: "pkcs8", format: "der" });
  const naming = [
    attribute(oid.friendlyName, der.bmpString(name)),
    attribute(oid.localKeyId, der.octets(hash("sha256", leaf, "buffer"))),
  ];
  const trusting = [
    attribute(oid.friendlyName, der.bmpString("sandbox-ca")),
    attribute(oid.trustedKeyUsage, der.objectId(oid.anyExtendedKeyUsage)),
  ];

  const bags = [certBag(leaf, naming), ...chain.map((each) => certBag(each, [])), certBag(ca, trusting)];
  const shroudedKey = await encrypt(key);
  const certificates = await encrypt(der.encode(der.sequence(...bags)));
  const keyBag = bag(oid.shroudedKeyBag, der.sequence(shroudedKey.algorithm, der.octets(shroudedKey.bytes)), naming);
  const encryptedData = der.sequence(
    der.integer(0),
    der.sequence(der.objectId(oid.data), certificates.algorithm, der.taggedBytes(0, certificates.bytes)),
  );
  const safe = der.encode(
    der.sequence(
      contentInfo(oid.encryptedData, encryptedData),
      contentInfo(oid.data, der.octets(der.encode(der.sequence(keyBag)))),
    ),
  );

  const salt = randomBytes(16);
  const mac = createHmac("sha256", macKey(salt)).update(safe).digest();
  const digest = der.sequence(der.sequence(der.objectId(oid.sha256), der.nothing()), der.octets(mac));
  const macData = der.sequence(digest, der.octets(salt), der.integer(iterations));
  return der.encode(der.sequence(der.integer(3), contentInfo(oid.data, der.octets(safe)), macData));
}

/** PBES2 (RFC 8018 §6.2) with PBKDF2, HMAC-SHA-256 and AES-256 in CBC mode. The key is derived on the thread pool. */
async function encrypt(plain: Buffer): Promise<{ algorithm: der.Der; bytes: Buffer }> {
  const salt = randomBytes(16);
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", await deriveKey(bundlePassword, salt, iterations, 32, "sha256"), iv);
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()]);
  const hmac = der.sequence(der.objectId(oid.hmacWithSha256), der.nothing());
  const derivation = algorithm(oid.pbkdf2, der.sequence(der.octets(salt), der.integer(iterations), hmac));
  return { algorithm: algorithm(oid.pbes2, der.sequence(derivation, algorithm(oid.aes256Cbc, der.octets(iv)))), bytes };
}

/** RFC 7292 appendix B.2. The MAC's key is as long as one SHA-256 output, so one round of the outer loop is enough. */
function macKey(salt: Buffer): Buffer {
  const blockLength = 64;
  const macPurpose = 3;
  const secret = Buffer.from(`${bundlePassword}\0`, "utf16le").swap16();
  // As many copies as fill whole blocks; the last copy is cut.
  const repeated = (bytes: Buffer) => Buffer.alloc(Math.ceil(bytes.length / blockLength) * blockLength, bytes);
  let block: Buffer = Buffer.concat([Buffer.alloc(blockLength, macPurpose), repeated(salt), repeated(secret)]);
  for (let round = 0; round < iterations; round += 1) block = hash("sha256", block, "buffer");
  return block;
}

function algorithm(id: string, parameters: der.Der): der.Der {
  return der.sequence(der.objectId(id), parameters);
}

function contentInfo(id: string, content: der.Der): der.Der {
  return der.sequence(der.objectId(id), der.tagged(0, content));
}

function certBag(certificate: Buffer, attributes: der.Der[]): der.Der {
  return bag(oid.certBag, contentInfo(oid.x509Certificate, der.octets(certificate)), attributes);
}

function bag(id: string, value: der.Der, attributes: der.Der[]): der.Der {
  return der.sequence(
    der.objectId(id),
    der.tagged(0, value),
    ...(attributes.length > 0 ? [der.set(...attributes)] : []),
  );
}

function attribute(id: string, value: der.Der): der.Der {
  return der.sequence(der.objectId(id), der.set(value));
}
