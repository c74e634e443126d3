import type { ErrorFacts } from "./error-facts.js";

/** The codes that the interface names (§7). */
export const interfaceErrors = {
  VALIDATION_ERROR: {
    status: 400,
    message: "The supplied data is not valid.",
    basis: "§7",
    means: "A parameter has a value that the service cannot accept.",
    causes: [
      "a date that is not RFC 3339 with a time zone, or a range whose begin is after its end",
      "a filter or `produceError` that is repeated, empty or not one of its values",
      "a query that is not validly percent-encoded",
    ],
    fix: "Send dates as `2026-11-01T00:00:00Z`, each parameter once, and percent-encode values. The message names the parameter.",
    request: { path: "/v1/payments?fromCreatedAt=yesterday", token: true },
  },
  INVALID_CORRELATION_ID: {
    status: 400,
    message: "The correlation ID does not match the required format.",
    basis: "§7",
    means: "The correlation ID does not have the required format.",
    causes: [
      "a correlation ID that is not a UUID, or is sent twice",
      "none, if the assumption `correlation.required` says that one is needed",
    ],
    fix: "Send a new UUID for each request in `X-Correlation-ID`, or leave the header out.",
    request: { path: "/v1/ping", token: true, headers: { "X-Correlation-ID": "order 17" } },
  },
  INVALID_PAGE_SIZE: {
    status: 400,
    message: "The page size must be a whole number from 1 to 100.",
    basis: "§7",
    means: "The page size is not a whole number from 1 to the maximum.",
    causes: ["`pageSize=0`, a number over the maximum, a fraction, a word, or two sizes"],
    fix: "Send a whole number from 1 to 100, or leave the parameter out.",
    request: { path: "/v1/payments?pageSize=0", token: true },
  },
  INVALID_CURSOR: {
    status: 400,
    message: "The cursor is not valid.",
    basis: "§7",
    means: "The service does not know the cursor, or does not accept it any more.",
    causes: [
      "a cursor that was cut short, altered, encoded twice, or made up",
      "a cursor of another client, another list, or an earlier certs folder",
      "a cursor that has expired",
    ],
    fix: "Send the cursor exactly as the last page gave it, percent-encoded once. When it is refused, start the walk again without a cursor.",
    request: { path: "/v1/payments?cursor=x", token: true },
  },
  CURSOR_FILTERS_CHANGED: {
    status: 400,
    message: "The filters differ from those of the request that produced the cursor.",
    basis: "§7",
    means: "The filters differ from those of the request that produced the cursor.",
    causes: ["a filter or date that was added, left out or changed during a walk; page sizes may change"],
    fix: "Repeat exactly the same filters with each cursor, as the same text. To change a filter, start again without a cursor.",
  },
  EXAMPLE_ERROR: {
    status: 400,
    message: "This is an example of an error response.",
    basis: "§7",
    means: "The client asked for an example of an error.",
    causes: ["`produceError=true` in a ping"],
    fix: "Nothing is wrong. Test with it that your client reads `code` and `message`.",
    request: { path: "/v1/ping?produceError=true", token: true },
  },
} as const satisfies Record<string, ErrorFacts>;
