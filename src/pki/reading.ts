import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { CertsError } from "./certs.js";
import { identityFiles } from "./foreign-files.js";
import { type KeyPair, readKeys } from "./keys.js";
import { shown, unusable } from "./staging.js";

/** A certificate file that could be read. */
export interface CertificateFile {
  readonly path: string;
  readonly pem: string;
  readonly x509: X509Certificate;
}

/** Undefined when there is no such file. @throws CertsError when it is no certificate */
export function readCertificate(path: string): CertificateFile | undefined {
  const pem = read(path)?.toString("utf8");
  if (pem === undefined) return undefined;
  try {
    return { path, pem, x509: new X509Certificate(pem) };
  } catch (error) {
    throw broken(path, "cannot be read as a PEM certificate; it may be truncated", error);
  }
}

/** Undefined when there is no such file. @throws CertsError when it is no RSA or P-256 key, or an encrypted one */
export function readKeyFile(path: string): { path: string; pem: string; keys: KeyPair } | undefined {
  const pem = read(path)?.toString("utf8");
  if (pem === undefined) return undefined;
  try {
    return { path, pem, keys: readKeys(pem) };
  } catch (error) {
    throw broken(path, "cannot be read as an unencrypted RSA or P-256 private key; it may be truncated", error);
  }
}

/** Undefined when there is no such file. @throws CertsError when it is not 32 bytes in base64 */
export function readCursorKey(path: string): Buffer | undefined {
  const text = read(path)?.toString("utf8");
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32 || key.toString("base64") !== text.trim()) throw broken(path, "is not 32 bytes in base64");
  return key;
}

/** Undefined when there is no such file. @throws CertsError when it cannot be read */
export function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
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
