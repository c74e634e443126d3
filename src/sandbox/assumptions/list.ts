import { isTimeZone } from "../../base/text/time-zone.js";
import type { Assumption } from "./assumption.js";

/** Lists, and the parameters of their requests. */
export const listAssumptions = {
  "list.endpoints": {
    section: "4.3",
    point: "list endpoints and their items",
    choice:
      "synthetic `payments` and `payouts` at `/v1/payments` and `/v1/payouts`, newest first, items `{id, status, amount:{value,currency}, reference, createdAt}`, filter `status`",
    why: "the parameters of §8 need a list to try them on",
    named: "a page; the refusal of a filter, or of a path parameter",
    refuses: "VALIDATION_ERROR",
    key: "lists.NAME",
  },
  "list.envelope": {
    section: "4.3",
    point: "the body of a page",
    choice: '`{"items":[…],"nextCursor":"…"}`, without `nextCursor` on the last page',
    why: "the smallest shape that can be walked",
    named: "a page",
    key: "lists.NAME.envelope",
  },
  "list.cursor": {
    section: "7 rule 1",
    point: "which cursors are good",
    choice:
      "opaque, encrypted ones, for 24 hours, one client and one list; others, and an empty or repeated one: INVALID_CURSOR",
    why: "§7 says that an altered cursor is invalid, and leaves open what else is",
    named: "the refusal of a cursor that was not altered",
    refuses: "INVALID_CURSOR",
    key: "lists.NAME.cursorLifetime",
  },
  "list.unknown-parent": {
    section: "4.3",
    point: "answer to a path parameter that none of a list's own items has",
    choice:
      "404 NOT_FOUND; items with a member of the parameter's name are shown under its value only, items without it nowhere; generated rows are there for every value",
    why: "RFC 9110 §15.5.5: there is no such resource",
    error: "NOT_FOUND",
    message: "There is no such resource.",
  },
  "list.page-size-change": {
    section: "7 rule 1",
    point: "whether `pageSize` may change during a walk",
    choice: "yes; it is not a filter",
    why: "rule 1 speaks of filters only",
    named: "a page with another `pageSize`",
    key: null,
  },
  "list.filter-comparison": {
    section: "7 rule 1",
    point: "what counts as the same filter",
    choice: "the same text after percent-decoding; an instant written another way is a change",
    why: '"exactly the same filters"; a client that passes here passes everywhere',
    named: "CURSOR_FILTERS_CHANGED where only the spelling differs",
    refuses: "CURSOR_FILTERS_CHANGED",
    key: null,
  },
  "list.dates": {
    section: "7",
    point: "`fromCreatedAt` and `toCreatedAt`",
    choice:
      "RFC 3339 date-time with offset, both bounds inclusive; anything else, empty or repeated: VALIDATION_ERROR. `format` is `date-time`, `date` or `both` (a date is its first instant for from, its last for to); `offset` is `required` or `optional`; `upper` is `included`, or `excluded` (a date is then its first instant for to, too); `zone`, such as `Europe/Paris`, is where a day begins, and the zone of times without an offset",
    why: "the format of the API field at large",
    named: "the refusal of a date; a page whose request has one",
    refuses: "VALIDATION_ERROR",
    value: { format: "date-time", offset: "required", upper: "included", zone: "UTC" },
    schema: ({ z, text }) =>
      z.strictObject({
        format: z.enum(["date-time", "date", "both"]),
        offset: z.enum(["required", "optional"]),
        upper: z.enum(["included", "excluded"]),
        zone: text.refine(isTimeZone, "give a time zone such as Europe/Paris, or UTC"),
      }),
    another: {
      value: { format: "both", offset: "optional", upper: "excluded", zone: "Europe/Paris" },
      effect:
        "a date without a time, and a time without an offset, are accepted, and are those of Paris; what was created at the upper bound is not on a page",
    },
  },
  "list.page-size-format": {
    section: "8",
    point:
      "answer to a `pageSize` that is not a plain decimal integer, is empty or repeated, or is outside configured limits",
    choice: "400 INVALID_PAGE_SIZE",
    why: "it is not within 1 to 100 either",
    named: "this refusal",
    refuses: "INVALID_PAGE_SIZE",
    key: "lists.NAME.pageSize",
  },
} as const satisfies Record<`list.${string}`, Assumption>;
