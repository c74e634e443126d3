import { type Client, presentCertificates, RegistrationError } from "../sandbox/clients.js";
import { CertsError } from "../sandbox/pki/certs.js";
import type { ChangeScope, StateFiles, Store } from "../sandbox/store.js";
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

/** What is thrown about certificates changes nothing: neither the state nor the certificates folder. */
export async function orCannotIssue<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CertsError ? new AdminError("CANNOT_ISSUE", `${error.message} Nothing has changed.`) : error;
  }
}

/**
 * Changes the state and its files, as `Store.change` does.
 * @throws AdminError or StoreError. The message says what is true then
 */
export async function changeWithFiles(
  store: Store,
  scope: ChangeScope,
  work: (write: () => void) => unknown,
  files: StateFiles | undefined,
): Promise<unknown> {
  const result = await orCannotIssue(() => store.change(scope, work, files));
  if (files?.unsettled) throw new AdminError("CANNOT_ISSUE", `The change is made. ${files.unsettled.message}`);
  return result;
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
