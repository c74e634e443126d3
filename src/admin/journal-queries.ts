import * as z from "zod";
import { longestQuery } from "../sandbox/journal/query.js";
import { operationNames } from "../sandbox/operations.js";
import { instant, wholeNumber } from "./common-schemas.js";

const q = z
  .string()
  .max(longestQuery, `give a query of at most ${longestQuery} characters`)
  .describe("A query, such as `status:4xx -op:ping`.")
  .optional();

const requestFilters = {
  q,
  client: z.string().max(64).describe("The client of the token, or of the certificate.").optional(),
  operation: z.enum(operationNames).optional(),
  list: z.string().max(64).describe("The name of a list.").optional(),
  status: z
    .string()
    .regex(/^([1-5]\d\d|[1-5]xx|0)$/, "give a status such as 401, or a class such as 4xx")
    .describe("A status, or a class such as `4xx`.")
    .optional(),
  code: z.string().max(100).describe("An error code.").optional(),
  since: instant.describe("Only exchanges at or after this instant, on the clock of their client.").optional(),
};

export const journalQuery = z.strictObject({ q });

export const requestCountQuery = z.strictObject(requestFilters);

export const requestPageQuery = z.strictObject({
  ...requestFilters,
  pageSize: wholeNumber(/^([1-9]|[1-9]\d|[1-9]\d\d|1000)$/, "give a number from 1 to 1000")
    .describe("1 to 1000; 100 when left out. A page of long entries ends earlier.")
    .optional(),
  cursor: wholeNumber(/^\d{1,15}$/, "give the nextCursor of the page before").optional(),
});

export const handshakePageQuery = requestPageQuery.pick({ pageSize: true, cursor: true });

export const clientPageQuery = handshakePageQuery.extend({
  pageSize: requestPageQuery.shape.pageSize.describe("1 to 1000; 1000 when left out."),
});

const after = wholeNumber(/^\d{1,15}$/, "give the order of an entry")
  .describe("Only entries after this `order`, as if the others did not exist.")
  .optional();

export const journalPageQuery = requestPageQuery.pick({ q: true, pageSize: true, cursor: true }).extend({ after });

export const overviewQuery = z.strictObject({
  q,
  from: instant.describe("Only from this instant, on the machine's clock.").optional(),
  to: instant.describe("Only before this instant, on the machine's clock; now when left out.").optional(),
  after,
  span: z
    .enum(["recent", "matches"])
    .describe(
      "What the buckets cover where `from` and `to` do not say it: the last five minutes, or from the oldest to the newest entry that matches, at least a minute. `recent` when left out.",
    )
    .optional(),
  buckets: wholeNumber(/^([1-9]|[1-9]\d|[12]\d\d|300)$/, "give a number from 1 to 300")
    .describe("1 to 300; 60 when left out.")
    .optional(),
});

const idList = (what: string) =>
  z
    .string()
    .regex(/^\d{1,15}(,\d{1,15}){0,999}$/, "give up to 1000 ids, separated by commas")
    .describe(`Ids of ${what}, separated by commas; at most 1000.`)
    .optional();

export const missingQuery = z.strictObject({ requests: idList("exchanges"), handshakes: idList("handshakes") });

export const exportQuery = z.strictObject({
  q,
  format: z
    .enum(["har", "ndjson"])
    .describe("HAR 1.2, or a line of JSON for each entry; `har` when left out.")
    .optional(),
});
