import { createPrivateKey } from "node:crypto";
import { type Client, presentCertificates } from "../sandbox/clients.js";
import type { HeldFile } from "../sandbox/scenarios/defaults.js";
import { clientOf, noKey, refuseOneMore, unknownCertificate, unknownClient } from "./client-errors.js";
import type { AdminContext } from "./context.js";
import { AdminError } from "./error.js";
import type { KeptIdentity } from "./identities.js";

/** What the certificates of clients are changed with. */
export type Registration = Pick<AdminContext, "clients" | "identities" | "readCertificate" | "filesOf" | "store">;

/** How a certificate is replaced. Times are in milliseconds. */
interface Rotation {
  readonly keyType?: "rsa" | "ec" | undefined;
  readonly validFor?: number | undefined;
  /** How long the previous certificate stays valid, on the client's clock. */
  readonly overlap?: number | undefined;
  readonly sameKey?: boolean | undefined;
  /** The file that stays old: the rotation is held half done. */
  readonly hold?: HeldFile | undefined;
  /** How long, by the machine's clock; undefined: until `finishRotation`, or until other files are written. */
  readonly holdFor?: number | undefined;
  /** That of the previous certificate if it is left out. */
  readonly issuer?: "root" | "intermediate" | undefined;
}

/**
 * Replaces the newest certificate of a client.
 * @returns the new certificate, and the end of the previous one, if there was one
 * @throws AdminError or StoreError. The message says what is true then
 */
export async function rotate(id: string, rotation: Rotation, parts: Registration) {
  const { overlap = 0, validFor, keyType, sameKey, hold, holdFor, issuer } = rotation;
  const { identities, store } = parts;
  const client = clientOf(id, parts);
  const { registration } = client;
  refuseOneMore(client);
  const replaced = identities.ofClient(client);
  if (sameKey && !replaced) throw noKey(client);
  if (hold && replaced?.folder === undefined) throw noFiles(id);
  const issued = await identities.issue(id, {
    keyType: keyType ?? keyTypeOf(replaced),
    validFor,
    issuer: issuer ?? (hasChain(replaced) ? "intermediate" : "root"),
    now: client.clock.now(),
    keyPem: sameKey ? replaced?.keyPem : undefined,
  });
  const { name = id, purpose = issued.purpose, folder } = replaced ?? {};
  const identity = { ...issued, name, purpose, folder };
  const facts = parts.readCertificate(identity.certPem);
  const files = await parts.filesOf(identity, { file: hold, time: holdFor });
  const register = (write: () => void) => {
    const present = clientOf(id, parts);
    // Meanwhile the client may have been deleted, and another one with the same id may have been made.
    if (present.registration !== registration) throw unknownClient(id);
    const previous = newestOf(present, parts);
    write();
    // Nobody else has this certificate: it is new.
    parts.clients.addCertificate(present, facts.thumbprint, facts);
    identities.add(identity);
    if (previous === undefined) return undefined;
    const since = present.clock.now();
    // At the latest with its dates.
    const at = Math.min(since + overlap, present.certificates.get(previous)?.notAfter ?? Number.POSITIVE_INFINITY);
    const wanted = { at, since, how: "renewed", by: facts.thumbprint, filesHeld: hold && true } as const;
    return { thumbprint: previous, end: parts.clients.endCertificate(present, previous, wanted)?.at ?? at };
  };
  const previous = (await store.change({ client: id }, register, files)) as ReturnType<typeof register>;
  return { identity, facts, previous };
}

/**
 * Writes the files that a rotation held back, if it did.
 * @throws AdminError; or as `StateFiles.finish`
 */
export function finishRotation(
  id: string,
  { clients, identities, finishFiles }: Pick<AdminContext, "clients" | "identities" | "finishFiles">,
): void {
  if (identities.ofClient(clientOf(id, { clients }))?.folder !== undefined) finishFiles();
}

function noFiles(id: string): AdminError {
  return new AdminError(
    "INVALID_REQUEST",
    `hold: the client "${id}" has no files in the certificates folder; demo, other and chained do.`,
  );
}

/**
 * Ends a certificate of a client now.
 * @throws AdminError or StoreError
 */
export async function endNow(
  id: string,
  thumbprint: string,
  how: "expired" | "revoked",
  parts: Registration,
): Promise<void> {
  await parts.store.change({ client: id }, () => {
    const client = clientOf(id, parts);
    const now = client.clock.now();
    if (!parts.clients.endCertificate(client, thumbprint, { at: now, since: now, how })) throw unknownCertificate(id);
  });
}

/** The newest certificate of a client that has not ended. Misfits that are registered for it do not count. */
function newestOf(client: Client, { identities }: Registration): string | undefined {
  return presentCertificates(client).findLast((thumbprint) => identities.misfitName(thumbprint) === undefined);
}

function hasChain(identity: KeptIdentity | undefined): boolean {
  return (identity?.certPem.split("-----BEGIN CERTIFICATE-----").length ?? 0) > 2;
}

function keyTypeOf(identity: KeptIdentity | undefined): "rsa" | "ec" {
  return identity && createPrivateKey(identity.keyPem).asymmetricKeyType === "rsa" ? "rsa" : "ec";
}
