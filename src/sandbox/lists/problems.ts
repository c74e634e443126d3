import type { BoundFault } from "./bound.js";
import type { CursorTextFault } from "./cursor.js";

/**
 * A decoded value of a parameter, or `null` for one that is not valid percent-encoded UTF-8. Such a value is refused
 * with the code of its parameter.
 */
export type ParameterValue = string | null;

/**
 * The parameters of a query or a form, decoded, each with its values, one or more, in the order in which they were
 * sent.
 */
export type Parameters = ReadonlyMap<string, readonly ParameterValue[]>;

/**
 * Why a list request is refused (§7). `message` is for the client; `detail` is for the journal and is never sent to a
 * client of the API.
 */
export type ListProblem =
  | { readonly code: "INVALID_PAGE_SIZE"; readonly message: string; readonly detail: PageSizeDetail }
  | { readonly code: "VALIDATION_ERROR"; readonly message: string; readonly detail: ValidationDetail }
  | { readonly code: "INVALID_CURSOR"; readonly message: string; readonly detail: CursorDetail }
  | { readonly code: "CURSOR_FILTERS_CHANGED"; readonly message: string; readonly detail: FiltersChangedDetail };

/** What can be wrong with any parameter before its value is parsed. */
export type ParameterFault = "empty" | "repeated" | "undecodable";

export interface PageSizeDetail {
  readonly parameter: string;
  readonly reason: ParameterFault | "not-decimal" | "leading-zero" | "out-of-range";
  /** What was sent, cut to a bounded length. */
  readonly value: string | undefined;
}

export interface ValidationDetail {
  readonly parameter: string;
  readonly reason: ParameterFault | "too-long" | "from-after-to" | BoundFault;
  readonly value: string | undefined;
}

export interface CursorDetail {
  readonly parameter: string;
  readonly reason:
    | ParameterFault
    | CursorTextFault
    | "other-client"
    | "other-list"
    | "other-path"
    | "expired"
    | "from-the-future";
  /** The values of the cursor and of the request, where they differ. */
  readonly found?: string;
  readonly expected?: string;
  /** For `expired` and `from-the-future`: milliseconds since the epoch. */
  readonly issuedAt?: number;
  readonly now?: number;
  readonly lifetime?: number;
}

interface FiltersChangedDetail {
  readonly parameter: string;
  readonly changes: readonly FilterChange[];
  /** The page that the cursor leads to. */
  readonly page: number;
}

/** `undefined`: the filter was not sent. */
export interface FilterChange {
  readonly filter: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const kept = 200;

/** A part of the input for the journal, of bounded length. */
export function bounded(value: ParameterValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  return value.length > kept ? `${value.slice(0, kept)}…` : value;
}
