import { hour } from "../../base/text/duration.js";

/**
 * What a user writes under `lists.NAME` in `sandbox.yaml`, once durations are milliseconds and files are loaded.
 *
 * Every member is optional. `compileList` checks what a type cannot express. Members may be `undefined`, so that a
 * parsed object with optional keys fits without a conversion.
 */
export interface ListSettings {
  /** Path of the endpoint; `{name}` stands for a whole segment. Default `/v1/NAME`. */
  readonly path?: string | undefined;
  /** The user's own items, each an object. Excludes `count`, `fields`, `spacing`, `anchor` and `seed`. */
  readonly items?: readonly unknown[] | undefined;
  /** Number of generated rows. Default 10,000. */
  readonly count?: number | undefined;
  /** Generators of a row's members, in the order in which they are written. */
  readonly fields?: FieldSettings | undefined;
  /** Milliseconds between the creation of two neighbouring rows. Default 15 minutes. */
  readonly spacing?: number | undefined;
  /** RFC 3339 instant of the newest row. Default: the clock at the walk's first request, rounded down to the hour. */
  readonly anchor?: string | undefined;
  /** Another seed gives other rows. The default is the same in every sandbox, so that examples can be compared. */
  readonly seed?: string | number | undefined;
  readonly envelope?: EnvelopeSettings | undefined;
  readonly parameters?: ParameterSettings | undefined;
  readonly pageSize?: PageSizeSettings | undefined;
  /**
   * Equality filters: query parameter to dotted field path. Default `{status: "status"}` where rows have such a field.
   */
  readonly filters?: Readonly<Record<string, string>> | undefined;
  /**
   * Dotted path of the date that orders the rows and that the date filters test. `null`: no dates, items keep their
   * order.
   */
  readonly dateField?: string | null | undefined;
  /** Default `newest-first`. */
  readonly order?: ListOrder | undefined;
  /** What happens to an unknown query parameter. Default: what `request.unknown-parameters` says. */
  readonly unknownParameters?: "ignore" | "refuse" | undefined;
  /** Milliseconds for which a cursor is accepted after it was issued. Default 24 hours. */
  readonly cursorLifetime?: number | undefined;
}

/** The settings of generated rows, which have no meaning beside `items`. */
export const generatedRowKeys = ["count", "fields", "spacing", "anchor", "seed"] as const;

export type ListOrder = "newest-first" | "oldest-first";

/** Names of the envelope's members. A dotted name nests: `paging.next`. A member without a name is not sent. */
export interface EnvelopeSettings {
  /** Default `items`. */
  readonly items?: string | undefined;
  /** Default `nextCursor`. With `null`, the default next to a link, it is not sent. */
  readonly nextCursor?: string | null | undefined;
  /**
   * The URL of the next page. If the name ends with `.href`, it is a link object, which is sent or left out as a whole.
   */
  readonly nextLink?: string | undefined;
  /** Whether the URL of the next page is sent in the header `Link` (RFC 8288). */
  readonly linkHeader?: boolean | undefined;
  /** Whether the URL of the next page is absolute (default), or a path with a query. */
  readonly linkForm?: "url" | "path" | undefined;
  /** On the last page the member of the cursor, or of the link, is left out (default), `null`, or an empty text. */
  readonly lastCursor?: "omit" | "null" | "empty" | undefined;
  /** Boolean: whether another page follows. */
  readonly hasMore?: string | undefined;
  /** The page size of the request. */
  readonly pageSize?: string | undefined;
  /** The number of rows on this page. */
  readonly count?: string | undefined;
  /** The number of rows in the whole result. */
  readonly total?: string | undefined;
  /** The number of this page in its walk, from 1. */
  readonly page?: string | undefined;
  /** The number of pages that the whole result has at this page size. */
  readonly pages?: string | undefined;
  /** Constant members, by dotted name. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Names of the query parameters. With `null`, the list does not have the parameter. */
interface ParameterSettings {
  /** Default `pageSize`. */
  readonly pageSize?: string | null | undefined;
  /** Default `cursor`. */
  readonly cursor?: string | undefined;
  /** Default `fromCreatedAt`. */
  readonly fromCreatedAt?: string | null | undefined;
  /** Default `toCreatedAt`. */
  readonly toCreatedAt?: string | null | undefined;
}

/** Limits of the page size; the defaults 10, 1 and 100 are those of §8. */
interface PageSizeSettings {
  readonly default?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Whether a larger page size is refused (default), or lowered to the maximum. */
  readonly beyond?: "refuse" | "lower" | undefined;
}

/** Most digits behind the point of a `decimal`. */
export const mostDecimals = 9;

export type FieldSettings = Readonly<Record<string, FieldGenerator>>;

/** How the value of one member is made. It depends only on the seed and the row's number. */
export type FieldGenerator =
  | { readonly type: "uuid" }
  /** `prefix` and `length` (8 to 64, default 16) characters of Crockford's base32. */
  | { readonly type: "id"; readonly prefix?: string | undefined; readonly length?: number | undefined }
  /**
   * One of the scalars in `values`; `weights` are whole numbers, and a value has exactly its share in every block of
   * rows.
   */
  | {
      readonly type: "choice";
      readonly values: readonly (string | number | boolean | null)[];
      readonly weights?: readonly number[] | undefined;
    }
  /** A JSON number from `min` to `max`, both inclusive; `distinct` numbers differ as long as the range has enough. */
  | { readonly type: "integer"; readonly min: number; readonly max: number; readonly distinct?: boolean | undefined }
  /**
   * A decimal fraction from `min` to `max` with exactly `decimals` (default 2) digits, as text unless `as` is `number`.
   */
  | {
      readonly type: "decimal";
      readonly min: number;
      readonly max: number;
      readonly decimals?: number | undefined;
      readonly as?: "string" | "number" | undefined;
    }
  /** `weights` of true and of false, default 1 and 1. */
  | { readonly type: "boolean"; readonly weights?: readonly number[] | undefined }
  | { readonly type: "constant"; readonly value: unknown }
  /**
   * Text with `{number}` (1 for the oldest row), `{pathParameter}` and `{a-f0-9:8}`, eight of these characters, with
   * which rows differ as long as there are enough; `{{` and `}}` are braces.
   */
  | { readonly type: "text"; readonly template: string }
  /**
   * The row's instant: RFC 3339 in UTC with `Z` and milliseconds; or its date, a number since 1970-01-01T00:00:00Z, or
   * a text such as `{year}-{month}-{day}T{hour}:{minute}:{second}Z` (and `{millisecond}`).
   */
  | {
      readonly type: "createdAt";
      readonly as?: "date-time" | "date" | "seconds" | "milliseconds" | undefined;
      readonly template?: string | undefined;
    }
  | { readonly type: "object"; readonly fields: FieldSettings }
  /** The value of a parameter of the path. */
  | { readonly type: "parameter"; readonly name: string }
  /** Null on about a quarter of the rows, and otherwise what another generator makes. */
  | { readonly type: "nullable"; readonly of: FieldGenerator };

/** A wrong setting of a list. `path` names it: `lists.payments.fields.status`. */
export class ListSettingsError extends Error {
  override readonly name = "ListSettingsError";
  readonly path: string;
  readonly reason: string;
  /** What else is wrong with the same setting; the message contains it, too. */
  readonly further: readonly ListSettingsError[];

