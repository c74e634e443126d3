import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../clock.js";
import { openCertificates } from "../../composition/certificates.js";
import type { Configuration } from "../../config/configuration.js";

/** Keys of tokens and cursors: those of one drill mean nothing in another one. */
const ownKeys: readonly string[] = ["token-signing.key.pem", "cursor.key"];

/** Makes the certificates that all drills begin with: to make them takes longer than most drills. @throws CertsError */
export async function makeCertificates(configuration: Configuration): Promise<void> {
  await (await openCertificates(configuration, systemClock)).complete;
}

/** Copies them for one drill. */
export async function copyCertificates(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  for (const name of ownKeys) await rm(join(to, name), { force: true });
}
