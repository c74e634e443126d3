import type { Assumption } from "./assumption.js";

/** Lists, and the parameters of their requests. */
export const listAssumptions = {
  "list.endpoints": {
    section: "4.3",
    point: "the list endpoints and their items",
    choice:
      "synthetic `payments` at `/v1/payments` and `payouts` at `/v1/payouts`, newest first, items `{id, status, amount:{value,currency}, reference, createdAt}`, filter `status`",
    why: "the parameters of §8 need a list to try them on",
    key: "lists.NAME",
  },
  "list.envelope": {
    section: "4.3",
    point: "the body of a page",
    choice: '`{"items":[…],"nextCursor":"…"}`, without `nextCursor` on the last page',
    why: "the smallest shape that can be walked",
    key: "lists.NAME.envelope",
  },
  "list.cursor": {
    section: "7 rule 1",
    point: "which cursors are good",
    choice:
      "opaque and encrypted; good for 24 hours, for one client and one list; another list's, another client's, expired or altered: INVALID_CURSOR",
    why: "§7 says that an altered cursor is invalid",
    key: "lists.NAME.cursorLifetime",
  },
  "list.page-size-change": {
    section: "7 rule 1",
    point: "whether `pageSize` may change during a walk",
    choice: "yes: it is no filter",
    why: "rule 1 speaks of filters only",
    key: null,
  },
  "list.filter-comparison": {
    section: "7 rule 1",
    point: "what counts as the same filter",
    choice: "the same text after percent-decoding; the same instant written another way is a change",
    why: '"exactly the same filters"; a client that passes here passes everywhere',
    key: null,
  },
  "list.dates": {
    section: "7",
    point: "format of `fromCreatedAt` and `toCreatedAt`, and whether their bounds belong to the range",
    choice: "RFC 3339 date-time with offset, both bounds inclusive; anything else, empty or repeated: VALIDATION_ERROR",
    why: "the format of the API field at large",
    key: "lists.NAME.parameters",
  },
  "list.page-size-format": {
    section: "8",
    point: "answer to a `pageSize` that is no plain decimal integer, empty or repeated",
    choice: "400 INVALID_PAGE_SIZE",
    why: "it is not within 1 to 100 either",
    key: "lists.NAME.pageSize",
  },
} as const satisfies Record<`list.${string}`, Assumption>;
