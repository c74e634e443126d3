import type { HttpsResponse } from "../../../support/https-client.js";
import type { ForeignAnswer, ForeignRequest } from "./listening.js";

/** A service in the style of a known API: what it answers, and the names of its list's parameters. */
export interface Style {
  readonly path: string;
  readonly answer: (request: ForeignRequest) => ForeignAnswer;
  readonly names: Readonly<Record<"size" | "cursor" | "filter", string>>;
  /** Absent where the list has no bounds of dates. */
  readonly dates?: { readonly from: string; readonly to: string };
  /** The largest page size. */
  readonly most: number;
  /** The query of the next page, as a client of this service makes it; undefined on the last page. */
  readonly next: (body: HttpsResponse["json"], number: number) => string | undefined;
}

/** Names of the interface, for what a service does not have. */
const usual = { size: "pageSize", cursor: "cursor", filter: "status" };

interface Parts {
  readonly path?: string;
  readonly error: (status: number, code: string) => ForeignAnswer;
  readonly list: (query: URLSearchParams, refuse: Parts["error"]) => ForeignAnswer;
  readonly ping?: (request: ForeignRequest) => ForeignAnswer | undefined;
  /** Headers of every answer. */
  readonly every?: (request: ForeignRequest) => Readonly<Record<string, string>>;
  /** Whether tokens are not checked, as by a mock. */
  readonly isOpen?: boolean;
  readonly names?: Partial<Style["names"]>;
  readonly dates?: Style["dates"];
  readonly most?: number;
  readonly next: Style["next"];
}

function style(parts: Parts): Style {
  const { path = "/v1/payments", error, list, every, isOpen = false, names = {}, dates, most = 100 } = parts;
  const answer = (request: ForeignRequest): ForeignAnswer => {
    if (request.path === "/oauth/v2/oauth-token") return tokenAnswer(request, parts);
    if (request.path !== "/v1/ping" && request.path !== path) return error(404, "not_found");
    if (request.method !== "GET" && request.method !== "HEAD") return error(405, "method_not_allowed");
    if (!isOpen && request.headers["authorization"] !== "Bearer a-token") return error(401, "unauthorized");
    if (!isOpen && !request.isRegistered) return error(401, "certificate_mismatch");
    if (request.path === path) return list(request.query, error);
    const own = parts.ping?.(request);
    if (own !== undefined) return own;
    if (request.query.get("produceError") === "true") return error(400, "EXAMPLE_ERROR");
    return { status: 200, body: { status: "ok" } };
  };
  return {
    path,
    names: { ...usual, ...names },
    ...(dates && { dates }),
    most,
    next: parts.next,
    answer: (request) => {
      const given = answer(request);
      return { ...given, headers: { ...given.headers, ...every?.(request) } };
    },
  };
}

function tokenAnswer({ method, headers, body, isRegistered }: ForeignRequest, { error, isOpen }: Parts): ForeignAnswer {
  const issued = { access_token: "a-token", token_type: "bearer", expires_in: 300, scope: "read" };
  if (method !== "POST") return error(405, "method_not_allowed");
  if (isOpen) return { status: 200, body: issued };
  const form = new URLSearchParams(body);
  if (!String(headers["content-type"]).startsWith("application/x-www-form-urlencoded"))
    return error(415, "unsupported_media_type");
  if (!form.has("grant_type")) return error(400, "invalid_request");
  if (form.get("grant_type") !== "client_credentials") return error(400, "unsupported_grant_type");
  if (form.get("client_id") !== "acme" || !isRegistered) return error(401, "invalid_client");
  if (form.has("scope") && form.get("scope") !== "read") return error(400, "invalid_scope");
  return { status: 200, body: issued };
}

/** 23 payments, the newest first. */
const rows = Array.from({ length: 23 }, (_, index) => ({
  id: `pay_${String(100_000 + index * 7)}`,
  amount: 1000 + index,
  status: index % 2 === 0 ? "PAID" : "OPEN",
  createdAt: new Date(Date.UTC(2026, 9, 30) - index * 86_400_000).toISOString(),
}));

const within = (all: typeof rows, from: string | null, to: string | null) =>
  all.filter(({ createdAt }) => (from === null || createdAt >= from) && (to === null || createdAt <= to));

