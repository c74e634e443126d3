import type { StartOptions } from "../../../src/index.js";
import { defaultAssumptions, type ValueAssumptionId } from "../../../src/sandbox/assumptions.js";
import { valuesOf } from "./counted-values.js";

/** A source of numbers that depends only on its seed (mulberry32). */
function drawing(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const one = <T>(values: readonly T[]): T => values[whole(0, values.length - 1)] as T;
  return { whole, one, maybe: () => next() < 0.5 };
}

type Draw = ReturnType<typeof drawing>;

/** The refusals that a read-only request can cause. */
const refusals = [
  "token.invalid-client",
  "token.invalid-request",
  "token.unsupported-grant-type",
  "token.invalid-scope",
  "bearer.missing-token",
  "bearer.invalid-token",
  "bearer.other-certificate",
  "bearer.insufficient-scope",
  "http.not-found",
] as const;

/** Without 408 and 429, which are about time. */
const statuses = [400, 401, 403, 404, 405, 409, 410, 413, 415, 417, 422, 431, 451];

function override({ one, maybe, whole }: Draw, id: string, place: number) {
  return {
    status: one(statuses),
    ...(maybe() && { code: `OTHER_${place}_${whole(1, 9)}` }),
    ...(maybe() && { wwwAuthenticate: one(["none", 'Bearer realm="payments"', "Basic"]) }),
    // The members of the token endpoint's errors are visible in a full body only.
    ...(id !== "token.invalid-client" && maybe() && { body: one(["full", "code", "none"] as const) }),
    ...(id.startsWith("token.") &&
      maybe() && { error: one(["invalid_client", "unauthorized_client", "access_denied"]) }),
  };
}

/** The names of a list in several styles, as services have them. */
const styles = [
  { pageSize: null, cursor: "cursor", fromCreatedAt: null, toCreatedAt: null },
  { pageSize: "pageSize", cursor: "cursor", fromCreatedAt: "from", toCreatedAt: null },
  { pageSize: "pageSize", cursor: "cursor", fromCreatedAt: "fromCreatedAt", toCreatedAt: "toCreatedAt" },
  { pageSize: "limit", cursor: "after", fromCreatedAt: "from", toCreatedAt: "to" },
  { pageSize: "per_page", cursor: "page_token", fromCreatedAt: "created_after", toCreatedAt: "created_before" },
  { pageSize: "size", cursor: "next", fromCreatedAt: "since", toCreatedAt: "until" },
  { pageSize: "first", cursor: "after", fromCreatedAt: "start", toCreatedAt: "end" },
  { pageSize: "count", cursor: "pageToken", fromCreatedAt: "dateFrom", toCreatedAt: "dateTo" },
];

type List = NonNullable<StartOptions["lists"]>[string];

/** A list with many rows, whose limits can be found. */
function longList(draw: Draw): List {
  const { one, maybe, whole } = draw;
  const minimum = one([1, 1, 2, 3]);
  const usual = whole(minimum + 2, 12);
  const date = one(["createdAt", "bookedAt", "created", "times.created"]);
  return {
    path: maybe() ? "/v1/things" : "/accounts/{accountId}/things",
    count: whole(1100, 2000),
    spacing: one(["1h", "6h", "15m"]),
    anchor: "2026-06-01T12:00:00Z",
    order: one(["newest-first", "oldest-first"]),
    dateField: date,
    parameters: one(styles),
    pageSize: {
      default: usual,
      minimum,
      maximum: one([50, 100, 137, 200, 250, 1000]),
      beyond: one(["refuse", "lower"] as const),
    },
    ...one([{}, { unknownParameters: "ignore" }, { unknownParameters: "refuse" }] as const),
    filters: one([{}, { status: "status" }, { paid: "paid" }, { status: "status", paid: "paid" }]),
    envelope: envelope(draw),
    fields: fields(draw, date),
  };
}

/** A short list: one page, or none. */
function shortList(draw: Draw): List {
  const { one, maybe, whole } = draw;
  const isUndated = maybe();
  return {
    path: one(["/v1/others", "/v2/some/others"]),
    count: one([0, 1, 2, 4, whole(3, 9)]),
    spacing: "1d",
    dateField: isUndated ? null : "createdAt",
    parameters: isUndated ? { ...one(styles), fromCreatedAt: null, toCreatedAt: null } : one(styles),
    pageSize: { default: 10 },
    filters: {},
    envelope: envelope(draw),
    fields: { ...fields(draw, "createdAt"), ...(isUndated && { createdAt: { type: "text", template: "x {number}" } }) },
  };
}

