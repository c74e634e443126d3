import { createCipheriv, createHmac, createPrivateKey, hash, pbkdf2, randomBytes, X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import {
  bmpString,
  type Der,
  encode,
  integer,
  nothing,
  objectId,
  octets,
  sequence,
  set,
  tagged,
  taggedBytes,
} from "./der.js";

export interface BundleContents {
  /** Friendly name: Java's alias of the entry. */
  readonly name: string;
  readonly certPem: string;
  /** PKCS#8, not encrypted. */
  readonly keyPem: string;
  /** The certificate of the CA to trust. */
  readonly caPem: string;
  readonly password: string;
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

/** OpenSSL's default. More would protect nothing: the password is printed in the README, the file's mode is what counts. */
const iterations = 2048;

const deriveKey = promisify(pbkdf2);

/**
 * Writes a PKCS#12 bundle (RFC 7292) of a private key, its certificate and the CA, with nothing older than AES-256 and
 * SHA-256 in it. In Java it serves as key store and as trust store alike. node:crypto reads such bundles but writes none,
 * and forge knows RSA keys and HMAC-SHA-1 only.
 * @throws Error when certificate or key cannot be read
 */
export async function encodeBundle(contents: BundleContents): Promise<Buffer> {
  const { password } = contents;
  const leaf = new X509Certificate(contents.certPem).raw;
  const ca = new X509Certificate(contents.caPem).raw;
  const key = createPrivateKey(contents.keyPem).export({ type: "pkcs8", format: "der" });
  const naming = [
    attribute(oid.friendlyName, bmpString(contents.name)),
    attribute(oid.localKeyId, octets(hash("sha256", leaf, "buffer"))),
  ];
  const trusting = [
    attribute(oid.friendlyName, bmpString("sandbox-ca")),
    attribute(oid.trustedKeyUsage, objectId(oid.anyExtendedKeyUsage)),
  ];

  const certificates = sequence(certBag(leaf, naming), certBag(ca, trusting));
  const encryptedKey = await encrypt(key, password);
  const encryptedCertificates = await encrypt(encode(certificates), password);
  const shroudedKey = sequence(encryptedKey.algorithm, octets(encryptedKey.bytes));
  const safe = encode(
    sequence(
      sequence(
        objectId(oid.encryptedData),
        tagged(
          0,
          sequence(
            integer(0),
            sequence(objectId(oid.data), encryptedCertificates.algorithm, taggedBytes(0, encryptedCertificates.bytes)),
          ),
        ),
      ),
      data(encode(sequence(bag(oid.shroudedKeyBag, shroudedKey, naming)))),
    ),
  );

  const salt = randomBytes(16);
  const mac = createHmac("sha256", macKey(password, salt)).update(safe).digest();
  const macData = sequence(
    sequence(sequence(objectId(oid.sha256), nothing()), octets(mac)),
    octets(salt),
    integer(iterations),
  );
  return encode(sequence(integer(3), data(safe), macData));
}

/** PBES2 (RFC 8018 §6.2) with PBKDF2, HMAC-SHA-256 and AES-256 in CBC mode. The key is derived on the thread pool. */
async function encrypt(plain: Buffer, password: string): Promise<{ algorithm: Der; bytes: Buffer }> {
  const salt = randomBytes(16);
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", await deriveKey(password, salt, iterations, 32, "sha256"), iv);
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()]);
  const derivation = sequence(
    objectId(oid.pbkdf2),
    sequence(octets(salt), integer(iterations), sequence(objectId(oid.hmacWithSha256), nothing())),
  );
  const algorithm = sequence(objectId(oid.pbes2), sequence(derivation, sequence(objectId(oid.aes256Cbc), octets(iv))));
  return { algorithm, bytes };
}

/** RFC 7292 appendix B.2 for the MAC's key, which is as long as one SHA-256 output: the first round is the whole of it. */
function macKey(password: string, salt: Buffer): Buffer {
  const blockLength = 64;
  const macPurpose = 3;
  const secret = Buffer.from(`${password}\0`, "utf16le").swap16();
  let block: Buffer = Buffer.concat([
    Buffer.alloc(blockLength, macPurpose),
    repeated(salt, blockLength),
    repeated(secret, blockLength),
  ]);
  for (let round = 0; round < iterations; round += 1) block = hash("sha256", block, "buffer");
  return block;
}

/** As many copies as fill whole blocks; the last one is cut. */
function repeated(bytes: Buffer, blockLength: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / blockLength) * blockLength, bytes);
}

function data(bytes: Buffer): Der {
  return sequence(objectId(oid.data), tagged(0, octets(bytes)));
}

function certBag(der: Buffer, attributes: Der[]): Der {
  return bag(oid.certBag, sequence(objectId(oid.x509Certificate), tagged(0, octets(der))), attributes);
}

function bag(id: string, value: Der, attributes: Der[]): Der {
  return sequence(objectId(id), tagged(0, value), set(...attributes));
}

function attribute(id: string, value: Der): Der {
  return sequence(objectId(id), set(value));
}
