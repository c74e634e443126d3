import { X509Certificate } from "node:crypto";
import { largestPem, pemText, UnfitFileError } from "../../base/files/regular-file.js";
import type { FileOperations } from "./file-operations.js";
import { type KeyPair, privateKeyPem, readKeys } from "./keys.js";
import { broken, unusable } from "./problems.js";

/** What OpenSSL requires at the security level of Node 24, in bits. */
const shortestRsa = 2048;

export interface CertificateFile {
  readonly path: string;
  readonly pem: string;
  readonly x509: X509Certificate;
}

export interface KeyFile {
  readonly path: string;
  /** PKCS#8. */
  readonly pem: string;
  readonly keys: KeyPair;
}

/**
 * Undefined when there is no such file.
 * @throws CertsError when it is not a certificate
 */
export function readCertificate(path: string, files: FileOperations): CertificateFile | undefined {
  const pem = readText(path, files);
  if (pem === undefined) return undefined;
  try {
    return { path, pem, x509: new X509Certificate(pem) };
  } catch (error) {
    throw broken(path, "cannot be read as a PEM certificate; it may be truncated", error);
  }
}

/**
 * Reads a private key, in any PEM form that OpenSSL writes: PKCS#8, SEC 1, PKCS#1.
 * @returns undefined when there is no such file
 * @throws CertsError when it is not an RSA or P-256 key, or is encrypted
 */
export function readKeyFile(path: string, files: FileOperations): KeyFile | undefined {
  const text = readText(path, files);
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

/**
 * Undefined when there is no such file.
 * @throws CertsError when it is not 32 bytes in base64
 */
export function readCursorKey(path: string, files: FileOperations): Buffer | undefined {
  const text = readText(path, files)?.trim();
  if (text === undefined) return undefined;
  const key = Buffer.from(text, "base64");
  if (key.length !== 32 || key.toString("base64") !== text) throw broken(path, "is not 32 bytes in base64");
  return key;
}

/** As `read`. */
export function readText(path: string, files: FileOperations): string | undefined {
  const bytes = read(path, files);
  return bytes && pemText(bytes);
}

/**
 * Undefined when there is no such file.
 * @throws CertsError when it cannot be read, or is not a regular file
 */
export function read(path: string, files: FileOperations): Buffer | undefined {
  try {
    return files.readFile(path, largestPem);
  } catch (error) {
    if (error instanceof UnfitFileError) throw broken(path, error.message);
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable("read", path, error);
  }
}