function envelope({ one, maybe }: Draw): List["envelope"] {
  if (one([true, false, false, false])) {
    return {
      items: null,
      ...one([
        { linkHeader: true, linkForm: one(["url", "path"] as const) },
        { cursorHeader: one(["X-After-Cursor", "Next-Page-Token"]) },
      ]),
    };
  }
  return {
    items: one(["items", "data", "result.rows", "_embedded.things"]),
    ...one([
      { nextCursor: one(["nextCursor", "paging.next", "meta.cursor", "marker", "where"]) },
      { nextLink: one(["links.next", "next", "_links.next.href"]), linkForm: one(["url", "path"] as const) },
      { linkHeader: true, linkForm: one(["url", "path"] as const) },
      { cursorHeader: "X-After-Cursor" },
    ]),
    lastCursor: one(["omit", "null", "empty"] as const),
    ...(maybe() && { hasMore: "hasMore" }),
    ...(maybe() && { pageSize: "pageSize" }),
    ...(maybe() && { count: "count" }),
    ...(maybe() && { total: "total" }),
    ...(maybe() && {
      extra: one([{ object: "list", "about.version": 2 }, { errors: [] }, { warning: null, ok: true }]),
    }),
  };
}

function fields({ one, maybe }: Draw, date: string): NonNullable<List["fields"]> {
  const stamp = { type: "createdAt" } as const;
  return {
    id: one([{ type: "uuid" }, { type: "id", prefix: "pay_" }, { type: "id", length: 20 }] as const),
    status: { type: "choice", values: ["OPEN", "PAID", "LATE"] },
    amount: {
      type: "object",
      fields: {
        value: { type: "decimal", min: 1, max: 900, as: one(["string", "number"] as const) },
        currency: { type: "choice", values: ["EUR", "USD"] },
      },
    },
    number: { type: "integer", min: 1, max: 500 },
    paid: { type: "boolean" },
    note: { type: "text", template: "Note {number}" },
    ...(date === "times.created" ? { times: { type: "object", fields: { created: stamp } } } : { [date]: stamp }),
    nothing: { type: "constant", value: null },
    ...(maybe() && { tags: { type: "constant", value: ["a", "b"] } }),
    ...(maybe() && { due: { type: "createdAt", as: one(["date", "seconds", "milliseconds"] as const) } }),
  };
}

/** A sandbox whose observable assumptions are all drawn. */
export function drawnOptions(seed: number) {
  const draw = drawing(seed);
  const { one, maybe, whole } = draw;
  return {
    assumedHeader: false,
    basePath: one([undefined, "/business/api", "/v3"]),
    tls: { clientCertificate: one(["request", "request", "require"] as const) },
    lists: { things: longList(draw), others: shortList(draw) },
    assumptions: {
      ...Object.fromEntries(refusals.map((id, place) => [id, override(draw, id, place)])),
      "token.error-body": one(["both", "service", "oauth"] as const),
      "token.lifetime": whole(30, 7200),
      "token.client-secret": one(["refuse", "ignore"] as const),
      "token.expires-in": one(["number", "text"] as const),
      "correlation.header": one(["X-Correlation-ID", "X-Request-Id", "Trace", "My-Reference"]),
      "correlation.format": one(["uuid", "uuid", "[\\w.-]{1,64}"]),
      "correlation.required": maybe(),
      "request.unknown-parameters": one(["ignore", "refuse"] as const),
      "ping.response": one([
        { status: 200, body: { status: "OK" } },
        { status: 200, body: { pong: true, version: "1.2", parts: ["api", "store"] } },
        { status: 200, body: { result: { text: "fine", number: 7, nothing: null } } },
        { status: 202, body: "pong" },
        { status: 204 },
      ]),
      "list.dates": {
        format: one(["date-time", "date", "both"] as const),
        offset: one(["required", "optional"] as const),
        upper: one(["included", "excluded"] as const),
      },
    },
  } satisfies StartOptions;
}

/**
 * The drawn assumptions whose values can be counted, each with the value whose turn it is. The usual value comes last.
 */
export function valuesOfTurn(turn: number): Readonly<Record<string, unknown>> {
  const drawn = Object.keys(drawnOptions(1).assumptions).filter(isValueAssumption);
  return Object.fromEntries(
    drawn.flatMap((id) => {
      const values = valuesOf(id);
      return values.length === 0 ? [] : [[id, values[turn % values.length]]];
    }),
  );
}

function isValueAssumption(id: string): id is ValueAssumptionId {
  return id in defaultAssumptions().values;
}

/** Assumptions that are drawn under another key than `assumptions`. */
const drawnElsewhere = ["certificate.handshake", "list.endpoints", "list.envelope", "list.page-size-format"] as const;

/** The assumptions that are drawn, and must be recovered. */
export const drawnIds: readonly string[] = [...Object.keys(drawnOptions(1).assumptions), ...drawnElsewhere];
