import { X509Certificate } from "node:crypto";
import { basename, dirname } from "node:path";
import { plainText, readRegularFileSync, UnfitFileError } from "../regular-file.js";
import { CertsError } from "./certs.js";
import { identityFiles } from "./foreign-files.js";
import { type KeyPair, privateKeyPem, readKeys } from "./keys.js";
import { shown, unusable } from "./staging.js";

/** Most bytes of a file in the folder. A key, a certificate or a bundle has a few thousand. */
const largestFile = 1_000_000;

/** What OpenSSL demands at the security level of Node 24, in bits. */
const shortestRsa = 2048;

/** A certificate file that could be read. */
export interface CertificateFile {
  readonly path: string;
  readonly pem: string;
  readonly x509: X509Certificate;
}

/** Undefined when there is no such file. @throws CertsError when it is no certificate */
export function readCertificate(path: string): CertificateFile | undefined {
  const pem = readText(path);
  if (pem === undefined) return undefined;
  try {
    return { path, pem, x509: new X509Certificate(pem) };
  } catch (error) {
    throw broken(path, "cannot be read as a PEM certificate; it may be truncated", error);
  }
}

/**
 * Reads a private key, in any PEM form that OpenSSL writes: PKCS#8, SEC 1, PKCS#1.
 * @returns the key and its PKCS#8 form; undefined when there is no such file
 * @throws CertsError when it is no RSA or P-256 key, or an encrypted one
 */
export function readKeyFile(path: string): { path: string; pem: string; keys: KeyPair } | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  let keys: KeyPair;
  try {
    keys = readKeys(text);
  } catch (error) {
    throw broken(path, "cannot be read as an unencrypted RSA or P-256 private key; it may be truncated", error);
  }
  const { modulusLength = shortestRsa } = keys.privateKey.asymmetricKeyDetails ?? {};
  if (modulusLength < shortestRsa) throw broken(path, `is an RSA key of ${modulusLength} bits, too short for TLS`);
  return { path, pem: privateKeyPem(keys.privateKey), keys };
}

/** Undefined when there is no such file. @throws CertsError when it is not 32 bytes in base64 */
export function readCursorKey(path: string): Buffer | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32 || key.toString("base64") !== text.trim()) throw broken(path, "is not 32 bytes in base64");
  return key;
}

/** Undefined when there is no such file. @throws CertsError when it cannot be read, or is no regular file */
export function readText(path: string): string | undefined {
  const bytes = read(path);
  return bytes && plainText(bytes);
}

/** Undefined when there is no such file. @throws CertsError when it cannot be read, or is no regular file */
export function read(path: string): Buffer | undefined {
  try {
    return readRegularFileSync(path, largestFile);
  } catch (error) {
    if (error instanceof UnfitFileError) throw broken(path, error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw unusable("read", path, error);
  }
}

/** Whether the outermost length of a DER encoding (X.690 §8.1.3) is the length of the file. */
export function isWholeDer(bytes: Buffer): boolean {
  const first = bytes[1] ?? 0;
  if (first < 0x80) return bytes.length === first + 2;
  const lengthBytes = first & 0x7f;
  return (
    lengthBytes <= 4 &&
    bytes.length > 2 + lengthBytes &&
    bytes.length === 2 + lengthBytes + bytes.readUIntBE(2, lengthBytes || 1)
  );
}

/** The sentence that says what to do about a file that is not as it should be. */
export function cure(path: string): string {
  const file = basename(path);
  let first = "Move it away, so that it is made again";
  if (file.startsWith("ca.")) first = "Put the right file back";
  else if (file.startsWith("server.")) first = "Move server.pem and server.key.pem away, so that they are made again";
  else if (identityFiles.includes(file))
    first = `Move the folder ${shown(dirname(path))} away, so that it is made again`;
  return `${first}, or start with --fresh-certs to make everything anew.`;
}

/** The error for a file that cannot be what its name says. */
export function broken(path: string, what: string, cause?: unknown): CertsError {
  return new CertsError("BROKEN_FILE", `${shown(path)} ${what}. ${cure(path)}`, { cause });
}

/** The error for a file that does not belong to the others. */
export function mismatch(path: string, what: string): CertsError {
  return new CertsError("MISMATCH", `${shown(path)} ${what}. ${cure(path)}`);
}

/** The error for a CA that can be trusted, but cannot issue. */
export function caKeyMissing(): CertsError {
  return new CertsError(
    "CA_KEY_MISSING",
    "No certificate can be issued, because ca.key.pem is missing. Put it back, or start with --fresh-certs to make everything anew.",
  );
}
