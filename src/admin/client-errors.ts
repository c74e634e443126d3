import { type Client, presentCertificates, RegistrationError } from "../sandbox/clients.js";
import { CertsError, unlessContended } from "../sandbox/pki/certs.js";
import { UnfinishedError } from "../sandbox/store.js";
import type { AdminContext } from "./context.js";
import { AdminError } from "./error.js";

/** Certificates of one client: more than any rotation needs. Each exchange of the journal shows them all. */
export const mostCertificates = 100;

export function noKey({ id, thumbprints }: Client): AdminError {
  const why =
    thumbprints.size === 0
      ? "it has no certificate any more: POST /clients/ID/certificates makes one"
      : "its certificate is your own";
  return new AdminError("NO_KEY", `The sandbox does not have the key of "${id}": ${why}.`);
}

export function unknownCertificate(id: string): AdminError {
  return new AdminError("UNKNOWN_CERTIFICATE", `The client "${id}" has no certificate with this thumbprint.`);
}

export function unknownClient(id: string): AdminError {
  return new AdminError("UNKNOWN_CLIENT", `There is no client "${id}".`);
}

/** @throws AdminError when there is no such client */
export function clientOf(id: string, { clients }: Pick<AdminContext, "clients">): Client {
  const client = clients.get(id);
  if (!client) throw unknownClient(id);
  return client;
}

/** @throws AdminError when a client can have no further certificate */
export function refuseOneMore(client: Client): void {
  if (presentCertificates(client).length >= mostCertificates)
    throw new AdminError("TOO_MANY_CERTIFICATES", `The client has ${mostCertificates} certificates; remove some.`);
}

/**
 * Does what may change certificates and their files. If another process was first, it is done again.
 * @throws AdminError instead of CertsError and UnfinishedError. The message says what is true then: what is thrown about
 *   certificates has changed nothing, neither the state nor the certificates folder, unless it says something else
 */
export async function orCannotIssue<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await unlessContended(work);
  } catch (error) {
    if (error instanceof CertsError) throw new AdminError("CANNOT_ISSUE", `${error.message} Nothing has changed.`);
    throw error instanceof UnfinishedError ? new AdminError("CANNOT_ISSUE", error.message) : error;
  }
}

export function orConflict<T>(register: () => T): T {
  try {
    return register();
  } catch (error) {
    if (error instanceof RegistrationError && error.code !== "INVALID_CLIENT_ID")
      throw new AdminError(error.code, error.message);
    throw error;
  }
}
