import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../clock.js";
import { openCertificates } from "../../composition/certificates.js";
import type { Configuration } from "../../config/configuration.js";

/** Keys of tokens and cursors. Every drill has its own, so that those of another drill are not valid. */
const ownKeys: readonly string[] = ["token-signing.key.pem", "cursor.key"];

/** Makes the certificates that all drills begin with, because this takes longer than most drills. @throws CertsError */
export async function makeCertificates(configuration: Configuration): Promise<void> {
  await (await openCertificates(configuration, systemClock)).complete;
}

/** Copies the certificates for one drill. */
export async function copyCertificates(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  for (const name of ownKeys) await rm(join(to, name), { force: true });
}