/** A page size: undefined if it is none. */
function sizeIn(query: URLSearchParams, name: string, usual: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return usual;
  return /^[1-9]\d*$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

const sealed = (start: number) => Buffer.from(`start=${start}`).toString("base64url");
const opened = (text: string) => Number(/^start=(\d+)$/.exec(Buffer.from(text, "base64url").toString())?.[1]);

/** Keeps the interface, and has chosen what it leaves open. */
const ofTheInterface = style({
  next: ({ next }) => next && `after=${encodeURIComponent(next)}`,
  error: (status, code) => ({ status, body: { message: `No: ${code}`, code } }),
  names: { size: "limit", cursor: "after" },
  dates: { from: "since", to: "until" },
  most: 50,
  list(query, refuse) {
    const size = sizeIn(query, "limit", 10, 50);
    if (size === undefined) return refuse(400, "INVALID_PAGE_SIZE");
    const [from, to] = [query.get("since"), query.get("until")];
    const isDate = (text: string | null) => text === null || /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
    if (!isDate(from) || !isDate(to) || (from !== null && to !== null && from > to))
      return refuse(400, "VALIDATION_ERROR");
    const filters = `${from} ${to} ${query.get("status")}`;
    const [start = "0", same = filters] = query.has("after")
      ? Buffer.from(String(query.get("after")), "base64url")
          .toString()
          .split("|")
      : [];
    if (!/^\d+$/.test(start)) return refuse(400, "INVALID_CURSOR");
    if (same !== filters) return refuse(400, "CURSOR_FILTERS_CHANGED");
    const found = within(rows, from, to).filter(({ status }) => [null, status].includes(query.get("status")));
    const end = Number(start) + size;
    const next = end < found.length ? { next: Buffer.from(`${end}|${filters}`).toString("base64url") } : {};
    return { status: 200, body: { data: found.slice(Number(start), end), ...next } };
  },
});

/** Errors in an object, the id of a row as cursor, unknown parameters refused on lists, HEAD and OPTIONS refused. */
const ofCards = style({
  next: ({ has_more, data }) => (has_more ? `starting_after=${data?.at(-1)?.id}` : undefined),
  path: "/v1/charges",
  names: { size: "limit", cursor: "starting_after" },
  error: (status, code) => ({ status, body: { error: { type: "invalid_request_error", code, message: "No." } } }),
  every: () => ({ "Request-Id": "req_1" }),
  list(query, refuse) {
    if ([...query.keys()].some((name) => name !== "limit" && name !== "starting_after"))
      return refuse(400, "parameter_unknown");
    const size = sizeIn(query, "limit", 10, 100);
    if (size === undefined) return refuse(400, "parameter_invalid_integer");
    const after = query.get("starting_after");
    const start = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1;
    if (after !== null && start === 0) return refuse(400, "resource_missing");
    return {
      status: 200,
      body: {
        object: "list",
        url: "/v1/charges",
        has_more: start + size < rows.length,
        data: rows.slice(start, start + size),
      },
    };
  },
});

/** JSON:API: errors in a list, its media type, links, a page size and a cursor in brackets. */
const ofJsonApi = style({
  next: ({ links }) => links?.next?.split("?")[1],
  names: { size: "page[size]", cursor: "page[after]" },
  most: 50,
  error: (status, code) => ({ status, body: { errors: [{ status: String(status), code, title: "No." }] } }),
  every: () => ({ "Content-Type": "application/vnd.api+json" }),
  ping: ({ query }) =>
    query.has("calibrateUnknown") || query.has("unheard") ? { status: 200, body: { status: "ok" } } : undefined,
  list(query, refuse) {
    if ([...query.keys()].some((name) => !/^page\[(size|after)\]$/.test(name))) return refuse(400, "unknown_parameter");
    const size = sizeIn(query, "page[size]", 10, 50);
    if (size === undefined) return refuse(400, "invalid_size");
    const after = query.get("page[after]");
    const start = after === null ? 0 : opened(after);
    if (Number.isNaN(start)) return refuse(400, "invalid_cursor");
    const end = start + size;
    const next = end < rows.length ? `/v1/payments?page%5Bafter%5D=${sealed(end)}&page%5Bsize%5D=${size}` : null;
    const data = rows.slice(start, end).map(({ id, ...attributes }) => ({ type: "payments", id, attributes }));
    return { status: 200, body: { data, links: { self: "/v1/payments", next } } };
  },
});

/** Open Banking: pages by number in links, capital members, an identifier that is sent back. */
const ofBanks = style({
  next: ({ Links }) => Links?.Next?.split("?")[1],
  path: "/open-banking/transactions",
  names: { cursor: "page" },
  dates: { from: "fromBookingDateTime", to: "toBookingDateTime" },
  error: (status, code) => ({
    status,
    body: { Code: String(status), Message: "No.", Errors: [{ ErrorCode: `UK.${code}`, Message: "No." }] },
  }),
  every: ({ headers }) => ({
    "x-fapi-interaction-id": String(headers["x-fapi-interaction-id"] ?? "b3c1a1de-64ff-4a2c-8a8a-3c2f7f8d9e10"),
  }),
  list(query, refuse) {
    const page = Number(query.get("page") ?? 1);
    if (!Number.isInteger(page) || page < 1) return refuse(400, "Field.Invalid");
    const [from, to] = [query.get("fromBookingDateTime"), query.get("toBookingDateTime")];
    if ([from, to].some((text) => text !== null && Number.isNaN(Date.parse(text))))
      return refuse(400, "Field.InvalidDate");
    const all = within(rows, from, to).map(({ id, amount, createdAt }) => ({
      TransactionId: id,
      Amount: { Amount: `${amount}.00`, Currency: "GBP" },
      BookingDateTime: createdAt,
    }));
    const base = "https://bank.example/open-banking/transactions";
    const Next = page * 10 < all.length ? { Next: `${base}?page=${page + 1}` } : {};
    return {
      status: 200,
      body: {
        Data: { Transaction: all.slice(page * 10 - 10, page * 10) },
        Links: { Self: base, ...Next },
        Meta: { TotalPages: Math.ceil(all.length / 10) },
      },
    };
  },
});

/** Problem documents (RFC 9457), offsets, a total. */
const ofProblems = style({
  next: ({ items, total }, number) => (number * 10 < total && items?.length > 0 ? `offset=${number * 10}` : undefined),
  path: "/v2/orders",
  names: { size: "limit", cursor: "offset" },
  error: (status, code) => ({
    status,
    headers: { "Content-Type": "application/problem+json", ...(status === 401 && { "WWW-Authenticate": "Bearer" }) },
    body: { type: "about:blank", title: "No.", status, code },
  }),
  list(query, refuse) {
    const size = sizeIn(query, "limit", 10, 1000);
    const offset = Number(query.get("offset") ?? 0);
    if (size === undefined || !Number.isInteger(offset)) return refuse(400, "invalid_parameter");
    return { status: 200, body: { items: rows.slice(offset, offset + size), total: rows.length } };
  },
});

/** A store of JSON files: an array alone, and errors that are empty objects. */
const ofFiles = style({
  next: (body, number) => (body.length > 0 ? `_page=${number + 1}` : undefined),
  path: "/payments",
  isOpen: true,
  names: { size: "_limit", cursor: "_page" },
  error: (status) => ({ status, body: {} }),
  list(query) {
    const size = sizeIn(query, "_limit", 10, 100) ?? 10;
    const page = Number(query.get("_page") ?? 1) || 1;
    const found = rows.filter(({ status }) => [null, status].includes(query.get("status")));
    return {
      status: 200,
      headers: { "X-Total-Count": String(found.length) },
      body: query.has("_page") || query.has("_limit") ? found.slice((page - 1) * size, page * size) : found,
    };
  },
});

/** A mock that answers everything with its examples, whatever is sent. */
const ofExamples = style({
  next: ({ nextCursor }) => nextCursor && `cursor=${nextCursor}`,
  isOpen: true,
  error: (status, code) => ({
    status,
    headers: { "Content-Type": "application/problem+json" },
    body: { type: "x", title: code, status },
  }),
  list: () => ({ status: 200, body: { items: rows.slice(0, 2), nextCursor: "an-example" } }),
});

export const styles = { ofTheInterface, ofCards, ofJsonApi, ofBanks, ofProblems, ofFiles, ofExamples };
