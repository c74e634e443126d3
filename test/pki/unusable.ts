import { generateKeyPairSync } from "node:crypto";
import { expect } from "vitest";
import { CertsError } from "../../src/pki/certs.js";
import { open, snapshot } from "./fixture.js";

/** Opens a folder that has something wrong with it, and makes sure that nothing in it was changed. */
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

/** What may stand in the place of a key, and cannot be used. */
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
