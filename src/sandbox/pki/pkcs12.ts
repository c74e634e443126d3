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
  sha1: "1.3.14.3.2.26",
  sha1With3Des: "1.2.840.113549.1.12.1.3",
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
 * Writes a PKCS#12 bundle (RFC 7292) of a private key, its certificate, its chain and the CA, with AES-256 and SHA-256:
 * for Java a key store and a trust store. The legacy form has 3DES and SHA-1, for programs that do not read the modern
 * one (macOS, Windows before 10 1709, Java before 8u301). node:crypto does not write such bundles, and forge writes
 * them only with RSA keys and HMAC-SHA-1.
 * @throws Error when certificate or key cannot be read
 */
export async function encodeBundle(
  { name, certPem, keyPem, caPem }: BundleContents,
  form: "modern" | "legacy" = "modern",
): Promise<Buffer> {
  const { encrypt, digestId, digestName } = forms[form];
  const [leaf = Buffer.alloc(0), ...chain] = splitPem(certPem).map((pem) => new X509Certificate(pem).raw);
  const cas = splitPem(caPem).map((pem) => new X509Certificate(pem).raw);
  const key = createPrivateKey(keyPem).export({ type: "pkcs8", format: "der" });
  const naming = [
    attribute(oid.friendlyName, der.bmpString(name)),
    attribute(oid.localKeyId, der.octets(hash("sha256", leaf, "buffer"))),
  ];
  const trusting = (index: number) => [
    attribute(oid.friendlyName, der.bmpString(index === 0 ? "sandbox-ca" : "sandbox-ca-next")),
    attribute(oid.trustedKeyUsage, der.objectId(oid.anyExtendedKeyUsage)),
  ];

  const bags = [
    certBag(leaf, naming),
    ...chain.map((each) => certBag(each, [])),
    ...cas.map((each, index) => certBag(each, trusting(index))),
  ];
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
  const macKey = derived(3, salt, digestName === "sha256" ? 32 : 20, digestName);
  const mac = createHmac(digestName, macKey).update(safe).digest();
  const digest = der.sequence(der.sequence(der.objectId(digestId), der.nothing()), der.octets(mac));
  const macData = der.sequence(digest, der.octets(salt), der.integer(iterations));
  return der.encode(der.sequence(der.integer(3), contentInfo(oid.data, der.octets(safe)), macData));
}

/** PBES2 (RFC 8018 §6.2) with PBKDF2, HMAC-SHA-256 and AES-256 in CBC mode. The key is derived on the thread pool. */
async function encryptModern(plain: Buffer): Promise<{ algorithm: der.Der; bytes: Buffer }> {
  const salt = randomBytes(16);
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", await deriveKey(bundlePassword, salt, iterations, 32, "sha256"), iv);
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()]);
  const hmac = der.sequence(der.objectId(oid.hmacWithSha256), der.nothing());
  const derivation = algorithm(oid.pbkdf2, der.sequence(der.octets(salt), der.integer(iterations), hmac));
  return { algorithm: algorithm(oid.pbes2, der.sequence(derivation, algorithm(oid.aes256Cbc, der.octets(iv)))), bytes };
}

/** PbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292 appendix C). */
async function encryptLegacy(plain: Buffer): Promise<{ algorithm: der.Der; bytes: Buffer }> {
  const salt = randomBytes(8);
  const cipher = createCipheriv("des-ede3-cbc", derived(1, salt, 24, "sha1"), derived(2, salt, 8, "sha1"));
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { algorithm: algorithm(oid.sha1With3Des, der.sequence(der.octets(salt), der.integer(iterations))), bytes };
}

const forms = {
  modern: { encrypt: encryptModern, digestId: oid.sha256, digestName: "sha256" },
  legacy: { encrypt: encryptLegacy, digestId: oid.sha1, digestName: "sha1" },
} as const;

/**
 * Derives a key from the password (RFC 7292 appendix B.2).
 * @param purpose 1 for a key, 2 for an initialization vector, 3 for the key of a MAC
 */
function derived(purpose: 1 | 2 | 3, salt: Buffer, length: number, digest: "sha1" | "sha256"): Buffer {
  const blockLength = 64;
  const secret = Buffer.from(`${bundlePassword}\0`, "utf16le").swap16();
  // As many copies as fill whole blocks; the last copy is cut.
  const repeated = (bytes: Buffer) => Buffer.alloc(Math.ceil(bytes.length / blockLength) * blockLength, bytes);
  let input = Buffer.concat([repeated(salt), repeated(secret)]);
  const output: Buffer[] = [];
  for (let made = 0; made < length; ) {
    let block: Buffer = Buffer.concat([Buffer.alloc(blockLength, purpose), input]);
    for (let round = 0; round < iterations; round += 1) block = hash(digest, block, "buffer");
    output.push(block);
    made += block.length;
    input = plusOneAnd(Buffer.alloc(blockLength, block), input);
  }
  return Buffer.concat(output).subarray(0, length);
}

/** Adds a block, and one, to each block of the input, without the carry beyond it. */
function plusOneAnd(addend: Buffer, input: Buffer): Buffer<ArrayBuffer> {
  const sum = Buffer.from(input);
  for (let end = sum.length; end > 0; end -= addend.length) {
    let carry = 1;
    for (let at = addend.length - 1; at >= 0; at -= 1) {
      const place = end - addend.length + at;
      carry += (sum[place] ?? 0) + (addend[at] ?? 0);
      sum[place] = carry & 0xff;
      carry >>= 8;
    }
  }
  return sum;
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
