import type { ErrorFacts } from "./error-facts.js";

/** The codes that the interface names (§7). */
export const interfaceErrors = {
  VALIDATION_ERROR: {
    status: 400,
    message: "The supplied data is not valid.",
    basis: "§7",
    causes: [
      "a date that is not RFC 3339 with a time zone, or a range that ends before it begins",
      "a filter or `produceError` that is repeated, empty or not one of its values",
      "an invalid percent-encoding",
    ],
    fix: "Send dates as `2026-11-01T00:00:00Z`, each parameter once, and values percent-encoded. The message names the parameter.",
    request: { path: "/v1/payments?fromCreatedAt=yesterday", token: true },
  },
  INVALID_CORRELATION_ID: {
    status: 400,
    message: "The correlation ID does not match the required format.",
    basis: "§7",
    causes: ["an ID that is not a UUID, or is sent twice", "none, if `correlation.required` says so"],
    fix: "Send a new UUID in `X-Correlation-ID` with each request, or leave the header out.",
    request: { path: "/v1/ping", token: true, headers: { "X-Correlation-ID": "order 17" } },
  },
  INVALID_PAGE_SIZE: {
    status: 400,
    message: "The page size must be a whole number from 1 to 100.",
    basis: "§7",
    causes: ["`pageSize=0`, a number over the maximum, a fraction, a word, or two sizes"],
    fix: "Send a whole number from 1 to 100, or leave the parameter out.",
    request: { path: "/v1/payments?pageSize=0", token: true },
  },
  INVALID_CURSOR: {
    status: 400,
    message: "The cursor is not valid.",
    basis: "§7",
    causes: [
      "a cursor that was cut short, altered, encoded twice or made up, or has expired",
      "one of another client, another list, or an earlier certs folder",
    ],
    fix: "Send the last page's cursor unchanged, percent-encoded once. When it is refused, start again without a cursor.",
    request: { path: "/v1/payments?cursor=x", token: true },
  },
  CURSOR_FILTERS_CHANGED: {
    status: 400,
    message: "The filters differ from those of the request that produced the cursor.",
    basis: "§7",
    causes: ["a filter or date that was added, left out or changed during a walk; page sizes may change"],
    fix: "Repeat the same filters, as the same text, with each cursor. To change one, start again without a cursor.",
  },
  EXAMPLE_ERROR: {
    status: 400,
    message: "This is an example of an error response.",
    basis: "§7",
    causes: ["`produceError=true` in a ping"],
    fix: "Nothing is wrong: your client should read `code` and `message`.",
    request: { path: "/v1/ping?produceError=true", token: true },
  },
} as const satisfies Record<string, ErrorFacts>;
