import type { AssumptionId } from "../../assumptions.js";
import type { Client, ClientRegistry } from "../../clients.js";
import type { ConnectionFacts } from "../../connection/connection-facts.js";
import type { Peer } from "../../connection/peer.js";
import type { OperationName } from "../../operations.js";
import type { AccessToken } from "../../tokens/token-service.js";

/** What an explanation uses of the refused request. Times are in milliseconds since the epoch. */
export interface RefusedRequest {
  readonly peer: Peer;
  /** The client for which the certificate is registered. */
  readonly client: Client | undefined;
  /** Undefined in tests without TLS. */
  readonly connection?: Pick<ConnectionFacts, "namesCas"> | undefined;
  readonly operation: OperationName | undefined;
  readonly method: string;
  readonly target: string;
  readonly form: ReadonlyMap<string, readonly (string | null)[]> | undefined;
  /** Set once the token has been verified, whether or not it is accepted. */
  readonly token: AccessToken | undefined;
  readonly receivedAt: number;
}

/** What an explanation uses of the sandbox. */
export interface KnownParties {
  readonly clients: ClientRegistry;
  /** Before every path of the API: `/business/api`, or nothing. */
  readonly basePath: string;
  /** The known facts of a certificate by its thumbprint: its folder and its purpose. */
  readonly identity: (thumbprint: string) => { readonly folder: string; readonly purpose: string } | undefined;
}

/**
 * A kind of cause. Its facts are what its `explain` gets first: a refusal has them, and text is made from them when
 * somebody reads the entry.
 */
export interface CauseKind<Facts = never> {
  /** Says what was wrong, and how to fix the client. */
  readonly explain: (facts: Facts, request: RefusedRequest, sandbox: KnownParties) => string;
  /** The assumption that has a part in the refusal, whatever the refusal is based on. */
  readonly partOf?: (facts: Facts) => AssumptionId | undefined;
  /** Whether the time decided, so that a clock that was moved may be the reason. */
  readonly dependsOnTime?: (facts: Facts) => boolean;
  /** Whether no check of the request has found it, so that the order of the checks has no part in it. */
  readonly isUnchecked?: true;
}
