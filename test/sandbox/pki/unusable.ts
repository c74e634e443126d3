import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { CertsError } from "../../../src/sandbox/pki/certs.js";
import { open, snapshot } from "./fixture.js";

/** Opens a defective folder, and asserts that nothing in it was changed. */
export async function errorOf(directory: string, options: Parameters<typeof open>[1] = {}): Promise<CertsError> {
  const before = snapshot(directory);
  const error = await open(directory, options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CertsError);
  expect(snapshot(directory)).toEqual(before);
  return error as CertsError;
}

const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const sec1 = { type: "sec1", format: "pem" } as const;
export const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength }).privateKey.export(pkcs8);
const ec = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve });
const encryption = { cipher: "aes-256-cbc", passphrase: "secret" } as const;

/** Contents of a key file that cannot be used. */
export const unusableKeys: Readonly<Record<string, () => string | Buffer>> = {
  "of another curve": () => ec("secp384r1").privateKey.export(pkcs8),
  "of another curve, SEC 1": () => ec("secp256k1").privateKey.export(sec1),
  "of Ed25519": () => generateKeyPairSync("ed25519").privateKey.export(pkcs8),
  "that is short RSA": () => rsa(1024),
  encrypted: () => ec("P-256").privateKey.export({ ...pkcs8, ...encryption }),
  "encrypted, SEC 1": () => ec("P-256").privateKey.export({ ...sec1, ...encryption }),
  "that is public": () => ec("P-256").publicKey.export({ type: "spki", format: "pem" }),
  "in DER": () => ec("P-256").privateKey.export({ type: "pkcs8", format: "der" }),
  "in UTF-16": () => Buffer.from(`\uFEFF${ec("P-256").privateKey.export(pkcs8)}`, "utf16le"),
  "that is a text": () => "secret",
  "that is zeros": () => Buffer.alloc(1000),
  "that is large": () => Buffer.alloc(2_000_000, "-"),
};
export const keyFiles = ["token-signing.key.pem", "ca.key.pem", "server.key.pem", "clients/demo/key.pem"];

// Checks for folder-faults.test.ts, which covers some files, and for folder-faults.night.test.ts, which covers the
// others. Each may change its folder.

/** A key that cannot be used is named, in one line. */
export async function expectKeyNamed(directory: string, file: string, key: string | Buffer): Promise<void> {
  rmSync(join(directory, file));
  writeFileSync(join(directory, file), key);
  const error = await errorOf(directory);
  expect([error.code, error.message]).toEqual(["BROKEN_FILE", expect.stringContaining(file)]);
  expect(error.message).not.toContain("\n");
}

/** A named pipe is named; the start does not wait for it. */
export async function expectPipeNamed(directory: string, file: string): Promise<void> {
  rmSync(join(directory, file));
  execFileSync("mkfifo", [join(directory, file)]);
  const error = await errorOf(directory);
  expect(error.code).toBe("BROKEN_FILE");
  expect(error.message).toMatch(`${file} is not a regular file.`);
}

/** A link to a device is named. */
export async function expectDeviceNamed(directory: string, file: string): Promise<void> {
  rmSync(join(directory, file));
  symlinkSync("/dev/zero", join(directory, file));
  expect((await errorOf(directory)).message).toMatch(`${file} is not a regular file.`);
}