  constructor(path: string, reason: string, further: readonly ListSettingsError[] = []) {
    super([`${path}: ${reason}`, ...further.map(({ message }) => message)].join("\n"));
    this.path = path;
    this.reason = reason;
    this.further = further;
  }
}

/** How many mistakes are reported at most. */
const mostMistakes = 20;

/**
 * Reads parts of a setting that do not depend on each other.
 * @throws {ListSettingsError} for the first mistake, with those of the other parts in `further`
 */
export function together<Part, Result>(parts: Iterable<Part>, read: (part: Part) => Result): Result[] {
  const mistakes: ListSettingsError[] = [];
  const results: Result[] = [];
  for (const part of parts) {
    if (mistakes.length >= mostMistakes) break;
    try {
      results.push(read(part));
    } catch (error) {
      if (!(error instanceof ListSettingsError)) throw error;
      mistakes.push(new ListSettingsError(error.path, error.reason), ...error.further);
    }
  }
  const [first, ...further] = mistakes.slice(0, mostMistakes);
  if (first) throw new ListSettingsError(first.path, first.reason, further);
  return results;
}

/** The values of settings that a list does not set. */
export const listDefaults = {
  count: 10_000,
  spacing: hour / 4,
  seed: "business-payments-sandbox",
  filters: { status: "status" } as Readonly<Record<string, string>>,
  dateField: "createdAt",
  order: "newest-first" as ListOrder,
  cursorLifetime: 24 * hour,
  pageSize: { default: 10, minimum: 1, maximum: 100, beyond: "refuse" as "refuse" | "lower" },
  parameters: {
    pageSize: "pageSize",
    cursor: "cursor",
    fromCreatedAt: "fromCreatedAt",
    toCreatedAt: "toCreatedAt",
  },
  envelope: { items: "items", lastCursor: "omit" as "omit" | "null" | "empty" },
  fields: {
    id: { type: "uuid" },
    status: {
      type: "choice",
      values: ["COMPLETED", "PENDING", "PROCESSING", "FAILED", "CANCELLED"],
      weights: [80, 8, 5, 4, 3],
    },
    amount: {
      type: "object",
      fields: {
        value: { type: "decimal", min: 1, max: 25_000 },
        currency: { type: "choice", values: ["EUR", "GBP", "USD"], weights: [6, 3, 1] },
      },
    },
    reference: { type: "text", template: "Invoice {number}" },
    createdAt: { type: "createdAt" },
  } as FieldSettings,
};

/** The lists of a sandbox without configuration. They are plain data that users can copy and change. */
export const defaultLists: Readonly<Record<"payments" | "payouts", ListSettings>> = {
  payments: { path: "/v1/payments", count: 10_000, spacing: hour / 4 },
  payouts: {
    path: "/v1/payouts",
    count: 25,
    spacing: 24 * hour,
    fields: {
      ...listDefaults.fields,
      status: { type: "choice", values: ["PAID", "SCHEDULED", "FAILED"], weights: [18, 4, 3] },
      reference: { type: "text", template: "Payout {number}" },
    },
  },
};
