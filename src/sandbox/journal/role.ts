import { type PagePlace, placeInWalk } from "../lists/place.js";
import type { OperationName } from "../operations.js";
import type { TokenRole } from "../scenarios/request-facts.js";
import type { ExchangeFacts } from "./exchange-facts.js";

/** What a request was in its conversation, in the words of a scenario's `when`. */
export interface Role {
  readonly operation: OperationName;
  /** The name of the list, for the operation `list`. */
  readonly list?: string;
  /**
   * The place of a page in its walk, or whether a token request was a renewal. Without it, the operation has no roles,
   * or the sandbox gave no page, or nobody knows whose token request it was.
   */
  readonly role?: PagePlace | TokenRole;
}

/**
 * The role of an exchange that is over; undefined if no operation has its path. If a scenario changed the page, it is
 * that of the page that was sent.
 */
export function roleOf({ operation, list, tokenRole, listQuery, page }: ExchangeFacts): Role | undefined {
  if (operation === undefined) return undefined;
  const role = listQuery && page ? placeInWalk(listQuery.page, page.cursor !== undefined) : tokenRole;
  return { operation, ...(list !== undefined && { list }), ...(role !== undefined && { role }) };
}
