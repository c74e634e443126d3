import type { Client } from "../clients.js";
import type { ListQuery } from "../lists/query.js";
import type { OperationName } from "../operation-name.js";
import type { Peer } from "../peer.js";
import type { ActiveFault } from "../scenarios/engine.js";
import type { AccessToken } from "../tokens/access-token.js";
import type { Refusal } from "./refusal.js";

/**
 * One request and its answer, with every fact that was found on the way.
 *
 * It is flat and shares what it can, because one is made for each request: decisions and prose are derived when somebody reads it.
 * Instants are milliseconds since the epoch, on the clock of the peer's client.
 */
export class Exchange {
  /** The client for which the peer's certificate is registered. */
  client: Client | undefined = undefined;
  operation: OperationName | undefined = undefined;
  /** The name of the list, for the operation `list`. */
  list: string | undefined = undefined;
  /** Filled in once the token has been verified, whether or not it turned out to be acceptable. */
  token: AccessToken | undefined = undefined;
  /** The correlation id of the answer: the client's, or a fresh one. */
  correlationId = "";
  /** The steps that were to be taken. */
  steps: readonly { readonly name: string; readonly checks: string }[] = [];
  /** How many of them have passed. */
  stepsPassed = 0;
  /** The fault that the request met, whether or not it came to act. */
  fault: ActiveFault | undefined = undefined;
  /** The handle of the fault, once it acted: the value of `Sandbox-Fault`. */
  injected: string | undefined = undefined;
  refusal: Refusal | undefined = undefined;
  /** The decoded form of a token request; null stands for a value that could not be decoded. */
  form: ReadonlyMap<string, readonly (string | null)[]> | undefined = undefined;
  /** What a list request asked for, once it was understood. */
  listQuery: ListQuery | undefined = undefined;
  status = 0;

  constructor(
    readonly peer: Peer,
    readonly method: string,
    /** The request target as it was sent (RFC 9112 §3.2). */
    readonly target: string,
    /** Names and values in turn, as they were sent. */
    readonly rawHeaders: readonly string[],
    readonly now: number,
  ) {}

  /** Notes that a fault acted, so that the answer says so. */
  markInjected(handle: string): void {
    this.injected = handle;
  }
}
