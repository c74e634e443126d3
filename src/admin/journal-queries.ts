import * as z from "zod";
import { durationForm, parseDuration, second } from "../base/text/duration.js";
import { longestQuery } from "../sandbox/journal/query.js";
import { operationNames } from "../sandbox/operations.js";
import { instant, wholeNumber } from "./common-schemas.js";

export const q = z
  .string()
  .max(longestQuery, `give a query of at most ${longestQuery} characters`)
  .describe("A query, such as `status:4xx -op:ping`.")
  .optional();

const requestFilters = {
  q,
  client: z.string().max(64).describe("Of the token, or of the certificate.").optional(),
  operation: z.enum(operationNames).optional(),
  list: z.string().max(64).optional(),
  status: z
    .string()
    .regex(/^([1-5]\d\d|[1-5]xx|0)$/, "give a status such as 401, or a class such as 4xx")
    .describe("Such as `401` or `4xx`; 0: no answer.")
    .optional(),
  code: z.string().max(100).optional(),
  since: instant.describe("From this instant on, on the client's clock.").optional(),
};

export const requestCountQuery = z.strictObject(requestFilters);

export const requestPageQuery = z.strictObject({
  ...requestFilters,
  pageSize: wholeNumber(/^([1-9]|[1-9]\d|[1-9]\d\d|1000)$/, "give a number from 1 to 1000")
    .describe("1 to 1000. Default: 100. A page of long entries ends earlier.")
    .optional(),
  cursor: wholeNumber(/^\d{1,15}$/, "give the nextCursor of the page before").optional(),
});

/** The longest wait for a request, in milliseconds. A client of HTTP may itself give up after a minute. */
const longestWait = 50 * second;

const waitRule = `give ${durationForm}, at most ${longestWait / second}s`;

export const waitingPageQuery = requestPageQuery.extend({
  wait: z
    .string(waitRule)
    .refine((text) => (parseDuration(text) ?? Number.POSITIVE_INFINITY) <= longestWait, waitRule)
    .transform((text) => parseDuration(text) as number)
    .describe(`Wait until a request matches, at most so long: \`5s\`. One that is in the journal already counts.`)
    .optional(),
});

export const handshakePageQuery = requestPageQuery.pick({ pageSize: true, cursor: true });
